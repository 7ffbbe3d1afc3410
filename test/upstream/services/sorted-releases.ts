import { londonTime } from '../../../schema/config/clocks.ts';
import type { PublishedRelease } from '../data.ts';

/** A release with the keys that listings sort and select by. */
export interface Shelved {
  published: PublishedRelease;
  ocid: string;
  id: string;
  /** The hidden publish instant as UK wall-clock time, to the second. */
  local: string;
  atMs: number;
  /** The hidden key that the cursor walks: near the order of publication, but not it. */
  hiddenKey: number;
  /** Whether windows and searches list it; by its id it is served all the same. */
  listed: boolean;
}

/** The defect that some releases appear in no window, by their ids. */
export type Unlisted = (releaseId: string) => boolean;

/** One service's releases, oldest first, ready to be asked by window, id or process. */
export interface Shelf {
  all: readonly Shelved[];
  byId: ReadonlyMap<string, readonly Shelved[]>;
  byOcid: ReadonlyMap<string, readonly Shelved[]>;
  /** Releases with a publish instant in the inclusive range, oldest first. */
  between(fromMs: number, toMs: number): readonly Shelved[];
}

/** Sorts releases by their hidden publish instant and indexes them. */
export function makeShelf(releases: Iterable<PublishedRelease>, unlisted: Unlisted = () => false): Shelf {
  const sorted = [...releases].sort((a, b) => a.publishedAt.getTime() - b.publishedAt.getTime());
  const all = sorted.map((published, index) => shelve(published, index, unlisted));
  return {
    all,
    byId: group(all, ({ id }) => id),
    byOcid: group(all, ({ ocid }) => ocid),
    between: (fromMs, toMs) => all.slice(firstAtOrAfter(all, fromMs), firstAtOrAfter(all, toMs + 1)),
  };
}

function shelve(published: PublishedRelease, index: number, unlisted: Unlisted): Shelved {
  const id = String(published.release.id ?? '');
  return {
    published,
    id,
    listed: !unlisted(id),
    ocid: String(published.release.ocid ?? ''),
    local: londonTime(published.publishedAt),
    atMs: Math.floor(published.publishedAt.getTime() / 1000) * 1000,
    hiddenKey: (index + (spread(id) % 100)) * 128 + (index % 128),
  };
}

function group(all: readonly Shelved[], keyOf: (each: Shelved) => string): Map<string, Shelved[]> {
  const groups = new Map<string, Shelved[]>();
  for (const each of all) {
    const members = groups.get(keyOf(each));
    if (members) members.push(each);
    else groups.set(keyOf(each), [each]);
  }
  return groups;
}

/** A small stable hash, so that the hidden key strays from the order of publication the same way each time. */
export function spread(text: string): number {
  let hash = 2166136261;
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619) >>> 0;
  return hash;
}

function firstAtOrAfter(all: readonly Shelved[], ms: number): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.atMs ?? 0) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
