import { type JsonObject, objectOf, textOf, valuesOf } from '../schema/tolerant.ts';
import { parseInstant } from './compile/dates.ts';
import { type MergeReport, mergeReleases, OCDS_RULES } from './merge.ts';

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
 * - an explicit null of Find a Tender means "not said" and wipes nothing (UPSTREAM 5, "UK-specific merge hazards");
 * - party ids such as "1" hold within one release only (Contracts Finder 2017-2021) and are made the release's own.
 * An award that a later notice repeats without its value (UK7 after UK6) so keeps what was said of it, and an id that
 * stands twice in one array is counted (`duplicateIds`; `cli explain` tells). That a delta award (`{id, amendments}`) is
 * no award is settled where awards become contracts; that an ocid is several processes, before anything is merged.
 */
export function mergeUk(ordered: readonly StoredRelease[]): { compiled: JsonObject; report: MergeReport } {
  const nullDeletes = ordered[0]?.source !== 'find_a_tender';
  return mergeReleases(ordered.map(ownParties), { ...OCDS_RULES, nullDeletes });
}

/** An id that means the same in every release: it names its scheme. */
const LASTING_ID = /^[A-Z]{2,3}-[A-Z0-9]{2,6}-/;

/** The release with every party id that lasts for this release only made unique to it, and a buyer party where it was inline. */
export function ownParties(release: StoredRelease): JsonObject {
  const { json } = release;
  const own = (id: unknown) => {
    const text = textOf(id);
    return text === undefined || LASTING_ID.test(text) ? text : `${release.releaseId}#${text}`;
  };
  const rename = (party: unknown) => {
    const object = objectOf(party);
    return object?.id === undefined ? party : { ...object, id: own(object.id) };
  };
  const awards = valuesOf(json.awards).map((award) => {
    const object = objectOf(award);
    return object?.suppliers === undefined ? award : { ...object, suppliers: valuesOf(object.suppliers).map(rename) };
  });
  return {
    ...json,
    ...(json.parties === undefined ? {} : { parties: valuesOf(json.parties).map(rename) }),
    ...(json.buyer === undefined || json.buyer === null ? {} : { buyer: rename(json.buyer) }),
    ...(json.awards === undefined || json.awards === null ? {} : { awards }),
  };
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
