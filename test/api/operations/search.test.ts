import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchFrameworks } from '../../../api/operations/search/frameworks.ts';
import { searchNotices } from '../../../api/operations/search/notices.ts';
import { searchTenders } from '../../../api/operations/search/tenders.ts';
import { signText } from '../../../schema/text/signed.ts';
import type { SearchAnswer } from '../../../search/engine.ts';
import { ask, openIndexes, openRoom, type Room } from '../../support/catalogue-services.ts';
import { buyerRow, frameworkRow, noticeRow, processRow, row, seed } from '../../support/seed.ts';

const BUYER = 'GB-PPON-PAAA-1111-AAAA';
const FRAMEWORK = 'ocds-h6vhtk-000003';
let room: Room;
let close: () => Promise<void>;

beforeAll(async () => {
  room = await openRoom();
  const { catalogue } = room.services;
  await seed(
    catalogue,
    buyerRow(BUYER, 'Northwick Council'),
    row('alias', { kind: 'buyer', alias: 'gb-nhs-abc', target: BUYER }),
    row('source', {
      id: 'find_a_tender',
      title: 'Find a Tender',
      homepage: 'x',
      licence: 'x',
      licence_url: 'x',
      attribution: 'x',
      timetable: 'x',
      as_of: '2026-03-02T11:00:00Z',
    }),
    processRow('ocds-h6vhtk-000001'),
    noticeRow('000001-2026', 'ocds-h6vhtk-000001', {
      title: 'Lift maintenance',
      is_tender: 1,
      deadline: '2026-03-30',
      deadline_at: '2026-03-30T11:00:00Z',
      cpv: '50750000',
      cpvs: ['50750000'],
      regions: [{ code: 'UKI3', name: 'London' }],
      value: 1000,
      currency: 'GBP',
      url: 'https://example.org/1',
    }),
    processRow('ocds-h6vhtk-000002', { status: 'awarded', stage: 'award' }),
    noticeRow('000002-2026', 'ocds-h6vhtk-000002', {
      title: 'Escalator maintenance',
      published: '2026-01-01',
      published_at: '2026-01-01T10:00:00Z',
      stage: 'award',
      status: 'awarded',
      buyer_id: null,
      buyer: null,
    }),
    processRow(FRAMEWORK, { stage: 'award' }),
    noticeRow('000003-2026', FRAMEWORK, { title: 'Framework for hoists', description: '' }),
    frameworkRow(FRAMEWORK, {
      notice_id: '000003-2026',
      title: 'Framework for hoists',
      published: '2026-02-01',
      ceiling: 5,
      lots: [{ lot_id: '1', title: 'All', suppliers: [{ company_id: 'c', name: 'C' }] }],
      detail: { evidence: ['flag'], references: [], regions: [], warnings: [] },
    }),
  );
  await openIndexes(room);
  close = () => room.services.search.close();
});
afterAll(async () => {
  await close();
  await room.close();
});

describe('search_notices', () => {
  it('answers items with their stated fields, the onward ids and what was done', async () => {
    const { body, found } = await ask(room, searchNotices, { query: 'lift maintenance' });
    expect(body.items[0]).toMatchObject({
      notice_id: '000001-2026',
      title: 'Lift maintenance',
      buyer: 'Northwick Council',
      published: '2026-02-01',
      buyer_id: BUYER,
      ocid: 'ocds-h6vhtk-000001',
      cpv: '50750000',
      region: 'London',
      currency: 'GBP',
      url: 'https://example.org/1',
    });
    expect(body).toMatchObject({ count: body.items.length, total: body.items.length, total_is: 'exact' });
    expect(body.meta).toMatchObject({
      query: 'lift maintenance',
      filters: {},
      engine: 'embedded',
      as_of: { find_a_tender: '2026-03-02T11:00:00Z' },
      next_cursor: null,
    });
    expect(found).not.toHaveProperty('charge');
  });

  it('answers all, newest first, without a query, and null for a buyer nobody named', async () => {
    const { body } = await ask(room, searchNotices, {});
    expect(body.items.map(({ published }) => published)).toEqual(['2026-02-01', '2026-02-01', '2026-01-01']);
    expect(body.items[2]?.buyer).toBeNull();
  });

  it('pages by cursor, and refuses the cursor of another query', async () => {
    const first = await ask(room, searchNotices, { query: '*', limit: 2 });
    const cursor = first.body.meta.next_cursor ?? '';
    const second = await ask(room, searchNotices, { query: '*', limit: 2, cursor });
    expect([first.body.count, second.body.count, first.body.total]).toEqual([2, 1, 3]);
    const other = ask(room, searchNotices, { query: 'lift', limit: 2, cursor });
    await expect(other).rejects.toMatchObject({ name: 'InvalidInput', faults: [{ path: ['cursor'] }] });
  });

  it('refuses a cursor that is not signed, altered, or signed for something else', async () => {
    const first = await ask(room, searchNotices, { query: '*', limit: 2 });
    const cursor = first.body.meta.next_cursor ?? '';
    expect(cursor.length).toBeLessThanOrEqual(800);
    const [text = '', signature = ''] = cursor.split('.');
    const other = text.replace(/^(.{20})./, (_, head: string) => `${head}${text[20] === 'A' ? 'B' : 'A'}`);
    const forOthers = signText({ secret: room.services.secret, purpose: ['list-cursor', 'a', 'b'] }, text);
    for (const forged of [
      text,
      `${other}.${signature}`,
      `${text}.`,
      `${text}.${signature}x`,
      forOthers,
      `${cursor}.x`,
    ]) {
      const asked = ask(room, searchNotices, { query: '*', limit: 2, cursor: forged, facets: 'stage' });
      await expect(asked).rejects.toMatchObject({ name: 'InvalidInput', faults: [{ path: ['cursor'] }] });
    }
  });

  it.each([
    ['search_notices', searchNotices, {}],
    ['search_tenders', searchTenders, { query: '*', status: 'any' }],
    ['search_frameworks', searchFrameworks, {}],
  ] as const)('%s: a free page behind the last counts nothing', async (_name, operation, inputs) => {
    const { services } = room;
    const emptyPage = { hits: [], total: 7, exact: true, nextCursor: null, facets: { stage: { award: 7 } } };
    const meta = { engine: 'embedded', bounded: false, corrections: [], matched: 'all', ignoredWords: 0 };
    const search = { ...services.search, find: async () => ({ ...emptyPage, meta }) as SearchAnswer };
    const row = operation as unknown as typeof searchNotices;
    const found = await ask({ ...room, services: { ...services, search } }, row, { ...inputs, facets: 'stage' });
    expect(found.found).toMatchObject({ charge: 'none' });
    expect(found.body).toMatchObject({ items: [], count: 0 });
    for (const name of ['total', 'total_is', 'facets']) expect(found.body).not.toHaveProperty(name);
  });

  it('takes any identifier of a buyer, and says which filter it became', async () => {
    const { body } = await ask(room, searchNotices, { buyer_id: 'GB-NHS-ABC' });
    expect(body.total).toBe(2);
    expect(body.meta.filters).toEqual({ buyer_id: BUYER });
  });

  it.each(['TLI', 'tli3', 'UKI', 'london'])('takes a region as %s', async (region) => {
    expect((await ask(room, searchNotices, { region })).body.total).toBe(1);
  });

  it('gives facets, highlights and further fields on request', async () => {
    const asked = { query: 'maintenance', facets: 'stage, source', highlight: true };
    const { body } = await ask(room, searchNotices, { ...asked, detail: 'brief', fields: 'ocid,highlight' });
    expect(body.facets).toMatchObject({ stage: { tender: 1, award: 1 } });
    const item = body.items.find(({ notice_id }) => notice_id === '000001-2026');
    const brief = ['buyer', 'buyer_id', 'currency', 'deadline_at', 'highlight', 'notice_id', 'published', 'stage'];
    expect(Object.keys(item ?? {}).sort()).toEqual([...brief, 'ocid', 'title', 'value'].sort());
    const whole = await ask(room, searchNotices, asked);
    expect((await ask(room, searchNotices, { ...asked, fields: 'ocid' })).body).toEqual(whole.body);
  });

  it('answers no hits free', async () => {
    const { body, found } = await ask(room, searchNotices, { query: 'zzzunheardof' });
    expect(body).toMatchObject({ items: [], count: 0, total: 0 });
    expect(found).toMatchObject({ charge: 'none' });
  });

  it.each(['😀', '-', '""', '%', '\0'])(
    'answers %j, in which there is nothing to look for, empty and free',
    async (query) => {
      const { body, found } = await ask(room, searchNotices, { query, facets: 'stage' });
      expect(body).toMatchObject({ items: [], count: 0, total: 0, total_is: 'exact', facets: { stage: {} } });
      expect(body.meta).toMatchObject({ query, engine: 'embedded', next_cursor: null });
      expect(found).toMatchObject({ charge: 'none' });
    },
  );

  it.each([
    { query: ' ' },
    { query: 'x'.repeat(1_001) },
    { limit: 0 },
    { limit: 101 },
    { cpv: '123456789' },
    { cpv: '4' },
    { published_from: '2026-02-30' },
    { stage: 'won' },
    { notice_type: 'UK18' },
    { region: '"; --' },
    { sort: 'price' },
    { value_min: -1 },
    { colour: 'red' },
    { deadline_from: '2026-01-01' },
  ])('refuses %j by its schema', (given) => {
    expect(searchNotices.input.safeParse(given).success).toBe(false);
  });

  it.each([
    [{ value_min: 2, value_max: 1 }, 'value_min'],
    [{ published_from: '2026-02-02', published_to: '2026-02-01' }, 'published_from'],
    [{ facets: 'stage,colour' }, 'facets'],
    [{ fields: 'colour' }, 'fields'],
  ])('refuses %j', async (given, name) => {
    await expect(ask(room, searchNotices, given)).rejects.toMatchObject({ faults: [{ path: [name] }] });
  });
});

describe('search_tenders', () => {
  it('needs a query', () => {
    expect(searchTenders.input.safeParse({}).success).toBe(false);
    expect(searchTenders.input.safeParse({ query: '' }).success).toBe(false);
  });

  it('answers what is live now, with its deadline', async () => {
    const { body } = await ask(room, searchTenders, { query: '*' });
    expect(body.items).toHaveLength(1);
    expect(body.items[0]).toMatchObject({ notice_id: '000001-2026', deadline: '2026-03-30', buyer_id: BUYER });
    expect(body.meta.filters).toEqual({ status: 'open' });
    const later = { ...room.services.clocks, catalogueNow: () => new Date('2026-03-30T11:00:01Z') };
    const late = await ask({ ...room, services: { ...room.services, clocks: later } }, searchTenders, { query: '*' });
    expect(late.body.count).toBe(0);
  });
});

describe('search_frameworks', () => {
  it('answers each framework once, with what it holds', async () => {
    const { body } = await ask(room, searchFrameworks, { query: 'hoists' });
    expect(body.items).toHaveLength(1);
    expect(body.items[0]).toMatchObject({ framework_id: FRAMEWORK, lot_count: 1, supplier_count: 1, ceiling: 5 });
  });

  it('keeps to the ceilings and days that it shows', async () => {
    const total = async (given: Record<string, unknown>) => (await ask(room, searchFrameworks, given)).body.total;
    expect([await total({ value_min: 5, value_max: 5 }), await total({ value_min: 6 })]).toEqual([1, 0]);
    const [item] = (await ask(room, searchFrameworks, {})).body.items;
    expect(await total({ published_from: item?.published, published_to: item?.published })).toBe(1);
    const faults = [{ path: ['facets'] }];
    await expect(ask(room, searchFrameworks, { facets: 'value_band' })).rejects.toMatchObject({ faults });
  });
});
