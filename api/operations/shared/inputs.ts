import { z } from 'zod';

/** Inputs that several operations take. Each says where its value comes from. */

const ID_MAX = 200;

export const noticeId = z
  .string()
  .trim()
  .min(1)
  .max(ID_MAX)
  .describe(
    'From any search or list: NNNNNN-YYYY (Find a Tender) or a GUID (Contracts Finder); also a contract_id or ocid',
  );

export const companyNumber = z
  .string()
  .trim()
  .min(1)
  .max(ID_MAX)
  .describe('Companies House number in any case, padded or not, or a company_id from any contract');

export const buyerId = z
  .string()
  .trim()
  .min(1)
  .max(ID_MAX)
  .describe('buyer_id from any notice or contract, or any identifier published for the buyer (PPON, GB-COH, GB-NHS)');

export const frameworkId = z
  .string()
  .trim()
  .min(1)
  .max(ID_MAX)
  .describe("framework_id from a framework search, contract or profile; also the framework's ocid or a notice of it");

export const companyName = z.string().trim().min(1).max(300).describe('Name of the company, as you know it');
export const buyerName = z.string().trim().min(1).max(300).describe('Name of the buying organisation, as you know it');

export const listLimit = z.int().min(1).max(500).default(50).describe('Contracts in this page');
export const listCursor = z
  .string()
  .min(1)
  .max(1_000)
  .optional()
  .describe('next_cursor of the page before; free for 24 hours after the first page');

/** The same input where it may be left out; zod does not hand the description on by itself. */
export function optionally<T extends z.ZodType>(input: T) {
  return input.optional().describe(input.description ?? '');
}

/** The names of a strict object's inputs, in order: what an address takes. */
export function namesOf(input: z.ZodObject): string[] {
  return Object.keys(input.shape);
}
