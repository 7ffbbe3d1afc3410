import { beforeAll, describe, expect, it } from 'vitest';
import { someDocument } from '../documents.ts';
import type { Trial } from '../trial.ts';

const decoys = Array.from({ length: 15 }, (_, index) =>
  someDocument({ notice_id: `decoy-${index}`, title: `Stationery lot ${index}`, description: 'Paper and pens' }),
);
const rows = [
  someDocument({
    notice_id: 'in-description',
    title: 'Works',
    description: 'Repairs to the bridge over the canal',
  }),
  someDocument({ notice_id: 'in-buyer', title: 'Works', buyer: 'Bridge Housing Association', buyer_id: 'b-9' }),
  someDocument({ notice_id: 'in-title', title: 'Bridge inspection' }),
  someDocument({ notice_id: 'school', title: 'Cleaning of schools', description: 'Daily cleaning in Ashford' }),
  someDocument({ notice_id: 'cafe', title: 'Café furniture', cpvs: ['39100000'] }),
  someDocument({
    notice_id: 'won',
    title: 'Award',
    suppliers: ['Quillfeather Ltd'],
    company_numbers: ['01234567'],
  }),
  someDocument({
    notice_id: 'road',
    title: 'Resurfacing of roads',
    subjects: ['Roadworks', 'Gritting vehicles'],
  }),
  someDocument({ notice_id: 'estate', title: 'Total facilities management of the estate', description: 'Porters' }),
  someDocument({ notice_id: 'lorries', title: 'Two HGV chassis', description: 'Deliver to LS1 4AP' }),
  someDocument({ notice_id: 'invited', title: 'ITT: kiosks', buyer: 'MoD' }),
  someDocument({ notice_id: 'reference', title: 'SF050678: isotopes (ref. 20180501)' }),
  someDocument({ notice_id: 'near-words', title: 'Water', description: 'A pump for water and a house' }),
  someDocument({ notice_id: 'as-said', title: 'Water', description: 'A pump house and water for it' }),
  someDocument({ notice_id: 'long-title', title: 'Quay walls of the old harbour and the fish market, phase two' }),
  someDocument({ notice_id: 'short-title', title: 'Quay walls' }),
  someDocument({
    notice_id: 'often-said',
    title: 'Works',
    description: 'Masonry. '.repeat(9),
    subjects: ['Masonry work'],
  }),
  someDocument({
    notice_id: 'titled',
    title: 'Inspection of masonry',
    description: 'Once in each of the coming years',
  }),
  someDocument({
    notice_id: 'pronoun',
    title: 'Dementia day service',
    description: 'It offers help and it will support carers. IT MUST be near. Its door, and its staff',
  }),
  someDocument({
    notice_id: 'technology',
    title: 'Helpdesk',
    description: 'It is for schools. Support of IT in schools.',
  }),
  someDocument({ notice_id: 'said-otherwise', title: 'ICT equipment', description: 'Make it work, with support' }),
  someDocument({ notice_id: 'possessive', title: 'A council and its partners', description: 'Support' }),
  someDocument({ notice_id: 'small-letters', title: 'Desks', description: 'also it support, twice a week' }),
  ...decoys,
];

export function describeRanking(trial: () => Trial) {
  describe('ranking and words', () => {
    beforeAll(() => trial().fill(rows));

    it('puts title over buyer over description', async () => {
      expect(await trial().ids({ text: 'bridge' })).toEqual(['in-title', 'in-buyer', 'in-description']);
    });

    it.each([
      ['a plural', 'school', 'school'],
      ['a word without its accent', 'cafe furniture', 'cafe'],
      ['a partial last word', 'resurf', 'road'],
      ['a partial last word of a description alone', 'porte', 'estate'],
      ['a typing mistake', 'furnitrue café', 'cafe'],
      ['a typing mistake in the last word', 'canal bridgge', 'in-description'],
      ['a typing mistake in a word of descriptions alone', 'ashofrd schools', 'school'],
      ['two typing mistakes in a long word', 'faciliites managemnet estate', 'estate'],
      ['a quoted phrase', '"over the canal"', 'in-description'],
      ['a supplier', 'Quillfeather', 'won'],
      ['what it is about', 'gritting', 'road'],
      ['all words, wherever they stand', 'ashford schools cleaning', 'school'],
      ['a CPV code', '39100000', 'cafe'],
      ['a company number', '01234567', 'won'],
      ['what looks like a company number, in a text', 'sf050678 isotopes', 'reference'],
      ['what looks like a CPV code, in a text', '20180501', 'reference'],
      ['an abbreviation', 'FM porters', 'estate'],
      ['what an abbreviation stands for', 'heavy goods vehicles chassis', 'lorries'],
      ['a postcode', 'LS1 4AP', 'lorries'],
      ['words that stand together before the same apart', 'pump house', 'as-said'],
      ['a short title before a long one', 'quay walls', 'short-title'],
    ])('finds by %s', async (_what, text, first) => {
      expect((await trial().ids({ text }))[0]).toBe(first);
    });

    it.each(['invitation to tender kiosks', 'kiosks ministry of defence'])(
      'finds another wording of several words, small ones among them: %s',
      async (text) => {
        const { hits, meta } = await trial().find({ text: `${text} ` });
        expect([hits[0]?.notice_id, meta.matched]).toEqual(['invited', 'all']);
      },
    );

    it('does not find a phrase in another order', async () => {
      expect(await trial().ids({ text: '"canal the over"' })).toEqual([]);
    });
  });
}

export function describeStrictness(trial: () => Trial) {
  describe('all of the words', () => {
    beforeAll(() => trial().fill(rows));

    it.each([
      ['one word that nothing has', 'bridge inspection zebra'],
      ['words that no document has together', 'gritting quay'],
      ['many words, one of them unknown', 'daily cleaning of schools in ashford by a zebra'],
      ['a phrase that stands nowhere, with a word', '"canal the over" bridge'],
      ['the beginning of a word, unless it comes last', 'resurf roads'],
      ['a slip in a word of four letters', 'quxy walls'],
      ['two slips in a word of seven letters', 'harbxxr market'],
    ])('finds nothing by %s', async (_what, text) => {
      for (const match of [undefined, 'all' as const]) {
        const { hits, total, meta } = await trial().find({ text, ...(match && { match }) });
        expect([hits, total, meta.matched]).toEqual([[], 0, 'all']);
      }
    });

    it.each([
      ['words that only join', 'inspection of the bridge and for', 'in-title'],
      ['a slip beside another word', 'inspecton bridge', 'in-title'],
      ['another form beside another word', 'bridges inspections', 'in-title'],
      ['a partial last word beside another word', 'bridge inspec', 'in-title'],
      ['a partial last word beside a phrase', '"once in each" inspec', 'titled'],
    ])('finds by all words, forgiving %s', async (_what, text, only) => {
      expect(await trial().ids({ text })).toEqual([only]);
    });
  });
}

/** Of the technology, not of the pronoun. */
const TECHNOLOGY: [string, string[]][] = [
  ['IT support', ['said-otherwise', 'small-letters', 'technology']],
  ['it support', ['said-otherwise', 'small-letters', 'technology']],
  ['Support (IT)', ['said-otherwise', 'small-letters', 'technology']],
  ['dementia it', []],
  ['"make it work"', ['said-otherwise']],
  ['"support of IT"', ['technology']],
  ['"and its staff"', ['pronoun']],
  ['"council and its partners"', ['possessive']],
  ['it partners', []],
  ['support carers -IT', ['pronoun']],
];

export function describeTechnology(trial: () => Trial) {
  describe('IT', () => {
    beforeAll(() => trial().fill(rows));

    it.each(TECHNOLOGY)('%j is no pronoun', async (text, expected) => {
      expect((await trial().ids({ text: `${text} ` })).sort()).toEqual(expected);
    });

    it('and its like in capitals at the end of a query begin no other word', async () => {
      const titles = { ai: 'Models of AI', air: 'Air quality models', hr: 'HR advice', hrms: 'Advice on HRMS' };
      await trial().add(Object.entries(titles).map(([notice_id, title]) => someDocument({ notice_id, title })));
      expect(await trial().ids({ text: 'AI' })).toEqual(['ai']);
      expect(await trial().ids({ text: 'models AI' })).toEqual(['ai']);
      expect(await trial().ids({ text: 'advice for HR' })).toEqual(['hr']);
      expect((await trial().ids({ text: 'models ai' })).sort()).toContain('ai');
    });

    it('is marked where it stands, and the pronoun shown as it was', async () => {
      const marked = async (text: string, id: string) =>
        (await trial().find({ text, highlight: true })).hits.find(({ notice_id }) => notice_id === id)?.highlight;
      expect(await marked('carers ', 'pronoun')).toContain('It offers help and it will support <mark>carers</mark>.');
      expect(await marked('IT support ', 'technology')).toContain('<mark>IT</mark> in schools');
    });
  });
}

export function describeExactness(trial: () => Trial) {
  describe('identifiers and extracts', () => {
    beforeAll(() => trial().fill(rows));

    it('finds a notice id, a GUID and an ocid exactly, and no neighbour', async () => {
      const guid = 'a1b2c3d4-0000-4000-8000-00000000000a';
      await trial().add([
        someDocument({ notice_id: '012345-2026', title: 'One', ocid: 'ocds-h6vhtk-0aaaaa' }),
        someDocument({ notice_id: '012346-2026', title: 'Two', ocid: 'ocds-h6vhtk-0aaaab' }),
        someDocument({ notice_id: guid, title: 'Three', ocid: 'ocds-b5fd17-three' }),
      ]);
      expect(await trial().ids({ text: '012345-2026' })).toEqual(['012345-2026']);
      expect(await trial().ids({ text: guid.toUpperCase() })).toEqual([guid]);
      expect(await trial().ids({ text: 'OCDS-h6vhtk-0aaaab' })).toEqual(['012346-2026']);
      expect(await trial().ids({ text: '01234568' })).toEqual([]);
    });

    it('shows an extract, and marks hits in safe text on request', async () => {
      const description = `<script>x</script> ${'Lorem ipsum dolor. '.repeat(60)}The lighthouse stands here. ${'Amet sit. '.repeat(60)}`;
      await trial().add([someDocument({ notice_id: 'long', title: 'Tower & co', description })]);
      const { hits } = await trial().find({ text: 'lighthouse', highlight: true });
      expect(hits[0]?.extract.length).toBeLessThanOrEqual(241);
      expect(hits[0]?.highlight).toMatch(/<mark>lighthouse<\/mark>/);
      expect(hits[0]).not.toHaveProperty('description');
      expect(hits[0]).not.toHaveProperty('suppliers');
      const [plain] = (await trial().find({ text: 'tower', highlight: true })).hits;
      expect(plain?.highlight).toBe('<mark>Tower</mark> &amp; co');
      expect((await trial().find({ text: 'tower' })).hits[0]).not.toHaveProperty('highlight');
    });

    it.each([
      ['"coming years"', 'titled', /<mark>coming/],
      ['zebra OR "coming years"', 'titled', /<mark>coming/],
    ])('marks phrases, of choices too: %s', async (text, id, marked) => {
      const [hit] = (await trial().find({ text, highlight: true })).hits;
      expect([hit?.notice_id, hit?.highlight]).toEqual([id, expect.stringMatching(marked)]);
    });
  });
}
