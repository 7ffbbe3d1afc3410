import type { Totals } from '../../../schema/catalogue/details.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { IdentityKind } from '../../party/sighting.ts';
import { type AwardChanges, type CountedAward, groupByOwner, readAwards } from './awards.ts';
import { type Pair, type Pairs, readTopPairs } from './pairs.ts';
import {
  addContract,
  type ContractTally,
  type CountedContract,
  countAwards,
  type DatedContract,
  frameworksOf,
  inOrder,
  listDealings,
  NEWEST_MOST,
  newestNotices,
  rankDealings,
} from './totals.ts';

/** What the tallies of changed organisations are made from, besides those that are stored. */
interface Differences {
  changes: AwardChanges;
  /** Every pair whose contracts changed, as it will stand. */
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
 * Tallies of organisations with contracts that changed: what those come to is taken out of the stored tally and added
 * again as it will stand. What cannot be added up (the newest notices, the first counterparties) is read in order from an
 * index, so that the work follows from what changed, however many contracts an organisation has.
 * @param stored the tally of each organisation that is asked for
 */
export async function differTallies(
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
  const most = NEWEST_MOST + Math.max(0, ...ids.map((id) => before.get(id)?.length ?? 0));
  const rows = await catalogue.read<{ owner: string; newest: string }>({
    sql: NEWEST[kind],
    args: [JSON.stringify(ids), most],
  });
  const changed = new Set([...before.values(), ...after.values()].flatMap((of) => of.map(({ id }) => id)));
  const others = (newest: string) => (JSON.parse(newest) as DatedContract[]).filter(({ id }) => !changed.has(id));
  return new Map(rows.map(({ owner, newest }) => [owner, others(newest)]));
}

/** All places on a framework are of one process, and so in one batch: `now` is whole for those that any of them left. */
function differFrameworks(
  stored: Totals['frameworks'],
  gone: readonly CountedContract[],
  now: Totals['frameworks'],
): Totals['frameworks'] {
  const replaced = new Set([...gone.map(({ framework }) => framework), ...now.map(({ framework_id }) => framework_id)]);
  const kept = stored.filter(({ framework_id }) => !replaced.has(framework_id));
  return [...kept, ...now].toSorted((a, b) => (a.framework_id < b.framework_id ? -1 : 1));
}

/** The first counterparties of each: of pairs that changed as they will stand, of others as they are stored. */
async function readTops(
  catalogue: Database,
  kind: IdentityKind,
  totals: ReadonlyMap<string, Totals>,
  { pairs, after }: { pairs: Pairs; after: readonly CountedAward[] },
): Promise<Map<string, Totals['top']>> {
  const sidesOf = ({ buyer, company }: Pair) =>
    (kind === 'buyer' ? [buyer, company] : [company, buyer]) as [string, string];
  const changed = new Map<string, Pair[]>();
  for (const pair of pairs.values()) {
    const [owner] = sidesOf(pair);
    const known = changed.get(owner);
    if (known) known.push(pair);
    else changed.set(owner, [pair]);
  }
  const stored = await readTopPairs(catalogue, kind, [...totals.keys()], changed);
  const ranked = [...totals].map(([owner, { top }]) => {
    const ofBatch = (changed.get(owner) ?? []).filter(({ count, places }) => count + places > 0);
    const known = new Map(top.map(({ id, name }) => [id, name]));
    const pairsNow = [
      ...ofBatch.map((pair) => ({ ...pair, id: sidesOf(pair)[1], name: undefined })),
      // A pair that no contract of the batch is of keeps the name that it has.
      ...(stored.get(owner) ?? []).map((pair) => ({
        ...pair,
        id: sidesOf(pair)[1],
        name: known.get(sidesOf(pair)[1]),
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

/** The counterparties of contracts as these spell them, by contract. */
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
