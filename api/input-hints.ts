import { findNear } from './nearest.ts';

/** Names that callers give an input of ours, by habit. */
const HABITS: Readonly<Record<string, readonly string[]>> = {
  query: ['q', 'keyword', 'keywords', 'search', 'text', 'term', 'terms'],
  limit: ['size', 'count', 'page_size', 'per_page', 'max', 'top', 'max_results'],
  cursor: ['page', 'offset', 'after', 'next', 'next_cursor', 'page_token'],
  published_from: ['from', 'since', 'start', 'date_from', 'start_date', 'from_date'],
  published_to: ['to', 'until', 'end', 'date_to', 'end_date', 'to_date'],
  value_min: ['min', 'min_value', 'value_from'],
  value_max: ['max_value', 'value_to'],
  cpv: ['cpv_code', 'cpv_codes', 'category'],
  region: ['location', 'place', 'area'],
  sort: ['order', 'order_by', 'sort_by'],
  name: ['company', 'company_name', 'buyer', 'buyer_name', 'supplier', 'supplier_name', 'organisation'],
  company_number: ['company_id', 'number', 'id', 'companies_house_number', 'crn', 'supplier_id'],
  notice_id: ['id', 'contract_id', 'ocid', 'notice', 'tender_id'],
  buyer_id: ['id', 'organisation_id', 'authority_id'],
  framework_id: ['id', 'framework', 'reference'],
  export_id: ['id', 'job_id'],
};

/** What to send in the place of a name that nobody takes: the one that was meant, or all that are taken. */
export function hintName(name: string, taken: readonly string[]): string {
  if (taken.length === 0) return '; none is taken here';
  const snake = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  const id = taken.find((each) => each === 'company_number' || each === 'buyer_id');
  if (id && !taken.includes('name') && (snake === 'name' || HABITS.name?.includes(snake)))
    return `; send ${id}, which ${id === 'buyer_id' ? 'lookup_buyer' : 'lookup_company'} finds by name`;
  const meant = taken.find((each) => HABITS[each]?.includes(snake)) ?? findNear(snake, taken);
  return meant ? `; did you mean '${meant}'?` : `; there are ${taken.join(', ')}`;
}

/** What to send in the place of a value of the wrong type or form. */
export function hintValue(input: unknown, type: string | undefined, example: unknown): string {
  if (input === null) return '; leave it out where there is none';
  if (input === '') return '; send some text, or leave it out where it is optional';
  if (type === 'string' && (typeof input === 'number' || Array.isArray(input)))
    return `; send ${JSON.stringify(Array.isArray(input) ? input.join(',').slice(0, 64) : String(input))}`;
  const number = (type === 'integer' || type === 'number') && typeof input === 'string' ? numberIn(input) : undefined;
  if (number !== undefined) return `; send ${number}`;
  if (type === 'boolean' && (input === 'true' || input === 'false')) return `; send ${input} without quotes`;
  return example === undefined ? '' : `, for example ${JSON.stringify(example)}`;
}

/** The day that a text in another form names, day before month as in Britain; an example where it names none. */
export function hintDate(input: unknown): string {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})[/. -](\d{1,2})[/. -](\d{4})$/.exec(String(input)) ?? [];
  const iso = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$/.exec(String(input));
  const instant = /^(\d{4}-\d{2}-\d{2})T/.exec(String(input))?.[1];
  const parts = iso ? iso.slice(1) : [year, month, day];
  const [whole = '', ...two] = parts;
  const named = whole === '' ? instant : [whole, ...two.map((part) => part.padStart(2, '0'))].join('-');
  const isDay = named !== undefined && !Number.isNaN(Date.parse(named));
  return `; send ${JSON.stringify(isDay ? named : '2026-05-01')}`;
}

const SCALE: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, bn: 1e9 };

/** The number in a text such as £50k or 1,000. */
function numberIn(text: string): number | undefined {
  const [, digits = '', scale = ''] = /^\s*[£]?\s*([\d,]+(?:\.\d+)?)\s*(k|m|bn)?\s*$/i.exec(text) ?? [];
  return digits === '' ? undefined : Number(digits.replaceAll(',', '')) * (SCALE[scale.toLowerCase()] ?? 1);
}
