import type { OcdsRelease } from '../../schema/ocds.ts';
import { documentsOf } from './notice-id.ts';
import type { CompiledContract, CompiledNotice, RelatedSigns } from './types.ts';

export interface SignedProcess {
  source: string;
  title: string;
  merged: OcdsRelease;
  notices: readonly CompiledNotice[];
  contracts: readonly CompiledContract[];
  /** A call-off names the notices of its framework: those are another procurement. */
  isCallOff: boolean;
}

/** Find a Tender begins. */
const BOTH_SINCE = '2021-01-01';
/** Notices under the Procurement Act are on Find a Tender alone. */
const ACT = '2023/54';

/** Reads the signs off a compiled process. Pure. */
export function relatedSignsOf({ source, title, merged, notices, contracts, isCallOff }: SignedProcess): RelatedSigns {
  const published = notices.map((notice) => notice.published).toSorted();
  const mayBeOnBoth =
    merged.tender.legalBasis !== ACT &&
    !notices.some(({ noticeType }) => /^UK\d+$/.test(noticeType)) &&
    (published.at(-1) ?? '') >= BOTH_SINCE;
  const deadlines = notices.flatMap(({ deadline }) => deadline ?? []);
  const awards = contracts.flatMap(({ awarded, signed }) => awarded ?? signed ?? []);
  return {
    titleKey: mayBeOnBoth ? titleKeyOf(title) : null,
    reference: mayBeOnBoth ? referenceOf(merged.tender.id) : null,
    mentions: isCallOff ? [] : mentionsOf(source, merged),
    firstPublished: published[0] ?? null,
    lastPublished: published.at(-1) ?? null,
    deadline: deadlines.toSorted().at(-1) ?? null,
    awarded: awards.toSorted()[0] ?? null,
  };
}

const LEAST_TITLE = 8;

/** A title as both services would have it: without the place that a portal puts before it, and without references. */
function titleKeyOf(title: string): string | null {
  const key = title
    .replace(/^GB-[^:]{2,40}:\s*/, '')
    .replace(/\bDN\d{5,7}\b/g, ' ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/['’`]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return key.length >= LEAST_TITLE && key.includes(' ') ? key : null;
}

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Portals write their own number into the buyer's: `CORNWALL001-DN636983-81931092`, `tender_317298/1116759`. */
const PORTAL = /(?:^|[^A-Z0-9])(DN\d{5,7})(?:$|[^0-9])|^(TENDER_\d{4,})\//;

/** A reference that tells one procurement from another: never an ocid or GUID, and with three digits at least. */
function referenceOf(raw: string | undefined): string | null {
  const text = (raw ?? '').trim().toUpperCase();
  if (text === '' || text.startsWith('OCDS-') || GUID.test(text)) return null;
  const portal = PORTAL.exec(text);
  const key = (portal?.[1] ?? portal?.[2] ?? text).replace(/[^A-Z0-9]/g, '');
  const digits = key.replace(/[^0-9]/g, '').length;
  return key.length >= 5 && key.length <= 60 && digits >= 3 ? key : null;
}

const GUID_TEXT = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** How Contracts Finder's notices name one of Find a Tender: its page, its ocid, or the number `2022/S 000-029179`. */
const FIND_A_TENDER =
  /find-tender\.service\.gov\.uk\/notice\/(\d{6}-\d{4})|\b(ocds-h6vhtk-[0-9a-f]{6,})|\b(20\d\d)\s?\/\s?S\s?000\s?[-–]\s?(\d{6})\b/gi;
const CONTRACTS_FINDER = new RegExp(
  `contractsfinder\\.service\\.gov\\.uk/notice/(${GUID_TEXT})|\\b(ocds-b5fd17-${GUID_TEXT})`,
  'gi',
);
/** Who names more of them lists them. */
const MENTIONS_MOST = 5;
/** Relations to another procurement than this one. */
const OTHER_PROCUREMENT = /^(framework|parent|subContract|replacementProcess|renewalProcess|unsuccessfulProcess)$/i;

function mentionsOf(source: string, merged: OcdsRelease): string[] {
  const pattern = source === 'find_a_tender' ? CONTRACTS_FINDER : FIND_A_TENDER;
  const related = merged.relatedProcesses.filter(
    ({ relationship }) => !relationship.some((code) => OTHER_PROCUREMENT.test(code)),
  );
  const { tender } = merged;
  const texts = [
    merged.description,
    tender.id,
    tender.title,
    tender.description,
    tender.submissionMethodDetails,
    ...merged.awards.map(({ description }) => description),
    ...related.flatMap(({ identifier, title }) => [identifier, title]),
    ...documentsOf(merged).flatMap(({ url, title, description }) => [url, title, description]),
  ];
  const found = new Set<string>();
  for (const text of texts) {
    for (const [, notice, ocid, year, number] of (text ?? '').matchAll(pattern))
      found.add((notice ?? ocid ?? `${number}-${year}`).toLowerCase());
  }
  return found.size > MENTIONS_MOST ? [] : [...found].toSorted();
}
