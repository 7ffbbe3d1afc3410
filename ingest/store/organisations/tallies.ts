import type { Totals } from '../../../schema/catalogue/details.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { groupBy } from '../../../schema/text/memoise.ts';
import type { IdentityKind } from '../../party/sighting.ts';
import type { Row } from '../../rows/versioned.ts';
import {
  type AwardChanges,
  awardsAmong,
  type CompiledAwards,
  type CountedAward,
  countWhole,
  groupByOwner,
  readAwardChanges,
  readAwards,
} from './awards.ts';
import { type Pair, type Pairs, readPairs, readTopPairs } from './pairs.ts';
import {
  addContract,
  COUNTING,
  type ContractTally,
  type CountedContract,
  countAwards,
  type DatedContract,
  differFrameworks,
  frameworksOf,
  inOrder,
  listDealings,
  NEWEST_MAX,
  newestNotices,
  rankDealings,
} from './totals.ts';

/** The batch's effect on contracts: the compiled processes, and their contracts as they will be. */
export interface ContractOverlay extends CompiledAwards {
  /** For an organisation without any of these contracts, the stored tally is right. */
  changes: AwardChanges | 'all';
  /** Organisations with changed contracts; null where a rebuild must first update the catalogue to the present way of counting. */
  pairs: Pairs | null;
}

/** The contents of the rows; without the newest notices of their contracts they are incomplete. */
const STORED: Readonly<Record<IdentityKind, string>> = { buyer: storedIn('buyer'), company: storedIn('company') };
function storedIn(table: IdentityKind): string {
  return `SELECT id, contract_count, framework_places, totals, detail ->> '$.notice_ids' AS notice_ids FROM ${table}
WHERE id IN (SELECT value FROM json_each(?)) AND gone = 0 AND (contract_count + framework_places = 0 OR notice_ids IS NOT NULL)`;
}

const COUNTED_SO = "SELECT 1 FROM meta WHERE name = 'counting' AND value = ?";

/**
 * The effect of a batch on contracts. `rows` are all rows of the processes that it compiled, `processIds` the ids of those
 * processes, including gone ones, and `changed` is `table id` of every changed or removed row.
 */
export async function readOverlay(
  catalogue: Database,
  rows: readonly Row[],
  { processIds, changed }: { processIds: ReadonlySet<string>; changed: ReadonlySet<string> },
): Promise<ContractOverlay> {
  const awards = awardsAmong(rows);
  const frameworks = rows.filter(({ table }) => table === 'framework');
  const frameworkTitles = new Map(frameworks.map(({ id, columns }) => [id, String(columns.title)]));
  const changes = await readAwardChanges(catalogue, awards, changed);
  const counted = await catalogue.read({ sql: COUNTED_SO, args: [String(COUNTING)] });
  const pairs = counted.length > 0 ? await readPairs(catalogue, changes) : null;
  return { processIds, awards, frameworkTitles, changes, pairs };
}

/**
 * The tallies of these organisations after the batch: as stored if none of their contracts changed, otherwise updated by the
 * changes. An organisation without a stored tally, and any in a catalogue with another way of counting, is counted completely.
 */
export async function readTallies(
  catalogue: Database,
  kind: IdentityKind,
  ids: readonly string[],
  overlay: ContractOverlay,
): Promise<Map<string, ContractTally>> {
  const { changes, pairs } = overlay;
  if (changes === 'all') return countWhole(catalogue, kind, ids, overlay);
  const stored = await readStoredTallies(catalogue, kind, ids);
  const changed = groupByOwner(kind, [...changes.before, ...changes.after]);
  const kept = [...stored].filter(([id]) => !changed.has(id));
  const differing = new Map(pairs === null ? [] : [...stored].filter(([id]) => changed.has(id)));
  const contracts = groupByOwner(kind, overlay.awards);
  const frameworkTitle = (id: string) => overlay.frameworkTitles.get(id);
  const details = { changes, pairs: pairs ?? new Map(), contracts, frameworkTitle };
  const differed = await differTallies(catalogue, kind, differing, details);
  const tallies = new Map([...kept, ...differed]);
  const others = ids.filter((id) => !tallies.has(id));
  return new Map([...tallies, ...(await countWhole(catalogue, kind, others, overlay))]);
}

async function readStoredTallies(
  catalogue: Database,
  kind: IdentityKind,
  ids: readonly string[],
): Promise<Map<string, ContractTally>> {
  const rows = await catalogue.read<Omit<ContractTally, 'notice_ids'> & { id: string; notice_ids: string | null }>({
    sql: STORED[kind],
    args: [JSON.stringify(ids)],
  });
  return new Map(
    rows.map(({ id, notice_ids, ...tally }) => {
      const hasContracts = tally.contract_count + tally.framework_places > 0;
      return [id, { ...tally, notice_ids: hasContracts ? (JSON.parse(notice_ids ?? '[]') as string[]) : [] }];
    }),
  );
}

/** The data for the tallies of changed organisations, besides the stored ones. */
interface Differences {
  changes: AwardChanges;
  /** Every pair with changed contracts, as it will be. */
  pairs: Pairs;
  /** All contracts of the batch's processes: a framework and its places are of one process. */
  contracts: ReadonlyMap<string, readonly CountedContract[]>;
  frameworkTitle: (id: string) => string | undefined;
}

/** One text for each owner: as many rows take longer. */
const newestSql = (chosen: string) => `SELECT json_each.value AS owner,
(SELECT json_group_array(json_object('id', c.id, 'sortDate', c.sort_date, 'noticeId', c.notice_id))
  FROM contract c WHERE ${chosen} AND c.gone = 0) AS newest FROM json_each(?1)`;
const NEWEST: Readonly<Record<IdentityKind, string>> = {
  buyer: newestSql(`c.rowid IN (SELECT rowid FROM contract
  WHERE buyer_id = json_each.value AND gone = 0 ORDER BY sort_date DESC, id DESC LIMIT ?2)`),
  // Contracts that are gone have no suppliers there.
  company: newestSql(`c.id IN (SELECT contract_id FROM contract_supplier
  WHERE company_id = json_each.value ORDER BY sort_date DESC, contract_id DESC LIMIT ?2)`),
};

/**
 * Tallies of organisations with changed contracts. Their former amounts are subtracted from the stored tally, and their new
 * ones added. What cannot be added up (the newest notices, the first counterparties) is read in order from an index. So the
 * work depends on the changes only, not on the number of an organisation's contracts.
 * @param stored the tally of each requested organisation
 */
async function differTallies(
  catalogue: Database,
  kind: IdentityKind,
  stored: ReadonlyMap<string, ContractTally>,
  { changes, pairs, contracts, frameworkTitle }: Differences,
): Promise<Map<string, ContractTally>> {
  const ids = [...stored.keys()];
  if (ids.length === 0) return new Map();
  const before = groupByOwner(kind, changes.before);
  const after = groupByOwner(kind, changes.after);
  const newest = await readNewest(catalogue, kind, ids, { before, after });
  const totals = new Map([...stored].map(([id, tally]) => [id, JSON.parse(tally.totals) as Totals]));
  const tops = await readTops(catalogue, kind, totals, { pairs, after: changes.after });
  const tallies = new Map<string, ContractTally>();
  for (const [id, tally] of stored) {
    const [gone, come] = [before.get(id) ?? [], after.get(id) ?? []];
    const own = totals.get(id) ?? ({} as Totals);
    for (const contract of gone) addContract(own, contract, -1);
    for (const contract of come) addContract(own, contract, 1);
    own.frameworks = differFrameworks(own.frameworks, gone, frameworksOf(contracts.get(id) ?? [], frameworkTitle));
    own.top = tops.get(id) ?? [];
    const [less, more] = [countAwards(gone), countAwards(come)];
    tallies.set(id, {
      contract_count: tally.contract_count - less.contract_count + more.contract_count,
      framework_places: tally.framework_places - less.framework_places + more.framework_places,
      totals: JSON.stringify(inOrder(own)),
      notice_ids: newestNotices([...(newest.get(id) ?? []), ...come]),
    });
  }
  return tallies;
}

type ByOwner = ReadonlyMap<string, readonly CountedContract[]>;

/** The newest stored contracts of each, without those that the batch changes. */
async function readNewest(
  catalogue: Database,
  kind: IdentityKind,
  ids: readonly string[],
  { before, after }: { before: ByOwner; after: ByOwner },
): Promise<Map<string, DatedContract[]>> {
  const most = NEWEST_MAX + Math.max(0, ...ids.map((id) => before.get(id)?.length ?? 0));
  const rows = await catalogue.read<{ owner: string; newest: string }>({
    sql: NEWEST[kind],
    args: [JSON.stringify(ids), most],
  });
  const changed = new Set([...before.values(), ...after.values()].flatMap((of) => of.map(({ id }) => id)));
  const others = (newest: string) => (JSON.parse(newest) as DatedContract[]).filter(({ id }) => !changed.has(id));
  return new Map(rows.map(({ owner, newest }) => [owner, others(newest)]));
}

/** The first counterparties of each: changed pairs as they will be, others as stored. */
async function readTops(
  catalogue: Database,
  kind: IdentityKind,
  totals: ReadonlyMap<string, Totals>,
  { pairs, after }: { pairs: Pairs; after: readonly CountedAward[] },
): Promise<Map<string, Totals['top']>> {
  const sidesOf = ({ buyer, company }: Pair) =>
    (kind === 'buyer' ? [buyer, company] : [company, buyer]) as [string, string];
  const changed = groupBy(pairs.values(), (pair) => sidesOf(pair)[0]);
  const stored = await readTopPairs(catalogue, kind, [...totals.keys()], changed);
  const ranked = [...totals].map(([owner, { top }]) => {
    const ofBatch = (changed.get(owner) ?? []).filter(({ count, places }) => count + places > 0);
    const known = new Map(top.map(({ id, name }) => [id, name]));
    const pairsNow = [
      ...ofBatch.map((pair) => ({ id: sidesOf(pair)[1], name: undefined, ...pair })),
      // A pair without contracts in the batch keeps its name.
      ...(stored.get(owner) ?? []).map((pair) => ({
        id: sidesOf(pair)[1],
        name: known.get(sidesOf(pair)[1]),
        ...pair,
      })),
    ];
    return [owner, rankDealings(pairsNow)] as const;
  });
  const unnamed = ranked.flatMap(([, top]) => top.filter(({ name }) => name === undefined));
  const names = await readNames(
    catalogue,
    kind,
    unnamed.map(({ lastContract }) => lastContract),
    after,
  );
  const nameOf = (id: string, lastContract: string) => names.get(lastContract)?.find((other) => other.id === id)?.name;
  return new Map(
    ranked.map(([owner, top]) => [
      owner,
      top.map((pair) => listDealings({ ...pair, name: pair.name ?? nameOf(pair.id, pair.lastContract) ?? pair.id })),
    ]),
  );
}

/** The counterparties of contracts in their own spelling, by contract. */
async function readNames(
  catalogue: Database,
  kind: IdentityKind,
  contracts: readonly string[],
  after: readonly CountedAward[],
): Promise<Map<string, CountedAward['buyers']>> {
  const wanted = new Set(contracts);
  const found = after.filter(({ id }) => wanted.has(id));
  for (const { id } of found) wanted.delete(id);
  const stored = wanted.size === 0 ? [] : await readAwards(catalogue, [...wanted]);
  const others = ({ buyers, suppliers }: CountedAward) => (kind === 'buyer' ? suppliers : buyers);
  return new Map([...stored, ...found].map((award) => [award.id, others(award)]));
}
