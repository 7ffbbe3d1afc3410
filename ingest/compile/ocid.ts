import { nameKey } from '../../schema/names/spelling.ts';
import { compareIds } from '../../schema/text/ids.ts';
import { type JsonObject, listOf, objectOf, sha256, textOf } from '../../schema/text/json-values.ts';
import { groupBy, inPlaceOf, placesOf, uniqueInOrder } from '../../schema/text/memoise.ts';
import { parseDay } from '../fields/dates.ts';
import { latestVersions, orderReleases, ownParties, type StoredRelease } from '../merge/uk.ts';
import { noticeIdOf, placeOnDate } from '../sources/index.ts';
import { awardIdsIn } from './notice.ts';
import { partiesOf } from './parties/of-process.ts';
import { compileProcess, type Prepared, prepare } from './process.ts';
import { ACT } from './related.ts';
import type { CompiledProcess, CompilerRelease } from './types.ts';

/** The process of an ocid from all of its releases, or several if the ocid is reused. Pure; the order given does not matter. */
export function compileOcid(ocid: string, releases: readonly StoredRelease[]): CompiledProcess[] {
  const versions = orderReleases(releases, placeOnDate);
  const latest = withoutWithdrawn(joinModifications(separateAwards(latestVersions(versions))).map(prepare));
  const firstVersion = placesOf(versions.map(({ releaseId }) => releaseId));
  const byAge = inPlaceOf(latest, ({ releaseId }) => firstVersion.get(releaseId));
  const mergedAt = placesOf(latest);
  const merging = (own: typeof latest) => inPlaceOf(own, (release) => mergedAt.get(release));
  return splitByBuyers(ocid, byAge).map((group) => compileProcess(group.id, ocid, merging(group.releases)));
}

const CANCELS = /(?:Cancellation|Termination)\b/;

/** Releases without awards that the last edit of their notice no longer states. An edit repeats the whole notice, unless it cancels awards. */
function withoutWithdrawn(ordered: readonly Prepared[]): readonly Prepared[] {
  const edits = groupBy(ordered, ({ ocds }) => noticeIdOf(ocds));
  if (edits.size === ordered.length) return ordered;
  const isWhole = ({ ocds: { awards, tag } }: Prepared) => awards.length > 0 && !CANCELS.test(tag.join());
  return ordered.map((release) => {
    const last = edits.get(noticeIdOf(release.ocds))?.findLast(isWhole) ?? release;
    const stated = new Set(last.ocds.awards.map(({ id }) => id));
    const gone = new Set<unknown>(release.ocds.awards.flatMap(({ id }) => (stated.has(id) ? [] : (id ?? []))));
    if (gone.size === 0) return release;
    const own = ownParties(release.stored, noticeIdOf);
    const kept = (list: unknown, key: string) => listOf(list, objectOf).filter((one) => !gone.has(textOf(one[key])));
    const json = { ...own, awards: kept(own.awards, 'id'), contracts: kept(own.contracts, 'awardID') };
    return prepare({ ...release.stored, json });
  });
}

const PARTS = ['suppliers', 'days', 'lots'] as const;
/** What the notices so far state of an award. The ending is added to its id where an earlier award has the same id. */
type SignedAward = Record<(typeof PARTS)[number], string[]> & { ending: string; notice: string };

/**
 * Releases in which an id means one award. In the older forms it is the buyer's own number of a contract, and notices of a framework or
 * dynamic market may begin at 1 again. An award that differs from every earlier one in two of suppliers, days of signing and lots is
 * another. Its id and its contracts' then end with its notice. An edit of a notice corrects its award.
 */
function separateAwards(ordered: readonly StoredRelease[]): readonly StoredRelease[] {
  if (ordered.length < 2) return ordered;
  const known = new Map<string, SignedAward[]>();
  return ordered.map((release) => {
    const endings = endingsIn(prepare(release), known);
    if (endings.size === 0) return release;
    const end = (id: unknown, awardId = id) => textOf(id)?.concat(endings.get(textOf(awardId)) ?? '') ?? id;
    const award = (one: JsonObject) => ({ ...one, id: end(one.id) });
    const contract = (one: JsonObject) => ({ ...one, id: end(one.id, one.awardID), awardID: end(one.awardID) });
    const awards = listOf(release.json.awards, objectOf).map(award);
    const contracts = listOf(release.json.contracts, objectOf).map(contract);
    return { ...release, json: { ...release.json, awards, contracts } };
  });
}

/** The endings for ids in a release that an earlier award has too. Adds to `known` what the release states of each award. */
function endingsIn({ stored, ocds }: Prepared, known: Map<string, SignedAward[]>): Map<unknown, string> {
  const awards = groupBy(listOf(stored.json.awards, objectOf), ({ id }) => textOf(id));
  const contracts = groupBy(listOf(stored.json.contracts, objectOf), ({ awardID }) => textOf(awardID));
  const [notice, mayBeNew] = [noticeIdOf(ocds), ocds.tag.includes('award')];
  const endings = new Map<unknown, string>();
  for (const id of new Set([...awards.keys(), ...contracts.keys()])) {
    if (id === undefined) continue;
    const own = awards.get(id) ?? [];
    const stated = {
      suppliers: [...suppliersOf(own), ...numbersOf(own, ocds)],
      days: (contracts.get(id) ?? []).flatMap(({ dateSigned }) => parseDay(textOf(dateSigned)) ?? []),
      lots: own.flatMap(({ relatedLots }) => listOf(relatedLots, textOf)),
    };
    const earlier = known.get(id) ?? [];
    const differences = (one: SignedAward) =>
      one.notice === notice ? -1 : PARTS.filter((part) => areApart(one[part], stated[part])).length;
    const [nearest] = earlier.toReversed().toSorted((a, b) => differences(a) - differences(b));
    const next = { suppliers: [], days: [], lots: [], notice, ending: earlier[0] ? `~${stored.releaseId}` : '' };
    const same: SignedAward = nearest && (!mayBeNew || differences(nearest) < 2) ? nearest : next;
    if (same === next) known.set(id, [...earlier, same]);
    for (const part of PARTS) same[part].push(...stated[part]);
    if (same.ending !== '') endings.set(id, same.ending);
  }
  return endings;
}

function suppliersOf(awards: readonly JsonObject[]): string[] {
  return uniqueInOrder(mentionsOf(awards).flatMap(({ name }) => nameKey(textOf(name) ?? '') || []));
}

/** Identifiers of the suppliers of awards: a company that was renamed still has its number. */
function numbersOf(awards: readonly JsonObject[], ocds: Prepared['ocds']): string[] {
  const ids = new Set(mentionsOf(awards).map(({ id }) => textOf(id)));
  const own = partiesOf(ocds).parties.filter(({ role, partyId }) => role === 'supplier' && ids.has(partyId));
  return own.flatMap(({ sighting }) => sighting.ids);
}

const mentionsOf = (awards: readonly JsonObject[]) => awards.flatMap(({ suppliers }) => listOf(suppliers, objectOf));
const areApart = (one: readonly string[], other: readonly string[]) =>
  one.length > 0 && other.length > 0 && !one.some((member) => other.includes(member));

/**
 * Releases in which a modification in an older form (F20) names the award that it modifies. As published, it names an award of
 * its own, with the lots, a supplier and the day of conclusion of the earlier one. Where several earlier awards agree in these, the
 * one with the same suppliers is meant. Where none has the same suppliers, or several have, the id stays.
 */
function joinModifications(ordered: readonly StoredRelease[]): readonly StoredRelease[] {
  const amendsOwn = (release: StoredRelease) =>
    listOf(release.json.contracts, objectOf).some((contract) => isAmendedAsOwn(contract, release));
  if (ordered.length < 2 || !ordered.some(amendsOwn)) return ordered;
  const known = new Map<string, Map<string, string[]>>();
  return ordered.map((release) => {
    const awards = listOf(release.json.awards, objectOf);
    const contracts = listOf(release.json.contracts, objectOf);
    const awardOf = new Map(awards.map((award) => [textOf(award.id), award]));
    const modified = new Map<string, string>();
    for (const contract of contracts) {
      const id = textOf(contract.awardID);
      const award = awardOf.get(id);
      const day = parseDay(textOf(contract.dateSigned));
      if (id === undefined || !award || day === null) continue;
      const key = JSON.stringify([day, award.relatedLots]);
      const names = suppliersOf([award]);
      const alike = known.get(key) ?? new Map<string, string[]>();
      known.set(key, alike);
      const earlier = [...alike].filter(([, others]) => names.some((name) => others.includes(name)));
      const same = earlier.filter(([, others]) => JSON.stringify(others) === JSON.stringify(names));
      const [[first, former] = [id, []], ...others] = same.length > 0 ? same : earlier;
      const isModified = first !== id && others.length === 0 && isAmendedAsOwn(contract, release);
      if (isModified) modified.set(id, first);
      // The next modification may name only those that this one brought in.
      alike.set(isModified ? first : id, isModified ? uniqueInOrder([...former, ...names]) : names);
    }
    if (modified.size === 0) return release;
    const named = (id: unknown) => modified.get(textOf(id) ?? '') ?? id;
    const rename = (one: JsonObject) => ({ ...one, id: named(one.id) });
    const sign = (one: JsonObject) => ({ ...rename(one), awardID: named(one.awardID) });
    return { ...release, json: { ...release.json, awards: awards.map(rename), contracts: contracts.map(sign) } };
  });
}

function isAmendedAsOwn({ awardID, amendments }: JsonObject, { releaseId }: StoredRelease): boolean {
  return textOf(awardID)?.startsWith(releaseId) === true && listOf(amendments, objectOf).length > 0;
}

/** Releases of one set of buyers. */
interface BuyerSet<T> {
  /** Place of its oldest release. */
  firstPlace: number;
  /** The best identifier or name of a buyer in its oldest release. */
  firstBuyer: string;
  /** Identifiers and names of its buyers, and its notices. */
  tokens: Set<string>;
  awards: Set<string>;
  releases: T[];
}

/**
 * Groups releases of one ocid, in order of first publication, by the buyers they are about. Normally there is one group.
 * But registers of utilities publish unrelated awards of many buyers under one ocid (FTS `…02874c`), and each group is a
 * process. Two releases belong together if they are of one notice or share a buyer: by identifier, the source's own number
 * or cleaned name. A release without a buyer joins the group with its notice or awards, otherwise the oldest; what became of
 * a contract under the Act joins that contract's. The oldest group keeps the ocid as its id; the others add a hash of their
 * first buyer. Ids follow from the releases alone, and a later release changes none unless it joins two groups.
 */
function splitByBuyers<T extends CompilerRelease>(ocid: string, ordered: readonly T[]) {
  if (ordered.length <= 1) return ordered.length === 0 ? [] : [{ id: ocid, releases: [...ordered] }];
  const sets = joinSets(ordered);
  const [oldest] = sets;
  if (!oldest || sets.length === 1) return [{ id: ocid, releases: [...ordered] }];
  for (const release of ordered) {
    if (buyersIn(release).length > 0) continue;
    const home = sets.find(({ tokens }) => tokens.has(noticeToken(release))) ?? onlySetAwarding(sets, release);
    (home ?? oldest).releases.push(release);
  }
  return sets.map((set) => ({
    id: set === oldest ? ocid : `${ocid}~${sha256(set.firstBuyer).slice(0, 8)}`,
    releases: set.releases,
  }));
}

/** The sets of releases that have a buyer, the set with the oldest release first. */
function joinSets<T extends CompilerRelease>(ordered: readonly T[]): BuyerSet<T>[] {
  const sets = new Set<BuyerSet<T>>();
  const byToken = new Map<string, BuyerSet<T>>();
  for (const [firstPlace, release] of ordered.entries()) {
    const buyers = buyersIn(release);
    const [firstBuyer] = buyers;
    if (firstBuyer === undefined) continue;
    const tokens = [...buyers, noticeToken(release)];
    const sharing = [...new Set(tokens.flatMap((token) => byToken.get(token) ?? []))];
    const empty = { firstPlace, firstBuyer, tokens: new Set<string>(), awards: new Set<string>(), releases: [] };
    const transferred = sharing.length === 0 && followsUp(release) ? onlySetAwarding([...sets], release) : undefined;
    const [joined = transferred ?? empty, ...others] = sharing.toSorted((a, b) => a.firstPlace - b.firstPlace);
    sets.add(joined);
    for (const other of others) {
      addTo(joined, other, byToken);
      sets.delete(other);
    }
    addTo(joined, { tokens: new Set(tokens), awards: new Set(awardIdsIn(release.ocds)), releases: [release] }, byToken);
  }
  return [...sets];
}

function addTo<T>(
  set: BuyerSet<T>,
  { tokens, awards, releases }: Pick<BuyerSet<T>, 'tokens' | 'awards' | 'releases'>,
  byToken: Map<string, BuyerSet<T>>,
): void {
  for (const token of tokens) byToken.set(token, set);
  for (const token of tokens) set.tokens.add(token);
  for (const award of awards) set.awards.add(award);
  set.releases.push(...releases);
}

/** Whether a release under the Act only says what became of contracts. A body that took them over may publish it. */
function followsUp({ ocds: { tag, tender } }: CompilerRelease): boolean {
  const isLater = tag.length > 0 && tag.every((one) => /^(?:contract(?:Amendment|Term)|implementation)/.test(one));
  return isLater && tender.legalBasis === ACT;
}

function onlySetAwarding<T>(sets: readonly BuyerSet<T>[], { ocds }: CompilerRelease): BuyerSet<T> | undefined {
  const awards = awardIdsIn(ocds);
  const [found, ...others] = sets.filter((set) => awards.some((award) => set.awards.has(award)));
  return others.length === 0 ? found : undefined;
}

/** Identifiers and names of a release's buyers, the best first. */
function buyersIn({ ocds }: CompilerRelease): string[] {
  const buyers = partiesOf(ocds).parties.filter(({ role }) => role === 'buyer');
  const tokens = buyers.flatMap(({ sighting }) => [
    ...[...sighting.ids, ...sighting.numbers],
    ...(sighting.nameKey ? [`name:${sighting.nameKey}`] : []),
  ]);
  return tokens.toSorted(compareIds);
}

const noticeToken = ({ ocds }: CompilerRelease) => `notice:${noticeIdOf(ocds)}`;
