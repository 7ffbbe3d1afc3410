import type { Router } from 'express';
import type { z } from 'zod';
import { parseContractId, parseNoticeId, parseOcid } from '../../../schema/text/ids.ts';
import type { Operation, Services } from '../../contract/operation.ts';
import { lookupBuyer } from '../../operations/buyers/lookup.ts';
import { lookupCompany } from '../../operations/companies/lookup.ts';
import { lookupContract } from '../../operations/contracts/lookup.ts';
import { lookupFramework } from '../../operations/frameworks/lookup.ts';
import { getNotice } from '../../operations/notices/get.ts';
import { countWrittenOut } from '../../validation/inputs.ts';
import { buyerPath, companyPath, contractPath, frameworkPath, noticePath } from '../components/links.ts';
import { WORDS_CHARS } from '../components/repeat-in-part.ts';
import type { Web } from '../context.ts';
import { findHitsOrSome } from '../queries/hits.ts';
import { findBuyers, findCompanies } from '../queries/names.ts';
import { runForPage } from '../queries/run-operation.ts';
import { makeRouter } from '../serving/router.ts';
import { foundPage, type Part, type Parts } from './everything.tsx';

const HITS = 5;

/** A search over everything: open tenders, contracts, notices, frameworks, companies and buyers. */
export function makeEverythingRoutes(web: Web): Router {
  const router = makeRouter();
  router.get('/search', async (request, response) => {
    const { text, isCut } = readText(request.query.query);
    const path = text ? await findExact(web.services, text) : null;
    if (path) return response.redirect(302, path);
    const parts = text ? await findEverything(web, text) : null;
    await web.send(response, foundPage({ text, isCut, now: web.services.clocks.catalogueNow(), parts }));
  });
  return router;
}

/** The typed text: control characters become spaces, its length is limited, even after normalisation. */
function readText(sent: unknown): { text: string; isCut: boolean } {
  const [first] = [sent].flat();
  const clean = typeof first === 'string' ? first.replace(/[\p{Cc}\s]+/gu, ' ').trim() : '';
  let text = cutTo(clean, WORDS_CHARS);
  while (Math.max(text.length, countWrittenOut(text)) > WORDS_CHARS) text = cutTo(text, [...text].length / 2);
  return { text, isCut: text.length < clean.length };
}

function cutTo(text: string, mostChars: number): string {
  return [...text].slice(0, mostChars).join('');
}

/** Runs all searches at once. A failed one says so in its section; if all fail, the page fails. */
async function findEverything(web: Web, text: string): Promise<Parts> {
  const { services } = web;
  const query = { query: asReference(text) };
  const [tenders, contracts, notices, frameworks, companies, buyers] = await Promise.all([
    tryPart(web, findHitsOrSome(services, 'tenders', query, { limit: HITS })),
    tryPart(web, findHitsOrSome(services, 'contracts', query, { limit: HITS })),
    tryPart(web, findHitsOrSome(services, 'notices', query, { limit: HITS })),
    tryPart(web, findHitsOrSome(services, 'frameworks', query, { limit: HITS })),
    tryPart(web, findCompanies(services, text)),
    tryPart(web, findBuyers(services, text)),
  ]);
  const parts: Part<unknown>[] = [tenders, contracts, notices, frameworks, companies, buyers];
  const [failed] = parts;
  if (failed && 'error' in failed && parts.every((part) => 'error' in part)) throw failed.error;
  return { tenders, contracts, notices, frameworks, companies, buyers };
}

async function tryPart<T>(web: Web, finding: Promise<T>): Promise<Part<T>> {
  try {
    return { found: await finding };
  } catch (error) {
    web.log.error({ err: error, path: '/search' }, 'a part of the search failed');
    return { error };
  }
}

/** The id of a notice in its URL on either service. */
const IN_ADDRESS = /^https?:\/\/\S*?(\d{6}-\d{4}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w-])/i;
/** The id of a notice without the prefix of its service, alone or in the query of its official page. */
const BARE_ID = /^(?:https?:\/\/\S+[?&]id=)?([a-z]{3}\d{4,})(?!\w)\S*$/i;
const COMPANY_NUMBER = /^(?:GB-COH-)?(?:[A-Z]{2} ?\d{6}|R0\d{6}|\d{7,8})$/i;
const ORGANISATION_ID = /^[A-Z]{2}-[A-Z]{2,5}-\S+$/i;
const FRAMEWORK_REFERENCE = /^RM ?\d{3,5}(?:\.\d+)?$/i;

/** The page of an identifier, or null if the text is not one or the record is not stored. */
async function findExact(services: Services, text: string): Promise<string | null> {
  const notice = parseNoticeId(text) ?? parseOcid(text) ?? IN_ADDRESS.exec(text)?.[1] ?? BARE_ID.exec(text)?.[1];
  if (notice) {
    return pathTo(services, getNotice, { notice_id: notice }, ({ notice_id }) => noticePath(notice_id));
  }
  if (parseContractId(text)) {
    return pathTo(services, lookupContract, { notice_id: text }, () => contractPath(text.toLowerCase()));
  }
  if (COMPANY_NUMBER.test(text)) {
    return pathTo(services, lookupCompany, { company_number: text }, ({ id }) => companyPath(id));
  }
  if (FRAMEWORK_REFERENCE.test(text)) {
    const given = { framework_id: asReference(text), limit: 1 };
    return pathTo(services, lookupFramework, given, ({ framework_id }) => frameworkPath(framework_id));
  }
  if (!ORGANISATION_ID.test(text)) return null;
  return (
    (await pathTo(services, lookupBuyer, { buyer_id: text }, ({ buyer_id }) => buyerPath(buyer_id))) ??
    pathTo(services, lookupCompany, { company_number: text }, ({ id }) => companyPath(id))
  );
}

/** A framework reference as stored: `RM 6100` as `RM6100`; other text unchanged. */
function asReference(text: string): string {
  return FRAMEWORK_REFERENCE.test(text) ? text.replace(' ', '') : text;
}

async function pathTo<I extends z.ZodObject, O extends z.ZodObject>(
  services: Services,
  operation: Operation<I, O>,
  input: Record<string, unknown>,
  path: (body: z.input<O>) => string,
): Promise<string | null> {
  const found = await runForPage(operation, input, services);
  return found.kind === 'answer' ? path(found.body) : null;
}
