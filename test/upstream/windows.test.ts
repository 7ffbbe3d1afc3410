import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { londonTime } from '../../schema/clocks.ts';
import { ask } from './ask.ts';
import type { PublishedRelease } from './data.ts';
import { makeSample } from './sample.ts';
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

  it('end at the held now where no end is given', async () => {
    expect((await fts('updatedFrom=2026-07-01T14:10:00')).releases).toHaveLength(5);
  });

  it('lose rows at the cursor, and lose none when a full window is split', async () => {
    const day: [string, string] = ['2026-07-01T00:00:00', '2026-07-01T23:59:59'];
    const walked = new Set<string>();
    let page = await window(...day);
    expect(page.releases).toHaveLength(100);
    for (;;) {
      for (const { id } of page.releases) walked.add(id);
      if (!page.next) break;
      page = await ask(page.next);
    }
    expect(walked.size).toBeLessThan(160);
    expect(page.releases.length).toBeLessThan(100);

    const split = new Set<string>();
    const halve = async (fromMs: number, toMs: number): Promise<void> => {
      const { releases } = await window(londonTime(new Date(fromMs)), londonTime(new Date(toMs)));
      const middle = Math.floor((fromMs + toMs) / 2000) * 1000;
      if (releases.length < 100) for (const { id } of releases) split.add(id);
      else await Promise.all([halve(fromMs, middle), halve(middle + 1000, toMs)]);
    };
    await halve(Date.parse('2026-06-30T23:00:00Z'), Date.parse('2026-07-01T22:59:59Z'));
    expect(split.size).toBe(160);
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
