import { findService, listServices } from '../../sources/index.ts';

/** The official page of a notice, or null where its number has none. */
export function noticeUrl(source: string, noticeId: string): string | null {
  const { id, pageBase } = findService(source)?.notices ?? {};
  return id?.test(noticeId) ? `${pageBase}${noticeId}` : null;
}

/**
 * What a service says of a whole procurement, for notices without a page of their own. Null where the ocid is not of that
 * service.
 */
export function procurementUrl(source: string, ocid: string): string | null {
  const { ocid: own, recordBase } = findService(source)?.notices ?? {};
  return own?.test(ocid) ? `${recordBase}${ocid}` : null;
}

/** Whether an address is the page of a notice on any service. */
export function isNoticePage(url: string): boolean {
  const address = url.toLowerCase();
  return listServices().some(({ notices: { id, pageBase } }) => {
    const base = pageBase.toLowerCase();
    return address.startsWith(base) && id.test(address.slice(base.length));
  });
}
