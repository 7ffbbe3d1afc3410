import { z } from 'zod';
import { companyAnswer } from '../../../schema/answers/company.ts';
import { candidate, match } from '../../../schema/answers/shapes.ts';
import { parseCompanyNumber } from '../../../schema/text/ids.ts';
import { trimAnswer } from '../../answer/trim.ts';
import type { AskedCompany, LookedUpCompany } from '../../contract/long-reads.ts';
import { CANDIDATES_MAX, defineOperation, type Operation } from '../../contract/operation.ts';
import { companyName, companyNumber, namesOf } from '../shared/inputs.ts';
import { lineOfAccounts } from '../shared/turns.ts';
import { lookupCompany } from './lookup.ts';

const ROWS_MAX = 100;
const COMPANY_CREDITS = 5;
const LOOKING_UP = lineOfAccounts('company lists', 'Lists of companies are looked up');

/** A whole postcode, or its district. */
const POSTCODE = /^[a-z]{1,2}\d[a-z\d]?(?:\s*\d[a-z]{2})?$/i;
/** A number may be sent as a JSON number. */
const number = z.preprocess(
  (given) => (Number.isInteger(given) && Number(given) > 0 ? String(given) : given),
  companyNumber,
);
/** One row as a caller sends it; its faults are reported for that row alone. A text of several words is a name. */
const row = z.union([
  number.transform((text) => (/\s/.test(text) && !parseCompanyNumber(text) ? { name: text } : { id: text })),
  z.strictObject({ company_number: number }).transform(({ company_number: id }) => ({ id })),
  z.strictObject({
    name: companyName,
    postcode: z.string().trim().regex(POSTCODE).optional(),
  }),
]);

const input = z.strictObject({
  companies: z
    .array(
      z.unknown().meta({
        anyOf: [
          { type: 'string' },
          {
            type: 'object',
            properties: { name: { type: 'string' }, postcode: { type: 'string' }, company_number: { type: 'string' } },
          },
        ],
      }),
    )
    .min(1)
    .max(ROWS_MAX)
    .meta({
      description: 'Numbers, ids, or names with a postcode',
      examples: [['99000017', { name: 'Quayside Personnel' }]],
    }),
});

/** As a brief look-up answers it. */
export const lookedUpCompany = companyAnswer.omit({ match: true, alternatives: true });
export const lookedUp = z.object({
  asked: z.string().describe('The number, id or name of this row'),
  outcome: z.enum(['found', 'not_found', 'invalid']).describe('Only found is charged'),
  company: lookedUpCompany.optional().describe('As a brief look-up answers it'),
  match: match.optional(),
  repeats: z
    .int()
    .optional()
    .describe('The position, from 0, of the row that found this company first: it is charged once'),
  reason: z.string().optional().describe('Why nothing was found, or what is wrong with the row'),
  candidates: z.array(candidate).optional(),
});

type Item = z.input<typeof lookedUp>;

export const lookupCompanies = defineOperation({
  name: 'lookup_companies',
  title: 'Look up many companies',
  description:
    'Use this when you have up to 100 company numbers or names to identify or enrich. ' +
    'Answers each in order: found with its company and evidence; not_found with candidates; invalid with why.',
  credits: COMPANY_CREDITS,
  priceNote: '5 credits for each company found, a repeated one once',
  input,
  output: z.object({
    items: z.array(lookedUp),
    count: z.int(),
    found_count: z.int().describe('Different companies found: what is charged'),
    not_found_count: z.int().describe('Rows that led to no company'),
    invalid_count: z.int().describe('Rows that could not be read'),
  }),
  bindings: [
    {
      method: 'POST',
      path: '/companies/lookup',
      operationId: 'lookup_companies',
      summary: 'Many companies by their numbers or names',
      description:
        'Looks up as many as 100 companies at once, each by its number, its id, or its name with a postcode that tells namesakes apart. Each row has its own answer, in the order asked. A row that cannot be read is invalid and free, as is one that finds nothing; a company that several rows find is charged once. The whole call is one charge.',
      inputs: namesOf(input),
      example: { companies: ['99000017', { name: 'Quayside Personnel' }] },
    },
  ],
  example: { companies: ['99000017', { name: 'Quayside Personnel' }] },
  stated: [
    'items.asked',
    'items.outcome',
    'items.company.id',
    'items.company.name',
    'items.match',
    'items.candidates',
    'count',
    'found_count',
  ],
  // The price is known once the companies are found: a caller who cannot pay for one gets no look-up.
  creditsNeeded: ({ companies }) => (companies.some((one) => readRow(one)) ? COMPANY_CREDITS : 0),
  async run({ companies }, { longReads, machine }, { accountId }) {
    const asked = companies.map(readRow);
    const known = asked.filter((one) => one !== null);
    const found =
      known.length === 0 ? [] : await machine.inTurn(LOOKING_UP, accountId, () => longReads.lookUpCompanies(known));
    const items = toItems(companies, asked, found);
    const count = (outcome: Item['outcome']) => items.filter((one) => one.outcome === outcome).length;
    const foundCount = items.filter((one) => one.outcome === 'found' && one.repeats === undefined).length;
    const counts = { found_count: foundCount, not_found_count: count('not_found'), invalid_count: count('invalid') };
    const body = { items, count: items.length, ...counts };
    return foundCount === 0
      ? { kind: 'answer', body, charge: 'none' }
      : { kind: 'answer', body, credits: foundCount * COMPANY_CREDITS };
  },
});

/** A row prepared for its look-up; null where it cannot be read. */
function readRow(given: unknown): AskedCompany | null {
  return row.safeParse(given).data ?? null;
}

/** One item for each row, in order; if several rows find one company, the first is charged. */
function toItems(
  given: readonly unknown[],
  asked: readonly (AskedCompany | null)[],
  found: readonly LookedUpCompany[],
): Item[] {
  const first = new Map<string, number>();
  let next = 0;
  return asked.map((one, at): Item => {
    if (!one) return { asked: sayAsked(given[at]), outcome: 'invalid', reason: faultOf(given[at]) };
    const said = 'id' in one ? one.id : one.name;
    const led = found[next++];
    if (led?.kind !== 'found') return { asked: said, outcome: 'not_found', ...nothingOf(led) };
    const earlier = first.get(led.answer.id);
    if (earlier === undefined) first.set(led.answer.id, at);
    const company = briefly(led.answer);
    return {
      asked: said,
      outcome: 'found',
      company,
      match: led.match,
      ...(earlier !== undefined && { repeats: earlier }),
    };
  });
}

/** A single look-up's advice on the next call, in neutral words, as the transports name it differently. */
const NEXT_CALL = /; \{\w+\}.*$/s;

function nothingOf(led: Exclude<LookedUpCompany, { kind: 'found' }> | undefined): Pick<Item, 'reason' | 'candidates'> {
  if (!led) return {};
  const candidates = led.candidates.slice(0, CANDIDATES_MAX);
  return { reason: led.message.replace(NEXT_CALL, ''), ...(candidates.length > 0 && { candidates }) };
}

/** As a brief look-up answers it. */
function briefly(answer: z.input<typeof companyAnswer>): NonNullable<Item['company']> {
  const { omitted_fields: _, ...brief } = trimAnswer(lookupCompany as unknown as Operation, answer, {
    detail: 'brief',
  });
  return brief as NonNullable<Item['company']>;
}

const SAID_MAX = 100;

function sayAsked(given: unknown): string {
  return (typeof given === 'string' ? given : (JSON.stringify(given) ?? '')).slice(0, SAID_MAX);
}

/** Why a row cannot be read. */
function faultOf(given: unknown): string {
  if (typeof given === 'string') return 'a number or id has 1 to 200 characters';
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return 'a row is a company number or id, or an object with company_number, or with name and perhaps postcode';
  const { company_number: number, name, postcode, ...further } = given as Record<string, unknown>;
  const [unknown] = Object.keys(further);
  if (unknown !== undefined)
    return `a row takes name and postcode, or company_number: not ${unknown.slice(0, SAID_MAX)}`;
  if (number !== undefined && name !== undefined) return 'give either a company number or a name, not both';
  if (number !== undefined && postcode !== undefined) return 'a postcode belongs to a name, not to a number';
  if (number !== undefined) return 'company_number has 1 to 200 characters';
  if (!companyName.safeParse(name).success) return 'name has 1 to 300 characters';
  return 'postcode is a UK postcode such as SW1A 1AA, or its district';
}
