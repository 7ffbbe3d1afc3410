import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchFrameworks } from '../../../api/operations/search/frameworks.ts';
import { searchNotices } from '../../../api/operations/search/notices.ts';
import { searchTenders } from '../../../api/operations/search/tenders.ts';
import { ask, openIndexes, openRoom, type Room } from '../../support/catalogue-services.ts';
import { noticeRow, processRow, seed } from '../../support/seed.ts';

let room: Room;
beforeAll(async () => {
  room = await openRoom();
  const { catalogue } = room.services;
  const rows = [
    ['1', 'Grass cutting of verges', { is_tender: 1, stage: 'tender' }],
    ['2', 'Hair cutting', { is_tender: 1, stage: 'tender', status: 'complete' }],
    ['3', 'Divertor coil removal', { stage: 'award', status: 'awarded' }],
  ] as const;
  await seed(
    catalogue,
    ...rows.flatMap(([number, title, fields]) => [
      processRow(`ocds-h6vhtk-00000${number}`),
      noticeRow(`00000${number}-2026`, `ocds-h6vhtk-00000${number}`, { title, description: '', ...fields }),
    ]),
  );
  await openIndexes(room);
});
afterAll(async () => {
  await room.services.search.close();
  await room.close();
});

describe('all of the words', () => {
  it('are what a result holds, and nothing else is billed', async () => {
    const { body, found } = await ask(room, searchNotices, { query: 'grass cutting' });
    expect(body.items.map(({ title }) => title)).toEqual(['Grass cutting of verges']);
    expect(body.meta).toMatchObject({ match: 'all' });
    expect(body.meta).not.toHaveProperty('any');
    expect(found).not.toHaveProperty('charge');
  });

  it('are in nothing: empty and free, with how many have some; match=any finds as many', async () => {
    const { body, found } = await ask(room, searchNotices, { query: 'grass cutting zebra' });
    expect(body).toMatchObject({ items: [], count: 0, total: 0, total_is: 'exact', meta: { match: 'all', any: 2 } });
    expect(body.meta.next_cursor).toBeNull();
    expect(found).toMatchObject({ charge: 'none' });
    const any = await ask(room, searchNotices, { query: 'grass cutting zebra', match: 'any' });
    expect(any.body.items.map(({ title }) => title)).toEqual(['Grass cutting of verges', 'Hair cutting']);
    expect(any.body).toMatchObject({ total: 2, meta: { match: 'any' } });
    expect(any.body.meta).not.toHaveProperty('any');
    expect(any.found).not.toHaveProperty('charge');
  });

  it.each([
    [{ query: 'grass coil', stage: 'award' }, 1],
    [{ query: 'grass coil', stage: 'planning' }, 0],
    [{ query: 'zebra' }, 0],
    [{ query: 'zebra ostrich' }, 0],
  ])('%j: %i have some, within the filters', async (input, any) => {
    expect((await ask(room, searchNotices, input)).body).toMatchObject({ total: 0, meta: { any } });
  });

  it('are not counted where the query is empty or only punctuation', async () => {
    for (const query of ['*', '""']) {
      const { body } = await ask(room, searchNotices, { query, cpv: '99' });
      expect(body.total).toBe(0);
      expect(body.meta).not.toHaveProperty('any');
    }
  });

  it('hold in the tender and framework searches too', async () => {
    const tenders = await ask(room, searchTenders, { query: 'hair grass', status: 'any' });
    expect(tenders.body).toMatchObject({ items: [], total: 0, meta: { any: 2 } });
    const frameworks = await ask(room, searchFrameworks, { query: 'hair grass' });
    expect(frameworks.body).toMatchObject({ items: [], total: 0, meta: { any: 0 } });
  });

  it('are answered though what has some of them cannot be counted', async () => {
    const { services } = room;
    const find: typeof services.search.find = (query) =>
      query.match === 'any' ? Promise.reject(new Error('too late')) : services.search.find(query);
    const failing = { ...room, services: { ...services, search: { ...services.search, find } } };
    const { body } = await ask(failing, searchNotices, { query: 'grass zebra' });
    expect(body.total).toBe(0);
    expect(body.meta).not.toHaveProperty('any');
  });
});
