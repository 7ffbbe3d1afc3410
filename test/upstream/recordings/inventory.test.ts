import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { releaseBytes } from '../data.ts';
import { ask } from '../fetch-package.ts';
import { startUpstream } from '../server.ts';
import { haveRecordings, RECORDINGS, readKnownRecordings } from './known.ts';
import { type RecordedData, readRecordings } from './read-folder.ts';

const present = haveRecordings('the recordings of the three services');

describe.skipIf(!present)('the genuine recordings', () => {
  let data: RecordedData;
  beforeAll(async () => {
    data = await readKnownRecordings();
  });
  const filesOf = (shape: string) => data.report.filter((each) => each.shape === shape);

  it('are all accounted for, each taken or refused by the name of its shape', () => {
    expect(data.report.filter(({ shape }) => shape === 'unreadable')).toEqual([]);
    for (const { releases, rows, profiles, refused, file } of data.report)
      expect(releases + rows + profiles > 0, file).toBe(refused === undefined);
    const refused = data.report.filter((each) => each.refused !== undefined).map(({ shape }) => shape);
    expect(new Set(refused)).toEqual(
      new Set([
        'Companies House charges',
        'Companies House filing history',
        'Companies House insolvency',
        'Companies House search answer',
        'Contracts Finder harvester CSV',
        'Contracts Finder search export CSV',
        'Contracts Finder REST v2 notice',
        'Contracts Finder REST v2 search answer',
      ]),
    );
  });

  it('hold the counts of the inventory', () => {
    const releases = (shape: string) => filesOf(shape).reduce((sum, each) => sum + each.releases, 0);
    expect(releases('Contracts Finder release package')).toBe(310);
    expect(releases('Contracts Finder release package, 2017 shape')).toBe(140);
    expect(releases('Contracts Finder release package, OCDS 1.0')).toBe(100);
    expect(releases('Find a Tender release package')).toBe(37);
    expect(releases('record package')).toBe(1);
    expect(data.report.reduce((sum, { rows }) => sum + rows, 0)).toBe(4537 + 31 + 23);
    expect([...data.findATender]).toHaveLength(38);
    expect(data.profiles.size).toBe(1);
  });

  it('are looked at while tenders are live', () => {
    const live = [...data.findATender, ...data.contractsFinder].filter(({ release, publishedAt }) => {
      const tender = release.tender as { status?: string; tenderPeriod?: { endDate?: string } };
      return (
        tender.status === 'active' &&
        publishedAt <= data.asOf &&
        Date.parse(tender.tenderPeriod?.endDate ?? '') > data.asOf.getTime()
      );
    });
    expect(live.length).toBeGreaterThanOrEqual(3);
  });

  it('are served through the same addresses with their bytes untouched', async () => {
    const upstream = await startUpstream({ data });
    const page = await fetch(
      `${upstream.url}/api/1.0/ocdsReleasePackages?updatedFrom=2026-05-20T00:00:00&updatedTo=2026-05-31T00:00:00`,
    );
    expect(await page.text()).toMatch(/"maximumLotsBidPerSupplier":\s*Infinity/);
    const { releases } = await ask(
      `${upstream.url}/Published/Notices/OCDS/Search?publishedFrom=2014-12-01T00:00:00Z&publishedTo=2014-12-31T00:00:00Z`,
    );
    expect(releases.length).toBeGreaterThan(10);
    await upstream.close();
    const original = await readFile(join(RECORDINGS, 'find-a-tender/notices/083650-2026.json'), 'utf8');
    const kept = [...data.findATender].find(({ release }) => release.id === '083650-2026');
    expect(original).toContain(kept ? releaseBytes(kept).toString('utf8') : 'absent');
  });

  it('take an instant that is given', async () => {
    const asOf = new Date('2026-05-30T00:00:00Z');
    expect((await readRecordings(join(RECORDINGS, 'find-a-tender'), { asOf })).asOf).toEqual(asOf);
  });
});

describe('reading by content', () => {
  it('does not look at names, and says what a broken file is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recordings-'));
    const page =
      '{"uri":"u","releases":[{"ocid":"ocds-h6vhtk-a1","id":"700001-2026","date":"2026-01-02T12:00:00Z","parties":[],"language":"en","tender":{"title":"at 12:00:00","lotDetails":{"maximumLotsBidPerSupplier": Infinity},"value":{"amount": 000,"currency":"GBP"}}}]}';
    await writeFile(join(folder, 'picture.png'), gzipSync(page));
    await writeFile(join(folder, 'cut.json'), page.slice(0, 90));
    await writeFile(join(folder, 'rows.json'), 'CompanyName, CompanyNumber,X\r\n"A ""B"" LTD","99000001",""\r\n');
    const data = await readRecordings(folder);
    const [release] = [...data.findATender];
    expect(release?.release.tender).toMatchObject({ title: 'at 12:00:00' });
    expect(release?.raw).toContain('": Infinity');
    expect([...data.bulk]).toMatchObject([{ CompanyName: 'A "B" LTD', CompanyNumber: '99000001' }]);
    expect(data.report.map(({ file, shape }) => [file, shape])).toEqual([
      ['cut.json', 'unreadable'],
      ['picture.png', 'Find a Tender release package'],
      ['rows.json', 'Companies House basic company data'],
    ]);
    await rm(folder, { recursive: true });
  });

  it('serves what the Scottish and the Welsh service published by month and type, as theirs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'recordings-'));
    const scottish = {
      uri: 'https://scotland.example/v1/Notices?dateFrom=09-2026&noticeType=102&outputType=0',
      releases: [{ ocid: 'ocds-r6ebe6-0000000001', id: 'rls-1-SEP000001', date: '2026-09-18T00:00:00Z', tender: {} }],
    };
    const welsh = {
      releases: [{ ocid: 'ocds-kuma6s-1', id: 'ocds-kuma6s-1-release-1', date: '2026-09-01T00:00:00Z', tender: {} }],
    };
    await writeFile(join(folder, 'a.json'), JSON.stringify(scottish));
    await writeFile(join(folder, 'b.json'), JSON.stringify(welsh));
    const data = await readRecordings(folder);
    expect([...data.contractsFinder]).toEqual([]);
    expect(data.report.map(({ shape, releases }) => [shape, releases])).toEqual([
      ['release package of public-contracts-scotland', 1],
      ['release package of sell2wales', 1],
    ]);
    const upstream = await startUpstream({ data });
    const served = async (path: string) => {
      const { releases } = await ask(`${upstream.url}/${path}&dateFrom=09-2026`);
      return releases.map(({ ocid }) => ocid);
    };
    expect(await served('public-contracts-scotland/v1/Notices?noticeType=102')).toEqual(['ocds-r6ebe6-0000000001']);
    // Without the address that was asked, the type is the one that a service answers unasked.
    expect(await served('sell2wales/v1/Notices?noticeType=2')).toEqual(['ocds-kuma6s-1']);
    await upstream.close();
    await rm(folder, { recursive: true });
  });
});
