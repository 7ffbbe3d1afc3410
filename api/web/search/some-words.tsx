import type { ComponentChildren } from 'preact';
import { formatCount } from '../components/format.ts';
import { withQuery } from '../components/links.ts';
import type { Query } from '../queries/hits.ts';

interface Some {
  items: readonly unknown[];
  total: number;
  exact: boolean;
}

/** Says that nothing matches all words and how many match some. @param children - the first of those */
export function SomeWords(props: {
  path: string;
  query: Query;
  /** What was searched for: a tender, a notice, a framework. */
  what: string;
  some: Some;
  children: ComponentChildren;
}) {
  const { path, query, what, some, children } = props;
  const count = `${some.exact ? '' : 'at least '}${formatCount(some.total)}`;
  const { cursor: _, ...same } = query;
  return (
    <>
      <p class="note">
        No {what} has all of these words; {count} {some.total === 1 && some.exact ? 'has' : 'have'} some.
      </p>
      <hr />
      {children}
      {some.total > some.items.length && (
        <p class="more">
          <a href={withQuery(path, { ...same, match: 'any' })}>
            All {count === formatCount(some.total) ? count : `of ${count}`} with some of the words
          </a>
        </p>
      )}
    </>
  );
}
