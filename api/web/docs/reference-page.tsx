import type { Settings } from '../../../schema/config/settings.ts';
import type { Page } from '../components/layout.tsx';
import { Table } from '../components/parts.tsx';
import { priceOf } from './endpoints.tsx';
import type { FieldLine, Reference } from './reference.ts';
import { SNIPPET_SCRIPTS, Snippet } from './snippet.tsx';

/** One address: its inputs, its answer and its refusals. */
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
        <Table label="Refusals">
          {entry.refusals.map(({ status, description }) => (
            <tr key={status}>
              <th scope="row">
                <code>{status}</code>
              </th>
              <td>{description}</td>
            </tr>
          ))}
        </Table>
      </article>
    ),
  };
}

/** What to fill in before the line is sent. */
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

/** The script that sends the call of a page. */
const TRY_SCRIPT = 'try.js';

type Input = Reference['inputs'][number];

/** A form that sends a call and shows its answer. A script sends it, so that the key never becomes part of an address. */
function TryForm({ entry, settings }: { entry: Reference; settings: Settings }) {
  const inputs = entry.inputs.filter((input) => input.in === 'path' || input.in === 'query');
  const first = inputs.filter(isShownFirst);
  const more = inputs.filter((input) => !isShownFirst(input));
  return (
    <form
      class="try"
      autocomplete="off"
      data-method={entry.method}
      data-path={entry.path}
      data-api={settings.BASE_URL}
      data-app={new URL(settings.APP_URL).origin}
      data-costs={entry.credits > 0 ? 'yes' : undefined}
    >
      <h3>Send this call</h3>
      {entry.needsKey && <KeyField />}
      {first.map((input) => (
        <InputField key={input.name} input={input} />
      ))}
      {entry.body !== null && <BodyField text={entry.body} />}
      {more.length > 0 && (
        <details>
          <summary>More inputs</summary>
          {more.map((input) => (
            <InputField key={input.name} input={input} />
          ))}
        </details>
      )}
      <button type="submit">Send</button> <span class="muted small">A real call. Price: {priceOf(entry)}</span>
      <p class="try-outcome" role="status" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs keyboard focus */}
      <section class="try-answer" aria-label="Answer" tabIndex={0} hidden>
        <pre />
      </section>
    </form>
  );
}

const isShownFirst = (input: Input) => input.in === 'path' || input.example !== '';

function KeyField() {
  return (
    <div class="field">
      <label for="try-key">Your API key</label>
      <input id="try-key" type="text" class="secret" autocapitalize="off" spellcheck={false} />
      <span class="hint">
        It is sent with the call and not stored: it is gone when you leave this page. Create keys under{' '}
        <a href="/dashboard">Account</a>.
      </span>
    </div>
  );
}

function InputField({ input: { name, in: place, example } }: { input: Input }) {
  const id = `try-${name}`;
  return (
    <div class="field">
      <label for={id}>
        <code>{name}</code>
      </label>
      <input id={id} name={name} value={example} data-in={place} required={place === 'path'} spellcheck={false} />
    </div>
  );
}

function BodyField({ text }: { text: string }) {
  return (
    <div class="field">
      <label for="try-body">Body (JSON)</label>
      <textarea id="try-body" rows={Math.min(16, text.split('\n').length + 1)} spellcheck={false}>
        {text}
      </textarea>
    </div>
  );
}
