import type { ComponentChildren } from 'preact';
import { withQuery } from './links.ts';
import { WORDS_CHARS } from './repeat-in-part.ts';

interface SearchBoxProps {
  /** Of its form, for fields elsewhere on the page. */
  id?: string;
  action: string;
  value?: string;
  label: string;
  /** A shorter label for the placeholder, if a phone would cut it off. */
  hint?: string;
  large?: boolean;
}

/** A search box. */
export function SearchBox({ id, action, value, label, hint = label, large }: SearchBoxProps) {
  return (
    <search>
      <form class={large ? 'ask large' : 'ask'} id={id} action={action}>
        <input type="search" name="query" value={value} aria-label={label} placeholder={hint} maxLength={WORDS_CHARS} />
        <button type="submit">Search</button>
      </form>
    </search>
  );
}

/** Why a search was refused, a paragraph each. */
export function Refused({ faults }: { faults: readonly string[] }) {
  return faults.map((fault) => (
    <p key={fault} class="note bad" role="alert">
      {fault}
    </p>
  ));
}

interface HeadProps {
  columns: readonly string[];
  /** Columns with numbers, which are aligned to the right. */
  numbers?: readonly string[] | undefined;
}

/** The head of a table. */
export function Head({ columns, numbers = [] }: HeadProps) {
  return (
    <thead>
      <tr>
        {columns.map((name) => (
          <th key={name} scope="col" class={numbers.includes(name) ? 'number' : undefined}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface TableProps extends Partial<HeadProps> {
  label: string;
  compact?: boolean;
  class?: string;
  /** Its rows. */
  children: ComponentChildren;
}

/** A table that scrolls sideways on a narrow screen, also by keyboard. */
export function Table({ label, columns, numbers, compact, class: kind, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs keyboard focus
    <section class={compact ? 'scroll compact' : 'scroll'} aria-label={label} tabIndex={0}>
      <table class={kind}>
        {columns && <Head columns={columns} numbers={numbers} />}
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

/** A fact in a list; left out if it has no value. */
export type Fact = readonly [label: string, value: ComponentChildren];

/** A list of facts; nothing if none has a value. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  const shown = facts.filter(([, value]) => hasContent(value));
  if (shown.length === 0) return null;
  return (
    <dl class="facts">
      {shown.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function hasContent(value: ComponentChildren): boolean {
  if (Array.isArray(value)) return value.some(hasContent);
  return value !== null && value !== undefined && value !== false && value !== '';
}

/** A large number, sum or day and its label. */
export interface Figure {
  value: ComponentChildren;
  label: ComponentChildren;
}

/** Large figures in a row; nothing if there are none. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  if (figures.length === 0) return null;
  return (
    <ul class="figures">
      {figures.map(({ value, label }, at) => (
        <li key={at}>
          <strong>{value}</strong>
          <span>{label}</span>
        </li>
      ))}
    </ul>
  );
}

/** A link if there is an address, otherwise plain text. */
export function Outward({ href, children }: { href: string | null; children: ComponentChildren }) {
  return href ? (
    <a href={href} rel="noopener">
      {children}
    </a>
  ) : (
    children
  );
}

/** The warnings of our checks about a record. */
export function Warnings({ warnings }: { warnings: readonly string[] | undefined }) {
  if (!warnings || warnings.length === 0) return null;
  return (
    <div class="note warn" role="note">
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
    </div>
  );
}

/** Links to the first and the next page of a list. */
export function Pages(props: { path: string; query: Record<string, string>; next: string | null | undefined }) {
  const { cursor, ...first } = props.query;
  if (!props.next && !cursor) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {cursor && <a href={withQuery(props.path, first)}>First page</a>}
      {props.next && (
        <a href={withQuery(props.path, { ...first, cursor: props.next })} rel="next">
          Next page
        </a>
      )}
    </nav>
  );
}

/** A link to the next page of a list, newest first. @param what - is listed: `payments` */
export function Older({ href, what }: { href: string; what: string }) {
  return (
    <nav class="pages" aria-label="Pages">
      <a href={href} rel="next">
        Older {what}
      </a>
    </nav>
  );
}

/** The API call for the same data as a page. @param url - of the call */
export function ApiCall({ url }: { url: string }) {
  return (
    <details class="call">
      <summary>As an API call</summary>
      <pre>
        <code>{`curl -H "Authorization: Bearer $API_KEY" \\\n  '${url.replaceAll("'", '%27')}'`}</code>
      </pre>
      <p class="small">
        It needs a <a href="/dashboard#keys">key</a>; <a href="/pricing">what it costs</a>.
      </p>
    </details>
  );
}
