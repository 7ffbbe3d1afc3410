import type { Request, Router } from 'express';
import { parseCompanyNumber } from '../../../schema/text/ids.ts';
import type { Services } from '../../contract/operation.ts';
import { lookupCompany } from '../../operations/companies/lookup.ts';
import { companyPath } from '../components/links.ts';
import { WORDS_CHARS } from '../components/repeat-in-part.ts';
import type { Web } from '../context.ts';
import { findBuyers, findCompanies, type NamedThing, type NameSearch } from '../queries/names.ts';
import { ask } from '../queries/run-operation.ts';
import { keepFor } from '../serving/cached-read.ts';
import { makeRouter } from '../serving/router.ts';
import { namesPage } from './name-list.tsx';
import { findActiveBuyers, findActiveCompanies } from './recently-active.ts';

/** What stands there unasked is the same for everybody. */
const FRESH_MS = 60_000;

/** Companies and buyers by name. */
export function makeNameRoutes(web: Web): Router {
  const router = makeRouter();
  const { wallNow } = web.services.clocks;
  const readCompanies = keepFor(FRESH_MS, wallNow, async () => startPage(web, 'company', findActiveCompanies));
  const readBuyers = keepFor(FRESH_MS, wallNow, async () => startPage(web, 'buyer', findActiveBuyers));
  router.get('/companies', async (request, response) => {
    const name = nameOf(request);
    if (/\d/.test(name) && parseCompanyNumber(name)) {
      const found = await ask(lookupCompany, { company_number: name }, web.services);
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

/** Nothing is asked yet: some to begin with. A search that does not answer leaves the box. */
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
