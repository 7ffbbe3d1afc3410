import { editDistance } from '../../schema/names/spelling.ts';
import type { AnyFilterRow } from '../../search/filters/row.ts';

/** Other words for the values of our inputs, written as `bare` leaves them. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  open: ['live', 'active', 'current', 'ongoing', 'now'],
  closed: ['expired', 'past', 'ended', 'finished'],
  active: ['live', 'open', 'current', 'ongoing', 'running'],
  ended: ['expired', 'past', 'closed', 'finished'],
  any: ['all', 'both', 'everything'],
  planning: [
    'planned',
    'pipeline',
    'future',
    'engagement',
    'marketengagement',
    'plannedprocurement',
    'priorinformation',
  ],
  tender: ['live', 'open', 'active', 'opportunity', 'published'],
  award: ['awarded', 'won'],
  contract: ['signed'],
  change: ['changed', 'modified', 'modification', 'amendment'],
  termination: ['terminated', 'cancelled', 'ended'],
  market: ['dynamicmarket', 'dynamicpurchasingsystem', 'dps'],
  direct: ['directaward', 'singletender', 'singlesource', 'solesource', 'withoutcompetition'],
  call_off: ['framework', 'minicompetition', 'furthercompetition'],
  restricted: ['selective', 'twostage'],
  dissolved: ['closed', 'struckoff', 'ceased'],
  liquidation: ['insolvent', 'insolvency', 'liquidated', 'bankrupt'],
  relevance: ['best', 'score', 'rank'],
  '-published': ['newest', 'newestfirst', 'latest', 'recent', 'date', 'publisheddesc', 'datedesc'],
  published: ['oldest', 'oldestfirst', 'publishedasc', 'dateasc'],
  '-awarded': ['newest', 'newestfirst', 'latest', 'recent', 'date', 'awardeddesc', 'datedesc'],
  awarded: ['published', 'oldest', 'oldestfirst', 'awardedasc', 'dateasc'],
  ends: ['enddate', 'endsasc', 'expiry', 'endingsoonest', 'soonest'],
  deadline: ['closing', 'closingsoonest', 'closingdate', 'soonest', 'deadlineasc'],
  '-value': ['highest', 'largest', 'biggest', 'valuedesc'],
  value: ['lowest', 'smallest', 'amount', 'valueasc'],
  notice: ['tender', 'tenders', 'opportunity', 'opportunities'],
  company: ['supplier', 'suppliers', 'vendor', 'vendors'],
  supplier: ['company', 'companies', 'vendor', 'winner'],
  buyer: ['department', 'authority', 'organisation', 'publicbody'],
  tenders: ['opportunities'],
  contracts: ['awards'],
  companies: ['suppliers', 'vendors', 'company'],
  buyers: ['authorities', 'organisations'],
  csv: ['xlsx', 'xls', 'excel'],
  jsonl: ['json', 'ndjson'],
  brief: ['short', 'summary', 'compact', 'minimal'],
  full: ['all', 'long', 'complete', 'detailed', 'verbose'],
};

/**
 * The value among those that may be sent that a word stands for: the same in another writing, by another name, or nearly.
 * @param called - names of the values, where they have any.
 */
export function findValue(
  word: string,
  values: readonly string[],
  called: AnyFilterRow['called'] = {},
): string | undefined {
  const text = word.slice(0, COMPARED_MAX);
  const own = bare(text);
  const meant =
    values.find((value) => value === word.toLowerCase()) ??
    values.find((value) => bare(value) === own) ??
    values.find((value) => [called[value] ?? []].flat().map(nameOf).includes(nameOf(text))) ??
    values.find((value) => WORDS[value]?.includes(own)) ??
    findNear(text, values);
  // The order that was meant may be the other way round.
  return values.find((value) => word.startsWith('-') && value === `-${meant}`) ?? meant;
}

/** What to say of unknown names in a list. */
export function sayUnknown(unknown: readonly string[], known: readonly string[]): string {
  const meant = findValue(unknown[0] ?? '', known);
  return `unknown: ${unknown.join(', ')}; known are ${known.join(', ')}${meant ? `; did you mean '${meant}'?` : ''}`;
}

function bare(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** The name of a notice with or without that word: `pipeline` and `Pipeline notice` are one. */
const nameOf = (words: string) => bare(words).replace(/(?<=.)notices?$/, '');

/** Letters that are compared: longer input costs no more than this. */
const COMPARED_MAX = 64;

/** The name that is the fewest mistakes away from `text`, or undefined if there are no names. */
export function findNearest(text: string, names: readonly string[]): string | undefined {
  const ranked = names.map((name) => ({ name, mistakes: countMistakes(text, name) }));
  return ranked.sort((a, b) => a.mistakes - b.mistakes)[0]?.name;
}

/** The name that `text` probably means; undefined if even the nearest name is clearly another word. */
export function findNear(text: string, names: readonly string[]): string | undefined {
  const name = findNearest(text, names);
  if (!name) return undefined;
  // As many mistakes as letters leave nothing in common: EN is no slip for uk.
  const most = Math.min(Math.max(2, name.length / 3), Math.max(text.length, name.length) - 1);
  return countMistakes(text, name) <= most ? name : undefined;
}

/** As `findNear`, among names that others add to an address too: `cid` is no slip for cpv, and `page` none for stage. */
export function findSlip(text: string, names: readonly string[]): string | undefined {
  const name = findNear(text, names);
  return name && text.length > 2 && countMistakes(text, name) <= Math.max(1, name.length / 5) ? name : undefined;
}

function countMistakes(from: string, to: string): number {
  const [a, b] = [from, to].map((text) => text.toLowerCase().slice(0, COMPARED_MAX));
  return editDistance(a ?? '', b ?? '', COMPARED_MAX);
}

const SEARCHED = ['q', 'keyword', 'keywords', 'search', 'text', 'term', 'terms', 'words', 'title'];
const COMPANIES = ['company', 'company_name', 'supplier', 'supplier_name', 'supplier_id', 'winner', 'vendor'];
const BUYERS = ['buyer', 'buyer_name', 'organisation', 'organization', 'authority', 'council', 'department'];

/** Names that callers use for our inputs by habit. */
const HABITS: Readonly<Record<string, readonly string[]>> = {
  query: SEARCHED,
  dataset: ['type', 'kind', 'table', 'entity'],
  limit: ['size', 'count', 'page_size', 'per_page', 'max', 'top', 'max_results', 'rows'],
  max_rows: ['limit', 'rows', 'count', 'max', 'size'],
  cursor: ['page', 'offset', 'after', 'next', 'next_cursor', 'page_token'],
  sort: ['order', 'order_by', 'sort_by', 'sort_order'],
  detail: ['verbose', 'view', 'level'],
  fields: ['columns', 'select', 'include'],
  facets: ['aggregations', 'group_by', 'counts'],
  dry_run: ['preview', 'quote', 'estimate', 'count_only'],
  name: ['query', ...SEARCHED, ...COMPANIES, ...BUYERS],
  company_number: ['company_id', 'number', 'id', 'companies_house_number', 'crn', 'supplier_id'],
  notice_id: ['id', 'contract_id', 'ocid', 'notice', 'tender_id', 'url', 'link', 'reference'],
  buyer_id: ['id', 'organisation_id', 'authority_id'],
  framework_id: ['id', 'framework', 'reference', 'ocid', 'notice_id'],
  export_id: ['id', 'job_id', 'charge_id'],
};

/** The input that an id goes into, the call that finds it, and names under which callers send words instead. */
const FINDERS = [
  { id: 'buyer_id', call: 'search_buyers', by: 'name', names: ['name', ...BUYERS] },
  { id: 'company_number', call: 'search_companies', by: 'name', names: ['name', ...COMPANIES] },
  { id: 'framework_id', call: 'search_frameworks', by: 'words', names: ['name', 'query', ...SEARCHED] },
  { id: 'notice_id', call: 'search_notices', by: 'words', names: ['name', 'query', ...SEARCHED] },
];
const PLACES = ['postcode', 'post_code', 'postal_code', 'town', 'city', 'county', 'address'];
const PERIODS = ['year', 'month', 'quarter', 'date', 'day', 'period', 'dates', 'date_range', 'financial_year'];
const WRAPPERS = ['filters', 'filter', 'params', 'parameters', 'arguments', 'args', 'input', 'body', 'options'];

/**
 * The hint for an unknown name: the name that was meant, or all names. `filters` says what callers call those among them,
 * `findSimilar` which of them a misspelt one is.
 */
export function hintName(
  name: string,
  accepted: readonly string[],
  filters: readonly AnyFilterRow[] = [],
  findSimilar = findNear,
): string {
  if (accepted.length === 0) return '; none is taken here';
  const snake = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase();
  // Words are a filter of the search that a watch saves, not its name.
  if (accepted.includes('filters') && ['query', ...SEARCHED].includes(snake)) return '; send it in filters, as query';
  const habits = new Map([...Object.entries(HABITS), ...filters.map(({ name, aliases }) => [name, aliases] as const)]);
  const meant = accepted.find((each) => habits.get(each)?.includes(snake));
  if (meant) return `; did you mean '${meant}'?`;
  const advice = adviseOn(snake, accepted);
  if (advice) return `; ${advice}`;
  const near = findSimilar(snake, accepted);
  if (near) return `; did you mean '${near}'?`;
  return `; there ${accepted.length > 1 ? 'are' : 'is only'} ${accepted.join(', ')}`;
}

/** If no input takes the thing itself: the input that takes its id, or the call that answers about it. */
function adviseOn(name: string, accepted: readonly string[]): string | undefined {
  if (WRAPPERS.includes(name)) return 'send what is in it as arguments of their own';
  if (name === 'currency' && accepted.includes('value_min')) return 'value_min and value_max are pounds (GBP)';
  if (accepted.includes('above_threshold') && /^(?:below|under|sub)_threshold$/.test(name))
    return 'send above_threshold: false for what is below';
  if (accepted.includes('since') && (name === 'query' || SEARCHED.includes(name)))
    return 'changes are narrowed by filters alone; {create_watch} takes words';
  if (accepted.includes('value_min') && accepted.includes('query')) {
    const spans = ['published', 'awarded'].filter((day) => accepted.includes(`${day}_from`));
    if (PERIODS.includes(name) && spans.length > 0)
      return `send ${spans.map((day) => `${day}_from and ${day}_to`).join(', of contracts ')}`;
    if (PLACES.includes(name)) return 'send a region, or write a town or postcode in query';
  }
  if (PLACES.includes(name) && accepted.includes('region')) return 'send a region';
  const finder = FINDERS.find(({ id, names }) => accepted.includes(id) && names.includes(name));
  if (finder) return `send ${finder.id}, which {${finder.call}} finds by ${finder.by}`;
  return COMPANIES.includes(name) ? '{company_contracts} lists what a company won' : undefined;
}
