import { type JsonObject, objectOf, textOf, valuesOf } from '../../schema/text/json-values.ts';
import { countRepair, isListLike, type Repairs } from './repair.ts';

/** Shapes other than OCDS that the three services answer with: the members that give one away, and its name. */
const JSON_SHAPES: [string, string[]][] = [
  ['a Contracts Finder REST v2 search answer', ['noticeList', 'hitCount']],
  ['a Contracts Finder REST v2 notice', ['notice', 'isPublished']],
  ['a Contracts Finder REST v2 notice', ['notice', 'awards']],
  ['a Companies House company profile', ['company_number', 'jurisdiction']],
  ['a Companies House company profile', ['company_number', 'accounts']],
  ['a Companies House filing history', ['filing_history_status']],
  ['a Companies House charges list', ['unfiltered_count', 'satisfied_count']],
  ['a Companies House insolvency answer', ['cases']],
  ['an error answer', ['timestamp', 'status', 'message']],
  ['an error answer', ['errors']],
  ['an error answer', ['error']],
];

interface Unpacked {
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
    if (isListLike(Object.keys(objectOf(answer.releases) ?? {}))) countRepair(repairs, 'object_for_array');
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

/** Name of a parsed answer that is not OCDS. */
export function nameJsonShape(json: unknown): string {
  if (Array.isArray(json)) return 'a JSON array';
  const object = objectOf(json);
  if (!object) return 'a bare JSON value';
  if (object.kind === 'search#companies') return 'a Companies House search answer';
  const [first] = Array.isArray(object.items) ? object.items : [];
  if (objectOf(first)?.category !== undefined && objectOf(first)?.type !== undefined)
    return 'a Companies House filing history';
  const known = JSON_SHAPES.find(([, keys]) => keys.every((key) => key in object));
  return known?.[0] ?? `JSON with the members ${Object.keys(object).slice(0, 6).join(', ') || '(none)'}`;
}

/** Name of bytes that are not JSON at all, or null where they may be. */
export function nameByteShape(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 400))
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();
  if (head === '') return 'an empty body';
  if (head.startsWith('PK')) return 'a zip archive';
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'a gzip file';
  if (head.startsWith('<')) return /^<(!doctype html|html)/i.test(head) ? 'an HTML page' : 'an XML or HTML document';
  if (/^[{["\d-]/.test(head) && !/^"[^"]*","/.test(head)) return null;
  if (/rate limit|too many requests|request limit/i.test(head)) return 'a rate-limit message';
  return /^[^\n]*,[^\n]*,/.test(head) ? 'a CSV file' : 'plain text';
}
