import { londonInstant } from '../../../schema/config/clocks.ts';
import { type Asked, html, json, type Reply } from '../reply.ts';
import { makeCursor, readCursor, readLimit } from './cursor.ts';
import { dailyCsv } from './daily-csv.ts';
import { packageBytes, recordBytes } from './packages.ts';
import type { Shelf, Shelved } from './sorted-releases.ts';

const DAY_MS = 86_400_000;
const SEARCH = '/Published/Notices/OCDS/Search';

/** Answers Contracts Finder's addresses, or null where the path is not one of them. */
export function answerContractsFinder(shelf: Shelf, asked: Asked): Reply | null {
  const path = asked.url.pathname;
  if (path.toLowerCase() === SEARCH.toLowerCase()) return answerSearch(shelf, asked);
  const release = /^\/Published\/OCDS\/Release\/([^/]+)$/i.exec(path)?.[1];
  if (release !== undefined) return answerRelease(shelf, asked, release);
  const record = /^\/Published\/OCDS\/Record\/([^/]+)$/i.exec(path)?.[1];
  if (record !== undefined) return answerRecord(shelf, asked, record);
  const day = /^\/Harvester\/Notices\/Data\/CSV\/(\d{4})\/(\d{1,2})\/(\d{1,2})$/i.exec(path);
  return day
    ? answerDay(
        shelf,
        day.slice(1).map((part) => part.padStart(2, '0')),
      )
    : null;
}

/** The OCDS search: bounds are inclusive, without a zone they are UK wall-clock; unknown parameters are ignored. */
function answerSearch(shelf: Shelf, asked: Asked): Reply {
  const given = asked.url.searchParams;
  const limit = readLimit(given.get('limit'));
  const cursor = given.has('cursor') ? readCursor(given.get('cursor') ?? '') : undefined;
  if (limit === null || cursor === null) return refuse('limit or cursor');
  const from = readInstant(cursor?.publishedFrom ?? given.get('publishedFrom'), Number.NEGATIVE_INFINITY);
  const to = readInstant(cursor?.publishedTo ?? given.get('publishedTo'), asked.nowMs);
  if (from === null || to === null) return refuse('publishedFrom or publishedTo');
  const stages = given.get('stages')?.split(',');
  const below = cursor ? Number(cursor.nextCursor) : Number.POSITIVE_INFINITY;
  const rows = shelf
    .between(from, to)
    .filter((each) => each.listed && each.hiddenKey < below && (!stages || ofStage(each, stages)))
    .sort((a, b) => b.hiddenKey - a.hiddenKey);
  return listPage(asked, rows, limit);
}

function listPage(asked: Asked, rows: readonly Shelved[], limit: number): Reply {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const releases = page.map(({ published }) => published);
  const service = 'contracts_finder';
  if (!last || rows.length <= limit) return json(packageBytes({ service, uri: asked.url.href, releases }));
  const next = new URL(asked.url.href);
  const query = Object.fromEntries(
    ['publishedFrom', 'publishedTo'].flatMap((name) =>
      next.searchParams.has(name) ? [[name, next.searchParams.get(name)]] : [],
    ),
  ) as Record<string, string>;
  next.searchParams.set('limit', String(limit));
  next.searchParams.set('cursor', makeCursor(query, last.hiddenKey));
  return json(packageBytes({ service, uri: asked.url.href, releases, next: next.href }));
}

function readInstant(raw: string | null | undefined, fallback: number): number | null {
  if (raw === null || raw === undefined || raw === '') return fallback;
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/.test(raw);
  const full = /^\d{4}-\d{2}-\d{2}$/.test(raw) ? `${raw}T00:00:00` : raw;
  const instant = zoned ? new Date(full.replace(' ', '+')) : londonInstant(full.slice(0, 19));
  return Number.isNaN(instant.getTime()) ? null : instant.getTime();
}

function ofStage({ published }: Shelved, stages: readonly string[]): boolean {
  const tags = (published.release.tag as string[] | undefined) ?? [];
  return tags.some((tag) => stages.some((stage) => tag.startsWith(stage)));
}

function answerRelease(shelf: Shelf, asked: Asked, id: string): Reply {
  const found = shelf.byId.get(id);
  if (!found) return refuse('id', 404);
  const releases = found.map(({ published }) => published);
  return json(packageBytes({ service: 'contracts_finder', uri: asked.url.href, releases }));
}

function answerRecord(shelf: Shelf, asked: Asked, ocid: string): Reply {
  const found = shelf.byOcid.get(ocid);
  if (!found) return refuse('ocid', 404);
  const releases = found.map(({ published }) => published);
  return json(recordBytes(asked.url.href, ocid, releases));
}

function answerDay(shelf: Shelf, parts: readonly string[]): Reply {
  const startMs = londonInstant(`${parts.join('-')}T00:00:00`).getTime();
  if (Number.isNaN(startMs)) return html('<h1>Not found</h1>', 404);
  const releases = shelf.between(startMs, startMs + DAY_MS - 1).map(({ published }) => published.release);
  return { status: 200, headers: { 'content-type': 'text/csv' }, body: Buffer.from(dailyCsv(releases)) };
}

/** The service's own words for a refusal (code 3200, seen October 2024). */
function refuse(what: string, status = 400): Reply {
  return json({ code: 'ValidationError', errors: 3200, message: `Invalid ${what}` }, status);
}
