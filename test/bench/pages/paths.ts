import type { Database } from '../../../schema/db/interface.ts';
import type { NamedCompany } from '../../generated/names/make.ts';
import { askedNames } from '../names/asked.ts';
import { type Asked, makeQueries } from '../search/queries.ts';

/** Addresses of one kind of page. */
export type Kind = readonly [kind: string, paths: readonly string[]];

/** Where each kind of thing is shown, and which rows of its table are drawn. */
const THINGS: readonly (readonly [kind: string, folder: string, table: string, where: string])[] = [
  ['notice', 'notices', 'notice', 'is_tender = 0'],
  ['tender', 'notices', 'notice', 'is_tender = 1'],
  ['contract', 'contracts', 'contract', 'gone = 0'],
  ['company', 'companies', 'company', 'contract_count > 0'],
  ['buyer', 'buyers', 'buyer', 'gone = 0'],
  ['framework', 'frameworks', 'framework', 'gone = 0'],
];
const STANDING = {
  home: '/',
  status: '/status',
  'newest notices': '/notices',
  'live tenders': '/tenders',
  frameworks: '/frameworks',
};
/** A page deep in a list is reached by its cursor, not by an address. */
const NOT_ASKED = new Set(['page 50', 'facets']);

/** Every kind of page that shows data, `each` of it. */
export async function makeKinds(catalogue: Database, names: readonly NamedCompany[], each: number): Promise<Kind[]> {
  const kinds: Kind[] = Object.entries(STANDING).map(([kind, path]) => [kind, Array<string>(each).fill(path)]);
  for (const [kind, asked] of makeQueries(each)) {
    if (!NOT_ASKED.has(kind)) kinds.push([`search: ${kind}`, asked.map(searchPath)]);
  }
  for (const [kind, folder, table, where] of THINGS) {
    kinds.push([
      kind,
      (await drawIds(catalogue, [table, table === 'notice' ? 'notice_id' : 'id'], where, each)).map((id) =>
        pathOf(folder, id),
      ),
    ]);
  }
  for (const [kind, folder, table] of [
    ['largest company', 'companies', 'company'],
    ['largest buyer', 'buyers', 'buyer'],
  ] as const) {
    const [id = ''] = await readIds(catalogue, `SELECT id FROM ${table} ORDER BY contract_count DESC LIMIT 1`);
    kinds.push([kind, Array<string>(each).fill(pathOf(folder, id))]);
  }
  for (const [kind, asked] of askedNames(names, each)) {
    kinds.push([`company: ${kind}`, asked.map(({ name }) => `/companies?${new URLSearchParams({ name })}`)]);
  }
  return kinds;
}

const pathOf = (folder: string, id: string) => `/${folder}/${encodeURIComponent(id)}`;

function searchPath({ scope, text = '', filters, sort }: Asked): string {
  const { status: _always, ...asked } = filters;
  const query = new URLSearchParams({ query: text.trim(), ...(sort && { sort }) });
  for (const [name, value] of Object.entries(asked)) query.set(name, String(value));
  return `/${scope}?${query}`;
}

/** Ids of rows at equal distances of a table. */
async function drawIds(
  catalogue: Database,
  [table, id]: readonly [string, string],
  where: string,
  each: number,
): Promise<string[]> {
  const [row] = await catalogue.read<{ last: number }>({ sql: `SELECT max(rowid) AS last FROM ${table}` });
  const gap = (row?.last ?? 0) / each;
  const found: string[] = [];
  for (let at = 0; at < each; at += 1) {
    const sql = `SELECT ${id} AS id FROM ${table} WHERE rowid > ${Math.floor(at * gap)} AND ${where} LIMIT 1`;
    found.push(...(await readIds(catalogue, sql)));
  }
  return found;
}

async function readIds(catalogue: Database, sql: string): Promise<string[]> {
  return (await catalogue.read<{ id: string }>({ sql })).map(({ id }) => id);
}
