import { z } from 'zod';
import { MATCH_METHODS } from '../catalogue/enums.ts';

/** Parts of answers that several operations share. Further fields are optional: absent where not stored. */

/** A day or an instant whose name does not say which of the two it is. */
export const day = z.string().meta({ format: 'date' });
export const instant = z.string().meta({ format: 'date-time' });

/** Whether a count is exact, or counting stopped early. */
export const countKind = z.enum(['exact', 'at_least']);

/** Each kind of value has words of its own: without them, the published schema is a list of types, which generators of Go clients refuse. */
const filterUsed = z.union([
  z.string().describe('Words, a code, a day'),
  z.number().describe('A bound'),
  z.boolean().describe('A yes or no'),
]);
/** The filters in force, by name. */
export const filtersUsed = z.record(z.string(), filterUsed);

/** How a name was tied to an identity, or one procurement to another. */
export const matchMethod = z.enum(MATCH_METHODS);

export const match = z.object({
  method: matchMethod.describe('How the name was tied to the identity'),
  score: z.number().describe('0 to 1'),
  evidence: z.array(z.string()),
  notice_ids: z.array(z.string()).optional().describe('Of a contract: the notices that named the supplier'),
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

/** The sums in one currency. */
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
