import { londonTime } from '../../../schema/config/clocks.ts';
import type { Json, TypedRelease } from '../data.ts';
import { type Asked, html, json, type Reply } from '../reply.ts';

/**
 * How the services answer: all of it; HTML with status 500; an empty answer to everything; or, as Sell2Wales in May 2026, 500
 * where there are releases and an empty answer where there are none.
 */
export type Health = 'well' | 'broken' | 'empty' | 'half_broken';

/** The services that answer a month of one notice type, by the folder of their addresses. */
interface Grids {
  services: ReadonlyMap<string, readonly TypedRelease[]>;
  health: Health;
  /** Answers so far: ids by position move with each, as later notices push earlier ones down. */
  answers: number;
}

/** The type that a service answers where none is asked for. */
export const DEFAULT_TYPE = '2';
const MONTH = /^(0[1-9]|1[0-2])-(\d{4})$/;
/** What Sell2Wales said in its title all through 2026. */
const FAULT = '<html><head><title>Error converting data type nvarchar to float.</title></head><body></body></html>';

/** The services over their releases. */
export function makeGrids(byMonth: ReadonlyMap<string, Iterable<TypedRelease>>): Grids {
  const services = [...byMonth].map(([folder, releases]) => [folder, [...releases]] as const);
  return { services: new Map(services), health: 'well', answers: 0 };
}

/** Answers `/<folder>/v1/Notices` and `/v1/Notice`, or null where the path is neither. */
export function answerByMonth(grids: Grids, { url, nowMs }: Asked): Reply | null {
  const [, folder = '', path] = /^\/([a-z0-9-]+)\/v1\/(Notices?)$/.exec(url.pathname) ?? [];
  if (!path) return null;
  const releases = grids.services.get(folder) ?? [];
  const query = url.searchParams;
  const found =
    path === 'Notice'
      ? releases.filter(({ release }) => release.ocid === query.get('id'))
      : inCell(releases, readMonth(query.get('dateFrom'), nowMs), query.get('noticeType') ?? DEFAULT_TYPE);
  const isFailing = grids.health === 'broken' || (grids.health === 'half_broken' && found.length > 0);
  if (isFailing) return html(FAULT, 500);
  grids.answers += 1;
  const served = grids.health === 'empty' ? [] : found;
  return text(json(packageOf(url.href, served, { nowMs, shift: grids.answers })));
}

/** A month that cannot be read is ignored: the current one is meant. */
function readMonth(given: string | null, nowMs: number): string {
  const [, month, year] = MONTH.exec(given ?? '') ?? [];
  return month && year ? `${year}-${month}` : londonTime(new Date(nowMs)).slice(0, 7);
}

function inCell(releases: readonly TypedRelease[], month: string, type: string): TypedRelease[] {
  return releases
    .filter((one) => one.type === type && londonTime(one.publishedAt).startsWith(month))
    .toSorted((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime());
}

/** Newest first. Without releases the answer has no such member. */
function packageOf(uri: string, releases: readonly TypedRelease[], at: { nowMs: number; shift: number }): Buffer {
  const head = {
    uri,
    version: '1.1',
    // The time of asking, to seven digits.
    publishedDate: `${new Date(at.nowMs + at.shift).toISOString().slice(0, 19)}.${String(at.shift).padStart(7, '0')}Z`,
  };
  const tail = {
    publisher: { name: 'An invented government' },
    extensions: ['https://standard.open-contracting.org/profiles/eu/master/en/extension.json'],
    license: 'https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/',
  };
  const listed = releases.length === 0 ? {} : { releases: moveIds(releases, at.shift) };
  return Buffer.from(JSON.stringify({ ...head, ...listed, ...tail }));
}

/** Ids by position: `rls-<n>-…` counts releases, `org-<n>` counts parties, both through the whole answer. */
function moveIds(releases: readonly TypedRelease[], shift: number): Json[] {
  let parties = shift % 7;
  return releases.map(({ release, raw }, index) => {
    const own = raw ?? JSON.stringify(release);
    const ids = [...new Set(own.match(/"org-\d+"/g) ?? [])];
    const moved = new Map(ids.map((id) => [id, `"org-${++parties}"`]));
    const text = own.replace(/"org-\d+"/g, (id) => moved.get(id) ?? id);
    return JSON.parse(text.replace(/"rls-\d+-/g, `"rls-${index + 1 + (shift % 5)}-`)) as Json;
  });
}

/** The services call their JSON so. */
function text(reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, 'content-type': 'text/json; charset=utf-8' } };
}
