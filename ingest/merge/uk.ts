import type { JsonObject } from '../../schema/text/json-values.ts';
import { parseInstant } from '../fields/dates.ts';
import { ownParties } from './distinct-parties.ts';
import { type MergeReport, mergeReleases, OCDS_RULES } from './ocds.ts';

/** A release as stored: what the order of a merge depends on, and its JSON. */
export interface StoredRelease {
  source: string;
  ocid: string;
  releaseId: string;
  date: string;
  digest: string;
  fetchedAt: string;
  /** Instant of its last fetch, where it came again word for word. */
  lastFetchedAt?: string;
  json: JsonObject;
}

/** The order in which releases are merged: date, then instant of fetch, release id, digest. Never the order of arrival. */
export function orderReleases(releases: readonly StoredRelease[]): StoredRelease[] {
  const keyed = releases.map((release) => ({ release, at: parseInstant(release.date)?.getTime() ?? 0 }));
  return keyed
    .toSorted(
      (a, b) =>
        a.at - b.at ||
        compareText(a.release.fetchedAt, b.release.fetchedAt) ||
        compareText(a.release.releaseId, b.release.releaseId) ||
        compareText(a.release.digest, b.release.digest),
    )
    .map(({ release }) => release);
}

/**
 * Of a release published again with another body, only the version that was fetched last speaks: a service may put an
 * earlier one back. Fetched at one instant, the last in the order given speaks.
 */
export function latestVersions(ordered: readonly StoredRelease[]): StoredRelease[] {
  const last = new Map<string, StoredRelease>();
  for (const release of ordered) {
    const other = last.get(release.releaseId);
    if (!other || lastFetch(release) >= lastFetch(other)) last.set(release.releaseId, release);
  }
  return ordered.filter((release) => last.get(release.releaseId) === release);
}

function lastFetch({ fetchedAt, lastFetchedAt = fetchedAt }: StoredRelease): string {
  return lastFetchedAt;
}

/**
 * The OCDS merge with the services' known exceptions around it:
 * - where `nullDeletes` is false, an explicit null means "not said" and deletes nothing;
 * - ids are believed no further than what is published under them agrees (`ownParties`).
 * An award that a later notice repeats without its value (UK7 after UK6) so keeps what was said of it. That a delta award
 * (`{id, amendments}`) is no award is settled where awards become contracts; that an ocid is several processes, before
 * anything is merged.
 */
export function mergeUk(
  ordered: readonly StoredRelease[],
  nullDeletes: boolean,
): { compiled: JsonObject; report: MergeReport } {
  return mergeReleases(ordered.map(ownParties), { ...OCDS_RULES, nullDeletes });
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
