import type { Database } from '../../schema/db/interface.ts';
import { knownBody } from '../../schema/names/public-bodies.ts';
import { nameKey } from '../../schema/names/spelling.ts';
import { dayOf } from '../summary/columns.ts';
import { mergeNumbers, mergeObjects, type Plan, textAt } from './columns.ts';
import { type ListAsk, type ListPage, placeEntries, toPage } from './entries.ts';
import { directoryOf } from './follow.ts';
import { withHistory } from './history.ts';
import { type Entry, type Listed, namesOf } from './listed.ts';
import { marketsOf } from './markets.ts';
import { placeNewest } from './newest.ts';

/** A buyer as lists show it. */
export interface ListedBuyer {
  id: string;
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
}

interface BuyerEntry extends Entry {
  buyer: ListedBuyer;
  /** The day of its newest contract as `yyyymmdd`; `NONE` where it has none. */
  last_award: number;
}

/** What buyers have besides their names: they are few. */
interface BuyerColumns {
  buyers: readonly ListedBuyer[];
  lastAwards: Int32Array;
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

interface Row extends ListedBuyer {
  name_key: string;
  last_award: string | null;
  others: string | null;
  seq: number;
  gone: number;
}

const BUYERS = {
  table: 'buyer' as const,
  rows: ROWS,
  toEntry,
  columns: { none: { buyers: [], lastAwards: new Int32Array() }, merge: mergeColumns },
};

function mergeColumns(old: BuyerColumns, plan: Plan, fresh: readonly BuyerEntry[]): BuyerColumns {
  const days = fresh.map(({ last_award }) => last_award);
  return {
    buyers: mergeObjects(
      old.buyers,
      plan,
      fresh.map(({ buyer }) => buyer),
    ),
    lastAwards: mergeNumbers(new Int32Array(plan.length), old.lastAwards, plan, days),
  };
}

function toEntry({ name_key: key, others, last_award, seq: _s, gone: _g, ...buyer }: Row): BuyerEntry {
  const names = others === null ? [] : (JSON.parse(others) as string[]);
  const { id, contract_count, framework_places } = buyer;
  const otherKeys = names.map(nameKey);
  return {
    id,
    names: namesOf(key, ...otherKeys),
    initials: [key, ...otherKeys].flatMap(initialsOf),
    size: contract_count + framework_places / 1_000_000,
    buyer,
    last_award: dayOf(last_award),
  };
}

/** Words that an acronym may leave out: `DfT` includes its `for`, `MOD` leaves out its `of`. */
const JOINING = new Set(['and', 'of', 'for', 'the', 'in', 'on']);
const INITIALS_MIN = 3;

/** The acronyms that people may use for a body. */
function initialsOf(key: string): string[] {
  const words = key.split(' ');
  const firsts = (from: readonly string[]) => from.map((word) => word[0] ?? '').join('');
  const both = [firsts(words), firsts(words.filter((word) => !JOINING.has(word)))];
  return [...new Set(both)].filter(({ length }) => length >= INITIALS_MIN);
}

/** A page of buyers, the most similar to the query first, then those with most contracts; null while contracts are being read for `cpv`. */
export async function listBuyers(catalogue: Database, asked: BuyersAsk): Promise<ListPage<ListedBuyer> | null> {
  const read = await readWanted(catalogue, asked);
  if (!read) return null;
  const { placed, total } = placeEntries(read.listed, asked, read.wanted, alsoKeyOf(asked));
  const page = toPage(placed, asked.limit, total);
  return { ...page, entries: page.entries.map((row) => read.listed.own.buyers[row] as ListedBuyer) };
}

/** The ids of the same buyers, those with the newest contracts first; null while contracts are being read for `cpv`. */
export async function listNewestBuyers(catalogue: Database, asked: BuyersAsk): Promise<ListPage<string> | null> {
  const read = await readWanted(catalogue, asked);
  if (!read) return null;
  const { placed, total } = placeNewest(read.listed, asked, read.wanted, alsoKeyOf(asked));
  const page = toPage(placed, asked.limit, total);
  return { ...page, entries: page.entries.map((row) => textAt(read.listed.ids, row)) };
}

/** The key of the body that an acronym usually means. */
function alsoKeyOf({ query }: BuyersAsk): string | undefined {
  return query === undefined ? undefined : knownBody(nameKey(query))?.body.key;
}

/** All buyers, and for each whether it passes the filters; null while contracts are being read for `cpv`. */
async function readWanted(
  given: Database,
  { kind, scope, region, nation, cpv }: BuyersAsk,
): Promise<{ listed: Listed<BuyerColumns>; wanted: Uint8Array } | null> {
  const catalogue = await withHistory(given);
  const directory = await directoryOf<Row, BuyerEntry, BuyerColumns>(catalogue, BUYERS);
  const markets = marketsOf(catalogue);
  // Read with the first list, so that the first question by a code does not have to wait for all contracts.
  const isRead = await markets.catchUp(cpv !== undefined);
  if (cpv && !isRead) return null;
  const listed = directory.listed();
  const tests: ((buyer: ListedBuyer) => boolean)[] = [];
  if (kind) tests.push((buyer) => isOneOf(kind, buyer.kind));
  if (scope) tests.push((buyer) => isOneOf(scope, buyer.scope));
  if (region) tests.push((buyer) => region.some((one) => isIn(buyer, one)));
  if (nation) tests.push((buyer) => isOneOf(nation, buyer.nation));
  const wanted = Uint8Array.from(listed.own.buyers, (buyer) => Number(tests.every((test) => test(buyer))));
  if (cpv) markets.keep('buyers', { cpv }, listed.prints, wanted);
  return { listed, wanted };
}

function isOneOf(wanted: readonly string[], value: string | null): boolean {
  return value !== null && wanted.includes(value);
}

function isIn({ region, region_code: code }: ListedBuyer, wanted: string): boolean {
  return code?.startsWith(wanted) === true || region?.toLowerCase() === wanted.toLowerCase();
}
