import type { Settings } from '../../../schema/config/settings.ts';
import type { Page } from '../components/layout.tsx';
import { Scroll } from '../components/parts.tsx';
import { priceOf } from './endpoints.tsx';
import type { FieldLine, Reference } from './reference.ts';
import { SNIPPET_SCRIPTS, Snippet } from './snippet.tsx';
import { TRY_SCRIPT, TryForm } from './try.tsx';

/** One address: what it takes, what it answers, how it refuses. */
export function referencePage(entry: Reference, settings: Settings): Page {
  return {
    title: `${entry.summary} - API reference`,
    description: entry.description,
    section: 'docs',
    scripts: entry.curl ? [...SNIPPET_SCRIPTS, TRY_SCRIPT] : SNIPPET_SCRIPTS,
    body: (
      <article>
        <p class="kind">
          <a href="/docs">API reference</a>
        </p>
        <h1>{entry.summary}</h1>
        <p>
          <code>
            <span class="method">{entry.method}</span> {entry.path}
          </code>
        </p>
        <p>{entry.description}</p>
        <p>
          <span class="tag">{priceOf(entry)}</span>
          {!entry.needsKey && <span class="tag">no key needed</span>}
        </p>
        {entry.curl && (
          <>
            <h2>Try it</h2>
            <Snippet text={entry.curl} label={`the call of ${entry.summary}`} />
            <p class="muted small">{hintOf(entry)}</p>
            <TryForm entry={entry} settings={settings} />
          </>
        )}
        {entry.inputs.length > 0 && (
          <>
            <h2>What it takes</h2>
            <FieldList lines={entry.inputs} />
          </>
        )}
        <h2>What it answers</h2>
        <FieldList lines={entry.answer} />
        <h2>When it refuses</h2>
        <Scroll label="Refusals">
          <table>
            <tbody>
              {entry.refusals.map(({ status, description }) => (
                <tr key={status}>
                  <th scope="row">
                    <code>{status}</code>
                  </th>
                  <td>{description}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </article>
    ),
  };
}

/** What to put into the line before it is sent. */
function hintOf({ needsKey, inputs }: Reference) {
  const key = needsKey ? 'Put your key into API_KEY first.' : 'No key is needed.';
  const ids = inputs.filter((input) => input.in === 'path');
  if (ids.length === 0) return key;
  if (!ids.some(({ name }) => name === 'export_id')) return `${key} The id is an example: take yours from a search.`;
  return (
    <>
      {key} Put the <code>export_id</code> of <a href="/docs/bulk_export">an export of your own</a> in place of the
      example.
    </>
  );
}

/** Each field with its type and meaning: side by side where there is room, below each other on a phone. */
function FieldList({ lines }: { lines: readonly (FieldLine & { in?: string })[] }) {
  return (
    <dl class="fields">
      {lines.map((line) => (
        <div key={line.name}>
          <dt>
            <code>{line.name}</code>
            {line.in && <span class="hint">{`${line.in}${line.required ? ', required' : ''}`}</span>}
          </dt>
          <dd class="muted small">{line.type}</dd>
          {line.description && <dd>{line.description}</dd>}
        </div>
      ))}
    </dl>
  );
}
