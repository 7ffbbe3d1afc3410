import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSince, writeChangeCursor } from '../../../../api/operations/changes/cursor.ts';
import { listChanges } from '../../../../api/operations/changes/list.ts';
import { summariseContracts } from '../../../../api/operations/contracts/summarise.ts';
import { bulkExport } from '../../../../api/operations/exports/bulk.ts';
import { effectiveFilters } from '../../../../api/operations/filters/apply.ts';
import { describeFilters } from '../../../../api/operations/filters/describe.ts';
import { searchContracts } from '../../../../api/operations/search/contracts.ts';
import { READER_START } from '../../../../search/changes/page.ts';
import { ask, openIndexes, openRoom, type Room } from '../../../support/catalogue-services.ts';
import { companyRow, contractRows, seed, supplier } from '../../../support/seed.ts';

const HOLDING = supplier('GB-COH-00001234', 'Acme Holdings Ltd');
const LIFTS = supplier('GB-COH-01234567', 'Acme Lifts Ltd');
const OTHER = supplier('GB-COH-00000009', 'Nine Ltd');
/** Its number has the digits of two others. */
const ALIKE = supplier('GB-COH-00091234', 'Alike Ltd');

let room: Room;
beforeAll(async () => {
  room = await openRoom();
  await seed(
    room.services.catalogue,
    ...[HOLDING, LIFTS, OTHER, ALIKE].map(({ company_id: id, name, companies_house_number: company_number }) =>
      companyRow(id, name, { company_number }),
    ),
    contractRows('ocds-h6vhtk-1/1', [HOLDING, OTHER]),
    contractRows('ocds-h6vhtk-2/1', [LIFTS, HOLDING]),
    contractRows('ocds-h6vhtk-3/1', [LIFTS]),
    contractRows('ocds-h6vhtk-4/1', [OTHER]),
  );
  await openIndexes(room);
});
afterAll(async () => {
  await room.services.search.close();
  await room.close();
});

const find = async (given: Record<string, unknown>) => (await ask(room, searchContracts, given)).body;
const GROUP = { company_number: '1234, gb-coh-01234567' };
const IDS = `${HOLDING.company_id},${LIFTS.company_id}`;

describe('contracts of several suppliers', () => {
  it('are those of any of them, each once, in searches, sums, exports and changes', async () => {
    const { items, total, meta } = await find(GROUP);
    expect(items.map(({ contract_id }) => contract_id).toSorted()).toEqual(
      [1, 2, 3].map((number) => `ocds-h6vhtk-${number}/1`),
    );
    expect([total, meta.filters]).toEqual([3, { company_number: IDS, status: 'any' }]);
    const { body: summary } = await ask(room, summariseContracts, { ...GROUP, group_by: 'year' });
    expect(summary.total).toMatchObject({ contract_count: 3 });
    const quote = await ask(room, bulkExport, { dataset: 'contracts', dry_run: true, ...GROUP });
    expect(quote.body).toMatchObject({ matched: 3, filters: { company_number: IDS } });
    const { body: changes } = await ask(room, listChanges, { kinds: 'contract', ...GROUP });
    expect(changes.items).toHaveLength(3);
  });

  it('are read page by page, also with the suppliers by another identifier', async () => {
    const first = await find({ ...GROUP, limit: 2 });
    const second = await find({ company_number: IDS, limit: 2, cursor: first.meta.next_cursor });
    expect([...first.items, ...second.items].map(({ contract_id }) => contract_id)).toHaveLength(3);
  });

  it('are read on where one has another id since the page before', async () => {
    const given = { company_number: `GB-OLD-2,${LIFTS.company_id}`, limit: 1 };
    const first = await find(given);
    const sql = "INSERT INTO alias (kind, alias, target) VALUES ('company', 'gb-old-2', ?)";
    await room.services.catalogue.write([{ sql, args: [OTHER.company_id] }]);
    const second = await find({ ...given, cursor: first.meta.next_cursor });
    expect(second.items).toHaveLength(1);
    expect(second.items[0]?.contract_id).not.toBe(first.items[0]?.contract_id);
  });

  it.each([
    ['GB-NIC-'.padEnd(48, '9'), {}, 3],
    // Letters that take three bytes each.
    ['社'.repeat(48), { buyer_id: '社'.repeat(200), framework_id: '社'.repeat(200) }, 0],
  ])('are followed by a cursor, however long the ids of all are: %s', async (id, others, count) => {
    const long = Array.from({ length: 18 }, (_, at) => id + String.fromCodePoint(0x4e00 + at));
    const given = { kinds: 'contract', company_number: [GROUP.company_number, ...long].join(), ...others };
    const { body } = await ask(room, listChanges, given);
    const { body: next } = await ask(room, listChanges, { ...given, since: body.next_cursor });
    expect([body.count, next.count]).toEqual([count, 0]);
  });

  it('are followed from the beginning where one has another id by now, in whatever order they are sent', async () => {
    const { catalogue } = room.services;
    const before = { company_number: ['GB-OLD-1', LIFTS.company_id] };
    const cursor = await writeChangeCursor(catalogue, READER_START, before);
    const sql = "INSERT INTO alias (kind, alias, target) VALUES ('company', 'gb-old-1', ?)";
    await catalogue.write([{ sql, args: [HOLDING.company_id] }]);
    const company_number = [LIFTS.company_id, HOLDING.company_id];
    await expect(readSince(catalogue, cursor, { company_number })).rejects.toMatchObject({ status: 410 });
    const others = { company_number: [LIFTS.company_id, OTHER.company_id] };
    expect(await readSince(catalogue, cursor, others)).toEqual(READER_START);
  });

  it('say which supplier is nowhere', async () => {
    const { items, meta } = await find({ company_number: '00000077,99999999' });
    expect([items, meta.unknown_filters?.map(({ input, message }) => [input, message.slice(0, 32)])]).toEqual([
      [],
      ['00000077', '99999999'].map((number) => [
        'company_number',
        `no company is known as GB-COH-${number}`.slice(0, 32),
      ]),
    ]);
  });

  it('say which one is nowhere also where the others have contracts, as what was found lacks it', async () => {
    const given = { company_number: `${GROUP.company_number},Acme Liftz Limited` };
    const message = 'no company is known as Acme Liftz Limited; look a company up by its name for its id';
    const unknown = [{ input: 'company_number', message }];
    const { total, meta } = await find(given);
    expect([total, meta.unknown_filters]).toEqual([3, unknown]);
    const { body: summary } = await ask(room, summariseContracts, { ...given, group_by: 'year' });
    expect(summary).toMatchObject({ total: { contract_count: 3 }, meta: { unknown_filters: unknown } });
    const quote = await ask(room, bulkExport, { dataset: 'contracts', dry_run: true, ...given });
    expect(quote.body).toMatchObject({ matched: 3, unknown_filters: unknown });
    const { body: changes } = await ask(room, listChanges, { kinds: 'contract', ...given });
    expect(changes).toMatchObject({ count: 3, unknown_filters: unknown });
    expect((await find(GROUP)).meta).not.toHaveProperty('unknown_filters');
  });

  it('many of whom are not found are all named, and the first five searched by name, as the answer is free', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `Acme Lifts Number ${at} Limited`);
    const { items, meta } = await find({ company_number: names.join() });
    const unknown = meta.unknown_filters ?? [];
    expect([items, unknown.map(({ message }) => message.split(';')[0])]).toEqual([
      [],
      names.map((name) => `no company is known as ${name}`),
    ]);
    expect(unknown.map(({ candidates }) => candidates?.length ?? 0)).toEqual(names.map((_, at) => Number(at < 5)));
  });

  it.each([
    ['1234567', LIFTS.company_id],
    ['1234567, GB-COH-01234567', LIFTS.company_id],
    // The number of one company with a thousands separator.
    ['1,234', HOLDING.company_id],
    ['1,234,567', LIFTS.company_id],
    ['9,1234', [OTHER.company_id, HOLDING.company_id]],
  ])('in %j are %j', async (company_number, expected) => {
    expect(await effectiveFilters(room.services.catalogue, { company_number })).toEqual({ company_number: expected });
  });

  it.each([',', ' , ', Array.from({ length: 21 }, (_, at) => `GB-COH-${at}`).join()])('are not %j', (given) => {
    expect(searchContracts.input.safeParse({ company_number: given }).error?.issues).toMatchObject([
      { path: ['company_number'] },
    ]);
  });

  it('are described where all filters are', async () => {
    const { items } = (await ask(room, describeFilters, { name: 'company_number' })).body;
    expect(items).toMatchObject([{ takes: 'id', meaning: expect.stringContaining('with commas between') }]);
  });
});
