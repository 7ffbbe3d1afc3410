import type { z } from 'zod';
import { parseContractId, parseNoticeId, parseOcid } from '../../../schema/text/ids.ts';
import type { Operation, Services } from '../../contract/operation.ts';
import { lookupBuyer } from '../../operations/buyers/lookup.ts';
import { lookupCompany } from '../../operations/companies/lookup.ts';
import { lookupContract } from '../../operations/contracts/lookup.ts';
import { lookupFramework } from '../../operations/frameworks/lookup.ts';
import { getNotice } from '../../operations/notices/get.ts';
import { buyerPath, companyPath, contractPath, frameworkPath, noticePath } from '../components/links.ts';
import { runForPage } from './run-operation.ts';

/** The id of a notice in its URL on either service. */
const IN_ADDRESS = /^https?:\/\/\S*?(\d{6}-\d{4}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w-])/i;
const COMPANY_NUMBER = /^(?:GB-COH-)?(?:[A-Z]{2} ?\d{6}|R0\d{6}|\d{7,8})$/i;
const ORGANISATION_ID = /^[A-Z]{2}-[A-Z]{2,5}-\S+$/i;
const FRAMEWORK_REFERENCE = /^RM ?\d{3,5}(?:\.\d+)?$/i;

/** The page of an identifier, or null if the text is not one or the record is not stored. */
export async function findExact(services: Services, text: string): Promise<string | null> {
  const notice = parseNoticeId(text) ?? parseOcid(text) ?? IN_ADDRESS.exec(text)?.[1];
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
export function asReference(text: string): string {
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
