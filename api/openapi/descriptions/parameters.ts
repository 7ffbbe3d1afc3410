import { STAGES } from '../../../schema/catalogue/details.ts';
import { NOTICE_SOURCES } from '../../../schema/catalogue/enums.ts';
import { FACETS } from '../../../search/filters/facets.ts';
import type { JsonSchema } from '../../answer/published-schema.ts';
import { listFurtherFields } from '../../answer/trim.ts';
import type { Operation } from '../../contract/operation.ts';
import { DATASET_FILTERS } from '../../operations/exports/filters.ts';

const SEVERAL = 'Several may be sent, with commas between.';
const DAY = 'Written YYYY-MM-DD; the day itself is included.';

/** What an input is, for people: what it holds, in which form and unit. Its bounds and its default are added from its schema. */
const WORDS: Readonly<Record<string, string>> = {
  buyer_id:
    'The public body: the buyer_id of any notice or contract, a published identifier such as a PPON, or its exact name.',
  company_number:
    'The Companies House number, in any case and with or without leading zeros, or the company_id of any contract.',
  cpv: `CPV codes of 2 to 8 digits: 45 stands for everything in division 45. At most 20. ${SEVERAL}`,
  cursor:
    'Where the next page begins: next_cursor (of a search meta.next_cursor) of the page before. Send every other input unchanged.',
  dataset: `What the rows of the file are. Filters that each takes: ${Object.entries(DATASET_FILTERS)
    .map(([dataset, filters]) => `${dataset}: ${filters.join(', ') || 'none'}`)
    .join('; ')}.`,
  days: 'How many days recent_days lists for each source, up to today.',
  deadline_from: `Only what closes for bids on this London day or later. ${DAY}`,
  deadline_to: `Only what closes for bids on this London day or earlier. ${DAY}`,
  detail:
    'full, the default: the whole answer. brief: the fields that matter most and the first entries of lists; omitted_fields counts the rest.',
  dry_run: 'true: count the rows and state the price, free; no file is written.',
  excel: 'true: begin a CSV file with a byte order mark, which Excel needs to read it as UTF-8.',
  export_id: 'The export: the export_id of the answer that made it, or the charge_id that paid for it.',
  facets: `What to count the results by: ${FACETS.join(', ')}. ${SEVERAL}`,
  fields: 'Names of fields to add, whole, to a brief answer, with commas between.',
  format: 'How the file is written. .gz is compressed.',
  framework_id:
    'The framework: the framework_id of any search, contract or notice, its ocid, a notice of it, or a reference such as RM6100.',
  highlight: 'true: each result has a piece of text around the words that were found.',
  limit: 'How many entries a page holds.',
  match: 'all: a result holds every word of the query. any: one of them is enough.',
  max_rows: 'The most rows to write and pay for.',
  name: 'The name, as people write it: legal forms, case and small slips do not matter.',
  notice_id:
    'The notice: the notice_id of any search or list, a contract_id, an ocid, or the address of the official notice.',
  notice_type: `The form of the notice: UK1 to UK17, or the tag of an older one. ${SEVERAL}`,
  published_from: `Only what was published on this London day or later. ${DAY}`,
  published_to: `Only what was published on this London day or earlier. ${DAY}`,
  query:
    'Words to find. "Quotes" hold a phrase together, OR allows either side, -word leaves a word out, and * finds all.',
  region: `Where it is performed: names of regions or ITL codes. At most 20. ${SEVERAL}`,
  sort: 'The order of the results; - means descending. By default the best match comes first, and without a query the newest.',
  source: `The services that published it: ${NOTICE_SOURCES.join(', ')}. ${SEVERAL}`,
  stage: `The stage of the procurement: ${STAGES.join(', ')}. ${SEVERAL}`,
  status: 'open: can be bid for now. closed: no longer. any: both.',
  value_max: 'The highest value, in pounds sterling (GBP); what has no value in pounds is left out.',
  value_min: 'The lowest value, in pounds sterling (GBP); what has no value in pounds is left out.',
};

/** Where an input means something of its own. */
const OWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bulk_export: {
    query: 'Words to find, as in the searches; of companies and buyers, words of the name.',
    status: 'Of the dataset tenders alone: open (the default) can be bid for now, closed no longer, any is both.',
  },
  search_frameworks: {
    facets: `What to count the results by: ${FACETS.filter((name) => name !== 'value_band').join(', ')}. ${SEVERAL}`,
    value_max: 'The highest ceiling, in pounds sterling (GBP); a framework without one is left out.',
    value_min: 'The lowest ceiling, in pounds sterling (GBP); a framework without one is left out.',
  },
};

/** What an input may hold, where its schema shows nothing. Sent together they are one request that is accepted. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  buyer_id: 'GB-PPON-PBPR-5137-RWZL',
  deadline_from: '2026-12-01',
  deadline_to: '2026-12-31',
  facets: 'region,stage',
  published_to: '2026-10-31',
  value_max: 500_000,
  value_min: 10_000,
};

/** Examples of an input, as its schema has them. */
export function examplesOf(operation: Operation, name: string, { examples, enum: values }: JsonSchema): unknown[] {
  if (Array.isArray(examples)) return examples;
  if (name === 'fields') return [listFurtherFields(operation).slice(0, 2).join(',')];
  return name in EXAMPLES && !values ? [EXAMPLES[name]] : [];
}

/** An input of an address for people: what it is, then its bounds and default as its schema has them. */
export function describeInput(operation: Operation, name: string, schema: JsonSchema): string | undefined {
  const words = OWN[operation.name]?.[name] ?? WORDS[name];
  if (words === undefined) return undefined;
  const further = name === 'fields' ? listFurtherFields(operation) : [];
  const names = further.length > 0 ? [`There are ${further.join(', ')}.`] : [];
  return [words, ...names, ...boundsOf(schema)].join(' ');
}

const READABLE_MOST = 1_000_000;
const grouped = (bound: unknown) => Number(bound).toLocaleString('en-GB');

function boundsOf({ minimum, maximum, maxLength, default: usual }: JsonSchema): string[] {
  const isUsual = usual !== undefined && typeof usual !== 'boolean';
  const byDefault = isUsual ? [`Default ${typeof usual === 'number' ? grouped(usual) : String(usual)}.`] : [];
  if (typeof maximum === 'number' && maximum <= READABLE_MOST)
    return [`From ${grouped(minimum)} to ${grouped(maximum)}.`, ...byDefault];
  if (typeof minimum === 'number') return [`${grouped(minimum)} or more.`, ...byDefault];
  return [...(maxLength === undefined ? [] : [`At most ${grouped(maxLength)} characters.`]), ...byDefault];
}
