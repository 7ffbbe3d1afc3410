import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { londonTime } from '../../schema/config/clocks.ts';
import type { PublishedRelease } from './data.ts';
import { ask } from './fetch-package.ts';
import { makeSample } from './sample/make.ts';
import { startUpstream, type Upstream } from './server.ts';

const base = makeSample({ notices: 40 });
/** A busy day in summer: 160 notices, one every two minutes from 09:00 UK time. */
const busy: PublishedRelease[] = Array.from({ length: 160 }, (_, index) => ({
  release: {
    ocid: `ocds-h6vhtk-aa${index}`,
    id: `${600_000 + index}-2026`,
    tag: ['tender'],
    date: '2026-07-01T09:00:00+01:00',
  },
  publishedAt: new Date(Date.parse('2026-07-01T08:00:00Z') + index * 120_000),
}));
let upstream: Upstream;
const fts = (query: string) => ask(`${upstream.url}/api/1.0/ocdsReleasePackages?${query}`);
const window = (from: string, to: string, more = '') => fts(`updatedFrom=${from}&updatedTo=${to}${more}`);

beforeAll(async () => {
  upstream = await startUpstream({ data: { ...base, findATender: busy } });
});
afterAll(() => upstream.close());

describe('windows of Find a Tender', () => {
  it('are UK wall-clock time and inclusive to the second at both ends', async () => {
    const { releases } = await window('2026-07-01T09:00:00', '2026-07-01T09:02:00');
    expect(releases.map(({ id }) => id)).toEqual(['600001-2026', '600000-2026']);
    expect((await window('2026-07-01T09:00:01', '2026-07-01T09:01:59')).releases).toEqual([]);
    expect((await window('2026-07-01T09:00:00Z', '2026-07-01T09:02:00Z')).releases).toHaveLength(2);
  });

  it('refuse equal ends, unknown names, bad limits and bad times with 400 and JSON', async () => {
    const from = 'updatedFrom=2026-07-01T09:00:00';
    for (const query of [
      `${from}&updatedTo=2026-07-01T09:00:00`,
      'publishedFrom=2026-07-01',
      'limit=0',
      'limit=101',
      'updatedFrom=2026-07-01',
      'cursor=zzz',
    ]) {
      const { status, text } = await fts(query);
      expect(status, query).toBe(400);
      expect(JSON.parse(text)).toMatchObject({ status: 400, path: '/api/1.0/ocdsReleasePackages' });
    }
  });

  it('end at the fixed present where no end is given', async () => {
    expect((await fts('updatedFrom=2026-07-01T14:10:00')).releases).toHaveLength(5);
  });

  it('find only a few of a stage', async () => {
    const { releases } = await window('2026-07-01T00:00:00', '2026-07-01T23:59:59', '&stages=tender');
    expect(releases.length).toBeLessThan(40);
  });

  it('give one notice by its number and all of a process by its ocid', async () => {
    const path = `${upstream.url}/api/1.0/ocdsReleasePackages`;
    expect((await ask(`${path}/600007-2026`)).releases).toHaveLength(1);
    expect((await ask(`${path}/ocds-h6vhtk-aa7`)).releases).toHaveLength(1);
    expect((await ask(`${path}/999999-2026`)).status).toBe(404);
    const record = JSON.parse((await ask(`${upstream.url}/api/1.0/ocdsRecordPackages/ocds-h6vhtk-aa7`)).text);
    expect(record.records[0].releases).toHaveLength(1);
  });

  it('carry the package header', async () => {
    const { text } = await window('2026-07-01T09:00:00', '2026-07-01T09:02:00');
    const { releases: _releases, ...header } = JSON.parse(text);
    expect(Object.keys(header)).toEqual([
      'uri',
      'version',
      'extensions',
      'publishedDate',
      'publisher',
      'license',
      'publicationPolicy',
    ]);
    expect(header.extensions).toHaveLength(10);
  });
});

describe('a busy day of 160 notices', () => {
  const all = busy.map(({ release }) => String(release.id)).sort();

  /** What every client does that follows `links.next` to the page that has none. */
  async function followCursor(): Promise<{ pages: string[][] }> {
    const pages: string[][] = [];
    let page = await window('2026-07-01T00:00:00', '2026-07-01T23:59:59');
    for (;;) {
      pages.push(page.releases.map(({ id }) => id));
      if (!page.next) return { pages };
      page = await ask(page.next);
    }
  }

  /** Each span without a cursor; a full one in two halves. */
  async function split(fromMs: number, toMs: number): Promise<string[]> {
    const { releases } = await window(londonTime(new Date(fromMs)), londonTime(new Date(toMs)));
    if (releases.length < 100) return releases.map(({ id }) => id);
    const middle = Math.floor((fromMs + toMs) / 2000) * 1000;
    return (await Promise.all([split(fromMs, middle), split(middle + 1000, toMs)])).flat();
  }

  it('is not had by its cursor: notices are lost between two pages, and nothing says so', async () => {
    const { pages } = await followCursor();
    const [first = [], second = []] = pages;
    expect(pages.map((page) => page.length)).toEqual([100, second.length]);
    // The last page is short and has no next link, like any honest last page.
    expect(second.length).toBeLessThan(60);
    const lost = all.filter((id) => !first.includes(id) && !second.includes(id));
    expect(lost.length).toBeGreaterThan(0);
    // Each of them is there, and served when it is requested by its number.
    for (const id of lost.slice(0, 3)) {
      expect((await ask(`${upstream.url}/api/1.0/ocdsReleasePackages/${id}`)).releases).toHaveLength(1);
    }
  });

  it('is had whole by splitting full windows', async () => {
    const ids = await split(Date.parse('2026-06-30T23:00:00Z'), Date.parse('2026-07-01T22:59:59Z'));
    expect([...new Set(ids)].sort()).toEqual(all);
  });
});
