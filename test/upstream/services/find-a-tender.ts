import { londonInstant, londonTime } from '../../../schema/config/clocks.ts';
import { type Asked, badRequest, json, notFound, type Reply } from '../reply.ts';
import { makeCursor, readCursor, readLimit } from './cursor.ts';
import { packageBytes, recordBytes } from './packages.ts';
import { type Shelf, type Shelved, spread } from './sorted-releases.ts';

const PARAMETERS = ['limit', 'cursor', 'updatedFrom', 'updatedTo', 'stages'];
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z?$/;
const NOTICE_ID = /^\d{6}-\d{4}$/;
const OCID = /^ocds-h6vhtk-[0-9a-f]+$/i;
const TWO_HOURS_MS = 7_200_000;
const STAGE_TAGS: Record<string, string[]> = {
  planning: ['planning', 'planningUpdate'],
  tender: ['tender', 'tenderUpdate', 'tenderAmendment', 'tenderCancellation'],
  award: ['award', 'awardUpdate'],
};

/** Answers Find a Tender's addresses, or null where the path is not one of them. */
export function answerFindATender(shelf: Shelf, asked: Asked): Reply | null {
  const match = /^\/api\/1\.0\/(ocdsReleasePackages|ocdsRecordPackages)(?:\/([^/]+))?$/.exec(asked.url.pathname);
  if (!match) return null;
  const [, kind, key] = match;
  if (kind === 'ocdsRecordPackages') return answerRecord(shelf, asked, key ?? '');
  return key === undefined ? answerWindow(shelf, asked) : answerOne(shelf, asked, key);
}

function answerRecord(shelf: Shelf, asked: Asked, ocid: string): Reply {
  const found = shelf.byOcid.get(ocid);
  if (!found) return notFound(asked, `No records found for ${ocid}`);
  const releases = found.map(({ published }) => published);
  return json(recordBytes(asked.url.href, ocid, releases));
}

function answerOne(shelf: Shelf, asked: Asked, key: string): Reply {
  if (!NOTICE_ID.test(key) && !OCID.test(key)) return badRequest(asked, `Not a notice id or an ocid: ${key}`);
  const found = shelf.byId.get(key) ?? shelf.byOcid.get(key);
  if (!found) return notFound(asked, `No releases found for ${key}`);
  return listPage(asked, newestFirst(found), 100, {});
}

/** A window: unknown names, a bad time, `from` = `to` and a bad limit are refused; times are UK wall-clock, inclusive to the second. */
function answerWindow(shelf: Shelf, asked: Asked): Reply {
  const given = Object.fromEntries(asked.url.searchParams);
  const unknown = Object.keys(given).find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) return badRequest(asked, `Unknown parameter: ${unknown}`);
  const limit = readLimit(given.limit ?? null);
  if (limit === null) return badRequest(asked, 'limit must be between 1 and 100');
  const cursor = given.cursor === undefined ? undefined : readCursor(given.cursor);
  if (cursor === null) return badRequest(asked, 'cursor is not valid');
  const bad = [given.updatedFrom, given.updatedTo].find((time) => time !== undefined && !LOCAL_TIME.test(time));
  if (bad !== undefined) return badRequest(asked, `Not a date and time: ${bad}`);

  const from = (cursor?.updatedFrom ?? given.updatedFrom ?? '0000').replace('Z', '');
  const to = (cursor?.updatedTo ?? given.updatedTo ?? londonTime(new Date(asked.nowMs))).replace('Z', '');
  if (from >= to) return badRequest(asked, 'updatedFrom must be before updatedTo');
  const window = inWindow(shelf, from, to).filter((each) => servedForStages(each, given.stages));
  const below = cursor ? Number(cursor.nextCursor) : Number.POSITIVE_INFINITY;
  const query = { updatedFrom: from, updatedTo: to };
  return listPage(asked, newestFirst(window.filter(({ hiddenKey }) => hiddenKey < below)), limit, query);
}

function inWindow(shelf: Shelf, from: string, to: string): Shelved[] {
  const fromMs = from === '0000' ? Number.NEGATIVE_INFINITY : londonInstant(from).getTime() - TWO_HOURS_MS;
  const near = shelf.between(fromMs, londonInstant(to).getTime() + TWO_HOURS_MS);
  return near.filter(({ local, listed }) => listed && local >= from && local <= to);
}

/** Newest notice first: by year, then by number. */
function newestFirst(releases: readonly Shelved[]): Shelved[] {
  const key = ({ id }: Shelved) => `${id.slice(-4)}${id}`;
  return [...releases].sort((a, b) => (key(a) < key(b) ? 1 : -1));
}

/** `stages` finds only a few of what it names (3 of 73, measured in September 2026). */
function servedForStages(each: Shelved, stages: string | undefined): boolean {
  if (stages === undefined) return true;
  const tags = (each.published.release.tag as string[] | undefined) ?? [];
  const wanted = stages.split(',').flatMap((stage) => STAGE_TAGS[stage] ?? []);
  return tags.some((tag) => wanted.includes(tag)) && spread(each.id) % 24 === 0;
}

/**
 * One page, with `links.next` where it is full. The listing is by notice number but the cursor walks the hidden key:
 * rows with a lower number and a higher key are lost at the boundary, others come twice (measured on the real service).
 */
function listPage(asked: Asked, rows: readonly Shelved[], limit: number, query: Record<string, string>): Reply {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const releases = page.map(({ published }) => published);
  const service = 'find_a_tender';
  if (!last || rows.length <= limit) return json(packageBytes({ service, uri: asked.url.href, releases }));
  const next = new URL(asked.url.pathname, asked.origin);
  for (const [name, value] of Object.entries({ ...query, limit: String(limit) })) next.searchParams.set(name, value);
  next.searchParams.set('cursor', makeCursor(query, last.hiddenKey));
  return json(packageBytes({ service, uri: asked.url.href, releases, next: next.href }));
}
