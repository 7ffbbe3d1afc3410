import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileOcid } from '../../../ingest/compile/ocid.ts';
import { readOcdsPage } from '../../../ingest/parse/page.ts';
import type { CellsSource } from '../../../ingest/source.ts';
import { publicContractsScotland } from '../../../ingest/sources/public-contracts-scotland.ts';
import { sell2wales } from '../../../ingest/sources/sell2wales.ts';
import { ROOT } from '../../support/source-files.ts';
import type { Json } from '../../upstream/data.ts';
import { makeScottish, ocidOf } from '../crawl/cells/releases.ts';

const CELL = { month: '2026-11', type: '2' };

function read(source: CellsSource, releases: Json[], type = CELL.type) {
  const url = source.cellUrl('https://example.org', { ...CELL, type });
  const bytes = Buffer.from(JSON.stringify({ version: '1.1', releases }));
  return readOcdsPage(bytes, { source: source.id, url, adapt: source.adapt });
}
const readScottish = (releases: Json[], type?: string) => read(publicContractsScotland, releases, type);
/** A notice of a direct award, the `n`th of the family 1. */
function awarded(n: number, { id, signed }: { id?: string | undefined; signed: string }): Json {
  const { parties, ...release } = makeScottish(n, { day: `2026-11-0${n + 2}`, family: 1, tag: 'award' }).release;
  const supplier = { id: 'org-3', name: 'Acme Lifts Ltd' };
  return {
    ...release,
    parties: [...(parties as Json[]), { ...supplier, roles: ['supplier'] }],
    awards: [{ id, status: 'active', suppliers: [supplier], relatedLots: ['1'] }],
    contracts: [
      {
        id,
        awardID: id,
        status: 'active',
        value: { amount: 90_000, currency: 'GBP' },
        dateSigned: `${signed}T00:00:00Z`,
      },
    ],
  };
}
const compile = (page: ReturnType<typeof read>) =>
  page.releases.flatMap((release) => compileOcid(release.ocid, [{ ...release, fetchedAt: '2026-11-20T00:00:00Z' }]));

describe('a release of a service that counts ids through its answer', () => {
  it('is the same in every place, and when it is adapted twice', () => {
    const { release } = makeScottish(1, { day: '2026-07-03' });
    const moved = JSON.parse(
      JSON.stringify(release)
        .replaceAll('rls-1-', 'rls-57-')
        .replaceAll('"org-1"', '"org-91"')
        .replaceAll('"org-2"', '"org-92"'),
    ) as Json;
    const [first, second] = [release, moved].map((one) => readScottish([one]).releases[0]);
    expect(first?.releaseId).toBe('PCS-SEP500001');
    expect(second?.digest).toBe(first?.digest);
    expect(readScottish([first?.json ?? {}]).releases[0]?.digest).toBe(first?.digest);
  });

  it('is the same in every place, also where the ids of its parties have spaces around them', () => {
    const spaced = (n: number) => {
      const { buyer, ...release } = makeScottish(1, { day: '2026-07-03' }).release;
      const text = JSON.stringify(release).replaceAll('"org-1"', `" org-${n} "`);
      return { ...JSON.parse(text), buyer: { ...(buyer as Json), id: `org-${n}` } } as Json;
    };
    const [first, second] = [1, 91].map((n) => readScottish([spaced(n)]));
    expect(second?.releases[0]?.digest).toBe(first?.releases[0]?.digest);
    expect(first && compile(first)[0]?.parties).toMatchObject([{ role: 'buyer', sighting: { postcode: 'PH1 5AB' } }]);
  });

  it.each([
    ['its text does not say its number', { id: 'ocds-r6ebe6-0000700001-release-700001', description: 'Gritting' }],
    ['its first document is another notice', { id: 'rls-1-SEP500009' }],
  ])('keeps its names when it is adapted twice, also where %s', (_, more) => {
    const [first] = readScottish([{ ...makeScottish(1, { day: '2026-07-03' }).release, ...more }]).releases;
    expect(readScottish([first?.json ?? {}]).releases[0]?.json.x_noticeNames).toEqual(first?.json.x_noticeNames);
    expect(readScottish([first?.json ?? {}]).releases[0]?.digest).toBe(first?.digest);
  });

  it('is dated by London, whose wall clock its Z means', () => {
    const [summer] = compile(
      readScottish([
        makeScottish(1, { day: '2026-07-03', tender: { tenderPeriod: { endDate: '2026-07-31T12:00:00Z' } } }).release,
      ]),
    );
    expect(summer?.notices[0]).toMatchObject({
      published: '2026-07-03',
      deadline: '2026-07-31',
      deadlineAt: '2026-07-31T11:00:00Z',
    });
    const [winter] = compile(readScottish([makeScottish(2, { day: '2026-11-03' }).release]));
    expect(winter?.notices[0]).toMatchObject({ published: '2026-11-03', deadlineAt: '2026-12-18T12:00:00Z' });
  });

  it.each([
    ['2026-07-31T24:00:00Z', '2026-07-31T22:59:59Z'],
    ['2026-12-31T24:00:00Z', '2026-12-31T23:59:59Z'],
    ['2026-07-31 12:00:00Z', '2026-07-31T11:00:00Z'],
    ['2026-07-31t12:00:00z', '2026-07-31T11:00:00Z'],
    ['31/07/2026 12:00:00Z', '2026-07-31T11:00:00Z'],
    ['31.07.2026 12:00Z', '2026-07-31T11:00:00Z'],
    ['31/7/2026 12:00:00Z', '2026-07-31T11:00:00Z'],
    ['31 July 2026 12:00 Z', '2026-07-31T11:00:00Z'],
    ['1 December 2026 12:00Z', '2026-12-01T12:00:00Z'],
    [' 2026-07-31T12:00:00Z\r\n', '2026-07-31T11:00:00Z'],
    ['\u00a02026-07-31T12:00:00Z', '2026-07-31T11:00:00Z'],
  ])('is dated by London however its clock is spelt: %s', (endDate, deadlineAt) => {
    const { release } = makeScottish(1, { day: '2026-07-03', tender: { tenderPeriod: { endDate } } });
    expect(compile(readScottish([release]))[0]?.notices).toMatchObject([{ deadlineAt }]);
  });

  it('has its page, and every code of its items and its classification', () => {
    const [process] = compile(readScottish([makeScottish(1, { day: '2026-11-03' }).release]));
    expect(process?.notices[0]).toMatchObject({
      noticeId: 'PCS-SEP500001',
      url: 'https://www.publiccontractsscotland.gov.uk/search/show/search_view.aspx?ID=SEP500001',
      cpvs: ['77314000', '77310000'],
      regions: [{ code: 'UKM77' }],
    });
  });

  it.each([
    ['2', 'tender', 'tender', 'tender'],
    ['103', 'award', 'award', 'award'],
    ['101', 'planning', 'planning', 'planning'],
    ['14', 'tender', 'tenderUpdate', 'tender'],
    ['15', 'tender', 'award', 'award'],
    ['20', 'award', 'contractAmendment', 'change'],
    ['21', 'award', 'award', 'award'],
    ['21', 'planning', 'planning', 'planning'],
  ])('of type %s tagged %s is a notice of type %s in stage %s', (type, tag, noticeType, stage) => {
    const [process] = compile(readScottish([makeScottish(1, { day: '2026-11-03', type, tag }).release], type));
    expect(process?.notices[0]).toMatchObject({ noticeType, stage });
  });

  it.each([
    ['without a number', undefined],
    ['under another number', 'Intent 1'],
    ['under the same number', 'Proc-26-1'],
  ])('of an intended direct award %s is no contract, and its award counts once', (_, id) => {
    const intended = awarded(1, { id, signed: '2026-11-02' });
    const [alone] = compile(readScottish([intended], '15'));
    expect([alone?.status, alone?.contracts]).toEqual(['planned', []]);
    expect(alone?.notices).toMatchObject([{ noticeType: 'award', supplierParties: [expect.any(String)] }]);
    const award = readScottish([awarded(2, { id: 'Proc-26-1', signed: '2026-11-16' })], '3');
    const releases = [...readScottish([intended], '15').releases, ...award.releases];
    const both = compileOcid(
      ocidOf(1),
      releases.map((release) => ({ ...release, fetchedAt: '2026-11-20T00:00:00Z' })),
    );
    expect(both.map(({ status }) => status)).toEqual(['awarded']);
    expect(both.flatMap(({ contracts }) => contracts)).toMatchObject([{ value: 90_000, signed: '2026-11-16' }]);
  });

  it('of an intended direct award that came to nothing says so', () => {
    const { awards, ...release } = awarded(1, { signed: '2026-11-02' });
    const lost = (awards as Json[]).map((award) => ({ ...award, status: 'unsuccessful' }));
    expect(compile(readScottish([{ ...release, awards: lost }], '15'))[0]?.status).toBe('unsuccessful');
  });

  it('counts a tag that nobody has mapped', () => {
    expect(readScottish([makeScottish(1, { day: '2026-11-03', tag: 'somethingNew' }).release]).unknown).toEqual([
      { field: 'tag', value: 'somethingNew' },
    ]);
  });

  it('is known by its page where it has no id, and by the last number in its text', () => {
    const { id: _none, ...release } = makeScottish(1, { day: '2026-11-03' }).release;
    const description = 'It follows (SC Ref:700555), see there.\r\n (SC Ref:700001)';
    expect(readScottish([{ ...release, description }]).releases[0]?.json).toMatchObject({
      id: 'PCS-SEP500001',
      x_noticeNames: ['PCS-SEP500001', 'PCS-700001'],
    });
    const bare = { ...release, tender: { title: 'No documents' }, description: 'No number' };
    expect(readScottish([bare]).quarantined).toMatchObject([{ reason: 'the release has no id' }]);
  });
});

const RECORDINGS = join(ROOT, '../shared/devolved');
const recorded = (path: string) =>
  (JSON.parse(readFileSync(join(RECORDINGS, path), 'utf8')) as { releases: Json[] }).releases;

describe.skipIf(!existsSync(RECORDINGS))('genuine recordings', () => {
  it.each([
    [publicContractsScotland, 'public-contracts-scotland/pcs-2021-09-type2.json', '2', 50],
    [publicContractsScotland, 'public-contracts-scotland/pcs-2026-09-type102.json', '102', 3],
    [sell2wales, 'sell2wales/s2w-part-A-10.json', '2', 10],
  ])('of %o are read with nothing left unexplained (%s)', (source, path, type, count) => {
    const page = read(source, recorded(path), type);
    expect(page.releases).toHaveLength(count);
    expect(page.quarantined).toEqual([]);
    expect(page.unknown).toEqual([]);
    for (const { releaseId, json } of page.releases) {
      expect(releaseId).toMatch(source.notices.id);
      expect(json.x_noticeNames).toHaveLength(2);
      expect(JSON.stringify(json)).not.toMatch(/"contactPoint"|"org-\d+"|T\d\d:\d\d:\d\dZ"/);
    }
    const notices = compile(page).flatMap((process) => process.notices);
    expect(
      notices.every(({ url, buyerParty, stage, deadlineAt }) => url && buyerParty && stage === 'tender' && deadlineAt),
    ).toBe(true);
    expect(notices.filter(({ cpvs }) => cpvs.length === 0)).toEqual([]);
  });
});
