import { hash } from 'node:crypto';
import type { NoticeDetail, Stage } from '../../schema/catalogue/details.ts';
import { SUITED } from '../../schema/catalogue/enums.ts';
import { OVER_STATUSES } from '../../schema/catalogue/live.ts';
import type { Nation, Region } from '../../schema/reference/regions.ts';
import type { AnyDocument, SearchDocument, SearchHit } from '../engine.ts';
import { endOfDay } from './days.ts';

/** Version of the document shape and of what both engines make of it. Raise it with either, and every index is rebuilt. */
const DOCUMENT_VERSION = 21;

/** `SearchEngine.version` of an engine with these settings. A change of settings changes it. */
export function indexVersion(settings: unknown): string {
  const print = hash('sha256', JSON.stringify(settings)).slice(0, 12);
  return `${DOCUMENT_VERSION}-${print}`;
}

/** Fields of a document shown next to its extract. */
export const SHOWN_FIELDS = [
  'id',
  'notice_id',
  'ocid',
  'title',
  'buyer',
  'buyer_id',
  'published',
  'published_at',
  'deadline',
  'deadline_at',
  'value',
  'currency',
  'cpvs',
  'regions',
  'nation',
  'source',
  'sources',
  'stage',
  'notice_type',
  'status',
  'url',
  'is_tender',
  'framework_id',
  'tender_expected',
  'bids_until',
  'within_framework',
] as const satisfies readonly (keyof SearchHit & keyof SearchDocument)[];

const EXTRACT_LENGTH = 240;
/** Extracts and highlights come from this many first characters of a description. A description has 100,000 at most. */
export const DESCRIPTION_SHOWN = 20_000;

/** A notice row with its framework, as the collection of notices reads it. */
interface NoticeRow {
  id: string;
  notice_id: string;
  ocid: string;
  source: string;
  stage: string;
  notice_type: string;
  title: string;
  description: string;
  buyer_id: string | null;
  buyer: string | null;
  buyer_kind: string | null;
  published: string;
  published_at: string;
  deadline: string | null;
  deadline_at: string | null;
  value: number | null;
  currency: string | null;
  /** JSON, as in the table. */
  cpvs: string;
  regions: string;
  nation: Nation | null;
  status: string;
  url: string | null;
  is_tender: number;
  /** JSON: the other services that have it; null where none has. */
  also_on: string | null;
  /** JSON: ids of the buyers besides the main one; null where there are none. */
  joint_buyer_ids: string | null;
  detail: string;
  /** The framework for which this is the main notice, so that a framework search finds each framework once; otherwise null. */
  framework_id: string | null;
  ceiling: number | null;
  ceiling_currency: string | null;
  ends: string | null;
  framework_kind: string | null;
  /** JSON: references to that framework (`RM6100`); null where there are none. */
  framework_references: string | null;
}

/** What the index holds of one notice. */
export function makeDocument(row: NoticeRow): SearchDocument {
  const detail = JSON.parse(row.detail) as Partial<NoticeDetail>;
  const suppliers = detail.suppliers ?? [];
  const {
    cpvs,
    regions,
    detail: _detail,
    is_tender,
    also_on,
    joint_buyer_ids,
    stage,
    deadline_at,
    ceiling,
    ceiling_currency,
    framework_references,
    ...same
  } = row;
  return {
    stage: stage as Stage,
    cpvs: JSON.parse(cpvs) as string[],
    regions: JSON.parse(regions) as Region[],
    deadline_at: deadline_at ?? endOfDay(row.deadline),
    is_tender: is_tender === 1,
    sources: [row.source, ...(JSON.parse(also_on ?? '[]') as string[])],
    bids_until: detail.bids_until ?? null,
    within_framework: detail.framework_id ?? null,
    joint_buyer_ids: JSON.parse(joint_buyer_ids ?? '[]') as string[],
    suitable_for: SUITED.filter((one) => detail[`suitable_for_${one}`]),
    special_regimes: detail.special_regimes ?? [],
    reserved_for: detail.reserved_for ?? [],
    direct_award_grounds: detail.direct_award_grounds ?? [],
    above_threshold: detail.above_threshold ?? null,
    tender_expected: detail.dates?.tender_expected ?? null,
    ceiling: ceiling_currency === 'GBP' ? ceiling : null,
    suppliers: unique(suppliers.map(({ name }) => name)),
    company_numbers: unique(suppliers.flatMap(({ companies_house_number: number }) => number ?? [])),
    subjects: unique([
      ...Object.values(detail.cpv_descriptions ?? {}),
      ...(detail.lots ?? []).map(({ title }) => title).filter((title) => title !== row.title),
      ...(JSON.parse(framework_references ?? '[]') as string[]),
      ...(detail.reference ? [detail.reference] : []),
      ...(detail.joint_buyers ?? []),
      ...(detail.delivery_places ?? []),
    ]),
    districts: districtsOf(detail.delivery_places),
    // Not first: V8 (Node 20) then gives each document its own hidden class, and preparing it takes a quarter longer.
    ...same,
  };
}

/** A notice row as it is read to be shown. Its value is a text. */
type ShownRow = Omit<
  NoticeRow,
  | 'value'
  | 'joint_buyer_ids'
  | 'buyer_kind'
  | 'detail'
  | 'ceiling'
  | 'ceiling_currency'
  | 'ends'
  | 'framework_kind'
  | 'framework_references'
> & {
  value: string | null;
  tender_expected: string | null;
  bids_until: string | null;
  within_framework: string | null;
};

/** What a hit shows of one notice. Fields are listed one by one, because copying a row takes several times as long. */
export function showNotice(row: ShownRow) {
  return {
    id: row.id,
    notice_id: row.notice_id,
    ocid: row.ocid,
    title: row.title,
    description: row.description,
    buyer: row.buyer,
    buyer_id: row.buyer_id,
    published: row.published,
    published_at: row.published_at,
    deadline: row.deadline,
    deadline_at: row.deadline_at ?? endOfDay(row.deadline),
    value: row.value === null ? null : Number(row.value),
    currency: row.currency,
    cpvs: JSON.parse(row.cpvs) as string[],
    regions: JSON.parse(row.regions) as Region[],
    nation: row.nation,
    source: row.source,
    sources: row.also_on === null ? [row.source] : [row.source, ...(JSON.parse(row.also_on) as string[])],
    stage: row.stage as Stage,
    notice_type: row.notice_type,
    status: row.status,
    url: row.url,
    is_tender: row.is_tender === 1,
    framework_id: row.framework_id,
    tender_expected: row.tender_expected,
    bids_until: row.bids_until,
    within_framework: row.within_framework,
  } satisfies Required<Pick<SearchDocument, (typeof SHOWN_FIELDS)[number] | 'description'>>;
}

/** Whether bids may still come in while the deadline lies ahead. The query compares the deadline with its own now. */
export function mayBeOpen(document: SearchDocument): boolean {
  return document.is_tender && document.deadline_at !== null && !OVER_STATUSES.has(document.status);
}

/** The value that filters and sorts compare: pounds, or nothing. */
export function valueInPounds(document: Pick<AnyDocument, 'value' | 'currency'>): number | null {
  return document.currency === 'GBP' ? document.value : null;
}

/** The beginning of a text, cut between words and marked with an ellipsis where it was cut. */
export function shorten(text: string, length = EXTRACT_LENGTH): string {
  // The beginning of a long text is enough, unless it is mostly blank.
  const beginning = withoutGaps(text.slice(0, length * 3));
  const plain = beginning.length > length ? beginning : withoutGaps(text);
  if (plain.length <= length) return plain;
  const cut = plain.slice(0, length);
  const space = cut.lastIndexOf(' ');
  // A cut inside a surrogate pair would leave half a character.
  return `${(space > length / 2 ? cut.slice(0, space) : cut).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Any gap except a single space, which most are: leaving those alone saves most of the time. */
const GAP = /[^\S ]\s*| \s+/g;

function withoutGaps(text: string): string {
  return text.replace(GAP, ' ').trim();
}

/** A whole postcode, or a district that is all of a place or the end of it: `B1` of an address is a unit. */
const DISTRICT = /(?<![A-Z\d])([A-Z]{1,2}\d[A-Z\d]?)\s*\d[A-Z]{2}\b|(?:^|,)\s*([A-Z]{1,2}\d[A-Z\d]?)$/g;

/** The districts of postcodes in places of delivery, in small letters. */
export function districtsOf(places: readonly string[] = []): string[] {
  const found = places.flatMap((place) => [...place.trim().matchAll(DISTRICT)]);
  return unique(found.map(([, whole, alone]) => (whole ?? alone ?? '').toLowerCase()));
}

/** Each text once, without blank ones. */
export function unique(values: string[]): string[] {
  if (values.length === 0) return values;
  return [...new Set(values.filter((value) => value.trim() !== ''))];
}
