import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shorten } from '../../../search/documents/from-row.ts';
import { BadCursor, type SearchQuery } from '../../../search/engine.ts';
import { asksForAll, describeSynonyms, parseQuery, saysNothing } from '../../../search/query/parse.ts';
import { splitWords } from '../../../search/query/pieces.ts';
import { synonymTable } from '../../../search/query/synonyms.ts';
import { makeCursor, parseCursor } from '../../../search/results/cursor.ts';
import { NONE_SERVED, printOf } from '../../../search/results/served-hits.ts';

/** Half a pair of surrogates too. The library's own arbitrary of all characters takes a second to make. */
const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));

describe('a query', () => {
  it.each([
    ['School  CLEANING', { words: ['school', 'cleaning'], partial: 'cleaning' }],
    ['school cleaning ', { words: ['school', 'cleaning'], partial: null }],
    ["children's café", { words: ['children', 'cafe'] }],
    ['the cleaning of schools', { words: ['cleaning', 'schools'] }],
    ['of the', { words: ['of', 'the'] }],
    ['"grounds maintenance" leeds', { words: ['leeds'], phrases: [['grounds', 'maintenance']] }],
    ['near SW1A 1AA please', { words: ['near', 'please'], phrases: [['sw1a', '1aa']] }],
    ['near SW1A1AA please', { words: ['near', 'please'], phrases: [['sw1a', '1aa']] }],
    ['of "grass cutting"', { words: [], phrases: [['grass', 'cutting']] }],
    ['"bridge"', { words: [], phrases: [['bridge']] }],
    ['it support', { words: ['it', 'support'] }],
    ['IT and HR for the council', { words: ['it', 'hr', 'council'] }],
    ['for the public sector it covers new roads', { words: ['public', 'sector', 'covers', 'new', 'roads'] }],
    ['for the public sector and for IT in the town', { words: ['public', 'sector', 'it', 'town'] }],
    ['of the public sector for it support in town', { words: ['public', 'sector', 'it', 'support', 'town'] }],
    ['IS strategy', { words: ['is', 'strategy'] }],
    ['IS STRATEGY', { words: ['strategy'] }],
    ['A&E department', { words: ['a', 'e', 'department'] }],
    ['A & E department', { words: ['a', 'e', 'department'] }],
    ['hepatitis a', { words: ['hepatitis', 'a'] }],
    ['A bridge', { words: ['bridge'] }],
    ['T levels', { words: ['t', 'levels'] }],
    ["don't paint", { words: ['don', 'paint'] }],
    ['will writing', { words: ['will', 'writing'] }],
    ['bridge AND tunnel', { words: ['bridge', 'tunnel'], either: [] }],
    ['bridge and tunnel or pier', { words: ['bridge', 'tunnel', 'pier'], either: [] }],
    ['supply of the food', { words: ['supply', 'food'], runs: [['supply', 'of', 'the', 'food']] }],
    ['“curly quotes”', { phrases: [['curly', 'quotes']], partial: null }],
  ])('%j is read as words', (text, expected) => {
    expect(parseQuery(text)).toMatchObject(expected);
  });

  it.each([
    ['bridge OR tunnel', [], [{ words: ['bridge', 'tunnel'] }]],
    ['(bridge OR tunnel) repair', ['repair'], [{ words: ['bridge', 'tunnel'] }]],
    ['bridge OR tunnel OR pier', [], [{ words: ['bridge', 'tunnel', 'pier'] }]],
    ['a OR b c OR d', [], [{ words: ['a', 'b'] }, { words: ['c', 'd'] }]],
    ['"grass cutting" OR mowing', [], [{ words: ['mowing'], phrases: [['grass', 'cutting']] }]],
    ['street-lights OR lamps', [], [{ words: ['lamps'], phrases: [['street', 'lights']] }]],
    ['012345-2026 OR LS1 4AP', [], [{ identifiers: [{ notice_id: '012345-2026' }], phrases: [['ls1', '4ap']] }]],
    ['OR bridge', ['bridge'], []],
    ['bridge OR', ['bridge'], []],
    ['OR OR', [], []],
    ['bridge OR -tunnel', ['bridge'], []],
  ])('%j is a choice', (text, words, either) => {
    expect(parseQuery(text)).toMatchObject({ words, either });
  });

  it.each([
    ['bridge -tunnel', ['bridge'], { words: ['tunnel'] }],
    ['-tunnel bridge', ['bridge'], { words: ['tunnel'] }],
    ['bridge −tunnel', ['bridge'], { words: ['tunnel'] }],
    ['bridge (-tunnel)', ['bridge'], { words: ['tunnel'] }],
    ['bridge NOT tunnel', ['bridge'], { words: ['tunnel'] }],
    ['bridge AND NOT tunnel', ['bridge'], { words: ['tunnel'] }],
    ['bridge -"two lanes"', ['bridge'], { phrases: [['two', 'lanes']] }],
    ['bridge -follow-up', ['bridge'], { phrases: [['follow', 'up']] }],
    ['bridge -45000000', ['bridge'], { identifiers: [{ cpv: '45000000' }] }],
    ['-tunnel', [], { words: ['tunnel'] }],
    ['follow-up', ['follow', 'up'], { words: [] }],
    ['bridge - tunnel', ['bridge', 'tunnel'], { words: [] }],
    ['NOT TO BE OPENED', ['not', 'opened'], { words: [] }],
    ['-', [], { words: [] }],
  ])('%j excludes what it says', (text, words, excluded) => {
    expect(parseQuery(text)).toMatchObject({ words, phrases: [], excluded });
  });

  it.each([
    ['bridge OR tunn', 'tunn'],
    ['bridge -tunn', null],
    ['bridge repai', 'repai'],
    ['bridge r', null],
    ['"bridge repair"', null],
    ['software for HR', null],
    ['AI', null],
    ['NATO', null],
    ['ai', 'ai'],
    ['BRIDGES', 'bridges'],
  ])('%j ends in the beginning of a word: %s', (text, partial) => {
    expect(parseQuery(text).partial).toBe(partial);
  });

  it.each([
    ['45000000', { cpv: '45000000', company_number: '45000000' }],
    ['45000000-7', { cpv: '45000000' }],
    ['012345-2026', { notice_id: '012345-2026' }],
    ['(OCDS-h6vhtk-0abcde)', { ocid: 'ocds-h6vhtk-0abcde' }],
    ['sc123456', { company_number: 'SC123456' }],
    ['"012345-2026"', { notice_id: '012345-2026' }],
    ['ocds-h6vhtk-f000eb', { ocid: 'ocds-h6vhtk-f000eb' }],
    ['OCDS-h6vhtk-f000eb-a-1', { ocid: 'ocds-h6vhtk-f000eb' }],
    ['ocds-b5fd17-0abc~0123abcd-a-lot-2', { ocid: 'ocds-b5fd17-0abc' }],
  ])('%s is recognised', (text, expected) => {
    const { identifiers, words } = parseQuery(text);
    expect(identifiers[0]).toMatchObject(expected);
    expect(words).toEqual([]);
  });

  it.each([
    ['FM services in Leeds', ['fm'], ['facilities', 'management']],
    ['facilities management Leeds', ['facilities', 'management'], ['fm']],
    ['electric vehicles', ['electric', 'vehicles'], ['ev']],
    ['ITT cleaning', ['itt'], ['invitation', 'to', 'tender']],
    ['m&e works', ['m', 'e'], ['mechanical', 'and', 'electrical']],
    ['HM Revenue & Customs', ['hm', 'revenue', 'customs'], ['hmrc']],
  ])('%s is said otherwise too', (text, words, other) => {
    const [synonym] = parseQuery(text).synonyms;
    expect(synonym?.words).toEqual(words);
    expect(synonym?.others).toContainEqual(other);
  });

  it('does not look for what mostly means something else, but understands it', () => {
    const othersOf = (text: string) =>
      parseQuery(text).synonyms.flatMap(({ others }) => others.map((one) => one.join(' ')));
    expect(othersOf('it')).toContain('information technology');
    expect(othersOf('information technology')).toContain('ict');
    expect(othersOf('information technology')).not.toContain('it');
    expect(othersOf('hgv')).not.toContain('lgv');
    expect(synonymTable()['information technology']).not.toContain('it');
  });

  it('has synonyms of each choice, but none of ordinary words or of half a phrase', () => {
    const to = ['facilities management', 'facility management'];
    expect(describeSynonyms(parseQuery('FM OR lamps'))).toEqual({ synonyms: [{ from: 'fm', to }] });
    expect(parseQuery('facilities for the management of schools').synonyms).toEqual([]);
    expect(describeSynonyms(parseQuery('bridge repair'))).toEqual({});
    expect(Object.keys(synonymTable())).toContain('facilities management');
  });

  it('counts what it does not look for', () => {
    const text = Array.from({ length: 70 }, (_, index) => `word${index}`).join(' ');
    expect(parseQuery(text)).toMatchObject({ ignoredWords: 6 });
    const choice = Array.from({ length: 70 }, (_, index) => `word${index}`).join(' OR ');
    expect(parseQuery(`one ${choice}`)).toMatchObject({ ignoredWords: 7 });
    const without = Array.from({ length: 70 }, (_, index) => `-word${index}`).join(' ');
    expect(parseQuery(`one ${without}`)).toMatchObject({ words: ['one'], ignoredWords: 6 });
    const phrases = Array.from({ length: 20 }, (_, index) => `"a word${index}"`).join(' ');
    expect(parseQuery(phrases).ignoredWords).toBe(4);
    const pairs = Array.from({ length: 20 }, (_, index) => `a${index} OR b${index}`).join(' ');
    expect(parseQuery(pairs)).toMatchObject({ either: { length: 16 }, ignoredWords: 8 });
    const tens = Array.from({ length: 100 }, (_, index) => `${index % 10 ? 'OR ' : ''}w${index}`).join(' ');
    expect(parseQuery(tens)).toMatchObject({ ignoredWords: 36 });
    for (const again of ['bridge ', '"a b" ', '45000000 ', '-bridge '])
      expect(parseQuery(again.repeat(100)).ignoredWords).toBe(0);
  });

  it('takes any text, and makes words of letters and digits alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
        const query = parseQuery(text);
        for (const word of [...query.words, ...query.phrases.flat()]) expect(word).toMatch(/^[\p{L}\p{N}]+$/u);
        expect(splitWords(text).every((word) => word.length > 0)).toBe(true);
      }),
    );
    for (const blank of [undefined, '', ' ', '*', '"', '🙂']) expect(asksForAll(parseQuery(blank))).toBe(true);
    for (const all of [undefined, '', ' ', '*', ' * ', 'a', 'all', '-a', 'a OR b', '"a b"', '45000000'])
      expect(saysNothing(all)).toBe(false);
    for (const signs of ['"', '🙂', '-', '% %', '\0', '\ufffd', '**']) expect(saysNothing(signs)).toBe(true);
  });
});

describe('a cursor', () => {
  const query: SearchQuery = { scope: 'notices', text: 'a', filters: { cpv: ['45'] }, limit: 5, now: new Date(0) };
  const position = { engine: 'embedded', served: 5, level: 'all', key: 7, value: 1.5 } as const;

  it('comes back as it was made, whatever the order of the filters', () => {
    const cursor = makeCursor(position, { ...query, filters: { cpv: ['45'], stage: ['award'] } }) ?? '';
    expect(parseCursor(cursor, { ...query, filters: { stage: ['award'], cpv: ['45'] }, limit: 9 })).toEqual(position);
  });

  it.each<[string, Partial<SearchQuery>]>([
    ['words', { text: 'b' }],
    ['filters', { filters: { cpv: ['45'], stage: ['award'] } }],
    ['sort', { sort: 'published' }],
    ['scope', { scope: 'tenders' }],
  ])('is refused with other %s', (_what, other) => {
    const cursor = makeCursor(position, query) ?? '';
    expect(() => parseCursor(cursor, { ...query, ...other })).toThrow('this cursor belongs to another query');
  });

  it('ends at the depth limit', () => {
    expect(makeCursor({ ...position, served: 5_000 }, query)).toBeNull();
    expect(makeCursor({ ...position, served: 4_999 }, query)).not.toBeNull();
  });

  it('holds all that one can hold in 760 characters', () => {
    const passed = Array.from({ length: 40 }, (_, index) => 2 ** 39 + index);
    const seen = NONE_SERVED.with(Array.from({ length: 150 }, (_, index) => `n-${index}`));
    const full = { ...position, served: 4_999, value: -1.5, passed, seen };
    const cursor = makeCursor(full, query) ?? '';
    expect(cursor.length).toBeLessThanOrEqual(760);
    const back = parseCursor(cursor, query);
    expect(back).toMatchObject({ ...position, served: 4_999, value: -1.5, passed: passed.slice(-28) });
    expect([back.seen?.size, back.seen?.has('n-99'), back.seen?.has('n-100')]).toEqual([100, true, false]);
    const alone = { ...position, value: null, bound: 2 ** 39, passed };
    expect(parseCursor(makeCursor(alone, query) ?? '', query)).toEqual(alone);
    const print = { ...position, engine: 'meilisearch', key: printOf('a'), value: null } as const;
    expect(parseCursor(makeCursor(print, query) ?? '', query)).toEqual(print);
  });

  it('is refused where it was altered', () => {
    const bytes = Buffer.from(makeCursor(position, query) ?? '', 'base64url');
    const altered = (at: number, ...values: number[]) => {
      const other = Buffer.from(bytes);
      other.set(values, at);
      return other.toString('base64url');
    };
    for (const text of [
      altered(0, 3),
      altered(1, 255),
      altered(2, 1, 2, 3),
      altered(11, 255, 255),
      altered(11, 0, 0),
      altered(13, 200),
      altered(14, 127, 240),
      bytes.subarray(0, 20).toString('base64url'),
      `${bytes.toString('base64url')}AAAA`,
    ]) {
      expect(() => parseCursor(text, query)).toThrow(BadCursor);
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => parseCursor(text, query)).toThrow(BadCursor);
      }),
    );
  });
});

describe('an extract', () => {
  it('is cut between words and keeps characters whole', () => {
    expect(shorten('one two three', 9)).toBe('one two…');
    expect(shorten('short')).toBe('short');
    expect(shorten('🙂'.repeat(10), 5)).toBe('🙂🙂…');
  });
});
