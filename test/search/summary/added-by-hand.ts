import type { Services } from '../../../api/contract/operation.ts';
import { countWanted } from '../../../api/operations/exports/keys.ts';
import { type Cell, EXPORT_COLUMNS } from '../../../schema/accounts/exports/datasets.ts';
import { readExportRows } from '../../../schema/accounts/exports/rows.ts';
import type { Region } from '../../../schema/reference/regions.ts';
import type { SearchFilters } from '../../../search/filters/index.ts';
import type { Grouping } from '../../../search/summary/groups.ts';
import type { GroupSums, SummaryQuery } from '../../../search/summary/pass.ts';
import type { Sums } from '../../../search/summary/tally.ts';

/** A contract as a line of an export says it, with what groups need besides. */
type Line = Record<string, Cell> & { contract_id: string };

const BESIDES = `SELECT id, procedure, sme, detail ->> '$.regions' AS regions FROM contract WHERE id IN (SELECT value FROM json_each(?))`;

/** What an export reads from. */
type Exporting = Pick<Services, 'catalogue' | 'clocks' | 'rows' | 'search'>;

/** Filters and words of an export. */
interface Narrowed {
  filters: SearchFilters;
  text?: string | undefined;
}

/** Which contracts an export with these filters and words has, the newest first. */
async function exportIds(services: Exporting, { filters, text }: Narrowed): Promise<string[]> {
  const wanted = { dataset: 'contracts', filters, query: text, maxRows: 1_000_000 } as const;
  const { rows: counted, readKeys } = await countWanted(services as Services, wanted);
  const keys: string[] = [];
  for await (const some of readKeys()) keys.push(...some);
  if (keys.length !== counted) throw new Error(`an export of ${counted} rows has ${keys.length}`);
  return keys;
}

/**
 * The lines of exports of contracts. What a line says does not depend on the filters, so that each is read once; which lines
 * an export has is read each time.
 */
export async function readLines(services: Exporting): Promise<(narrowed: Narrowed) => Promise<Line[]>> {
  const { catalogue, clocks } = services;
  const ids = JSON.stringify(await exportIds(services, { filters: {} }));
  const rows = await readExportRows(catalogue, 'contracts', ids, clocks.catalogueNow());
  const besides = await catalogue.read<{ id: string }>({ sql: BESIDES, args: [ids] });
  const byId = new Map(besides.map((row) => [row.id, row]));
  const lines = rows.map((cells) => {
    const line = Object.fromEntries(EXPORT_COLUMNS.contracts.map(({ name }, at) => [name, cells[at] ?? null])) as Line;
    return { ...line, ...byId.get(line.contract_id) };
  });
  const lineOf = new Map(lines.map((line) => [line.contract_id, line]));
  return async (narrowed) =>
    (await exportIds(services, narrowed)).map((id) => {
      const line = lineOf.get(id);
      if (!line) throw new Error(`no line of the whole export is of ${id}`);
      return line;
    });
}

const textOf = (cell: Cell | undefined) => (cell === null || cell === undefined ? null : String(cell));

/** The widest region that a contract is performed in; of several, England or the whole country. */
function regionOf(regions: readonly Region[]): string | null {
  const wide = new Set(regions.map(({ code, name }) => code?.slice(0, 3) ?? name));
  const [only = null, ...others] = wide;
  if (others.length === 0) return only;
  return [...wide].every((one) => /^(?:England|UK[C-K])$/.test(one)) ? 'England' : 'UK';
}

/** The groups of a line, one way of grouping after the other as the contract says them. */
function groupsOf(line: Line, by: Grouping, cpvLevel: number): (string | null)[] {
  const [year = '', month = ''] = String(line.dated).split('-');
  if (by === 'supplier') {
    const suppliers = JSON.parse(String(line.suppliers)) as { company_id: string }[];
    const ids = [...new Set(suppliers.map(({ company_id }) => company_id))];
    return ids.length > 0 ? ids : [null];
  }
  if (by === 'cpv')
    return [
      textOf(line.cpv)
        ?.slice(0, cpvLevel)
        .replace(/(?<=..)0+$/, '') ?? null,
    ];
  if (by === 'direct_award_ground')
    return [(JSON.parse(textOf(line.direct_award_grounds) ?? '[]') as string[])[0] ?? null];
  if (by === 'region') return [regionOf(JSON.parse(String(line.regions)) as Region[])];
  if (by === 'year') return [year];
  if (by === 'end_year') return [textOf(line.ends)?.slice(0, 4) ?? null];
  if (by === 'sme' || by === 'vcse') return [['false', 'true'][Number(line[by] ?? -1)] ?? null];
  if (by === 'month') return [`${year}-${month}`];
  if (by === 'quarter') return [`${year}-Q${Math.ceil(Number(month) / 3)}`];
  return [textOf(line[by === 'buyer' ? 'buyer_id' : by === 'framework' ? 'framework_id' : by])];
}

/** Adds lines up as the manual says it: whole pence, only stated values of class `sum`, each currency by itself. */
export function addLines(lines: readonly Line[]): Sums {
  const sums: Sums = { contracts: 0, places: 0, added: {}, apart: {} };
  for (const { value, currency, value_class, framework_role } of lines) {
    if (framework_role === 'establishes') sums.places += 1;
    else sums.contracts += 1;
    const isAdded = value_class === 'sum' && typeof value === 'number' && value !== 0 && currency !== null;
    if (isAdded) {
      const before = sums.added[String(currency)] ?? { count: 0, pence: 0 };
      const pence = before.pence + Math.round(value * 100);
      sums.added[String(currency)] = { count: before.count + 1, pence };
      continue;
    }
    const apart = (value_class === 'sum' ? 'unstated' : value_class) as keyof Sums['apart'];
    sums.apart[apart] = (sums.apart[apart] ?? 0) + 1;
  }
  return sums;
}

/** Every group of the lines, by its ids as one text. */
export function groupLines(lines: readonly Line[], { groupBy, cpvLevel }: SummaryQuery): Map<string, Sums> {
  const groups = new Map<string, Line[]>();
  const [first, second] = groupBy;
  for (const line of lines) {
    for (const one of groupsOf(line, first as Grouping, cpvLevel)) {
      for (const other of second ? groupsOf(line, second, cpvLevel) : [undefined]) {
        const key = keyOf({ ids: other === undefined ? [one] : [one, other] });
        const own = groups.get(key);
        if (own) own.push(line);
        else groups.set(key, [line]);
      }
    }
  }
  return new Map([...groups].map(([key, own]) => [key, addLines(own)]));
}

/** A group's ids as one text. */
export function keyOf({ ids }: Pick<GroupSums, 'ids'>): string {
  return JSON.stringify(ids);
}
