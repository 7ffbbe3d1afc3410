import type { OcdsDocument, OcdsRelease } from '../../schema/ocds/types.ts';
import { sha256 } from '../../schema/text/digest.ts';

const GUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const CF_RELEASE = new RegExp(`^(${GUID})(?:-\\d+)?$`, 'i');
const CF_PAGE = new RegExp(`/Notice/(${GUID})(?:$|[/?#])`, 'i');
const CF_PACKAGE = new RegExp(`/Published/Notice/releases/(${GUID})`, 'i');
const FTS_NUMBER = /^\d{6}-\d{4}$/;
/** An id longer than this stands for itself by its sha256: it could not be asked for. */
const ID_MOST = 120;

/** Every document of a release, in the four places that a notice's own document may be. */
export function documentsOf(ocds: OcdsRelease): OcdsDocument[] {
  return [
    ...ocds.planningDocuments,
    ...ocds.tender.documents,
    ...ocds.awards.flatMap(({ documents }) => documents),
    ...ocds.contracts.flatMap(({ documents }) => documents),
  ];
}

/**
 * The published number of a release's notice. Find a Tender: the release id. Contracts Finder: the GUID in the release id,
 * in the package's address (before 2022) or in the notice page's address; never the GUID of the ocid, which is another.
 */
export function noticeIdOf(ocds: OcdsRelease): string {
  const id = ocds.id ?? '';
  if (FTS_NUMBER.test(id)) return id;
  const own = documentsOf(ocds).filter((document) => document.noticeType !== undefined);
  const numbered = own.find((document) => FTS_NUMBER.test(document.id ?? ''))?.id;
  if (numbered) return numbered;
  const guid =
    CF_RELEASE.exec(id)?.[1] ??
    CF_PACKAGE.exec(ocds.packageUri ?? '')?.[1] ??
    documentsOf(ocds)
      .map((document) => CF_PAGE.exec(document.url ?? '')?.[1])
      .findLast((found) => found !== undefined);
  return guid?.toLowerCase() ?? (id.length > ID_MOST ? sha256(id).slice(0, 32) : id);
}

/** The official page of a notice, or null where its number is not one that a page can be had for. */
export function noticeUrl(source: string, noticeId: string): string | null {
  if (source === 'find_a_tender')
    return FTS_NUMBER.test(noticeId) ? `https://www.find-tender.service.gov.uk/Notice/${noticeId}` : null;
  return CF_RELEASE.test(noticeId) ? `https://www.contractsfinder.service.gov.uk/Notice/${noticeId}` : null;
}

const CF_OCID = new RegExp(`^ocds-b5fd17-${GUID}$`, 'i');

/** What a service answers for a whole procurement: for notices whose own page cannot be told. Null for an ocid that is none of its own. */
export function procurementUrl(source: string, ocid: string): string | null {
  if (source === 'find_a_tender')
    return ocid.startsWith('ocds-h6vhtk-') ? `https://www.find-tender.service.gov.uk/procurement/${ocid}` : null;
  return CF_OCID.test(ocid) ? `https://www.contractsfinder.service.gov.uk/Published/OCDS/Record/${ocid}` : null;
}
