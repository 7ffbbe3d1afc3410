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
        <h2>Try it</h2>
        <pre>
          <code>{entry.curl}</code>
        </pre>
        <p class="muted small">
          {entry.needsKey ? 'Put your key into API_KEY first.' : 'No key is needed.'} The ids are examples: take yours
          from a search.
        </p>
        {entry.inputs.length > 0 && (
          <>
            <h2>What it takes</h2>
            <FieldTable lines={entry.inputs} label="Inputs" />
          </>
        )}
        <h2>What it answers</h2>
        <FieldTable lines={entry.answer} label="Fields of the answer" />
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

function FieldTable({ lines, label }: { lines: readonly (FieldLine & { in?: string })[]; label: string }) {
  return (
    <Scroll label={label}>
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Type</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.name}>
              <th scope="row">
                <code>{line.name}</code>
                {line.in && <span class="hint">{`${line.in}${line.required ? ', required' : ''}`}</span>}
              </th>
              <td class="small">{line.type}</td>
              <td>{line.description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
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
            <th scope="col">What</th>
            <th scope="col">Address</th>
            <th scope="col">Price</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <th scope="row">
                <a href={`/docs/${entry.id}`}>{entry.summary}</a>
              </th>
              <td>
                <code>
                  <span class="method">{entry.method}</span> {entry.path}
                </code>
              </td>
              <td>{priceOf(entry)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
