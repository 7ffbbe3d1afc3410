import { compareIds } from '../../schema/text/ids.ts';
import { sha256 } from '../../schema/text/json-values.ts';
import { latestVersions, orderReleases, type StoredRelease } from '../merge/uk.ts';
import { noticeIdOf } from './contents.ts';
import { partiesOf } from './parties/of-process.ts';
import { compileProcess, prepare } from './process.ts';
import type { CompiledProcess, CompilerRelease } from './types.ts';

/** The process of an ocid from all of its releases, or several if the ocid is reused. Pure; the order given does not matter. */
export function compileOcid(ocid: string, releases: readonly StoredRelease[]): CompiledProcess[] {
  const versions = orderReleases(releases);
  const latest = latestVersions(versions).map(prepare);
  const firstVersion = placesOf(versions.map(({ releaseId }) => releaseId));
  const byAge = inPlaceOf(latest, ({ releaseId }) => firstVersion.get(releaseId));
  const mergedAt = placesOf(latest);
  return splitByBuyers(ocid, byAge).map((group) =>
    compileProcess(
      group.id,
      ocid,
      inPlaceOf(group.releases, (release) => mergedAt.get(release)),
    ),
  );
}

/** The first place of each member. */
function placesOf<T>(members: readonly T[]): Map<T, number> {
  return new Map(members.map((member, place) => [member, place] as const).toReversed());
}

function inPlaceOf<T>(members: readonly T[], placeOf: (member: T) => number | undefined): T[] {
  return members.toSorted((a, b) => (placeOf(a) ?? 0) - (placeOf(b) ?? 0));
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
 * or cleaned name. A release without a buyer joins the group with its notice or awards, otherwise the oldest. The oldest
 * group keeps the ocid as its id; the others add a hash of their first buyer. Ids follow from the releases alone, and a
 * later release changes none unless it joins two groups.
 */
function splitByBuyers<T extends CompilerRelease>(
  ocid: string,
  ordered: readonly T[],
): { id: string; releases: T[] }[] {
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
    const [joined = empty, ...others] = sharing.toSorted((a, b) => a.firstPlace - b.firstPlace);
    sets.add(joined);
    for (const other of others) {
      addTo(joined, other, byToken);
      sets.delete(other);
    }
    addTo(joined, { tokens: new Set(tokens), awards: new Set(awardsIn(release)), releases: [release] }, byToken);
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

function onlySetAwarding<T>(sets: readonly BuyerSet<T>[], release: CompilerRelease): BuyerSet<T> | undefined {
  const awards = awardsIn(release);
  const [found, ...others] = sets.filter((set) => awards.some((award) => set.awards.has(award)));
  return others.length === 0 ? found : undefined;
}

/** Identifiers and names of a release's buyers, the best first. */
function buyersIn({ ocds }: CompilerRelease): string[] {
  const buyers = partiesOf(ocds).parties.filter(({ role }) => role === 'buyer');
  const tokens = buyers.flatMap(({ sighting: { ids, numbers, nameKey } }) => [
    ...ids,
    ...numbers,
    ...(nameKey ? [`name:${nameKey}`] : []),
  ]);
  return tokens.toSorted(compareIds);
}

function noticeToken({ ocds }: CompilerRelease): string {
  return `notice:${noticeIdOf(ocds)}`;
}

function awardsIn({ ocds: { awards, contracts } }: CompilerRelease): string[] {
  return [...awards.map(({ id }) => id), ...contracts.map(({ awardID, id }) => awardID ?? id)].flatMap(
    (id) => id ?? [],
  );
}
