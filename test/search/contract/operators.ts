import { beforeAll, describe, expect, it } from 'vitest';
import { someDocument } from '../documents.ts';
import type { Trial } from '../trial.ts';

const rows = [
  someDocument({ notice_id: 'bridge', title: 'Bridge painting', published: '2026-01-05' }),
  someDocument({ notice_id: 'tunnel', title: 'Tunnel lining', published: '2026-01-04', cpvs: ['45221240'] }),
  someDocument({ notice_id: 'both', title: 'Bridge and tunnel survey', published: '2026-01-03' }),
  someDocument({ notice_id: 'pier', title: 'Pier', description: 'Two lanes and one bridge', published: '2026-01-02' }),
  someDocument({ notice_id: 'all', title: 'Supply for all schools', published: '2026-01-01' }),
];

const signs = [
  someDocument({ notice_id: 'grant', title: 'A grant of £50k' }),
  someDocument({ notice_id: 'bound', title: 'Fewer than <90mm or =12x of €80m' }),
  someDocument({ notice_id: 'college', title: 'King’s College Hospital' }),
  someDocument({ notice_id: 'street', title: "King's Street, kings" }),
  someDocument({ notice_id: 'sign', title: 'Fire & Rescue for HM Revenue & Customs' }),
  someDocument({ notice_id: 'word', title: 'Fire and rescue for HM Revenue and Customs' }),
  someDocument({ notice_id: 'apart', title: 'Rescue from fire', description: 'Customs of revenue' }),
  someDocument({ notice_id: 'in-full', title: 'For Pumps Limited' }),
  someDocument({ notice_id: 'in-short', title: 'For Pumps Ltd.' }),
  someDocument({ notice_id: 'exact', title: 'Windows for LS1 4AP' }),
  someDocument({ notice_id: 'district', title: 'Windows', subjects: ['LS1'], districts: ['ls1'] }),
  someDocument({ notice_id: 'other', title: 'Windows', subjects: ['LS14'], districts: ['ls14'] }),
  someDocument({ notice_id: 'lot', title: 'Windows of the LS1 type', description: 'Lot LS1' }),
];
const BY_SIGNS: [string, string[]][] = [
  ['50k', ['grant']],
  ['£50k', ['grant']],
  ['90mm 12x 80m', ['bound']],
  [`"king's college"`, ['college']],
  ['"king’s street"', ['street']],
  [`king -"king's college"`, ['street']],
  ['"fire and rescue"', ['sign', 'word']],
  ['"Fire & Rescue"', ['sign', 'word']],
  ['rescue -"fire and rescue"', ['apart']],
  ['kiosk OR "fire & rescue"', ['sign', 'word']],
  ['HMRC', ['sign', 'word']],
  ['Pumps Ltd', ['in-full', 'in-short']],
  ['pumps limited', ['in-full', 'in-short']],
  ['"& rescue for"', ['sign', 'word']],
  ['"fire &" customs', ['apart', 'sign', 'word']],
  ['windows LS1 4AP', ['district', 'exact']],
  ['windows ls14ap', ['district', 'exact']],
  ['"LS1 4AP" windows', ['exact']],
  ['"LS1 type" LS1 4AP', []],
  ['"LS1 type" OR "x and y"', ['lot']],
  ['windows -LS1 4AP', ['district', 'lot', 'other']],
];

const many = Array.from({ length: 12 }, (_, index) =>
  someDocument({ notice_id: `many-${index}`, title: `Turnstile ${index}`, description: 'Gate' }),
);
const anyRows = [
  someDocument({ notice_id: 'both', title: 'Works', description: 'A turnstile and a kiosk' }),
  someDocument({ notice_id: 'three', title: 'Works', description: 'A turnstile, a kiosk and a bollard' }),
  someDocument({ notice_id: 'kiosk', title: 'Kiosk' }),
  someDocument({ notice_id: 'said', title: 'Fence', description: 'An old kiosk in green paint' }),
  someDocument({ notice_id: 'neither', title: 'Gravel', cpvs: ['44113100'] }),
  ...many,
];

const QUERIES: [string, string[]][] = [
  ['bridge tunnel', ['both']],
  ['bridge AND tunnel', ['both']],
  ['bridge and tunnel', ['both']],
  ['bridge -tunnel', ['bridge', 'pier']],
  ['bridge -tunnels', ['bridge', 'pier']],
  ['bridge NOT tunnel', ['bridge', 'pier']],
  ['bridge -tunnel -pier', ['bridge']],
  ['bridge -"two lanes"', ['both', 'bridge']],
  ['"one bridge" -tunnel', ['pier']],
  ['-bridge', ['all', 'tunnel']],
  ['-45221240 lining', []],
  ['all', ['all']],
  ['all schools', ['all']],
];
const CHOICES: [string, string[]][] = [
  ['bridge OR tunnel', ['both', 'bridge', 'pier', 'tunnel']],
  ['bridge OR zebra', ['both', 'bridge', 'pier']],
  ['zebra OR ostrich', []],
  ['(bridge OR tunnel) survey', ['both']],
  ['painting OR lining', ['bridge', 'tunnel']],
  ['paintng OR linning', ['bridge', 'tunnel']],
  ['painting OR linin', ['bridge', 'tunnel']],
  ['"two lanes" OR lining', ['pier', 'tunnel']],
  ['45221240 OR painting', ['bridge', 'tunnel']],
  ['bridge OR tunnel -survey', ['bridge', 'pier', 'tunnel']],
  ['zebra OR lining tunnel', ['tunnel']],
];

/** What `OR`, `AND`, a minus and quotes mean. */
export function describeOperators(trial: () => Trial) {
  describe('operators', () => {
    beforeAll(() => trial().fill(rows));
    const ids = async (text: string) => (await trial().ids({ text })).sort();

    it.each(QUERIES)('%j', async (text, expected) => {
      expect(await ids(text)).toEqual(expected);
    });

    it.each(BY_SIGNS)('%j, whatever sign a text has beside it', async (text, expected) => {
      await trial().add(signs);
      expect(await ids(text)).toEqual(expected);
      const { hits } = await trial().find({ text, highlight: true });
      expect(hits.map(({ highlight }) => highlight)).toEqual(expected.map(() => expect.stringContaining('<mark>')));
      await trial().add(
        [],
        signs.map(({ id }) => id),
      );
    });

    it.each(CHOICES)('%j, where one is enough', async (text, expected) => {
      expect(await ids(text)).toEqual(expected);
    });

    it('sort, count and mark as any other query', async () => {
      const { hits, total, facets, nextCursor } = await trial().find({
        text: 'bridge -tunnel',
        highlight: true,
        facets: ['month'],
        limit: 1,
        sort: '-published',
      });
      expect([hits[0]?.notice_id, hits[0]?.highlight, total, facets]).toEqual([
        'bridge',
        '<mark>Bridge</mark> painting',
        2,
        { month: { '2026-01': 2 } },
      ]);
      const next = await trial().ids({
        text: 'bridge -tunnel',
        limit: 1,
        sort: '-published',
        cursor: nextCursor ?? '',
      });
      expect(next).toEqual(['pier']);
    });

    it('exclude where any of the words is enough, too', async () => {
      expect((await trial().ids({ text: 'bridge lining -survey', match: 'any' })).sort()).toEqual([
        'bridge',
        'pier',
        'tunnel',
      ]);
    });
  });
}

/** What `match: 'any'` promises. */
export function describeAny(trial: () => Trial) {
  describe('any of the words', () => {
    beforeAll(() => trial().fill(anyRows));

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
      ['a phrase of a choice', '"green paint" OR zebra gravel', 2],
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
