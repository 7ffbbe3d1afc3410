import { z } from 'zod';
import { InvalidInput } from '../../contract/errors.ts';

/** Inputs that several operations take. Each says where its value comes from. */

const ID_MAX = 200;

/** Describes an input, with examples from the sample or invented ones. */
export function describe(description: string, ...examples: unknown[]) {
  return { description, examples };
}

export const noticeId = z
  .string()
  .trim()
  .min(1)
  .max(ID_MAX)
  .overwrite(pastedNoticeId)
  .meta(describe('From any search or list; or contract_id, ocid, address', '500031-2026'));

export const companyNumber = z
  .string()
  .trim()
  .min(1)
  .max(ID_MAX)
  .overwrite(pastedCompanyNumber)
  .meta(describe('Companies House number or company_id', '99000017'));

export const buyerId = z
  .string()
  .trim()
  .min(1)
  .max(ID_MAX)
  .overwrite(pastedBuyerId)
  .meta(describe('From any notice or contract; or a PPON or exact name', 'GB-PPON-PBPR-5137-RWZL'));

export const frameworkId = z
  .string()
  .trim()
  .min(1)
  .max(ID_MAX)
  .overwrite(pastedFrameworkId)
  .meta(describe('From {search_frameworks}; or a reference', 'RM6100'));

export const companyName = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .meta(describe('Name of the company', 'Quayside Personnel'));
export const buyerName = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .meta(describe('Name of the public body', 'Crown Purchasing Service'));

export const listLimit = z.int().min(1).max(500).default(50).describe('Contracts a page');
export const listCursor = z.string().min(1).max(1_000).optional().describe('Last next_cursor');

export const detailWord = z.enum(['brief', 'full']);

/** The words of a query; undefined where there is none, or a lone `*`, which asks for everything. */
export function queryWords(query: string | undefined): string | undefined {
  return query === '*' ? undefined : query;
}

/** How much of an answer is returned. */
export const shape = {
  detail: detailWord.optional().describe('full: nothing cut'),
  fields: z.string().max(500).optional().describe('Adds whole'),
};

/** An input as an optional one with its description, which zod does not keep by itself. */
export function optionally<T extends z.ZodType>(input: T) {
  return input.optional().meta(input.meta() ?? {});
}

/** The names of a strict object's inputs, in order: what an address takes. */
export function namesOf(input: z.ZodObject): string[] {
  return Object.keys(input.shape);
}

/** Refuses a call that names a thing neither by an id nor by its name, or by both. @throws InvalidInput */
export function checkOneOf(input: Record<string, unknown>, id: string): void {
  const { [id]: given, name } = input;
  if ((given === undefined) !== (name === undefined)) return;
  throw new InvalidInput(
    name === undefined
      ? { path: ['name'], msg: `give ${id} or name`, type: 'missing' }
      : { path: ['name'], msg: `give either ${id} or name, not both`, type: 'value_error', input: name },
  );
}

/** Identifiers as people paste them: the address of an official page or of one of ours, the same number in another spelling. */

/** Six digits and a year, with any separator. */
const NUMBER = /^#?(\d{6})\s*[-\u2010-\u2015\u2212/]\s*(20\d{2})$/;
/** As printed in notices of Find a Tender: `2026/S 000-012345`. */
const PRINTED = /^(20\d{2})\/S\s*0{3}\s*[-\u2010-\u2015]\s*(\d{6})$/i;
/** An official page with the id in its query: `…/search_view.aspx?ID=SEP427811`. */
const IN_QUERY = /^https?:\/\/\S+[?&]id=([a-z]{3}\d{4,})(?!\w)/i;
/** The unique number of a public body without its scheme. */
const PPON = /^P[A-Z]{3}-\d{4}-[A-Z]{4}$/i;

/** An identifier after a folder of an address, of ours or of an official page. */
const inFolder = (names: string) => new RegExp(`^(?:https?://.+/)?(?:${names})(?:://|/)([^/?#]+)`, 'i');
const NOTICES = inFolder('notices?|contracts?|tenders?|procurement|record');
const COMPANIES = inFolder('company|companies');
const BUYERS = inFolder('buyers?');
const FRAMEWORKS = inFolder('frameworks?');

/** A notice id, contract id or ocid. */
function pastedNoticeId(text: string): string {
  const id = IN_QUERY.exec(text)?.[1] ?? afterFolder(text, NOTICES);
  const [, number = '', year = ''] = NUMBER.exec(id) ?? [];
  if (number !== '') return `${number}-${year}`;
  const [, printedYear, printed] = PRINTED.exec(id) ?? [];
  return printed ? `${printed}-${printedYear}` : id;
}

/** A company number or company id. */
export function pastedCompanyNumber(text: string): string {
  return afterFolder(text, COMPANIES);
}

/** An identifier of a buyer. */
export function pastedBuyerId(text: string): string {
  const id = afterFolder(text, BUYERS);
  return PPON.test(id) ? `GB-PPON-${id.toUpperCase()}` : id;
}

/** An id or reference of a framework, or a notice of it. */
export function pastedFrameworkId(text: string): string {
  const id = afterFolder(text, FRAMEWORKS);
  return id === text ? pastedNoticeId(text) : id;
}

/** The part after the folder in an address; otherwise the text itself. */
function afterFolder(text: string, folder: RegExp): string {
  return folder.exec(text)?.[1] ?? text;
}
