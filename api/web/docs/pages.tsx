import { formatCount, formatNumbered } from '../format.ts';
import { Heading, type Page } from '../layout.tsx';
import { Scroll } from '../parts.tsx';
import type { FieldLine, Reference } from './reference.ts';

/** What a call costs, in words. */
export function priceOf({ credits, priceNote }: Pick<Reference, 'credits' | 'priceNote'>): string {
  if (priceNote) return priceNote;
  return credits === 0 ? 'free' : formatNumbered(credits, 'credit');
}

export function referencePage(entry: Reference): Page {
  return {
    title: `${entry.summary} - API reference`,
    description: entry.description,
    section: 'docs',
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
            <pre>
              <code>{entry.curl}</code>
            </pre>
            <p class="muted small">{hintOf(entry)}</p>
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
      {key} Put the <code>export_id</code> of <a href="/docs/bulk_export">an export of your own</a> in the place of the
      example.
    </>
  );
}

/** Each field with its type and meaning: beside each other where there is room, below each other on a phone. */
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

/** The price list, derived like everything else from the operations table. */
export function pricingPage(entries: readonly Reference[], pencePerCredit: number, freeCredits: number): Page {
  return {
    title: 'Prices',
    description: 'What each call costs',
    body: (
      <>
        <Heading title="Prices">
          <p class="lead">
            Browsing these pages is free. An answer of the API costs a few credits; what is not found, refused or broken
            costs nothing.
          </p>
        </Heading>
        <p>
          One credit is £{(pencePerCredit / 100).toFixed(2)} net. A new account receives {formatCount(freeCredits)}{' '}
          credits, once, without a card: <a href="/sign-up">create one</a>.
        </p>
        <Endpoints entries={entries} />
      </>
    ),
  };
}

export function Endpoints({ entries }: { entries: readonly Reference[] }) {
  return (
    <Scroll label="Endpoints and prices">
      <table>
        <thead>
          <tr>
            <th scope="col">What, and its address</th>
            <th scope="col">Price</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <th scope="row">
                <a href={`/docs/${entry.id}`}>{entry.summary}</a>
                <span class="hint">
                  <code>
                    <span class="method">{entry.method}</span> {entry.path}
                  </code>
                </span>
              </th>
              <td class="price">{priceOf(entry)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
