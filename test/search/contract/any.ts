import { beforeAll, describe, expect, it } from 'vitest';
import { someDocument } from '../documents.ts';
import type { Trial } from '../trial.ts';

const many = Array.from({ length: 12 }, (_, index) =>
  someDocument({ notice_id: `many-${index}`, title: `Turnstile ${index}`, description: 'Gate' }),
);
const rows = [
  someDocument({ notice_id: 'both', title: 'Works', description: 'A turnstile and a kiosk' }),
  someDocument({ notice_id: 'three', title: 'Works', description: 'A turnstile, a kiosk and a bollard' }),
  someDocument({ notice_id: 'kiosk', title: 'Kiosk' }),
  someDocument({ notice_id: 'said', title: 'Fence', description: 'An old kiosk in green paint' }),
  someDocument({ notice_id: 'neither', title: 'Gravel', cpvs: ['44113100'] }),
  ...many,
];

/** What `match: 'any'` promises. */
export function describeAny(trial: () => Trial) {
  describe('any of the words', () => {
    beforeAll(() => trial().fill(rows));

    const find = (text: string) => trial().find({ text, match: 'any', limit: 100 });

    it('finds what has one of them, what has all of them first', async () => {
      const { hits, total, exact, meta } = await find('turnstile kiosk bollard ');
      expect(hits.slice(0, 2).map(({ notice_id }) => notice_id)).toEqual(['three', 'both']);
      expect([total, hits.length, exact, meta.matched]).toEqual([16, 16, true, 'any']);
      expect(hits.map(({ notice_id }) => notice_id)).not.toContain('neither');
    });

    it.each<[string, string, number]>([
      ['a word that nothing has', 'kiosk zebra', 4],
      ['a slip', 'kiosk bolard', 4],
      ['a partial last word', 'gravel bolla', 2],
      ['a phrase', '"green paint" gravel', 2],
      ['a code', '44113100 bollard', 2],
      ['a single word', 'kiosk', 4],
      ['words that nothing has', 'zebra ostrich', 0],
      ['words that only join', 'the kiosk of a', 4],
    ])('counts %s as one of them: %s', async (_what, text, total) => {
      expect((await find(text)).total).toBe(total);
    });

    it('shows each once over pages, whose cursors belong to it', async () => {
      const query = { text: 'turnstile kiosk ', match: 'any' as const, limit: 5 };
      const seen: string[] = [];
      let cursor: string | null | undefined;
      do {
        const answer = await trial().find({ ...query, ...(cursor ? { cursor } : {}) });
        seen.push(...answer.hits.map(({ notice_id }) => notice_id));
        if (cursor) await expect(trial().find({ ...query, match: 'all', cursor })).rejects.toThrow(/another query/);
        cursor = answer.nextCursor;
      } while (cursor);
      expect([seen.length, new Set(seen).size]).toEqual([16, 16]);
    });
  });
}
