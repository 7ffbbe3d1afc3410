import type { Database } from '../../schema/db/interface.ts';
import { knownBody } from '../../schema/names/public-bodies.ts';
import { nameKey } from '../../schema/names/spelling.ts';
import { type Entry, type ListAsk, type ListPage, listPage } from './entries.ts';
import { type Directory, directoryOf } from './follow.ts';

/** A buyer as lists hold it. */
export interface BuyerEntry extends Entry {
  kind: string | null;
  scope: string | null;
  region: string | null;
  region_code: string | null;
  contract_count: number;
  framework_places: number;
  /** Pounds: the sum of those contracts whose value may be added up; null where there are none. */
  value: number | null;
}

export interface BuyersAsk extends ListAsk {
  kind?: readonly string[] | undefined;
  scope?: readonly string[] | undefined;
  /** Codes in the form in which they are kept, and names. */
  region?: readonly string[] | undefined;
  /** Branches of CPV codes: those with a contract of one of them. */
  cpv?: readonly string[] | undefined;
}

const ROWS = `SELECT id, name, name_key, kind, region, region_code, contract_count, framework_places, seq, gone,
    totals ->> '$.sum.GBP.value' AS value, detail ->> '$.scope' AS scope, detail ->> '$.also_known_as' AS others
  FROM buyer WHERE (seq, id) > (?, ?) ORDER BY seq, id LIMIT ?`;

interface Row extends Omit<BuyerEntry, 'key' | 'otherKeys' | 'size'> {
  name_key: string;
  others: string | null;
  seq: number;
  gone: number;
}

const BUYERS = { rows: ROWS, toEntry };

function toEntry({ name_key: key, others, seq: _s, gone: _g, ...row }: Row): BuyerEntry {
  const names = others === null ? [] : (JSON.parse(others) as string[]);
  const { contract_count, framework_places } = row;
  return { ...row, key, otherKeys: names.map(nameKey), size: contract_count + framework_places / 1_000_000 };
}

/** A page of buyers, the nearest to the query first, then those with most contracts; with the total of all pages. */
export async function listBuyers(catalogue: Database, asked: BuyersAsk): Promise<ListPage<BuyerEntry>> {
  const directory: Directory<BuyerEntry> = await directoryOf(catalogue, BUYERS);
  const { kind, scope, region, cpv, query } = asked;
  const buying = cpv && (await readBuying(catalogue, cpv));
  const isWanted = (entry: BuyerEntry) =>
    isOneOf(kind, entry.kind) &&
    isOneOf(scope, entry.scope) &&
    (region === undefined || region.some((one) => isIn(entry, one))) &&
    (buying === undefined || buying.has(entry.id));
  return listPage(directory.sorted(), asked, isWanted, query && knownBody(nameKey(query))?.body.key);
}

function isOneOf(wanted: readonly string[] | undefined, value: string | null): boolean {
  return wanted === undefined || (value !== null && wanted.includes(value));
}

function isIn({ region, region_code: code }: BuyerEntry, wanted: string): boolean {
  return code?.startsWith(wanted) === true || region?.toLowerCase() === wanted.toLowerCase();
}

/** Of a code that so many contracts have, all buyers may be wanted: no more are read. */
const CONTRACTS_MOST = 200_000;
const BUYING = `SELECT DISTINCT buyer_id FROM (SELECT buyer_id FROM contract
  WHERE cpv >= ?1 AND cpv < ?2 AND gone = 0 LIMIT ${CONTRACTS_MOST})`;

/** Buyers with a contract of one of these branches. */
async function readBuying(catalogue: Database, branches: readonly string[]): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const branch of branches) {
    const rows = await catalogue.read<{ buyer_id: string | null }>({ sql: BUYING, args: [branch, `${branch}:`] });
    for (const { buyer_id: id } of rows) if (id !== null) ids.add(id);
  }
  return ids;
}
