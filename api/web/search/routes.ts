import type { Request, RequestHandler, Response, Router } from 'express';
import { withQuery } from '../components/links.ts';
import { beginningOf } from '../components/repeat-in-part.ts';
import type { Web } from '../context.ts';
import { BAND_FIELD, bandBounds, isBandBound } from '../filters/bands.ts';
import { pageFacets } from '../filters/fields.ts';
import { countFacets, countsAtOnce, groupFacets } from '../filters/groups.ts';
import { readPartyNames } from '../filters/party-names.ts';
import { isMultiValue } from '../filters/values.ts';
import { findHitsOrSome, readSearchQuery } from '../queries/hits.ts';
import { makeRouter } from '../serving/router.ts';
import { ownFields, searchedBy } from './periods.tsx';
import { searchPage } from './results.tsx';
import { CONTRACTS, FRAMEWORKS, NOTICES, RENEWALS, tendersView, type View } from './views.ts';

/** The searches for tenders, notices, contracts and frameworks. An address contains the whole search, with the API's names. */
export function makeSearchRoutes(web: Web): Router {
  const router = makeRouter();
  router.get('/notices', (request, response) => showResults(web, NOTICES, request, response));
  router.get('/tenders', (request, response) =>
    showResults(web, tendersView(readSearchQuery('tenders', request.query)), request, response),
  );
  router.get('/contracts', (request, response) => showResults(web, CONTRACTS, request, response));
  router.get('/renewals', (request, response) => showResults(web, RENEWALS, request, response));
  router.get('/frameworks', (request, response) => showResults(web, FRAMEWORKS, request, response));
  return router;
}

async function showResults(web: Web, view: View, request: Request, response: Response): Promise<void> {
  const { scope } = view;
  const { catalogue, clocks, settings } = web.services;
  const now = clocks.catalogueNow();
  const query = ownFields(view, readSearchQuery(scope, request.query), request.query.months);
  const searched = searchedBy(view, query, now);
  const isCounted = view.isRolling || countsAtOnce(scope, query);
  const { results, faults } = await findHitsOrSome(
    web.services,
    scope,
    searched,
    isCounted ? { facets: pageFacets(scope) } : {},
  );
  const counts = results && isCounted ? await countFacets(web.services, scope, searched, results) : null;
  const parties = await readPartyNames(catalogue, counts ?? {}, query, results?.items[0]?.buyer);
  // A refused search is repeated only in part.
  const shown = results ? query : beginningOf(query);
  const titles = await web.readTitles();
  const groups = groupFacets(scope, shown, counts, parties, titles, results?.total);
  const { APP_URL: appUrl, BASE_URL: baseUrl } = settings;
  const page = {
    view,
    query: shown,
    searched,
    results,
    groups,
    isCounted,
    faults,
    titles,
    parties,
    now,
    appUrl,
    baseUrl,
  };
  await web.send(response, searchPage(page), results ? 200 : 422);
}

/** Pages with GET forms. */
export const ASKED = [
  '/search',
  '/notices',
  '/tenders',
  '/contracts',
  '/renewals',
  '/frameworks',
  '/companies',
  '/buyers',
  '/categories/:code',
];

/**
 * Redirects a submitted form to its clean address, which can be kept and shared. It has no blank fields, the values of each
 * filter in one list, and the bounds of a band.
 */
export const cleanAddress: RequestHandler = (request, response, next) => {
  const fields = [...new URLSearchParams(request.url.split('?').slice(1).join('?'))];
  const filled = fields.filter(([, value]) => value.trim() !== '');
  const joined = withBand(joinValues(filled));
  if (filled.length === fields.length && String(filled) === String(joined)) return next();
  response.redirect(302, withQuery(request.path, joined));
};

type Field = [name: string, value: string];

/** Joins the repeated fields of each multi-value filter at the place of the first. One pass: an address has room for thousands. */
function joinValues(fields: readonly Field[]): Field[] {
  const firsts: Field[] = [];
  const lists = new Map<string, string[]>();
  for (const [name, value] of fields) {
    const list = lists.get(name);
    if (list) list.push(value.trim());
    else firsts.push([name, value]);
    if (!list && isMultiValue(name)) lists.set(name, [value.trim()]);
  }
  return firsts.map(([name, value]): Field => {
    const values = lists.get(name) ?? [];
    return [name, values.length > 1 ? [...new Set(values)].join(',') : value];
  });
}

/** Replaces bounds by those of a band. */
function withBand(fields: readonly Field[]): Field[] {
  const band = fields.find(([name]) => name === BAND_FIELD)?.[1];
  if (band === undefined) return [...fields];
  const bounds = bandBounds(band);
  const others = fields.filter(([name]) => name !== BAND_FIELD && !(bounds && isBandBound(name)));
  return [...others, ...Object.entries(bounds ?? {})];
}
