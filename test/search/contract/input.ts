import { beforeAll, describe, expect, it } from 'vitest';
import { someDocument } from '../documents.ts';
import type { Trial } from '../trial.ts';

const ODD: [string, string][] = [
  ['a lone quote', '"'],
  ['unbalanced quotes', '"bridge repair'],
  ['a query of another language', '" OR *'],
  ['operators', 'bridge AND NOT (repair or NEAR(x y, 2)) -works +title:bridge ^3'],
  ['columns and filters', 'title:bridge {title buyer}: x tokens:zzsn'],
  ['signs alone', "!@#$%^&*()[]{}<>/\\|~`';:,.?"],
  ['NUL', 'bri\0dge \0'],
  ['control characters', '\u0001\u0002\u0003\u001f bridge'],
  ['emoji', '🙂👩‍👩‍👧 bridge'],
  ['right-to-left text', 'جسر גשר bridge'],
  ['a lone surrogate', 'bridge \ud800'],
  ['combining marks', 'b̶r̶i̶d̶g̶e̶'],
  ['Chinese', '桥梁维修'],
  ['a very long word', 'x'.repeat(10_000)],
  ['10,000 characters of words', Array.from({ length: 1_700 }, (_, index) => `w${index}`).join(' ')],
  ['the same word a thousand times', 'bridge '.repeat(1_000)],
  ['a hundred phrases', '"a b" '.repeat(100)],
  ['a hundred codes', '45000000 '.repeat(100)],
  ['SQL', "'; DROP TABLE document; --"],
  ['percent and underscore', '%_%'],
];

/** Whatever is typed: an answer, never an error. */
export function describeInput(trial: () => Trial) {
  describe('odd input', () => {
    beforeAll(() =>
      trial().fill([
        someDocument({ notice_id: 'i-1', title: 'Bridge repair', description: 'Masonry' }),
        someDocument({ notice_id: 'i-2', title: 'Road works', description: 'Tarmac 2024, lot DN51234-b' }),
      ]),
    );

    it.each(ODD)('answers %s', async (_what, text) => {
      for (const scope of ['notices', 'tenders', 'frameworks'] as const) {
        const answer = await trial().find({ scope, text, highlight: true, facets: ['stage'] });
        expect(answer.total).toBeGreaterThanOrEqual(answer.hits.length);
      }
    });

    it.each([
      ['absent', undefined],
      ['empty', ''],
      ['blank', ' \t\n '],
      ['a star', '*'],
      ['a star in blanks', ' * '],
    ])('answers everything where the query is %s', async (_what, text) => {
      expect((await trial().find(text === undefined ? {} : { text })).total).toBe(2);
    });

    it('does not forgive numbers and codes', async () => {
      expect(await trial().ids({ text: '2024' })).toEqual(['i-2']);
      expect(await trial().ids({ text: '2025' })).toEqual([]);
      const ids = ['DN51234', 'DN51235', 'tarmac DN51243 ', 'DN51235 OR DN51236'].map((text) => trial().ids({ text }));
      expect(await Promise.all(ids)).toEqual([['i-2'], [], [], []]);
    });

    it('says what it did', async () => {
      const { meta, exact } = await trial().find({ text: 'bridge' });
      expect(meta).toEqual({
        engine: trial().engine.name,
        bounded: false,
        corrections: [],
        matched: 'all',
        ignoredWords: 0,
      });
      expect(exact).toBe(true);
    });

    it('says which mistakes it forgave', async () => {
      const corrections = async (text: string) => (await trial().find({ text })).meta.corrections;
      expect(await corrections('brigde')).toEqual([{ from: 'brigde', to: 'bridge' }]);
      expect(await corrections('bridges repairs')).toEqual([]);
      expect(await corrections('2024')).toEqual([]);
      expect((await trial().find({ text: 'brigde' })).hits[0]).not.toHaveProperty('highlight');
    });

    it('remembers its position', async () => {
      expect(await trial().engine.readCursor()).toMatchObject({
        generation: 'trial',
        version: trial().engine.version,
        id: 'x',
      });
    });
  });
}
