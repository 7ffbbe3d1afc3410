import type { Settings } from '../../schema/config/settings.ts';
import { NOTICE_NAMES } from '../../schema/ocds/parts.ts';
import type { OcdsRelease } from '../../schema/ocds/types.ts';
import { listOf, sha256, textOf } from '../../schema/text/json-values.ts';
import { documentsOf } from '../fields/notice.ts';
import type { StoredRelease } from '../merge/uk.ts';
import type { NoticesSource, Source, WindowsSource } from '../source.ts';
import { companiesHouse } from './companies-house.ts';
import { contractsFinder } from './contracts-finder.ts';
import { findATender } from './find-a-tender.ts';
import { publicContractsScotland } from './public-contracts-scotland.ts';
import { sell2wales } from './sell2wales.ts';

/** What comes in: one row per upstream source. */
export const sources: readonly Source[] = [
  findATender,
  contractsFinder,
  publicContractsScotland,
  sell2wales,
  companiesHouse,
];

/** A source by its id or its name on the command line, or undefined. */
export function findSource(name: string): Source | undefined {
  return sources.find((source) => source.id === name || source.cliName === name);
}

/** The service with this id, or undefined where no service that publishes notices has it. */
export function findService(id: string): NoticesSource | undefined {
  return listServices().find((source) => source.id === id);
}

/** The sources that publish notices. */
export function listServices(): NoticesSource[] {
  return sources.filter((source) => source.kind === 'notices');
}

/** Those that are asked window by window: only they are crawled again, and asked for single notices. */
export function listWindowed(sources: readonly Source[]): WindowsSource[] {
  return sources.filter((source) => source.kind === 'notices').filter((source) => source.asked === 'by_window');
}

/** The addresses that requests to a source use. */
export function listAddresses(source: Source, settings: Settings): string[] {
  return source.kind === 'notices' ? [source.baseUrl(settings)] : [source.bulkUrl(settings), source.apiUrl(settings)];
}

const ID_MAX = 120;

/** The id by which a notice is known: a longer one is replaced by its sha256, as a request could not contain it. */
export function knownId(id: string): string {
  return id.length > ID_MAX ? sha256(id).slice(0, 32) : id;
}

/** All services, the most trusted first. */
const BY_RANK = listServices().toSorted((a, b) => a.notices.rank - b.notices.rank);

/**
 * The published number of the notice that a release belongs to. It is the release's own id if the release names its notices,
 * otherwise the number that a service finds in it, otherwise the id again.
 */
export function noticeIdOf(ocds: OcdsRelease): string {
  const { id = '', packageUri, noticeNames } = ocds;
  if (noticeNames.length > 0) return id;
  const stated = { id, packageUri, documents: documentsOf(ocds) };
  for (const { notices } of BY_RANK) {
    const found = notices.numberOf?.(stated);
    if (found !== undefined) return found;
  }
  return knownId(id);
}

/** The place of a release among those of its date, as its service counts notices. The lowest where it has no number. */
export function placeOnDate({ source, releaseId, json }: StoredRelease): number {
  const names = [releaseId, ...listOf(json[NOTICE_NAMES], textOf)];
  return findService(source)?.notices.countedNumber?.(names) ?? 0;
}

/** The official page of a notice, or null if its number has none. */
export function noticeUrl(source: string, noticeId: string): string | null {
  const { id, pageBase, prefix = '' } = findService(source)?.notices ?? {};
  return id?.test(noticeId) ? `${pageBase}${noticeId.slice(prefix.length)}` : null;
}

/**
 * The service's record of a whole procurement, for notices without a page of their own. Null if the ocid is not one of that
 * service's.
 */
export function procurementUrl(source: string, ocid: string): string | null {
  const { ocid: own, recordBase } = findService(source)?.notices ?? {};
  return own?.test(ocid) ? `${recordBase}${ocid}` : null;
}

/** Whether an address is the page of a notice on this service. */
export function isNoticePage(source: string, url: string): boolean {
  const { id, pageBase = '', prefix = '' } = findService(source)?.notices ?? {};
  const [address, base] = [url.toLowerCase(), pageBase.toLowerCase()];
  return address.startsWith(base) && id?.test(prefix + address.slice(base.length)) === true;
}
