import { parse } from 'csv-parse/sync';
import { isoInstant } from '../../schema/config/clocks.ts';
import { OGL } from '../../schema/reference/licence.ts';
import { ADDRESS_PATH } from '../../schema/text/document-links.ts';
import { parseOcid } from '../../schema/text/ids.ts';
import { decodeBytes, UnreadablePage } from '../parse/repair.ts';
import { readEnds } from '../runs/spans.ts';
import type { ListedRelease, WindowsSource } from '../source.ts';
import { procurement, procurementOther } from './find-a-tender.ts';

const GUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** The beginning of a release's id, and the addresses of a notice's page and package. */
const RELEASE = new RegExp(`^(${GUID})(?:-\\d+)?$`, 'i');
const PAGE = new RegExp(`/Notice/(${GUID})(?:$|[/?#])`, 'i');
const PACKAGE = new RegExp(`/Published/Notice/releases/(${GUID})`, 'i');
/** How the search names a release today. */
const RELEASE_ID = new RegExp(`^${GUID}-\\d+$`, 'i');
const NOTICE = new RegExp(`/(${GUID})(?:\\.json)?$`, 'i');
const ID_COLUMN = /^releases\/(\d+)\/id$/i;

type Cells = Record<'id' | 'ocid' | 'uri', string | undefined>;

export const contractsFinder: WindowsSource = {
  kind: 'notices',
  asked: 'by_window',
  id: 'contracts_finder',
  cliName: 'contracts-finder',
  title: 'Contracts Finder',
  aliases: ['cf'],
  homepage: 'https://www.contractsfinder.service.gov.uk',
  ...OGL,
  attribution: `${OGL.attribution} Source: Contracts Finder, the Cabinet Office.`,
  timetable: '20 * * * *',
  budget: procurement,
  expected: { least: 1, most: 3_000 },
  clock: 'utc',
  pageRows: 100,
  // Both ends equal is refused.
  shortestSpanSeconds: 1,
  firstWindowHours: 24,
  // Long windows lose data here: the best-known collector asks in steps of 15 days.
  longestWindowHours: 15 * 24,
  // The documentation says 403 and five minutes; the firewall in front has answered 429 since May 2026. Both are obeyed.
  forbiddenWaitSeconds: 300,
  forbiddenTimes: 3,
  // 137 on a working day of September 2026, and falling.
  leastOnWorkingDay: 5,
  notices: {
    id: RELEASE,
    // In the release's id, the package's address (before 2022) or its page's; never the GUID of the ocid, which is different.
    numberOf: ({ id, packageUri, documents }) =>
      (
        RELEASE.exec(id ?? '')?.[1] ??
        PACKAGE.exec(packageUri ?? '')?.[1] ??
        documents.map(({ url }) => PAGE.exec(url ?? '')?.[1]).findLast((found) => found !== undefined)
      )?.toLowerCase(),
    pageBase: 'https://www.contractsfinder.service.gov.uk/Notice/',
    ocid: new RegExp(`^ocds-b5fd17-${GUID}$`, 'i'),
    recordBase: 'https://www.contractsfinder.service.gov.uk/Published/OCDS/Record/',
    naming: {
      address: String.raw`contractsfinder\.service\.gov\.uk${ADDRESS_PATH}(?:(ocds-b5fd17-${GUID})|(${GUID}))`,
      quote: String.raw`\b(ocds-b5fd17-${GUID})`,
    },
    rank: 2,
    nullDeletes: true,
    deadlineTimesSince: '2020-08-01',
  },
  byId: {
    // Only the search counts against the narrow budget.
    budget: procurementOther,
    url: (base, id) => `${base}/Published/OCDS/${id.startsWith('ocds-') ? 'Record' : 'Release'}/${id}`,
  },
  dailyListing: {
    name: 'daily_csv',
    budget: procurementOther,
    dayUrl: (base, day) => `${base}/Harvester/Notices/Data/CSV/${day.split('-').map(Number).join('/')}`,
    read: readDailyCsv,
  },
  baseUrl: (settings) => settings.CONTRACTS_FINDER_URL,
  // It contains its predecessor's notices from 2014 on.
  firstDay: '2014-01-01',
  readSpan: (url) => readEnds(url, ['publishedFrom', 'publishedTo'], (text) => new Date(text)),
  listRequests: (base, { from, until }) => {
    const query = new URLSearchParams({
      publishedFrom: isoInstant(from),
      publishedTo: isoInstant(until),
      limit: '100',
    });
    return [`${base}/Published/Notices/OCDS/Search?${query}`];
  },
};

/**
 * What the harvester's file of one day lists: flattened release packages, a row each, OCDS paths as headers
 * (`releases/0/ocid`). Recorded in 2020 with ids that begin with the ocid; today's are those of the search.
 * A release without a usable ocid is left out: nothing of it can be kept.
 * @throws UnreadablePage where the bytes are no such file, or one that ends early.
 */
export function readDailyCsv(bytes: Uint8Array): ListedRelease[] {
  const [header, ...rows] = readRows(decodeBytes(bytes, {}));
  if (!header) return [];
  const column = (name: string) => header.findIndex((cell) => cell.trim().toLowerCase() === name);
  const uri = column('uri');
  const places = header.flatMap((cell, id) => {
    const index = ID_COLUMN.exec(cell.trim())?.[1];
    return index === undefined ? [] : [{ id, ocid: column(`releases/${index}/ocid`) }];
  });
  if (places.length === 0) throw new UnreadablePage('not the daily CSV: no column is called releases/0/id');
  const listed = rows.flatMap((row) =>
    places.map(({ id, ocid }) => toListedRelease({ id: row[id], ocid: row[ocid], uri: row[uri] })),
  );
  return [...new Map(listed.flatMap((each) => (each ? [[each.id, each] as const] : []))).values()];
}

function readRows(text: string): string[][] {
  if (text.trim() === '') return [];
  try {
    return parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true });
  } catch (error) {
    throw new UnreadablePage(`broken CSV: ${error instanceof Error ? error.message : 'cannot be parsed'}`, {
      cause: error,
    });
  }
}

function toListedRelease(cells: Cells): ListedRelease | null {
  const id = cells.id?.trim() ?? '';
  const ocid = parseOcid(cells.ocid ?? '');
  if (!id || !ocid) return null;
  if (RELEASE_ID.test(id)) return { id: id.toLowerCase(), storedAs: [id.toLowerCase()] };
  const notice = NOTICE.exec(cells.uri?.trim() ?? '')?.[1];
  return { id: ocid, storedAs: notice ? [id, notice.toLowerCase()] : [id] };
}
