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
