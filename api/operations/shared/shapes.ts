import { z } from 'zod';
import { STAGES } from '../../../schema/catalogue/details.ts';
import { MATCH_METHODS } from '../../../schema/catalogue/enums.ts';
import { NOTICE_STATUSES } from '../../../schema/catalogue/live.ts';
import { LINK_KINDS } from '../../../schema/text/document-links.ts';

/** Pieces of answers that several operations share. Further fields are optional: absent where not held. */

/** A day or an instant whose name does not say which it is. */
export const day = z.string().meta({ format: 'date' });
export const instant = z.string().meta({ format: 'date-time' });

export const stage = z.enum(STAGES);

/** Whether a count is of all, or stopped on the way. */
export const countKind = z.enum(['exact', 'at_least']);

/** The filters in force, by name. */
export const filtersUsed = z.record(z.string(), z.union([z.string(), z.number()]));

export const cpvCode = z.object({ code: z.string(), description: z.string().optional() });

export const region = z.object({ code: z.string().optional(), name: z.string() });

/** How a name was tied to an identity, or one procurement to another. */
export const matchMethod = z.enum(MATCH_METHODS);

export const match = z.object({
  method: matchMethod.describe('How the name was tied to the identity'),
  score: z.number().describe('0 to 1'),
  evidence: z.array(z.string()),
  notice_ids: z.array(z.string()).optional().describe('Of a contract: the notices that named the supplier'),
});

export const supplier = z.object({
  company_id: z.string().describe('Leads to the company operations'),
  name: z.string(),
  companies_house_number: z.string().optional(),
  is_sme: z.boolean().optional(),
  match: match.optional(),
});

export const linkKind = z.enum(LINK_KINDS);

export const document = z.object({
  name: z.string(),
  url: z.string(),
  type: z.string().optional().describe('The code as published'),
  type_label: z.string().optional(),
  published: z.string().optional(),
  language: z.string().optional(),
  notice_id: z.string().optional(),
  link_kind: linkKind.describe('What the address itself tells of where it leads; nothing is fetched'),
  junk: z.boolean().optional().describe('True where the published address leads to no document'),
  junk_reason: z.string().optional(),
});

export const noticeReference = z.object({
  notice_id: z.string(),
  notice_type: z.string(),
  stage,
  published: z.string(),
  title: z.string(),
  url: z.string().optional(),
});

export const related = z.object({
  notice_id: z.string().describe('Its newest notice'),
  title: z.string(),
  source: z.string(),
  ocid: z.string(),
  published: z.string().optional().describe('Its first notice'),
  url: z.string().optional(),
  match: match.describe('method: identifier (one names the other), reference (of the buyer) or title'),
  counted_once: z
    .boolean()
    .describe('Awards of both are one contract in every count and sum; only an identifier does that'),
});

export const lot = z.object({
  lot_id: z.string(),
  title: z.string(),
  description: z.string().optional(),
  value: z.number().optional(),
  currency: z.string().optional(),
  status: z.string().optional(),
  starts: z.string().optional(),
  ends: z.string().optional(),
});

export const publishedIdentifier = z.object({
  scheme: z.string(),
  id: z.string(),
  notice_id: z.string().optional().describe('The latest notice that published it'),
});

export const publishedName = z.object({
  name: z.string(),
  notice_id: z.string().optional().describe('The latest notice that named it so'),
});

export const candidate = z.object({
  id: z.string(),
  name: z.string(),
  contract_count: z.int().optional(),
  framework_places: z.int().optional(),
  place: z.string().optional(),
  status: z.string().optional().describe('Of a company, in the register'),
});
/** What a brief answer keeps of its alternatives. */
export const ALTERNATIVES_KEPT = ['', '.contract_count', '.framework_places', '.place', '.status'].map(
  (field) => `alternatives${field}`,
);

/** What is counted and never summed. */
export const counted = z.object({ count: z.int() });

/** What is added up of one currency. */
export const currencySum = z.object({ count: z.int(), value: z.number() });

export const totals = z.object({
  sum: z.record(z.string(), currencySum).describe('Currency to the contracts whose value may be added up'),
  not_in_total: z
    .record(z.string(), counted)
    .describe('Framework ceilings, shared, estimated, absurd and unstated values: counted, never summed'),
});

export const yearTotal = z.object({
  year: z.string(),
  contract_count: z.int(),
  framework_places: z.int().optional(),
  sum: z.record(z.string(), z.number()).describe('Currency to total value'),
});

export const counterparty = z.object({
  id: z.string(),
  name: z.string(),
  contract_count: z.int(),
  framework_places: z.int().optional(),
  value: z.number().optional(),
  currency: z.string().optional(),
});

export const frameworkReference = z.object({ framework_id: z.string(), title: z.string() });

export const noticeStatus = z
  .enum(NOTICE_STATUSES)
  .describe('As of now: open takes bids, closed is past its deadline; planned with stage award is an intended award');
