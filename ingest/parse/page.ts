import { PACKAGE_URI } from '../../schema/ocds/parts.ts';
import { compareText, parseOcid } from '../../schema/text/ids.ts';
import { canonicalJson, type JsonObject, objectOf, sha256, textOf, valuesOf } from '../../schema/text/json-values.ts';
import { type LeftOut, type ReadContact, readContacts, withoutContacts } from '../contacts/personal-details.ts';
import { isDate } from '../fields/dates.ts';
import { findUnknown, type Unknown } from '../fields/notice.ts';
import { countDuplicateIds } from '../merge/ocds.ts';
import {
  cleanRelease,
  countRepair,
  decodeBytes,
  isListLike,
  nameByteShape,
  parseJson,
  type Quarantined,
  type Repairs,
  UnreadablePage,
} from './repair.ts';

/** One release as received, without contact points. */
export interface ReadRelease {
  source: string;
  ocid: string;
  releaseId: string;
  /** The release's own date as published, otherwise its package's; empty where neither can be read. */
  date: string;
  /** sha256 of `body`. */
  digest: string;
  /** Canonical JSON. */
  body: string;
  json: JsonObject;
  unknown: Unknown[];
  /** The contact points that came with it; they are not part of `json` and `body`. */
  contacts?: readonly ReadContact[];
}

export interface ReadPage {
  releases: ReadRelease[];
  quarantined: Quarantined[];
  repairs: Repairs;
  unknown: Unknown[];
  /** Address of the next page where the answer gives one. */
  next: string | null;
  /** sha256 of the bytes as received. */
  pageSha256: string;
  /** Releases of a full page, which were only counted. */
  skipped?: number;
}

/** Where an answer came from. */
interface PageOrigin {
  source: string;
  url: string;
  /** A page with this many releases, or with a next page, is only counted: the halves of its span are requested next. */
  fullRows?: number | undefined;
  /** Converts each release to the shape that all services share. */
  adapt?: ((release: JsonObject, url: string) => JsonObject) | undefined;
}

/**
 * Reads an answer in any OCDS shape that Contracts Finder and Find a Tender have served. These are release packages (1.0 of
 * 2014, the flat ones of 2017-2021, today's), record packages, a bare release, and the search answer before October 2022. A
 * release that cannot be kept is quarantined with its own bytes, and the others are read.
 * @throws UnreadablePage if the whole answer is something else; the message names what it is
 */
export function readOcdsPage(bytes: Uint8Array, from: PageOrigin): ReadPage {
  const strange = nameByteShape(bytes);
  if (strange) throw new UnreadablePage(`not an OCDS package: ${strange}`);
  const repairs: Repairs = {};
  const json = parseJson(decodeBytes(bytes, repairs).replace(/^\ufeff/, ''), repairs);
  const unpacked = unpackReleases(json, repairs);
  if (!unpacked) throw new UnreadablePage(`not an OCDS package: ${nameJsonShape(json)}`);
  const page: ReadPage = {
    releases: [],
    quarantined: [],
    repairs,
    unknown: [],
    next: unpacked.next,
    pageSha256: sha256(bytes),
  };
  const { length } = unpacked.releases;
  const { fullRows } = from;
  if (fullRows !== undefined && (length >= fullRows || page.next !== null)) return { ...page, skipped: length };
  const lone = length === 1;
  for (const raw of unpacked.releases) {
    try {
      readOne(raw, page, { lone, ...from, ...unpacked });
    } catch (error) {
      // Nested more deeply than the stack allows: even its own bytes cannot be isolated, so the page is kept instead.
      if (!(error instanceof RangeError)) throw error;
      page.quarantined.push({ kind: 'page', reason: 'a release is nested too deep', url: from.url, bytes });
    }
  }
  return page;
}

interface Context extends Unpacked {
  source: string;
  url: string;
  adapt?: PageOrigin['adapt'];
  lone: boolean;
}

function readOne(raw: unknown, page: ReadPage, from: Context): void {
  const leftOut: LeftOut[] = [];
  const cleaned = objectOf(cleanRelease(raw, page.repairs, leftOut));
  let release = cleaned && from.adapt ? from.adapt(cleaned, from.url) : cleaned;
  const releaseId = textOf(release?.id);
  const reason = whyUnkeepable(release);
  if (!release || !releaseId || reason) {
    const bytes = Buffer.from(JSON.stringify(release ?? raw) ?? 'null');
    page.quarantined.push({
      kind: 'release',
      reason: reason ?? 'not an object',
      url: from.url,
      recordId: releaseId,
      bytes,
    });
    return;
  }
  // Only the package's address names the notice in the shapes used before 2022.
  if (from.lone && from.uri && /\/Published\/Notice\/releases\//i.test(from.uri)) release[PACKAGE_URI] = from.uri;
  const date = dateOf(textOf(release.date), from.publishedDate ?? undefined, page.repairs);
  let body = canonicalJson(release);
  const bare = withoutContacts(release, body, leftOut);
  if (bare !== release) body = canonicalJson(bare);
  release = bare;
  countRepair(page.repairs, 'duplicate_id', countDuplicateIds(release));
  const unknown = findUnknown(release);
  const ocid = parseOcid(textOf(release.ocid) ?? '') ?? '';
  page.releases.push({
    source: from.source,
    ocid,
    releaseId,
    date,
    digest: sha256(body),
    body,
    json: release,
    unknown,
    contacts: readContacts(leftOut),
  });
  page.unknown.push(...unknown);
}

/** A release's own date, otherwise its package's; empty where neither is a date, which means the instant of its fetch. */
function dateOf(own: string | undefined, ofPackage: string | undefined, repairs: Repairs): string {
  if (isDate(own)) return own;
  if (isDate(ofPackage)) {
    countRepair(repairs, 'date_of_package');
    return ofPackage;
  }
  countRepair(repairs, 'date_of_fetch');
  return '';
}

/** Ids in use have some 50 characters; from a much longer one no requestable id could be built. */
const OCID_MAX = 120;

function whyUnkeepable(release: JsonObject | undefined): string | null {
  if (!release) return 'the release is not an object';
  const ocid = textOf(release.ocid);
  if (!ocid) return 'the release has no ocid';
  if (!parseOcid(ocid)) return `the ocid is empty or malformed: ${ocid.slice(0, 60)}`;
  if (!textOf(release.id)) return 'the release has no id';
  return ocid.length > OCID_MAX ? `the ocid is longer than ${OCID_MAX} characters` : null;
}

/** Shapes other than OCDS in which the three services answer: the members that identify each, and its name. */
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

/** The releases of a package of any recorded shape, or null where the JSON is not one. */
function unpackReleases(json: unknown, repairs: Repairs): Unpacked | null {
  const answer = objectOf(json);
  if (!answer) return null;
  const head = {
    next: textOf(objectOf(answer.links)?.next) ?? null,
    uri: textOf(answer.uri) ?? null,
    publishedDate: textOf(answer.publishedDate) ?? null,
  };
  // A null is no list: what was published is unknown, and not nothing.
  if ((answer.releases ?? null) !== null && !isBareRelease(answer)) {
    if (isListLike(Object.keys(objectOf(answer.releases) ?? {}))) countRepair(repairs, 'object_for_array');
    return { ...head, releases: valuesOf(answer.releases) };
  }
  if ((answer.records ?? null) !== null)
    return { ...head, releases: valuesOf(answer.records).flatMap((record) => unpackRecord(record, repairs)) };
  // Contracts Finder's search answer until October 2022: { hitsCount, maxPage, results: [{ releases: […] }] }.
  if (Array.isArray(answer.results) && answer.results.some((result) => objectOf(result)?.releases !== undefined))
    return { ...head, releases: answer.results.flatMap((result) => valuesOf(objectOf(result)?.releases)) };
  return isBareRelease(answer) ? { ...head, releases: [answer] } : null;
}

function isBareRelease(answer: JsonObject): boolean {
  return answer.ocid !== undefined && (answer.tag !== undefined || answer.tender !== undefined);
}

/** A record's releases; if it only links to them, the service's own compiled release is used instead. */
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
  return compareText(textOf(a?.date) ?? '', textOf(b?.date) ?? '');
}

/** The name of a parsed answer that is not OCDS. */
function nameJsonShape(json: unknown): string {
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
