import type { Change, FilterView } from '../../schema/catalogue/changes/read.ts';
import type { Database } from '../../schema/db/interface.ts';
import { parseCompanyNumber } from '../../schema/text/ids.ts';
import { VALUE_ROWS } from '../filters/read.ts';
import { storedRegions } from '../filters/shapes.ts';

const ALIASES = (kind: 'buyer' | 'company') =>
  `SELECT alias AS id, target FROM alias WHERE kind = '${kind}' AND alias IN (SELECT lower(value) FROM json_each(?))`;

/** Where former ids lead, by the kind of thing that they were the ids of. */
const TARGETS = {
  buyer: ALIASES('buyer'),
  company: ALIASES('company'),
  framework:
    'SELECT id, copy_of AS target FROM framework WHERE copy_of IS NOT NULL AND id IN (SELECT value FROM json_each(?))',
} as const;
const KINDS = ['buyer', 'company', 'framework'] as const;

/** The filters of a watch, or the values that filters read: some are an id, or a list of ids. */
type Ids = Readonly<Record<string, unknown>>;

/**
 * Stored filters (JSON) with an id that now leads elsewhere, and the same filters with the present id. Two buyers may have
 * become one, or one may now be known by a better identifier; a watch continues with what its id leads to. A filter by a region
 * continues with every code that the region has by now.
 */
export async function readMovedFilters(catalogue: Database, stored: readonly string[]): Promise<Map<string, string>> {
  const texts = [...new Set(stored)];
  const filters = texts.map((text) => JSON.parse(text) as Ids);
  const moved = await withPresentIds(catalogue, filters.map(withAllCodes), 'name');
  return new Map(
    texts.flatMap((text, place) => (moved[place] === filters[place] ? [] : [[text, JSON.stringify(moved[place])]])),
  );
}

function withAllCodes(filters: Ids): Ids {
  const { region } = filters;
  if (!Array.isArray(region)) return filters;
  const codes = [...new Set(region.flatMap((one) => storedRegions(String(one))))].toSorted();
  return codes.length === region.length ? filters : { ...filters, region: codes };
}

/** The rows with the ids from before their change replaced by those that they now lead to. */
export async function withPresentIdsInBefore<Row extends Pick<Change, 'before'>>(
  catalogue: Database,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const views = rows.map(({ before }) => (before === 'unknown' ? {} : (before ?? {})));
  const moved = await withPresentIds(catalogue, views, 'field');
  return rows.map((row, place) =>
    moved[place] === views[place] ? row : { ...row, before: moved[place] as FilterView },
  );
}

/** The same objects where no id in them leads elsewhere, and changed copies of the others. `by`: what ids are found under. */
async function withPresentIds(catalogue: Database, all: readonly Ids[], by: 'name' | 'field'): Promise<readonly Ids[]> {
  let moved = all;
  for (const kind of KINDS) {
    const names = [...new Set(VALUE_ROWS.filter(({ values }) => values === kind).map((row) => row[by]))];
    const spell = (id: unknown) => (kind === 'company' ? registeredId(String(id)) : id);
    const ids = moved.flatMap((one) => names.flatMap((name) => one[name] ?? []));
    if (ids.length === 0) continue;
    const args = [JSON.stringify([...new Set(ids.map(spell))])];
    const rows = await catalogue.read<{ id: string; target: string }>({ sql: TARGETS[kind], args });
    const targets = new Map(rows.map(({ id, target }) => [id.toLowerCase(), target]));
    const listed = by === 'name' ? inOrder : (ids: unknown[]) => ids;
    const present = (id: unknown) => targets.get(String(spell(id)).toLowerCase()) ?? spell(id);
    moved = moved.map((one) => {
      const changed = names.flatMap((name) => {
        const value = one[name];
        const now = Array.isArray(value) ? listed(value.map(present)) : present(value);
        return String(now) === String(value) ? [] : [[name, now] as const];
      });
      return changed.length === 0 ? one : { ...one, ...Object.fromEntries(changed) };
    });
  }
  return moved;
}

/** The ids of a filter as a watch stores them: each once, sorted, and a single one as a text. */
function inOrder(ids: readonly unknown[]): unknown {
  const each = [...new Set(ids)].toSorted();
  return each.length === 1 ? each[0] : each;
}

/** The id of a company. Older watches have a bare number where the company was unknown when they were made. */
function registeredId(id: string): string {
  const number = parseCompanyNumber(id);
  return number === null || id.includes('-') ? id : `GB-COH-${number}`;
}
