import { type Request, Router } from 'express';
import { parseCompanyNumber } from '../../schema/ids.ts';
import { lookupCompany } from '../operations/lookup-company.ts';
import { ask } from './ask.ts';
import { findBuyers, findCompanies } from './find-names.ts';
import { companyPath } from './links.ts';
import { namesPage } from './pages/names.tsx';
import type { Web } from './web.ts';

const NAME_CHARS = 300;

/** Companies and buyers by name. */
export function makeNameRoutes(web: Web): Router {
  const router = Router();
  router.get('/companies', async (request, response) => {
    const name = nameOf(request);
    if (/\d/.test(name) && parseCompanyNumber(name)) {
      const found = await ask(lookupCompany, { company_number: name }, web.house);
      if (found.kind === 'answer') return response.redirect(302, companyPath(found.body.id));
    }
    await web.send(response, namesPage(await findCompanies(web.house, name)));
  });
  router.get('/buyers', async (request, response) => {
    await web.send(response, namesPage(await findBuyers(web.house, nameOf(request))));
  });
  return router;
}

function nameOf(request: Request): string {
  const { name } = request.query;
  return typeof name === 'string' ? name.trim().slice(0, NAME_CHARS) : '';
}
