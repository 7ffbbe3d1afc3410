import { WATCH_COLLECTIONS } from '../../../schema/accounts/watches/row.ts';
import { withQuery } from '../components/links.ts';
import { type Query, type Scope, shortestQuery } from '../queries/hits.ts';
import type { View } from './views.ts';

/** The words and filters of a search: what stays of it where neither order nor page matters. */
function withoutOrder(scope: Scope, query: Query): Query {
  const { sort: _, cursor: __, match: ___, facets: ____, ...given } = shortestQuery(scope, query);
  return given;
}

/** Feeds and exports match all words, so they do not hold what matches any of them. */
export const matchesAll = ({ match }: Query): boolean => match !== 'any';

/** The address of an export of the results. */
export const exportAddress = (scope: Scope, query: Query): string =>
  withQuery('/dashboard/exports/new', { dataset: scope, ...withoutOrder(scope, query) });

/** Whether a watch can look for what a search finds. */
export const canWatch = (scope: Scope): boolean => WATCH_COLLECTIONS.some((one) => one === scope);

/** The address of the form of a watch on the search. */
export const watchAddress = (scope: Scope, query: Query): string =>
  withQuery('/dashboard/watches/new', { on: scope, ...withoutOrder(scope, query) });

/** The API path of the same search, first page. */
export function apiAddress(scope: Scope, query: Query): string {
  const { facets: _, cursor: __, ...given } = shortestQuery(scope, query);
  const words = scope === 'tenders' ? { query: '*' } : {};
  return withQuery(`/v1/${scope}/search`, { ...words, ...given });
}

/** The feed of the same search: newest first, matching all words. */
export function feedAddress({ scope, path }: View, query: Query): string {
  const { sort: _, cursor: __, match: ___, ...given } = shortestQuery(scope, query);
  return withQuery(`${path}.atom`, given);
}
