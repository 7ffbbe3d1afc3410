import type { Request, Router } from 'express';
import { parseCompanyNumber } from '../../../schema/text/ids.ts';
import { lookupCompany } from '../../operations/companies/lookup.ts';
import type { Page } from '../components/layout.tsx';
import { companyPath } from '../components/links.ts';
import { beginningOf, WORDS_CHARS } from '../components/repeat-in-part.ts';
import type { Web } from '../context.ts';
import { listDirectory } from '../queries/directories.ts';
import type { Query } from '../queries/hits.ts';
import { findBuyers, findCompanies } from '../queries/names.ts';
import { readQuery, runForPage } from '../queries/run-operation.ts';
import { cacheFor } from '../serving/cached-read.ts';
import { makeRouter } from '../serving/router.ts';
import { namesPage } from './name-list.tsx';
import { directoryPage } from './page.tsx';
import { BUYERS, COMPANIES, type Directory, operationOf } from './views.ts';

/** The first page of each list is the same for everybody. */
const FRESH_MS = 60_000;

/** Lists of companies and buyers, and look-ups by name. */
export function makeDirectoryRoutes(web: Web): Router {
  const router = makeRouter();
  for (const directory of [COMPANIES, BUYERS]) {
    const readFirst = cacheFor(FRESH_MS, () => showDirectory(web, directory, {}));
    router.get(directory.path, async (request, response) => {
      const name = nameOf(request);
      if (name) return web.send(response, namesPage(await findNames(web, directory, name)));
      const query = readListQuery(directory, request.query);
      const path = await findByNumber(web, directory, query);
      if (path) return response.redirect(302, path);
      const isFirst = Object.keys(query).length === 0;
      const { page, status } = await (isFirst ? readFirst() : showDirectory(web, directory, query));
      await web.send(response, page, status);
    });
  }
  return router;
}

/** The filters of an address, by the API's names. Unknown names are left out, and `limit`, which the page sets itself. */
function readListQuery(directory: Directory, sent: Record<string, unknown>): Query {
  const { limit: _, ...fields } = readQuery(operationOf(directory), sent);
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}

async function showDirectory(web: Web, directory: Directory, query: Query): Promise<{ page: Page; status: number }> {
  const { page: found, faults } = await listDirectory(web.services, directory.kind, query);
  const isNothing = found?.entries.length === 0 && !query.cursor;
  const near = isNothing && query.query ? await findNames(web, directory, query.query) : null;
  // A refused search is repeated only in part.
  const shown = found ? query : beginningOf(query);
  const { BASE_URL: baseUrl, APP_URL: appUrl } = web.services.settings;
  return {
    page: directoryPage({ directory, query: shown, found, near, faults, baseUrl, appUrl }),
    status: found ? 200 : 422,
  };
}

/** The page of the company whose number was typed alone. */
async function findByNumber(web: Web, { kind }: Directory, { query = '', ...others }: Query): Promise<string | null> {
  if (kind !== 'company' || !parseCompanyNumber(query) || Object.keys(others).length > 0) return null;
  const found = await runForPage(lookupCompany, { company_number: query }, web.services);
  return found.kind === 'answer' ? companyPath(found.body.id) : null;
}

function findNames({ services }: Web, { kind }: Directory, name: string) {
  return kind === 'company' ? findCompanies(services, name) : findBuyers(services, name);
}

function nameOf(request: Request): string {
  const { name } = request.query;
  return typeof name === 'string' ? name.trim().slice(0, WORDS_CHARS) : '';
}
