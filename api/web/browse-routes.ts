import { type Request, type Response, Router } from 'express';
import type { z } from 'zod';
import type { Operation } from '../operation.ts';
import { buyerProfile } from '../operations/buyer-profile.ts';
import { companyProfile } from '../operations/company-profile.ts';
import { getNotice } from '../operations/get-notice.ts';
import { lookupContract } from '../operations/lookup-contract.ts';
import { lookupFramework } from '../operations/lookup-framework.ts';
import { ask } from './ask.ts';
import type { Page } from './layout.tsx';
import { noticePath } from './links.ts';
import { buyerPage } from './pages/buyer.tsx';
import { companyPage } from './pages/company.tsx';
import { contractPage } from './pages/contract.tsx';
import { notFoundPage } from './pages/errors.tsx';
import { frameworkPage } from './pages/framework.tsx';
import { noticePage } from './pages/notice.tsx';
import type { Web } from './web.ts';

/** Contracts on one page of a company or buyer. */
const LIST_ROWS = 25;

/** One page for each kind of thing, out of the same reads as the API. */
export function makeBrowseRoutes(web: Web): Router {
  const router = Router();
  const { house } = web;

  router.get('/notices/:id', async (request, response) => {
    const id = request.params.id;
    await show(web, response, ['notice', id], getNotice, { notice_id: id }, (notice) =>
      noticePage(notice, house.clocks.catalogueNow()),
    );
  });
  router.get('/contracts/:id', async (request, response) => {
    const id = request.params.id;
    const found = await ask(lookupContract, { notice_id: id }, house);
    if (found.kind === 'answer') return web.send(response, contractPage(found.body));
    const notice = await ask(getNotice, { notice_id: id }, house);
    if (notice.kind === 'answer') return response.redirect(302, noticePath(notice.body.notice_id));
    return web.send(response, notFoundPage('contract', id), 404);
  });
  router.get('/companies/:id', async (request, response) => {
    const id = request.params.id;
    const cursor = cursorOf(request);
    const input = { company_number: id, limit: LIST_ROWS, ...(cursor && { cursor }) };
    await show(web, response, ['company', id], companyProfile, input, (profile) =>
      companyPage(profile, house.clocks.catalogueNow(), cursor),
    );
  });
  router.get('/buyers/:id', async (request, response) => {
    const id = request.params.id;
    const cursor = cursorOf(request);
    const input = { buyer_id: id, limit: LIST_ROWS, ...(cursor && { cursor }) };
    await show(web, response, ['buyer', id], buyerProfile, input, (profile) =>
      buyerPage(profile, house.clocks.catalogueNow(), cursor),
    );
  });
  router.get('/frameworks/:id', async (request, response) => {
    const id = request.params.id;
    const cursor = cursorOf(request);
    const input = { framework_id: id, limit: LIST_ROWS, ...(cursor && { cursor }) };
    await show(web, response, ['framework', id], lookupFramework, input, (framework) =>
      frameworkPage(framework, cursor),
    );
  });
  return router;
}

/** Asks for one thing and shows its page, or the page that says it is not held. */
async function show<I extends z.ZodObject, O extends z.ZodObject>(
  web: Web,
  response: Response,
  [what, id]: readonly [string, string],
  operation: Operation<I, O>,
  input: Record<string, unknown>,
  draw: (body: z.input<O>) => Page,
): Promise<void> {
  const found = await ask(operation, input, web.house);
  if (found.kind === 'answer') return web.send(response, draw(found.body));
  // The thing may well be held: only that page of its list is not.
  if (found.kind === 'refused' && 'cursor' in input) return response.redirect(302, response.req.path);
  await web.send(response, notFoundPage(what, id.slice(0, 200)), 404);
}

function cursorOf(request: Request): string | undefined {
  const { cursor } = request.query;
  return typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
}
