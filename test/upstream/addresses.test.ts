import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { REGISTER_COLUMNS } from './data.ts';
import { ask } from './fetch-package.ts';
import { makeSample } from './sample/make.ts';
import { startUpstream, type Upstream } from './server.ts';

const sample = makeSample({ notices: 900 });
const cf = [...sample.contractsFinder];
let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream({ data: sample, bulkParts: 3 });
});
afterAll(() => upstream.close());

const search = (query: string) => ask(`${upstream.url}/Published/Notices/OCDS/Search?${query}`);

describe('Contracts Finder', () => {
  it('walks the search by cursor to the end, ignoring what it does not know', async () => {
    const found: string[] = [];
    let page = await search('publishedFrom=2025-01-01T00:00:00Z&publishedTo=2026-11-20T09:00:00Z&limit=40&colour=blue');
    for (;;) {
      found.push(...page.releases.map(({ id }) => id));
      if (!page.next) break;
      page = await ask(page.next);
    }
    expect(found.toSorted()).toEqual(cf.map(({ release }) => String(release.id)).toSorted());
  });

  it('selects inclusively, in any zone', async () => {
    const at = cf[5]?.publishedAt.toISOString() ?? '';
    const { releases } = await search(`publishedFrom=${at}&publishedTo=${at}`);
    expect(releases.map(({ id }) => id)).toContain(cf[5]?.release.id);
  });

  it('sends some bytes that are not UTF-8', async () => {
    const { bytes } = await search('limit=100');
    const stray = cf.find(({ latin1 }) => latin1);
    const one = await ask(`${upstream.url}/Published/OCDS/Release/${stray?.release.id}`);
    expect(bytes.length).toBeGreaterThan(1000);
    expect(one.bytes.includes(0xe9)).toBe(true);
    expect(one.text).toContain('\uFFFD');
  });

  it('gives a release, a record and a day', async () => {
    const release = cf[0]?.release;
    expect((await ask(`${upstream.url}/Published/OCDS/Release/${release?.id}`)).releases).toHaveLength(1);
    const record = JSON.parse((await ask(`${upstream.url}/Published/OCDS/Record/${release?.ocid}`)).text);
    expect(record.records[0].ocid).toBe(release?.ocid);
    expect((await ask(`${upstream.url}/Published/OCDS/Record/ocds-b5fd17-none`)).status).toBe(404);
    const [year, month, day] = (cf[0]?.publishedAt.toISOString() ?? '').slice(0, 10).split('-').map(Number);
    const csv = await ask(`${upstream.url}/Harvester/Notices/Data/CSV/${year}/${month}/${day}`);
    expect(csv.text.split('\r\n')[0]).toContain('releases/0/tender/title');
  });
});

describe('Companies House', () => {
  const [number = ''] = [...sample.profiles.keys()];
  const basic = { authorization: `Basic ${Buffer.from('a-key:').toString('base64')}` };

  it('answers a profile to a key, 401 without and 404 for an unknown number', async () => {
    expect((await ask(`${upstream.url}/company/${number}`)).status).toBe(401);
    expect((await ask(`${upstream.url}/company/${number}`, basic)).text).toContain('"company_name"');
    expect((await ask(`${upstream.url}/company/00000000`, basic)).status).toBe(404);
  });

  it('lists its parts, whose rows together are the register as published', async () => {
    const page = await ask(`${upstream.url}/en_output.html`);
    const names = [...page.text.matchAll(/href="(BasicCompanyData-[^"]+part\d_\d\.zip)"/g)].map(
      (match) => match[1] ?? '',
    );
    expect(names).toHaveLength(3);
    expect(names[0]).toBe('BasicCompanyData-2026-11-01-part1_3.zip');
    const rows = (await Promise.all(names.map(readPart))).flat();
    expect(rows.map((row) => row[' CompanyNumber']).toSorted()).toEqual([...sample.profiles.keys()].toSorted());
    expect(Object.keys(rows[0] ?? {})).toHaveLength(55);
    expect(Object.keys(rows[0] ?? {}).map((name) => name.trim())).toEqual([...REGISTER_COLUMNS]);
    expect(rows[0]?.IncorporationDate).toMatch(/^\d{2}\/\d{2}\/\d{4}$/);
  });

  async function readPart(name: string): Promise<Record<string, string>[]> {
    const zip = await fromBufferPromise((await ask(`${upstream.url}/${name}`)).bytes, { lazyEntries: true });
    const chunks: Buffer[] = [];
    for await (const entry of zip.eachEntry())
      for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    expect(text.split('\r\n')[1]).toMatch(/^"[^"]*","[^"]*",/);
    return parse(text, { columns: true });
  }
});

describe('addresses of no service', () => {
  it('are 404', async () => {
    expect((await ask(`${upstream.url}/nowhere`)).status).toBe(404);
  });
});
