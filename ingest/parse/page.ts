import { PACKAGE_URI } from '../../schema/ocds/release.ts';
import { parseOcid } from '../../schema/text/ids.ts';
import { canonicalJson, type JsonObject, objectOf, sha256, textOf } from '../../schema/text/json-values.ts';
import { type LeftOut, type ReadContact, readContacts, withoutContacts } from '../contacts/personal-details.ts';
import { findUnknown, type Unknown } from '../fields/codes.ts';
import { isPlausible, parseInstant } from '../fields/dates.ts';
import { countDuplicateIds } from '../merge/ocds.ts';
import { nameByteShape, nameJsonShape, unpackReleases } from './packages.ts';
import type { Quarantined } from './quarantined.ts';
import { cleanRelease, countRepair, decodeBytes, parseJson, type Repairs, UnreadablePage } from './repair.ts';

/** One release as it came, without contact points. */
export interface ReadRelease {
  source: string;
  ocid: string;
  releaseId: string;
  /** The release's own date as published; its package's where it has none that can be read; empty where neither has. */
  date: string;
  /** sha256 of `body`. */
  digest: string;
  /** Canonical JSON. */
  body: string;
  json: JsonObject;
  unknown: Unknown[];
  /** Contact points that it came with; they are no part of `json` and `body`. */
  contacts?: readonly ReadContact[];
}

export interface ReadPage {
  releases: ReadRelease[];
  quarantined: Quarantined[];
  repairs: Repairs;
  unknown: Unknown[];
  /** Address of the next page where the answer names one. */
  next: string | null;
  /** sha256 of the bytes as they came. */
  pageSha256: string;
}

/**
 * Reads an answer in any OCDS shape that Contracts Finder and Find a Tender have served: release packages
 * (1.0 of 2014, the flat ones of 2017-2021, today's), record packages, a bare release, the search answer before Oct 2022.
 * A release that cannot be kept is quarantined with its own bytes; the others are not touched by it.
 * @throws UnreadablePage where the whole answer is something else; the message names what.
 */
export function readOcdsPage(bytes: Uint8Array, from: { source: string; url: string }): ReadPage {
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
  const lone = unpacked.releases.length === 1;
  for (const raw of unpacked.releases) {
    try {
      readOne(raw, page, { ...from, ...unpacked, lone });
    } catch (error) {
      // Nested deeper than the stack: its own bytes cannot be made either, so the page is kept for it.
      if (!(error instanceof RangeError)) throw error;
      page.quarantined.push({ kind: 'page', reason: 'a release is nested too deep', url: from.url, bytes });
    }
  }
  return page;
}

interface Context {
  source: string;
  url: string;
  uri: string | null;
  publishedDate: string | null;
  lone: boolean;
}

function readOne(raw: unknown, page: ReadPage, from: Context): void {
  const leftOut: LeftOut[] = [];
  let release = objectOf(cleanRelease(raw, page.repairs, leftOut));
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
  // Only the package's address names the notice of the shapes before 2022.
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

/** A release's own date; its package's where that is none; empty, for the instant of its fetch, where neither is one. */
function dateOf(own: string | undefined, ofPackage: string | undefined, repairs: Repairs): string {
  if (isDate(own)) return own;
  if (isDate(ofPackage)) {
    countRepair(repairs, 'date_of_package');
    return ofPackage;
  }
  countRepair(repairs, 'date_of_fetch');
  return '';
}

function isDate(text: string | undefined): text is string {
  const instant = parseInstant(text);
  return instant !== null && isPlausible(instant);
}

/** Those in use have some 50 characters; of a much longer one no id could be made that can be asked for. */
const OCID_MOST = 120;

function whyUnkeepable(release: JsonObject | undefined): string | null {
  if (!release) return 'the release is not an object';
  const ocid = textOf(release.ocid);
  if (!ocid) return 'the release has no ocid';
  if (!parseOcid(ocid)) return `the ocid is empty or malformed: ${ocid.slice(0, 60)}`;
  if (!textOf(release.id)) return 'the release has no id';
  return ocid.length > OCID_MOST ? `the ocid is longer than ${OCID_MOST} characters` : null;
}
