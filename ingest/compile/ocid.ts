import { compareIds } from '../../schema/text/ids.ts';
import { sha256 } from '../../schema/text/json-values.ts';
import { latestVersions, orderReleases, type StoredRelease } from '../merge/uk.ts';
import { noticeIdOf } from './contents.ts';
import { partiesOf } from './parties/of-process.ts';
import { compileProcess, prepare } from './process.ts';
import type { CompiledProcess, CompilerRelease } from './types.ts';

/** All releases of one ocid -> its process, or several where the ocid is reused. Pure: the order given does not matter. */
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
  born: number;
  /** The best identifier or name of a buyer in its oldest release. */
  firstKnownBy: string;
  /** Identifiers and names of its buyers, and its notices. */
  tokens: Set<string>;
  awards: Set<string>;
  releases: T[];
}

/**
 * Releases of one ocid (those first published first) by the buyers they are about. An ocid normally has one set of buyers and one process;
 * registers of utilities publish unrelated awards of many buyers under one ocid (FTS `…02874c`), and each set is a process
 * of its own. Two releases belong together when they are of one notice or share a buyer, by identifier, by the source's own
 * number or by cleaned name. A release without a buyer joins the set with its notice or awards, otherwise the oldest.
 * The oldest set keeps the ocid as its id; the others add a mark of their first buyer. Ids follow from the releases alone, and
 * a later release changes none unless it joins two sets.
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
    id: set === oldest ? ocid : `${ocid}~${sha256(set.firstKnownBy).slice(0, 8)}`,
    releases: set.releases,
  }));
}

/** The sets that releases with a buyer fall into, the one with the oldest release first. */
function joinSets<T extends CompilerRelease>(ordered: readonly T[]): BuyerSet<T>[] {
  const sets = new Set<BuyerSet<T>>();
  const bearers = new Map<string, BuyerSet<T>>();
  for (const [born, release] of ordered.entries()) {
    const buyers = buyersIn(release);
    const [firstKnownBy] = buyers;
    if (firstKnownBy === undefined) continue;
    const tokens = [...buyers, noticeToken(release)];
    const sharing = [...new Set(tokens.flatMap((token) => bearers.get(token) ?? []))];
    const made = { born, firstKnownBy, tokens: new Set<string>(), awards: new Set<string>(), releases: [] };
    const [joined = made, ...others] = sharing.toSorted((a, b) => a.born - b.born);
    sets.add(joined);
    for (const other of others) {
      take(joined, other, bearers);
      sets.delete(other);
    }
    take(joined, { tokens: new Set(tokens), awards: new Set(awardsIn(release)), releases: [release] }, bearers);
  }
  return [...sets];
}

function take<T>(
  into: BuyerSet<T>,
  { tokens, awards, releases }: Pick<BuyerSet<T>, 'tokens' | 'awards' | 'releases'>,
  bearers: Map<string, BuyerSet<T>>,
): void {
  for (const token of tokens) bearers.set(token, into);
  for (const token of tokens) into.tokens.add(token);
  for (const award of awards) into.awards.add(award);
  into.releases.push(...releases);
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
