import type { Request, Response, Router } from 'express';
import type { z } from 'zod';
import { readCpvName } from '../../categories/cpv-tree.ts';
import type { Operation } from '../../contract/operation.ts';
import { buyerProfile } from '../../operations/buyers/profile.ts';
import { companyProfile } from '../../operations/companies/profile.ts';
import { lookupContract } from '../../operations/contracts/lookup.ts';
import { lookupFramework } from '../../operations/frameworks/lookup.ts';
import { getNotice } from '../../operations/notices/get.ts';
import { readFetched, readIsGone } from '../../reads/processes.ts';
import { type Candidate, gonePage, notFoundPage, type Thing } from '../components/error-pages.tsx';
import type { Page } from '../components/layout.tsx';
import { noticePath } from '../components/links.ts';
import type { Web } from '../context.ts';
import { type Outcome, runForPage } from '../queries/run-operation.ts';
import { makeRouter } from '../serving/router.ts';
import { contractPage } from './contract.tsx';
import { frameworkPage } from './framework.tsx';
import { noticePage } from './notice/page.tsx';
import { buyerPage } from './organisation/buyer.tsx';
import { companyPage } from './organisation/company.tsx';
import { addUpOwn } from './organisation/own-sums.tsx';
import type { Known } from './provenance.tsx';

/** Contracts on one page of a company or buyer. */
const LIST_ROWS = 25;

/** The page of each kind of record, from the API's operations. */
export function makeRecordRoutes(web: Web): Router {
  const router = makeRouter();
  const { services } = web;
  const now = () => services.clocks.catalogueNow();
  const readKnown = async ({ ocid, cpv }: { ocid: string; cpv?: string | undefined }): Promise<Known> => ({
    now: now(),
    fetched: await readFetched(services.catalogue, ocid),
    cpvName: cpv && (await readCpvName(services.catalogue, cpv)),
  });

  router.get('/notices/:id', (request, response) => {
    const thing: RecordId = { what: 'notice', id: request.params.id };
    const input = { notice_id: request.params.id };
    return show(web, response, thing, getNotice, input, async (notice) =>
      noticePage(notice, await readKnown({ ocid: notice.ocid })),
    );
  });
  router.get('/contracts/:id', async (request, response) => {
    const id = request.params.id;
    const found = await runForPage(lookupContract, { notice_id: id }, services);
    if (found.kind === 'answer') return web.send(response, contractPage(found.body, await readKnown(found.body)));
    const notice = await runForPage(getNotice, { notice_id: id }, services);
    if (notice.kind === 'answer') return response.redirect(302, noticePath(notice.body.notice_id));
    return sendMissing(web, response, { what: 'contract', id }, notice);
  });
  router.get('/companies/:id', (request, response) => {
    const { thing, input, cursor } = listed('company', request);
    const { id, ...page } = input;
    return show(web, response, thing, companyProfile, { company_number: id, ...page }, async (profile) => {
      const { contract_count: count, framework_places: places } = profile.contracts;
      const sums = cursor ? undefined : await addUpOwn(web, { company_number: profile.core.id }, count + places);
      return companyPage(profile, { now: now(), cursor, sums });
    });
  });
  router.get('/buyers/:id', (request, response) => {
    const { thing, input, cursor } = listed('buyer', request);
    const { id, ...page } = input;
    return show(web, response, thing, buyerProfile, { buyer_id: id, ...page }, async (profile) => {
      const { contract_count: count, framework_places: places } = profile.contracts;
      const sums = cursor ? undefined : await addUpOwn(web, { buyer_id: profile.core.buyer_id }, count + places);
      return buyerPage(profile, { now: now(), cursor, sums });
    });
  });
  /** For a dynamic market: the status of its latest notice. */
  const readMarketStatus = async ({ kind, notice_id }: { kind: string; notice_id: string }) => {
    if (kind !== 'dynamic_market') return undefined;
    const notice = await runForPage(getNotice, { notice_id }, services);
    return notice.kind === 'answer' ? notice.body.status : undefined;
  };
  router.get('/frameworks/:id', (request, response) => {
    const { thing, input, cursor } = listed('framework', request);
    const { id, ...page } = input;
    return show(web, response, thing, lookupFramework, { framework_id: id, ...page }, async (framework) =>
      frameworkPage(framework, { ...(await readKnown(framework)), status: await readMarketStatus(framework) }, cursor),
    );
  });
  return router;
}

/** The kind of the record, and its id. */
interface RecordId {
  what: Thing;
  id: string;
}

/** A record with a list of contracts: the input has the list's cursor. */
function listed(what: Thing, request: Request<{ id: string }>) {
  const { id } = request.params;
  const { cursor: given } = request.query;
  const cursor = typeof given === 'string' && given !== '' ? given : undefined;
  return { thing: { what, id }, input: { id, limit: LIST_ROWS, ...(cursor && { cursor }) }, cursor };
}

/** Shows the page of a record, or the 404 page. */
async function show<I extends z.ZodObject, O extends z.ZodObject>(
  web: Web,
  response: Response,
  thing: RecordId,
  operation: Operation<I, O>,
  input: Record<string, unknown>,
  draw: (body: z.input<O>) => Page | Promise<Page>,
): Promise<void> {
  const found = await runForPage(operation, input, web.services);
  if (found.kind === 'answer') return web.send(response, await draw(found.body));
  // The cursor is invalid, but the record may exist.
  if (found.kind === 'refused' && 'cursor' in input) return response.redirect(302, response.req.path);
  await sendMissing(web, response, thing, found);
}

/** Distinguishes removed records from ids that never existed. */
async function sendMissing(web: Web, response: Response, thing: RecordId, found: Outcome<unknown>): Promise<void> {
  const { catalogue } = web.services;
  const isGone =
    (await readIsGone(catalogue, thing.what, thing.id)) ||
    // A contract can be looked up by the ids of its notices.
    (thing.what === 'contract' && (await readIsGone(catalogue, 'notice', thing.id)));
  if (isGone) return web.send(response, gonePage(thing), 410);
  await web.send(response, notFoundPage({ ...thing, candidates: candidatesOf(found) }), 404);
}

function candidatesOf(found: Outcome<unknown>): Candidate[] {
  return found.kind === 'nothing' ? (found.candidates ?? []) : [];
}
