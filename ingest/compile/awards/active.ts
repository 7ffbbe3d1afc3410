import type { OcdsAmendment, OcdsAward, OcdsContract, OcdsRelease } from '../../../schema/ocds/types.ts';
import { awardStatusOf, isLostAward } from '../../../schema/reference/notice-types.ts';
import { type JsonObject, listOf, objectOf, textOf } from '../../../schema/text/json-values.ts';
import { groupBy } from '../../../schema/text/memoise.ts';
import { keepParties } from '../../merge/uk.ts';
import { namesSeveral } from '../../party/match/names.ts';
import type { NoticeGroup } from '../notice.ts';
import { idsOf, type PartiesOf } from '../parties/of-process.ts';
import { distinguishSuppliers, isOnlyRemoved, numberAlike, type SameSupplier } from '../parties/same-party.ts';
import type { LeftOut } from '../types.ts';
import { type AwardStatement, statementsByAward } from './history.ts';

/**
 * Releases of one process in which each contract names its award, as far as the process tells which: the one that another
 * release names for it, otherwise the only award that was not lost. A contract that has no id gets its award's, or its notice's.
 */
export function joinContracts(published: readonly JsonObject[], numberOf: (json: JsonObject) => string) {
  const ordered = numberAlike(published);
  const isWhole = ({ id, awardID }: JsonObject) => textOf(id) !== undefined && textOf(awardID) !== undefined;
  const contracts = ordered.flatMap((json) => listOf(json.contracts, objectOf));
  if (contracts.every(isWhole)) return ordered;
  const named = groupBy(contracts.filter(isWhole), ({ id }) => textOf(id));
  const awards = new Map<string | undefined, boolean>();
  for (const { id, status } of ordered.flatMap((json) => listOf(json.awards, objectOf)))
    awards.set(textOf(id), status === undefined ? awards.get(textOf(id)) === true : isLostAward(awardStatusOf(status)));
  const won = [...awards].flatMap(([id, isLost]) => (isLost ? [] : id));
  const onlyOf = (ids: Iterable<string | undefined>) => {
    const [only, ...others] = new Set(ids);
    return others.length === 0 ? only : undefined;
  };
  const onlyAward = onlyOf(won.length > 0 ? won : awards.keys());
  const awardOf = (id: string | undefined) =>
    awards.has(id) ? id : (onlyOf((named.get(id) ?? []).map(({ awardID }) => textOf(awardID))) ?? onlyAward);
  return ordered.map((json) => {
    const own = listOf(json.contracts, objectOf);
    if (own.every(isWhole)) return json;
    const joined = own.map((contract, place) => {
      const awardID = textOf(contract.awardID) ?? awardOf(textOf(contract.id));
      const id = textOf(contract.id) ?? awardID ?? `${numberOf(json)}-${place + 1}`;
      return { ...contract, id, ...(awardID === undefined ? {} : { awardID }) };
    });
    return keepParties({ ...json, contracts: joined });
  });
}

/** One award with the contracts that were signed under it. */
export interface Bundle {
  awardId: string;
  award: OcdsAward | undefined;
  contracts: OcdsContract[];
}

/** Types of notice that follow an award: UK6 and every later one. */
const AFTER_AWARD = /^UK(?:[6-9]|1\d)$/;

/** An active award with its suppliers and what each notice states about it. */
export interface ActiveAward extends Bundle {
  statements: readonly AwardStatement[];
  awardedTo: AwardedSuppliers;
}

/** The suppliers of an award. */
interface AwardedSuppliers {
  /** Party ids, the first named first. */
  current: string[];
  /** The number of different suppliers. */
  count: number;
  /** Whether there are several, even if one name stands for all of them. */
  areSeveral: boolean;
  /** Named by an earlier notice, but not by the newest. */
  former: string[];
  /** Whether all of them have left the dynamic market or framework. */
  haveLeft: boolean;
}

/** An award and its contracts, with what is needed to find its suppliers. */
interface NamedInAward extends Pick<Bundle, 'award' | 'contracts'> {
  statements: readonly AwardStatement[];
  parties: PartiesOf;
  same: SameSupplier;
  left: ReadonlySet<string>;
}

/** The active awards of a process, and the awards that are not counted, each with the reason. */
export function activeAwards(
  merged: OcdsRelease,
  groups: readonly NoticeGroup[],
  parties: PartiesOf,
): { awards: ActiveAward[]; leftOut: LeftOut[] } {
  if (merged.awards.length + merged.contracts.length === 0) return { awards: [], leftOut: [] };
  const byAward = statementsByAward(groups);
  const same = distinguishSuppliers(parties, merged);
  const leftOf = readDepartures(groups, byAward, same);
  const { bundles, leftOut } = bundleAwards(merged, byAward);
  const awards = bundles.map(({ awardId, award, contracts }) => {
    const statements = byAward.get(awardId) ?? [];
    const awardedTo = awardedSuppliersOf({ award, contracts, statements, parties, same, left: leftOf(statements) });
    return { awardId, award, contracts, statements, awardedTo };
  });
  return { awards, leftOut };
}

/**
 * Awards of a process, each once, with the contracts joined to it by `awardID`. A contract whose award was not published
 * counts as an award. Failed awards and awards that are not made yet do not count. Neither do deltas that only name an award
 * (`{id, amendments}`).
 */
function bundleAwards(
  merged: OcdsRelease,
  byAward: ReadonlyMap<string, readonly AwardStatement[]>,
): { bundles: Bundle[]; leftOut: LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const bundles = new Map<string, Bundle>();
  for (const [index, award] of merged.awards.entries()) {
    const awardId = award.id ?? `position-${index + 1}`;
    if (isLostAward(award.status)) leftOut.push({ awardId, why: `award status ${award.status}` });
    else if (isSubstantialAward(award)) bundles.set(awardId, { awardId, award, contracts: [] });
    else leftOut.push({ awardId, why: 'a delta: it names an award and says nothing of it' });
  }
  const cancelled = addContracts(bundles, merged);
  const drop = (awardId: string, why: string) => {
    bundles.delete(awardId);
    leftOut.push({ awardId, why });
  };
  // A contract is cancelled before it is signed (OCDS contractStatus). Without another contract, nothing was won.
  for (const awardId of cancelled) {
    if (!bundles.get(awardId)?.contracts.length) drop(awardId, 'its contract was cancelled before it was signed');
  }
  for (const bundle of [...bundles.values()]) {
    const why = notMadeYet(bundle, byAward.get(bundle.awardId) ?? []);
    if (why) drop(bundle.awardId, why);
  }
  return { bundles: [...bundles.values()], leftOut };
}

/** Joins contracts to their awards; returns the awards with a cancelled contract. */
function addContracts(bundles: Map<string, Bundle>, merged: OcdsRelease): Set<string> {
  const lost = new Set(merged.awards.filter(({ status }) => isLostAward(status)).map(({ id }) => id));
  const cancelled = new Set<string>();
  for (const contract of merged.contracts) {
    const awardId = contract.awardID ?? contract.id;
    if (!awardId || lost.has(awardId)) continue;
    const bundle = bundles.get(awardId);
    if (contract.status === 'cancelled') cancelled.add(awardId);
    else if (bundle) bundle.contracts.push(contract);
    else if (isSubstantialContract(contract))
      bundles.set(awardId, { awardId, award: undefined, contracts: [contract] });
  }
  return cancelled;
}

/**
 * Why an award is not made yet, or null if it is. It is made once it is active or signed, or once a notice that only follows
 * an award names it. Such notices are UK6 and, with any status, Contracts Finder's award notice. A transparency notice (UK5),
 * whatever status it states, and a pending award of the old forms only announce it.
 */
function notMadeYet({ award, contracts }: Bundle, statements: readonly AwardStatement[]): string | null {
  const types = statements.map(({ noticeType }) => noticeType);
  if (contracts.some(isSigned) || types.some((type) => AFTER_AWARD.test(type))) return null;
  if (types.length > 0 && types.every((type) => type === 'UK5'))
    return 'announced by a transparency notice (UK5) only: the award is not made yet';
  return award?.status === 'pending' ? 'award status pending, and no notice of its award: it is not made yet' : null;
}

function isSigned({ status, dateSigned }: OcdsContract): boolean {
  return ['active', 'ended', 'terminated'].includes(status ?? '') || dateSigned !== undefined;
}

function isSubstantialAward(award: OcdsAward): boolean {
  const { suppliers, value, date, items, title, status, contractPeriod } = award;
  return suppliers.length > 0 || items.length > 0 || [value, date, title, status, contractPeriod].some(Boolean);
}

function isSubstantialContract(contract: OcdsContract): boolean {
  return [contract.value, contract.period, contract.dateSigned, contract.title, contract.status].some(Boolean);
}

/**
 * The suppliers of an award by the newest notice that names any, with later changes applied. Suppliers that left a dynamic
 * market no longer count. A notice that names no supplier (a delta, a null of Find a Tender) removes none, and a
 * modification of a dynamic market adds suppliers.
 */
function awardedSuppliersOf({ award, contracts, statements, parties, same, left }: NamedInAward): AwardedSuppliers {
  const ever = parties.suppliersOf(award, contracts);
  const named = new Set(ever);
  const isNamed = (award?.suppliers.length ?? 0) > 0;
  let latest: string[] = [];
  for (const { stage, award: stated, contracts } of statements) {
    const suppliers = idsOf(isNamed ? (stated?.suppliers ?? []) : contracts.flatMap((one) => one.suppliers));
    if (suppliers.length > 0) latest = stage === 'market' ? [...latest, ...suppliers] : suppliers;
    for (const amendment of contracts.flatMap(({ amendments }) => amendments)) {
      latest = amend(latest, amendment, same);
      for (const id of idsOf(amendment.suppliersAdded)) named.add(id);
    }
  }
  const stated = [...new Set((latest.length > 0 ? latest : ever).map(same.bestOf))];
  const still = stated.filter((id) => !left.has(same.tokenOf(id)));
  const current = still.length > 0 ? still : stated;
  const tokens = new Set(current.map(same.tokenOf));
  const count = same.count(current);
  return {
    current,
    count,
    areSeveral: count > 1 || namesIn(parties, current).some(namesSeveral),
    former: [...named].filter((id) => !tokens.has(same.tokenOf(id))),
    haveLeft: stated.length > 0 && still.length === 0,
  };
}

/** Returns who has left an award. A notice removes suppliers from the awards that it names, or from all; a later one may name them again. */
function readDepartures(
  groups: readonly NoticeGroup[],
  byAward: ReadonlyMap<string, readonly AwardStatement[]>,
  { tokenOf }: SameSupplier,
): (statements: readonly AwardStatement[]) => ReadonlySet<string> {
  const parties = groups.flatMap(({ noticeId, releases }) =>
    releases.flatMap(({ ocds }) => ocds.parties.map((party) => ({ noticeId, party, id: party.id ?? '' }))),
  );
  if (!parties.some(({ party }) => isOnlyRemoved(party))) return () => new Set();
  const naming = new Set([...byAward.values()].flat().map(({ noticeId }) => noticeId));
  return (statements) => {
    const own = new Map(statements.map(({ noticeId, award }) => [noticeId, idsOf(award?.suppliers ?? [])]));
    const left = new Set<string>();
    for (const { noticeId, party, id } of parties) {
      const named = own.get(noticeId);
      if (!named && naming.has(noticeId)) continue;
      if (isOnlyRemoved(party)) left.add(tokenOf(id));
      else if (!named?.length || named.includes(id)) left.delete(tokenOf(id));
    }
    return left;
  };
}

function namesIn({ parties }: PartiesOf, partyIds: readonly string[]): string[] {
  const wanted = new Set(partyIds);
  return parties.flatMap(({ role, partyId, sighting }) =>
    role === 'supplier' && wanted.has(partyId) ? sighting.name : [],
  );
}

function amend(current: string[], { suppliersAdded, suppliersRemoved }: OcdsAmendment, same: SameSupplier): string[] {
  if (suppliersAdded.length + suppliersRemoved.length === 0) return current;
  const removed = new Set(idsOf(suppliersRemoved).map(same.tokenOf));
  return [...current.filter((id) => !removed.has(same.tokenOf(id))), ...idsOf(suppliersAdded)];
}
