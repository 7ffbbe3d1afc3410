import { beforeAll, describe, expect, it } from 'vitest';
import { BadCursor, type SearchQuery, type SearchSort } from '../../../search/engine.ts';
import { someDocument } from '../documents.ts';
import type { Trial } from '../trial.ts';

const day = (number: number) => `2026-05-${String(number).padStart(2, '0')}`;

const sortable = [
  someDocument({
    notice_id: 's-1',
    title: 'Item',
    published: day(1),
    value: 30,
    currency: 'GBP',
    deadline_at: '2026-08-02T00:00:00Z',
    deadline: '2026-08-02',
  }),
  someDocument({
    notice_id: 's-2',
    title: 'Item',
    published: day(2),
    value: 10,
    currency: 'GBP',
    deadline_at: '2026-08-03T00:00:00Z',
    deadline: '2026-08-03',
  }),
  someDocument({ notice_id: 's-3', title: 'Item', published: day(3), value: 20, currency: 'GBP' }),
  someDocument({
    notice_id: 's-4',
    title: 'Item',
    published: day(4),
    value: 15,
    currency: 'EUR',
    deadline_at: '2026-08-01T00:00:00Z',
    deadline: '2026-08-01',
  }),
];

const rows = Array.from({ length: 40 }, (_, index) =>
  someDocument({
    notice_id: `p-${String(index).padStart(2, '0')}`,
    title: `Harbour dredging ${'harbour '.repeat(index % 4)}`,
    description: 'sand '.repeat((index * 7) % 11),
    published: day((index % 28) + 1),
  }),
);

/** Ids of all pages, with what is done after each. */
async function readPages(
  trial: () => Trial,
  query: Partial<SearchQuery>,
  between: (page: number) => Promise<void> = async () => undefined,
): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let page = 1; page < 60; page++) {
    const answer = await trial().find({ ...query, ...(cursor === undefined ? {} : { cursor }) });
    seen.push(...answer.hits.map(({ notice_id }) => notice_id));
    if (answer.nextCursor === null) return seen;
    cursor = answer.nextCursor;
    await between(page);
  }
  throw new Error('pages without end');
}

export function describeSorts(trial: () => Trial) {
  describe('sorts', () => {
    beforeAll(() => trial().fill(sortable));

    it.each<[SearchSort, string[]]>([
      ['published', ['s-1', 's-2', 's-3', 's-4']],
      ['-published', ['s-4', 's-3', 's-2', 's-1']],
      ['deadline', ['s-4', 's-1', 's-2', 's-3']],
      ['-deadline', ['s-2', 's-1', 's-4', 's-3']],
      ['value', ['s-2', 's-3', 's-1', 's-4']],
      ['-value', ['s-1', 's-3', 's-2', 's-4']],
    ])('by %s, what has none last, in one page or many', async (sort, expected) => {
      expect(await trial().ids({ sort })).toEqual(expected);
      expect(await readPages(trial, { sort, text: 'item', limit: 1 })).toEqual(expected);
    });

    it('puts the newest first where there is no query', async () => {
      expect(await trial().ids()).toEqual(['s-4', 's-3', 's-2', 's-1']);
      expect(await trial().ids({ sort: 'relevance', text: '*' })).toEqual(['s-4', 's-3', 's-2', 's-1']);
    });
  });
}

export function describePages(trial: () => Trial) {
  describe('pages', () => {
    beforeAll(() => trial().fill(rows));

    it.each<[string, Partial<SearchQuery>]>([
      ['relevance', { text: 'harbour dredging', limit: 7 }],
      ['date', { text: 'harbour', sort: '-published', limit: 7 }],
      ['nothing', { limit: 7 }],
    ])('hold every document once, by %s', async (_by, query) => {
      const seen = await readPages(trial, query);
      expect(seen.length).toBe(40);
      expect(new Set(seen).size).toBe(40);
      expect((await trial().find(query)).total).toBe(40);
    });

    it.each<[string, Partial<SearchQuery>]>([
      ['relevance', { text: 'harbour dredging', limit: 10 }],
      ['date', { text: 'harbour', sort: '-published', limit: 10 }],
    ])('do not repeat or miss any while others arrive, by %s', async (_by, query) => {
      await trial().fill(rows);
      const seen = await readPages(trial, query, (page) =>
        trial().add([
          someDocument({ notice_id: `new-${page}-a`, title: 'Harbour dredging harbour harbour', published: day(30) }),
          someDocument({ notice_id: `new-${page}-b`, title: 'Harbour dredging', published: day(30) }),
        ]),
      );
      expect(new Set(seen).size).toBe(seen.length);
      expect(rows.filter(({ notice_id }) => !seen.includes(notice_id))).toEqual([]);
    });

    it('are refused for another query, filter or sort, and for what is no cursor', async () => {
      const query = { text: 'harbour', filters: { stage: ['tender'] }, limit: 5 };
      const { nextCursor } = await trial().find(query);
      const cursor = nextCursor ?? '';
      await expect(trial().find({ ...query, cursor, text: 'sand' })).rejects.toBeInstanceOf(BadCursor);
      await expect(trial().find({ ...query, cursor, filters: {} })).rejects.toBeInstanceOf(BadCursor);
      await expect(trial().find({ ...query, cursor, sort: 'value' })).rejects.toBeInstanceOf(BadCursor);
      await expect(trial().find({ ...query, cursor, scope: 'tenders' })).rejects.toBeInstanceOf(BadCursor);
      for (const text of ['x', '', 'W10', Buffer.from('{}').toString('base64url'), '\0', '🙂'.repeat(50)]) {
        await expect(trial().find({ ...query, cursor: text })).rejects.toBeInstanceOf(BadCursor);
      }
      await expect(trial().find({ ...query, cursor, limit: 2, highlight: true })).resolves.toBeDefined();
    });
  });
}

/** What happens as documents come, go and change. */
export function describeChanges(trial: () => Trial) {
  describe('what goes and changes', () => {
    it('leaves, moves and is replaced', async () => {
      const one = someDocument({ notice_id: 'one', title: 'Orchard fencing', published: day(2) });
      await trial().fill([one, someDocument({ notice_id: 'two', title: 'Orchard fencing', published: day(3) })]);
      await trial().add([], [one.id]);
      expect(await trial().ids({ text: 'orchard' })).toEqual(['two']);
      await trial().add([one], [one.id, 'never-there']);
      await trial().add([{ ...one, title: 'Meadow fencing', published: day(9) }]);
      expect(await trial().ids({ text: 'orchard' })).toEqual(['two']);
      expect(await trial().ids({ text: 'fencing', sort: '-published' })).toEqual(['one', 'two']);
      expect((await trial().find()).total).toBe(2);
    });
  });
}
