import { type JsonObject, objectOf, textOf, valuesOf } from '../../schema/text/json-values.ts';
import { countRepair, type Repairs } from './repair.ts';
import { isListLike } from './repair-text.ts';

export interface Unpacked {
  releases: unknown[];
  next: string | null;
  uri: string | null;
  publishedDate: string | null;
}

/** Releases of a package of any recorded shape, or null where the JSON is none. */
export function unpackReleases(json: unknown, repairs: Repairs): Unpacked | null {
  const answer = objectOf(json);
  if (!answer) return null;
  const head = {
    next: textOf(objectOf(answer.links)?.next) ?? null,
    uri: textOf(answer.uri) ?? null,
    publishedDate: textOf(answer.publishedDate) ?? null,
  };
  if (answer.releases !== undefined && !isBareRelease(answer)) {
    if (isListLike(Object.entries(objectOf(answer.releases) ?? {}))) countRepair(repairs, 'object_for_array');
    return { ...head, releases: valuesOf(answer.releases) };
  }
  if (answer.records !== undefined)
    return { ...head, releases: valuesOf(answer.records).flatMap((record) => unpackRecord(record, repairs)) };
  // Contracts Finder's search answer until October 2022: { hitsCount, maxPage, results: [{ releases: […] }] }.
  if (Array.isArray(answer.results) && answer.results.some((result) => objectOf(result)?.releases !== undefined))
    return { ...head, releases: answer.results.flatMap((result) => valuesOf(objectOf(result)?.releases)) };
  return isBareRelease(answer) ? { ...head, releases: [answer] } : null;
}

function isBareRelease(answer: JsonObject): boolean {
  return answer.ocid !== undefined && (answer.tag !== undefined || answer.tender !== undefined);
}

/** A record's releases; where it only links to them, the service's own compiled release stands for the last. */
function unpackRecord(record: unknown, repairs: Repairs): unknown[] {
  const parts = objectOf(record);
  if (!parts) return [record];
  const releases = valuesOf(parts.releases);
  const whole = releases.filter((release) => {
    const object = objectOf(release);
    return object?.tender !== undefined || object?.parties !== undefined || object?.buyer !== undefined;
  });
  if (whole.length > 0) return whole.map((release) => ({ ocid: parts.ocid, ...objectOf(release) }));
  const compiled = objectOf(parts.compiledRelease);
  if (!compiled) return releases.length > 0 ? releases : [record];
  countRepair(repairs, 'compiled_release_read');
  const last = releases.map(objectOf).toSorted(byDate).at(-1);
  return [{ ...compiled, ...(last?.id === undefined ? {} : { id: last.id, date: last.date, tag: last.tag }) }];
}

function byDate(a: JsonObject | undefined, b: JsonObject | undefined): number {
  return (textOf(a?.date) ?? '') < (textOf(b?.date) ?? '') ? -1 : 1;
}
