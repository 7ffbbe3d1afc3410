import type { Database, Statement } from '../../../schema/db/interface.ts';
import { compareText } from '../../../schema/text/ids.ts';
import type { IdentityKind } from '../../party/sighting.ts';
import type { AwardChanges, CountedAward } from './awards.ts';
import { type Dealings, penceOf, TOP_MAX } from './totals.ts';

/** The totals of one buyer's contracts with one supplier; none where both counts are 0. */
export interface Pair extends Dealings {
  buyer: string;
  company: string;
  /** The greatest id of its contracts. */
  lastContract: string;
}

/** The columns of a pair, in their order. */
type PairColumns = [
  buyer: string,
  company: string,
  contracts: number,
  places: number,
  pence: number,
  otherPence: string,
  lastContract: string,
];

const COLUMNS = 'buyer_id, company_id, contracts, places, pence, other_pence, last_contract';
const STORED = `SELECT json_array(${COLUMNS}) AS pair FROM json_each(?)
CROSS JOIN buyer_supplier ON buyer_id = json_each.value ->> 0 AND company_id = json_each.value ->> 1`;
/** Only if the last contract of a pair goes and others stay: then the supplier's are searched. */
const LAST = `SELECT json_each.value ->> 0 AS buyer, json_each.value ->> 1 AS company, (SELECT max(c.id)
  FROM contract_supplier cs CROSS JOIN contract c ON c.id = cs.contract_id
  WHERE cs.company_id = json_each.value ->> 1 AND c.buyer_id = json_each.value ->> 0 AND c.gone = 0
  AND c.id NOT IN (SELECT value FROM json_each(?2))) AS last FROM json_each(?1)`;

/** By buyer and company. */
export type Pairs = ReadonlyMap<string, Pair>;

const keyOf = (buyer: string, company: string) => `${buyer}\n${company}`;

interface Difference extends Pair {
  /** Ids of its contracts that change or go. */
  left: Set<string>;
}

/** The pairs whose contracts a batch changes, as they will be afterwards. */
export async function readPairs(catalogue: Database, changes: AwardChanges): Promise<Pairs> {
  const differences = new Map<string, Difference>();
  for (const award of changes.before) addAward(differences, award, -1);
  for (const award of changes.after) addAward(differences, award, 1);
  const keys = [...differences.values()].map(({ buyer, company }) => [buyer, company]);
  if (keys.length === 0) return new Map();
  const rows = await catalogue.read<{ pair: string }>({ sql: STORED, args: [JSON.stringify(keys)] });
  const pairsBefore = rows.map(({ pair }) => readPair(JSON.parse(pair) as PairColumns));
  const stored = new Map(pairsBefore.map((pair) => [keyOf(pair.buyer, pair.company), pair]));
  const pairs = new Map([...differences].map(([key, difference]) => [key, addStored(difference, stored.get(key))]));
  const headless = [...pairs.values()].filter(
    (pair) =>
      pair.count + pair.places > 0 && isHeadless(pair, stored.get(keyOf(pair.buyer, pair.company)), differences),
  );
  if (headless.length === 0) return pairs;
  const left = [...changes.before, ...changes.after].map(({ id }) => id);
  const found = await catalogue.read<{ buyer: string; company: string; last: string | null }>({
    sql: LAST,
    args: [JSON.stringify(headless.map(({ buyer, company }) => [buyer, company])), JSON.stringify(left)],
  });
  for (const { buyer, company, last } of found) {
    const pair = pairs.get(keyOf(buyer, company));
    if (pair && last !== null && pair.lastContract < last) pair.lastContract = last;
  }
  return pairs;
}

function addAward(differences: Map<string, Difference>, award: CountedAward, sign: 1 | -1): void {
  for (const { id: buyer } of award.buyers) {
    for (const { id: company } of award.suppliers) {
      const key = keyOf(buyer, company);
      const none = { buyer, company, count: 0, places: 0, pence: new Map(), lastContract: '', left: new Set<string>() };
      const pair = differences.get(key) ?? none;
      differences.set(key, pair);
      if (award.framework) pair.places += sign;
      else pair.count += sign;
      const { currency, pence } = penceOf(award);
      if (currency) pair.pence.set(currency, (pair.pence.get(currency) ?? 0) + sign * pence);
      if (sign === -1) pair.left.add(award.id);
      else if (pair.lastContract < award.id) pair.lastContract = award.id;
    }
  }
}

function addStored({ left, ...difference }: Difference, stored: Pair | undefined): Pair {
  if (!stored) return { ...difference, pence: withoutNothing(difference.pence) };
  const pence = new Map(stored.pence);
  for (const [currency, more] of difference.pence) pence.set(currency, (pence.get(currency) ?? 0) + more);
  const last = left.has(stored.lastContract) ? '' : stored.lastContract;
  return {
    ...difference,
    count: stored.count + difference.count,
    places: stored.places + difference.places,
    pence: withoutNothing(pence),
    lastContract: difference.lastContract < last ? last : difference.lastContract,
  };
}

function withoutNothing(pence: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...pence].filter(([, amount]) => amount !== 0));
}

/** Whether its last contract left it, and the batch adds none at or after that one. */
function isHeadless(pair: Pair, stored: Pair | undefined, differences: ReadonlyMap<string, Difference>): boolean {
  const left = differences.get(keyOf(pair.buyer, pair.company))?.left;
  return stored !== undefined && left?.has(stored.lastContract) === true && pair.lastContract < stored.lastContract;
}

function readPair([buyer, company, count, places, pence, otherPence, lastContract]: PairColumns): Pair {
  const others = otherPence === '{}' ? [] : Object.entries(JSON.parse(otherPence) as Record<string, number>);
  const inPounds: [string, number][] = pence === 0 ? [] : [['GBP', pence]];
  return { buyer, company, count, places, pence: new Map([...inPounds, ...others]), lastContract };
}

const KEEP = `INSERT INTO buyer_supplier (${COLUMNS})
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6 FROM json_each(?) WHERE TRUE
ON CONFLICT (buyer_id, company_id) DO UPDATE SET contracts = excluded.contracts, places = excluded.places,
  pence = excluded.pence, other_pence = excluded.other_pence, last_contract = excluded.last_contract`;
const DROP =
  'DELETE FROM buyer_supplier WHERE (buyer_id, company_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))';

/** Stores pairs as they are after a batch; one without contracts is removed. */
export function pairStatements(pairs: Pairs): Statement[] {
  const all = [...pairs.values()];
  const kept = all.filter(({ count, places }) => count + places > 0).map(writePair);
  const lost = all.filter(({ count, places }) => count + places === 0).map(({ buyer, company }) => [buyer, company]);
  return [
    ...(lost.length > 0 ? [{ sql: DROP, args: [JSON.stringify(lost)] }] : []),
    ...(kept.length > 0 ? [{ sql: KEEP, args: [JSON.stringify(kept)] }] : []),
  ];
}

function writePair({ buyer, company, count, places, pence, lastContract }: Pair): PairColumns {
  const others = [...pence].filter(([currency]) => currency !== 'GBP').toSorted(([a], [b]) => compareText(a, b));
  const otherPence = JSON.stringify(Object.fromEntries(others));
  return [buyer, company, count, places, pence.get('GBP') ?? 0, otherPence, lastContract];
}

/** Of other classes nothing is added: two values that are not believed may come to more than an integer holds. */
const PENCE = `iif(c.value_class = 'sum', CAST(round(c.value * 100) AS INTEGER), 0)`;
/** The pairs of these buyers, from all of their contracts. */
const OF_BUYERS = `WITH dealt AS (SELECT c.buyer_id, cs.company_id, c.id,
  iif(c.framework_role = 'establishes' AND c.framework_id IS NOT NULL, 1, 0) AS place,
  iif(c.value_class = 'sum', c.currency, NULL) AS currency, ${PENCE} AS pence
  FROM contract c CROSS JOIN contract_supplier cs ON cs.contract_id = c.id
  WHERE c.buyer_id IN (SELECT value FROM json_each(?)) AND c.gone = 0),
summed AS (SELECT buyer_id, company_id, currency, count(*) - sum(place) AS contracts, sum(place) AS places,
  sum(pence) AS pence, max(id) AS last_contract FROM dealt GROUP BY buyer_id, company_id, currency)
INSERT INTO buyer_supplier (${COLUMNS}) SELECT buyer_id, company_id, sum(contracts), sum(places),
  ifnull(sum(pence) FILTER (WHERE currency = 'GBP'), 0),
  json_group_object(currency, pence) FILTER (WHERE currency <> 'GBP' AND pence <> 0), max(last_contract)
FROM (SELECT * FROM summed ORDER BY currency) GROUP BY buyer_id, company_id`;

/** Empties the table of pairs, so that it can be filled. */
export const CLEAR_PAIRS: Statement = { sql: 'DELETE FROM buyer_supplier' };

/** Fills the pairs of buyers that have none, from all of their contracts. */
export function fillPairs(buyers: readonly string[]): Statement {
  return { sql: OF_BUYERS, args: [JSON.stringify(buyers)] };
}

/** One text for each owner: as many rows take longer. */
const topSql = (own: string, other: string) => `SELECT json_each.value AS owner,
(SELECT json_group_array(json_array(${COLUMNS})) FROM buyer_supplier pair
  WHERE pair.rowid IN (SELECT rowid FROM buyer_supplier WHERE ${own} = json_each.value
    ORDER BY contracts DESC, pence DESC, places DESC, ${other} LIMIT ?2)) AS top FROM json_each(?1)`;
const TOP: Readonly<Record<IdentityKind, string>> = {
  buyer: topSql('buyer_id', 'company_id'),
  company: topSql('company_id', 'buyer_id'),
};

/** The first stored pairs of each owner, as its totals list them, apart from the `changed` ones. */
export async function readTopPairs(
  catalogue: Database,
  kind: IdentityKind,
  owners: readonly string[],
  changed: ReadonlyMap<string, readonly Pair[]>,
): Promise<Map<string, Pair[]>> {
  const most = TOP_MAX + Math.max(0, ...owners.map((owner) => changed.get(owner)?.length ?? 0));
  const rows = await catalogue.read<{ owner: string; top: string }>({
    sql: TOP[kind],
    args: [JSON.stringify(owners), most],
  });
  const known = new Set([...changed.values()].flat().map(({ buyer, company }) => keyOf(buyer, company)));
  const others = (top: string) =>
    (JSON.parse(top) as PairColumns[]).filter(([buyer, company]) => !known.has(keyOf(buyer, company))).map(readPair);
  return new Map(rows.map(({ owner, top }) => [owner, others(top)]));
}
