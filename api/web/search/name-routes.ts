import type { Request, Router } from 'express';
import { parseCompanyNumber } from '../../../schema/text/ids.ts';
import type { Services } from '../../contract/operation.ts';
import { lookupCompany } from '../../operations/companies/lookup.ts';
import { readBuyerNames } from '../../reads/buyers.ts';
import { readActiveCompanies } from '../../reads/companies.ts';
import { formatNumbered } from '../components/format.ts';
import { companyPath } from '../components/links.ts';
import { WORDS_CHARS } from '../components/repeat-in-part.ts';
import type { Web } from '../context.ts';
import { facetParties } from '../filters/groups.ts';
import { findHits } from '../queries/hits.ts';
import { findBuyers, findCompanies, type NamedThing, type NameSearch } from '../queries/names.ts';
import { runForPage } from '../queries/run-operation.ts';
import { cacheFor } from '../serving/cached-read.ts';
import { makeRouter } from '../serving/router.ts';
import { namesPage } from './name-list.tsx';

/** Start pages are the same for everybody. */
const FRESH_MS = 60_000;
/** Companies shown before anything is searched for. */
const COMPANIES_SHOWN = 12;

/** Companies and buyers by name. */
export function makeNameRoutes(web: Web): Router {
  const router = makeRouter();
  const { wallNow } = web.services.clocks;
  const readCompanies = cacheFor(FRESH_MS, wallNow, async () => startPage(web, 'company', findActiveCompanies));
  const readBuyers = cacheFor(FRESH_MS, wallNow, async () => startPage(web, 'buyer', findActiveBuyers));
  router.get('/companies', async (request, response) => {
    const name = nameOf(request);
    if (/\d/.test(name) && parseCompanyNumber(name)) {
      const found = await runForPage(lookupCompany, { company_number: name }, web.services);
      if (found.kind === 'answer') return response.redirect(302, companyPath(found.body.id));
    }
    const page = name ? namesPage(await findCompanies(web.services, name)) : await readCompanies();
    await web.send(response, page);
  });
  router.get('/buyers', async (request, response) => {
    const name = nameOf(request);
    await web.send(response, name ? namesPage(await findBuyers(web.services, name)) : await readBuyers());
  });
  return router;
}

/** The page before a search, with some examples. If the search engine fails, it has only the box. */
async function startPage(web: Web, kind: NameSearch['kind'], find: (services: Services) => Promise<NamedThing[]>) {
  try {
    return namesPage({ kind, name: '', others: await find(web.services) });
  } catch (error) {
    web.log.error({ err: error, path: kind }, 'a list of names does without its beginning');
    return namesPage({ kind, name: '', others: [] });
  }
}

function nameOf(request: Request): string {
  const { name } = request.query;
  return typeof name === 'string' ? name.trim().slice(0, WORDS_CHARS) : '';
}

/** The companies with the latest awards. */
async function findActiveCompanies({ catalogue, clocks }: Services): Promise<NamedThing[]> {
  const today = clocks.catalogueNow().toISOString().slice(0, 10);
  const rows = await readActiveCompanies(catalogue, today, COMPANIES_SHOWN);
  return rows.map(({ id, name, locality, contract_count, framework_places }) => ({
    id,
    name,
    facts: [locality],
    contractCount: contract_count,
    frameworkPlaces: framework_places,
  }));
}

/** The buyers with the most open tenders. */
async function findActiveBuyers(services: Services): Promise<NamedThing[]> {
  const { results } = await findHits(services, 'tenders', { query: '*' }, { limit: 1, facets: ['buyer_id'] });
  if (!results) return [];
  const names = await readBuyerNames(services.catalogue, facetParties('buyer', results.facets));
  return facetParties('buyer', results.facets).flatMap((id) => {
    const name = names.get(id);
    const open = formatNumbered(results.facets.buyer_id?.[id] ?? 0, 'open tender');
    return name ? [{ id, name, facts: [open], contractCount: 0, frameworkPlaces: 0 }] : [];
  });
}
