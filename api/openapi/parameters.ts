import { EXPORT_DATASETS } from '../../schema/accounts/exports/datasets.ts';
import { CHANGE_KINDS } from '../../schema/catalogue/changes/kinds.ts';
import { COMPANY_STATUSES } from '../../schema/reference/company-status.ts';
import { CONTRACT_FACETS, FACETS } from '../../search/filters/facets.ts';
import { allRowsOf, LISTED_ROWS } from '../../search/filters/listed.ts';
import { ROWS } from '../../search/filters/read.ts';
import type { AnyFilterRow } from '../../search/filters/row.ts';
import { GROUPINGS } from '../../search/summary/groups.ts';
import type { JsonSchema } from '../answer/published-schema.ts';
import { listFurtherFields } from '../answer/trim.ts';
import type { Operation } from '../contract/operation.ts';

const SEVERAL = 'Several may be sent, with commas between.';
const DAY = 'Written YYYY-MM-DD; the day itself is included.';

/** An input's description for people: contents, form and unit. Its bounds and default come from its schema. */
const WORDS: Readonly<Record<string, string>> = {
  changes: 'Which changes it delivers: new, updated, gone (removed, or no longer matching what it delivered).',
  credits_per_day_max:
    'The most credits that it may spend in a day (UTC), or null. Filters that match everything need it.',
  deliver: 'Where it delivers: webhook, an https address; or email with the value true, to the holder of the account.',
  delivery_id: 'The delivery: the delivery_id of any list of deliveries, or the webhook-id that its receiver got.',
  every: 'When it delivers: run, after each ingest run; day or week, as a digest in the morning. E-mail is a digest.',
  filters: 'The query and filters of the search that it saves, by name, as that search takes them.',
  on: 'The search that it saves: tenders, notices or contracts.',
  paused: 'true pauses the watch where it stands, false lets it continue from there.',
  rotate_secret: 'true: answer a new secret. Webhooks are signed with the former one too, for a day.',
  watch_id: 'The watch: the watch_id of any list of watches.',
  ...Object.fromEntries([...LISTED_ROWS, ...ROWS].map((row) => [row.name, describeFilter(row)])),
  companies:
    'The rows, each a company number, a company id, or an object: name, with a postcode (or its district) that tells namesakes apart; or company_number.',
  company_number:
    'The Companies House number, in any case and with or without leading zeros, or the company_id of any contract.',
  cursor:
    'Where the next page begins: next_cursor (of a search meta.next_cursor) of the page before. Send every other input unchanged.',
  dataset: `What the rows of the file are. Filters that each takes: ${EXPORT_DATASETS.map(
    (dataset) =>
      `${dataset}: ${
        allRowsOf(dataset)
          .map(({ name }) => name)
          .join(', ') || 'none'
      }`,
  ).join('; ')}.`,
  cpv_level: 'How many digits of the main CPV code make a group: 2, the default, is a division.',
  days: 'How many days recent_days lists for each source, up to today.',
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
  group_by: `What to group contracts by, one or two with a comma between: ${GROUPINGS.join(', ')}.`,
  highlight: 'true: each result has a piece of text around the words found, as HTML: escaped, each word in <mark>.',
  limit: 'How many entries a page holds.',
  match: 'all: a result holds every word of the query. any: one of them is enough.',
  max_rows: 'The most rows to write and pay for.',
  measure: 'What orders the groups and their shares: value, the sum in pounds; or count, the number of contracts.',
  name: 'The name, as people write it: legal forms, case and small slips do not matter.',
  notice_id:
    'The notice: the notice_id of any search or list, a contract_id, an ocid, or the address of the official notice.',
  query:
    'Words to find. "Quotes" hold a phrase together, OR allows either side, -word leaves a word out, and * finds all.',
  sort: 'The order of the results; - means descending. By default the best match comes first, and without a query the newest.',
};

/** A filter's description: the words of its row, and how to write its values. */
function describeFilter({ words, values, several }: AnyFilterRow): string {
  return [words, values === 'day' && DAY, several && SEVERAL].filter(Boolean).join(' ');
}

/** Where an input means something of its own. */
const OWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bulk_export: {
    query: 'Words to find, as in the searches and lists.',
    status: `Of tenders: open (the default), closed, any. Of contracts: active, ended, terminated, any (the default). Of companies: ${COMPANY_STATUSES.join(', ')}; ${SEVERAL.toLowerCase()}`,
  },
  create_watch: { name: 'Your name for it, which its deliveries state.' },
  update_watch: { name: 'Your name for it, which its deliveries state.' },
  describe_filters: {
    name: 'The filter to describe; all of them by default. cpv and region are listed with their widest codes.',
    under: 'A CPV code of 2 to 8 digits or an ITL code: the codes next below it are listed, with their notices.',
  },
  list_changes: {
    company_status: `Of companies alone, what state they are in: ${COMPANY_STATUSES.join(', ')}. ${SEVERAL}`,
    incorporated_from: `Of companies alone: incorporated on this day or later. ${DAY}`,
    incorporated_to: `Of companies alone: incorporated on this day or earlier. ${DAY}`,
    kinds: `What to list: ${CHANGE_KINDS.join(', ')}. Each filter must be one of every kind. ${SEVERAL}`,
    postcode: `Of companies alone: where its postcode lies, such as LS1 or LS. ${SEVERAL}`,
    sic: `Of companies alone: SIC codes of 2 to 5 digits; 62 stands for all that begin with 62. ${SEVERAL}`,
    since:
      'Where to begin: next_cursor of the answer before, or an instant such as 2026-11-20T09:00:00Z. Without it everything that is held comes first.',
    won: 'Of companies alone: true, it has contracts; false, it has none.',
  },
  search_buyers: {
    query: 'Words of the name or of another name, whole or as they begin; an acronym such as MOD; or an id.',
    region: 'Where it is: names of regions or ITL codes. Several may be sent, with commas between.',
  },
  search_companies: {
    query: 'Words of the name or of a former name, whole or as they begin; or the beginning of a company number.',
  },
  search_contracts: {
    facets: `What to count the results by: ${CONTRACT_FACETS.join(', ')}. ${SEVERAL} Buyers and suppliers are counted by id; facet_names has their names.`,
  },
  search_frameworks: {
    facets: `What to count the results by: ${FACETS.filter((name) => name !== 'value_band').join(', ')}. ${SEVERAL}`,
    value_max: 'The highest ceiling, in pounds sterling (GBP); a framework without one is left out.',
    value_min: 'The lowest ceiling, in pounds sterling (GBP); a framework without one is left out.',
  },
};

/** Possible values of an input whose schema shows none. Sent together they make one valid request. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  facets: 'region,buyer_id',
  ...Object.fromEntries(
    ([...LISTED_ROWS, ...ROWS] as readonly AnyFilterRow[]).flatMap(({ name, example }) =>
      example === undefined ? [] : [[name, example]],
    ),
  ),
};

/** Examples of an input, as its schema has them. */
export function examplesOf(operation: Operation, name: string, { examples, enum: values }: JsonSchema): unknown[] {
  if (Array.isArray(examples)) return examples;
  if (name === 'fields') return [listFurtherFields(operation).slice(0, 2).join(',')];
  return name in EXAMPLES && !values ? [EXAMPLES[name]] : [];
}

/** An input of an address for people: its description, then its bounds and default from its schema. Undefined where nothing describes it. */
export function describeInput(operation: Operation, name: string, schema: JsonSchema): string | undefined {
  const filter = operation.filters?.find((row) => row.name === name);
  const words = OWN[operation.name]?.[name] ?? (filter ? describeFilter(filter) : WORDS[name]);
  if (words === undefined) return undefined;
  const further = name === 'fields' ? listFurtherFields(operation) : [];
  const names = further.length > 0 ? [`Further fields: ${further.join(', ')}.`] : [];
  return [words, ...names, ...boundsOf(schema)].join(' ');
}

const READABLE_MAX = 1_000_000;
const grouped = (bound: unknown) => Number(bound).toLocaleString('en-GB');

function boundsOf({ minimum, maximum, maxLength, default: usual }: JsonSchema): string[] {
  const isUsual = usual !== undefined && typeof usual !== 'boolean';
  const written = typeof usual === 'number' ? grouped(usual) : String(usual);
  const byDefault = isUsual ? [`Default ${written}.`] : [];
  if (typeof maximum === 'number' && maximum <= READABLE_MAX)
    return [`From ${grouped(minimum)} to ${grouped(maximum)}.`, ...byDefault];
  if (typeof minimum === 'number') return [`${grouped(minimum)} or more.`, ...byDefault];
  return [...(maxLength === undefined ? [] : [`At most ${grouped(maxLength)} characters.`]), ...byDefault];
}
