import type { Database } from '../../schema/db/interface.ts';
import { knownBody } from '../../schema/names/public-bodies.ts';
import { nameKey } from '../../schema/names/spelling.ts';
import { dayOf } from '../summary/columns.ts';
import { type Entry, type ListAsk, type ListPage, namesOf, placeEntries, toPage } from './entries.ts';
import { type Directory, directoryOf } from './follow.ts';
import { marketsOf } from './markets.ts';
import { placeNewest } from './newest.ts';

/** A buyer as lists store it. */
export interface BuyerEntry extends Entry {
  name: string;
  kind: string | null;
  scope: string | null;
  region: string | null;
  region_code: string | null;
  nation: string | null;
  contract_count: number;
  framework_places: number;
  /** Pounds: the sum of those contracts whose value may be added up; null where there are none. */
  value: number | null;
  /** The day of its newest contract as `yyyymmdd`; `NONE` where it has none. */
  last_award: number;
}

export interface BuyersAsk extends ListAsk {
  kind?: readonly string[] | undefined;
  scope?: readonly string[] | undefined;
  /** Codes in their stored form, and names. */
  region?: readonly string[] | undefined;
  nation?: readonly string[] | undefined;
  /** Branches of CPV codes: buyers with a contract in one of them. */
  cpv?: readonly string[] | undefined;
}

const ROWS = `SELECT id, name, name_key, kind, region, region_code, nation, contract_count, framework_places, seq, gone,
    totals ->> '$.sum.GBP.value' AS value, detail ->> '$.scope' AS scope, detail ->> '$.also_known_as' AS others,
    (SELECT sort_date FROM contract c WHERE c.buyer_id = buyer.id AND c.gone = 0 ORDER BY sort_date DESC LIMIT 1) AS last_award
  FROM buyer WHERE (seq, id) > (?, ?) ORDER BY seq, id LIMIT ?`;

interface Row extends Omit<BuyerEntry, Exclude<keyof Entry, 'id'> | 'last_award'> {
  name_key: string;
  last_award: string | null;
  others: string | null;
  seq: number;
  gone: number;
}

const BUYERS = { table: 'buyer' as const, rows: ROWS, toEntry };

function toEntry({ name_key: key, others, seq: _s, gone: _g, ...row }: Row): BuyerEntry {
  const names = others === null ? [] : (JSON.parse(others) as string[]);
  const { contract_count, framework_places } = row;
  const otherKeys = names.map(nameKey);
  return {
    ...row,
    last_award: dayOf(row.last_award),
    names: namesOf(key, ...otherKeys),
    initials: [key, ...otherKeys].flatMap(initialsOf),
    size: contract_count + framework_places / 1_000_000,
  };
}

/** Words that an acronym may leave out: `DfT` includes its `for`, `MOD` leaves out its `of`. */
const JOINING = new Set(['and', 'of', 'for', 'the', 'in', 'on']);
const INITIALS_LEAST = 3;

/** The acronyms that people may use for a body. */
function initialsOf(key: string): string[] {
  const words = key.split(' ');
  const firsts = (from: readonly string[]) => from.map((word) => word[0] ?? '').join('');
  const both = [firsts(words), firsts(words.filter((word) => !JOINING.has(word)))];
  return [...new Set(both)].filter(({ length }) => length >= INITIALS_LEAST);
}

/** A page of buyers, the most similar to the query first, then those with most contracts; null while contracts are being read for `cpv`. */
export async function listBuyers(catalogue: Database, asked: BuyersAsk): Promise<ListPage<BuyerEntry> | null> {
  const read = await readWanted(catalogue, asked);
  if (!read) return null;
  const { placed, total } = placeEntries(read.buyers, asked, read.wanted, alsoKeyOf(asked));
  return toPage(placed, asked.limit, total);
}

/** The ids of the same buyers, those with the newest contracts first. */
export async function listNewestBuyers(catalogue: Database, asked: BuyersAsk): Promise<ListPage<string> | null> {
  const read = await readWanted(catalogue, asked);
  if (!read) return null;
  const { placed, total } = placeNewest(read.buyers, asked, read.wanted, alsoKeyOf(asked));
  const page = toPage(placed, asked.limit, total);
  return { ...page, entries: page.entries.map(({ id }) => id) };
}

/** The key of the body that an acronym usually means. */
function alsoKeyOf({ query }: BuyersAsk): string | undefined {
  return query === undefined ? undefined : knownBody(nameKey(query))?.body.key;
}

/** All buyers, and for each whether it passes the filters; null while contracts are being read for `cpv`. */
async function readWanted(
  catalogue: Database,
  { kind, scope, region, nation, cpv }: BuyersAsk,
): Promise<{ buyers: readonly BuyerEntry[]; wanted: Uint8Array } | null> {
  const directory: Directory<BuyerEntry> = await directoryOf(catalogue, BUYERS);
  const markets = marketsOf(catalogue);
  // Read with the first list, so that the first question by a code does not have to wait for all contracts.
  const isRead = await markets.catchUp(cpv !== undefined);
  if (cpv && !isRead) return null;
  const buyers = directory.sorted();
  const tests: ((entry: BuyerEntry) => boolean)[] = [];
  if (kind) tests.push((entry) => isOneOf(kind, entry.kind));
  if (scope) tests.push((entry) => isOneOf(scope, entry.scope));
  if (region) tests.push((entry) => region.some((one) => isIn(entry, one)));
  if (nation) tests.push((entry) => isOneOf(nation, entry.nation));
  const wanted = Uint8Array.from(buyers, (entry) => Number(tests.every((test) => test(entry))));
  if (cpv) markets.keep('buyers', { cpv }, buyers, wanted);
  return { buyers, wanted };
}

function isOneOf(wanted: readonly string[], value: string | null): boolean {
  return value !== null && wanted.includes(value);
}

function isIn({ region, region_code: code }: BuyerEntry, wanted: string): boolean {
  return code?.startsWith(wanted) === true || region?.toLowerCase() === wanted.toLowerCase();
}
