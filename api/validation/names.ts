import type { FilterRow } from '../../search/filters/row.ts';
import { findNear } from './words.ts';

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
const WRAPPERS = ['filters', 'filter', 'params', 'parameters', 'arguments', 'args', 'input', 'body', 'options'];

/** The hint for an unknown name: the name that was meant, or all names. `filters` says what callers call those among them. */
export function hintName(name: string, taken: readonly string[], filters: readonly FilterRow[] = []): string {
  if (taken.length === 0) return '; none is taken here';
  const snake = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase();
  const habits = new Map([...Object.entries(HABITS), ...filters.map(({ name, aliases }) => [name, aliases] as const)]);
  const meant = taken.find((each) => habits.get(each)?.includes(snake));
  if (meant) return `; did you mean '${meant}'?`;
  const advice = adviseOn(snake, taken);
  if (advice) return `; ${advice}`;
  const near = findNear(snake, taken);
  return near ? `; did you mean '${near}'?` : `; there ${taken.length > 1 ? 'are' : 'is only'} ${taken.join(', ')}`;
}

/** Where no input takes the thing itself: which one takes its id, or which call knows of it. */
function adviseOn(name: string, taken: readonly string[]): string | undefined {
  if (WRAPPERS.includes(name)) return 'send what is in it as arguments of their own';
  const finder = FINDERS.find(({ id, names }) => taken.includes(id) && names.includes(name));
  if (finder) return `send ${finder.id}, which {${finder.call}} finds by ${finder.by}`;
  return COMPANIES.includes(name) ? '{company_contracts} lists what a company won' : undefined;
}
