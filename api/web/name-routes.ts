import { type Request, Router } from 'express';
import { parseCompanyNumber } from '../../schema/ids.ts';
import { lookupBuyer } from '../operations/lookup-buyer.ts';
import { lookupCompany } from '../operations/lookup-company.ts';
import { ask } from './ask.ts';
import { companyPath } from './links.ts';
import { type NameSearch, namesPage } from './pages/names.tsx';
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
    await web.send(response, namesPage(await findCompany(web, name)));
  });
  router.get('/buyers', async (request, response) => {
    await web.send(response, namesPage(await findBuyer(web, nameOf(request))));
  });
  return router;
}

async function findCompany(web: Web, name: string): Promise<NameSearch> {
  if (!name) return { kind: 'company', name, others: [] };
  const found = await ask(lookupCompany, { name }, web.house);
  if (found.kind === 'refused') return { kind: 'company', name, others: [], faults: found.faults };
  if (found.kind === 'nothing') return { kind: 'company', name, others: found.candidates ?? [] };
  const { id, contract_count, match, locality, companies_house_number, status, alternatives } = found.body;
  const facts = [companies_house_number, status, locality];
  const best = { id, name: found.body.name, facts, contractCount: contract_count, match };
  return { kind: 'company', name, best, others: alternatives ?? [] };
}

async function findBuyer(web: Web, name: string): Promise<NameSearch> {
  if (!name) return { kind: 'buyer', name, others: [] };
  const found = await ask(lookupBuyer, { name }, web.house);
  if (found.kind === 'refused') return { kind: 'buyer', name, others: [], faults: found.faults };
  if (found.kind === 'nothing') return { kind: 'buyer', name, others: found.candidates ?? [] };
  const { buyer_id, contract_count, match, region, kind, alternatives } = found.body;
  const best = { id: buyer_id, name: found.body.name, facts: [kind, region], contractCount: contract_count, match };
  return { kind: 'buyer', name, best, others: alternatives ?? [] };
}

function nameOf(request: Request): string {
  const { name } = request.query;
  return typeof name === 'string' ? name.trim().slice(0, NAME_CHARS) : '';
}
