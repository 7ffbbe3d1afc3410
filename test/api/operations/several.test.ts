import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bulkExport } from '../../../api/operations/exports/bulk.ts';
import { effectiveFilters, sayFilters } from '../../../api/operations/filters/apply.ts';
import { findUnknownFilters } from '../../../api/operations/filters/known.ts';
import { searchNotices } from '../../../api/operations/search/notices.ts';
import { cpvBranch } from '../../../schema/reference/cpv.ts';
import itl2025 from '../../../schema/reference/itl-2025.json' with { type: 'json' };
import { codesOfRegionName, listRegions } from '../../../schema/reference/regions.ts';
import { splitRegions, storedRegions } from '../../../search/filters/shapes.ts';
import { ask, openIndexes, openRoom, type Room } from '../../support/catalogue-services.ts';
import { knownOperations } from '../../support/known-operations.ts';
import { noticeRow, processRow, seed } from '../../support/seed.ts';
import { countTokens } from '../tokens.ts';

let room: Room;
beforeAll(async () => {
  room = await openRoom();
  const { catalogue } = room.services;
  const rows = [
    ['1', { cpvs: ['45210000'], stage: 'tender', notice_type: 'UK4', regions: [{ code: 'UKI3', name: 'London' }] }],
    [
      '2',
      {
        cpvs: ['71000000'],
        stage: 'award',
        notice_type: 'UK6',
        regions: [{ code: 'UKK11', name: 'Bristol, City of' }],
      },
    ],
    [
      '3',
      {
        cpvs: ['90910000'],
        stage: 'planning',
        notice_type: 'UK2',
        regions: [{ code: 'UKM82', name: 'Glasgow City' }],
        source: 'contracts_finder',
      },
    ],
  ] as const;
  await seed(
    catalogue,
    ...rows.flatMap(([number, fields]) => [
      processRow(`ocds-h6vhtk-00000${number}`),
      noticeRow(number, `ocds-h6vhtk-00000${number}`, fields),
    ]),
  );
  await openIndexes(room);
});
afterAll(async () => {
  await room.services.search.close();
  await room.close();
});

describe('one of several values that is nowhere', () => {
  it.each([
    [{ cpv: '45,98,99' }, 'cpv', 'no CPV code begins with 99'],
    [{ region: 'London,Nowhere' }, 'region', 'no region is known as Nowhere'],
    [{ region: 'London,constructor' }, 'region', 'no region is known as constructor'],
  ])('is named where the others find something: %j', async (given, input, message) => {
    const { total, meta } = (await ask(room, searchNotices, given)).body;
    expect([total, meta.unknown_filters?.map((one) => [one.input, one.message.split(';')[0]])]).toEqual([
      1,
      [[input, message]],
    ]);
  });
});

describe('many values that are nowhere', () => {
  it('are named in few words: codes in one line, and only the first regions with what is near', async () => {
    const region = Array.from({ length: 19 }, (_, at) => `Nowhere ${at}`);
    const cpv = ['45', ...Array.from({ length: 19 }, (_, at) => `99${at + 10}`)];
    const unknown = (await findUnknownFilters(room.services.catalogue, { region, cpv }, { found: true })) ?? [];
    expect(unknown.filter(({ input }) => input === 'cpv').map(({ message }) => message.slice(0, 40))).toEqual([
      'no CPV code begins with 9910 or 9911 or ',
    ]);
    expect(unknown.filter(({ input }) => input === 'region')).toHaveLength(19);
    expect(unknown.filter(({ candidates }) => candidates)).toHaveLength(5);
    expect(countTokens(unknown)).toBeLessThan(1_500);
  });
});

describe('a CPV code', () => {
  it.each([
    ['45000000', '45'],
    ['45000000-7', '45'],
    ['45', '45'],
    ['45210000-2', '4521'],
    ['4521', '4521'],
    ['03000000-1', '03'],
    ['90911200', '909112'],
  ])('%s stands for the branch %s', (code, branch) => {
    expect(cpvBranch(code)).toBe(branch);
  });
});

const FILTERS: [Record<string, string>, string[], Record<string, string>][] = [
  [{ cpv: '45' }, ['1'], { cpv: '45' }],
  [{ cpv: '45000000' }, ['1'], { cpv: '45' }],
  [{ cpv: '45000000-7' }, ['1'], { cpv: '45' }],
  [{ cpv: '45,71' }, ['1', '2'], { cpv: '45,71' }],
  [{ cpv: ' 45000000-7 , 71000000,45 ' }, ['1', '2'], { cpv: '45,71' }],
  [{ stage: 'award,planning' }, ['2', '3'], { stage: 'award,planning' }],
  [{ notice_type: 'UK4, UK6' }, ['1', '2'], { notice_type: 'UK4,UK6' }],
  [{ source: 'find_a_tender,contracts_finder' }, ['1', '2', '3'], { source: 'find_a_tender,contracts_finder' }],
  [{ source: 'contracts_finder', cpv: '90,45' }, ['3'], { source: 'contracts_finder', cpv: '90,45' }],
  [{ region: 'London,TLK' }, ['1', '2'], { region: 'UKI,UKK' }],
  [{ region: 'London, Bristol, City of' }, ['1', '2'], { region: 'UKI,Bristol, City of,UKK11,UKK51' }],
  [{ region: 'Bristol, City of' }, ['2'], { region: 'Bristol, City of,UKK11,UKK51' }],
  [{ region: 'the London, bristol' }, ['1', '2'], { region: 'UKI,Bristol, City of,UKK11,UKK51' }],
  [{ region: 'Greater London' }, ['1'], { region: 'UKI' }],
  [{ region: 'South West England' }, ['2'], { region: 'UKK' }],
  [{ region: 'West Central Scotland' }, ['3'], { region: 'West Central Scotland,UKM8,UKM3' }],
  [{ region: 'england' }, ['1', '2'], { region: 'england,UKC,UKD,UKE,UKF,UKG,UKH,UKI,UKJ,UKK' }],
  [{ region: 'TLM, England' }, ['1', '2', '3'], { region: 'UKM,England,UKC,UKD,UKE,UKF,UKG,UKH,UKI,UKJ,UKK' }],
  // Formed in 2025: notices still have the codes of before.
  [{ region: 'West of England' }, ['2'], { region: 'UKK5,UKK11,UKK12' }],
  [{ region: 'TLK5' }, ['2'], { region: 'UKK5,UKK11,UKK12' }],
  [{ region: 'TLM3' }, ['3'], { region: 'UKM3,UKM8' }],
  [{ region: 'TLM32' }, ['3'], { region: 'UKM32,UKM82' }],
];

describe('several values of a filter', () => {
  it.each(FILTERS)('%j are each enough: in the search, with words, and in an export', async (filters, ids, said) => {
    const asked = await ask(room, searchNotices, filters);
    expect(asked.body.items.map(({ notice_id }) => notice_id).sort()).toEqual(ids);
    expect(asked.body.meta.filters).toEqual(said);
    const query = 'maintenance of lifts';
    const worded = await ask(room, searchNotices, { query, ...filters });
    expect(worded.body.items.map(({ notice_id }) => notice_id).sort()).toEqual(ids);
    for (const words of [{}, { query }]) {
      const quote = await ask(room, bulkExport, { dry_run: true, ...words, ...filters });
      expect(quote.body).toMatchObject({ matched: ids.length, filters: { ...words, ...said } });
    }
  });

  it('name none of them that is nowhere', async () => {
    const { body } = await ask(room, searchNotices, { cpv: '99,98', region: 'Lodnon,London' });
    expect(body.meta.unknown_filters?.map(({ input }) => input)).toEqual(['region', 'cpv']);
    const odd = await ask(room, searchNotices, { region: 'constructor' });
    expect([odd.body.count, odd.body.meta.unknown_filters?.length]).toEqual([0, 1]);
    const known = await ask(room, searchNotices, { region: 'Dorset' });
    expect([known.body.count, known.body.meta.unknown_filters]).toEqual([0, undefined]);
  });

  it.each(['New England', 'Bristol board', 'Durham bull', 'Perth', 'Lincoln', 'City', 'the', 'NI', 'City of London'])(
    'are no region where a name is only a part of one, or has more than one: %s',
    async (region) => {
      const { body } = await ask(room, searchNotices, { region });
      expect(body.count).toBe(0);
      expect(body.meta.unknown_filters?.[0]?.message).toContain(`no region is known as ${region}`);
    },
  );

  it.each([
    ['City of Bristol', 'Bristol, City of'],
    ['the City of Glasgow', 'Glasgow City'],
    ['north west England', 'North West'],
    ['The South East of England', 'South East'],
  ])('find the region that people call %s', (called, name) => {
    expect(storedRegions(called)).toEqual(storedRegions(name));
  });

  it.each(['City of Lodnon', 'New England', 'City of York Street', 'West England'])(
    'do not take %s for a region',
    (text) => {
      expect(storedRegions(text)).toEqual([text]);
    },
  );

  it('are one name where no part of it is a region', async () => {
    const { catalogue } = room.services;
    expect(await effectiveFilters(catalogue, { region: 'Nowhere, or so' })).toEqual({ region: ['Nowhere, or so'] });
    expect(sayFilters({ region: ['a', 'b'], value_min: 5 })).toEqual({ region: 'a,b', value_min: 5 });
  });

  it.each([
    { cpv: '45,' },
    { cpv: '4' },
    { cpv: '45000000-77' },
    { cpv: Array(21).fill('45').join(',') },
    { stage: 'award,won' },
    { stage: ',' },
    { notice_type: 'UK18' },
    { region: 'UKC,UKD,UKE,UKF,UKG,UKH,UKI,UKJ,UKK,UKL,UKM,UKN,UKC1,UKC2,UKD1,UKD3,UKD4,UKD6,UKD7,UKE1,UKE2' },
  ])('%j are refused', (filters) => {
    expect(searchNotices.input.safeParse(filters).success).toBe(false);
  });

  it('are twenty at most, however long the names are', () => {
    const longest = listRegions().map(({ name }) => name);
    longest.sort((one, other) => other.length - one.length);
    const regions = [Array(20).fill('UKI'), Array(20).fill('Bristol, City of'), longest.slice(0, 20)];
    const given = [
      { cpv: Array(20).fill('45').join(',') },
      { stage: Array(20).fill('award').join(',') },
      ...regions.map((names) => ({ region: names.join(', ') })),
    ];
    for (const filters of given) expect(searchNotices.input.safeParse(filters).success).toBe(true);
  });

  it('are as many where they are repeated as an answer has them, with each code of a name', async () => {
    const { catalogue } = room.services;
    const names = new Set(listRegions().flatMap(({ name }) => (codesOfRegionName(name).length > 1 ? [name] : [])));
    const region = ['England', ...names].slice(0, 20).join(', ');
    const filters = sayFilters(await effectiveFilters(catalogue, { region }));
    expect(sayFilters(await effectiveFilters(catalogue, searchNotices.input.parse(filters)))).toMatchObject(filters);
  });

  it('are as many where they are repeated with the codes of before', async () => {
    const formed = ['Tees Valley', 'Norfolk', 'West of England', 'North Wales', 'South East Wales', 'TLL4', 'TLK6'];
    const areas = ['UKC', 'UKD', 'UKE', 'UKF', 'UKG', 'UKH', 'UKI', 'UKJ', 'UKK', 'UKL', 'UKM', 'UKN', 'UKC1'];
    const filters = sayFilters(
      await effectiveFilters(room.services.catalogue, { region: [...formed, ...areas].join(',') }),
    );
    expect(searchNotices.input.safeParse(filters).success).toBe(true);
  });

  it('find what has the codes of 2021 wherever a code is new in 2025', () => {
    const isNew = (code: string) => code.slice(2) in itl2025.regions;
    const lost = listRegions().filter(({ code }) => isNew(code) && storedRegions(code).every(isNew));
    expect(lost).toEqual([]);
  });

  it('may be names with commas, of every region', () => {
    for (const { name } of listRegions()) {
      expect(searchNotices.input.safeParse({ region: name }).success, name).toBe(true);
      expect(splitRegions(`London, ${name}`)).toEqual(['London', name]);
    }
  });

  it('of a source that the catalogue does not have are refused, with those that it has', () => {
    const search = knownOperations.find(({ name }) => name === searchNotices.name);
    const { error } = search?.input.safeParse({ source: 'find_a_tender,ted' }) ?? {};
    expect(error?.issues).toMatchObject([
      { path: ['source'], values: ['contracts_finder', 'find_a_tender', 'public_contracts_scotland', 'sell2wales'] },
    ]);
    expect(search?.input.safeParse({ source: ' Find_A_Tender ' }).data).toMatchObject({ source: 'find_a_tender' });
  });
});
