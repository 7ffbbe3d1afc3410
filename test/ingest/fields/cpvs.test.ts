import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { actRelease, compileOne } from '../compile/releases.ts';

const noticeOf = (tender: JsonObject) =>
  compileOne([actRelease('000400-2026', '2026-03-01T09:00:00Z', { tag: ['tender'], tender })]).notices[0];
const cpvsOf = (classification: unknown) => noticeOf({ classification })?.cpvs;
const warningsOf = (classification: unknown) => noticeOf({ classification })?.detail.warnings;

describe('a CPV code', () => {
  it.each([
    '45000000',
    '45000000-7',
    '45000000 - Construction work',
    '45000000-7 - Construction work',
    '45000000-Construction work',
    '45000000: Construction work',
    '45000000 Construction work',
    '45000000-7 (Construction work)',
    'CPV:45000000',
    'CPV 45000000-7',
    'cpv: 45000000 Construction work',
    'http://cpv.data.ac.uk/code-45000000.html',
    'http://data.europa.eu/cpv/cpv/45000000',
  ])('written as %s is that code, as a text and as an id', (text) => {
    for (const classification of [text, [text], { id: text }, { scheme: 'CPV', id: text }]) {
      expect(cpvsOf(classification)).toEqual(['45000000']);
      expect(warningsOf(classification)).toEqual([]);
    }
  });

  it('is read in the address of a classification without an id', () => {
    const uri = 'http://cpv.data.ac.uk/code-45000000.html';
    expect(cpvsOf({ scheme: 'CPV', uri, description: 'Construction work' })).toEqual(['45000000']);
    expect(cpvsOf({ scheme: 'CPV', id: '90911300', uri })).toEqual(['90911300']);
    expect(cpvsOf({ scheme: 'CPV', id: '', uri })).toEqual(['45000000']);
    expect(cpvsOf({ scheme: 'UNSPSC', uri })).toEqual([]);
  });

  it.each([
    'https://dunmere.example/Tender/45210000',
    'https://dunmere.example/2026-45000000',
    'https://cpv.example/f45000000',
    'https://cpv.example/45000000/terms',
  ])('is none in another address: %s', (uri) => {
    expect(cpvsOf({ scheme: 'CPV', uri })).toEqual([]);
    expect(cpvsOf({ uri })).toEqual([]);
    expect(cpvsOf(uri)).toEqual([]);
  });

  it.each(['45000000, 90911300', '45000000-7;90911300-9', '45000000 - Construction work, 90911300 - Windows'])(
    'and another one after it: %s',
    (text) => {
      expect(cpvsOf(text)).toEqual(['45000000', '90911300']);
    },
  );

  it('without its leading zero is followed by its words as well', () => {
    expect(cpvsOf('9123000 - Natural gas')).toEqual(['09123000']);
    expect(cpvsOf(9123000)).toEqual(['09123000']);
  });

  it('of an item, as a text', () => {
    const item = { id: 1, classification: '45000000', additionalClassifications: ['90911300 - Windows'] };
    expect(noticeOf({ items: [item] })?.cpvs).toEqual(['45000000', '90911300']);
  });

  it.each([
    '145000000',
    '450000000',
    '4500000',
    '45000000-77',
    '45000000/2',
    '45000000A',
    '45000000.5',
    '4500 0000',
    'Construction work',
    'ref 45000000',
    '2026-04-01',
    '1'.repeat(300_000),
  ])('is not %s, and the notice says so', (text) => {
    for (const classification of [text, { scheme: 'CPV', id: text }]) {
      expect(cpvsOf(classification)).toEqual([]);
      expect(warningsOf(classification)).toEqual([
        `a classification that is no CPV code was published: ${text.slice(0, 40)}`,
      ]);
    }
  });

  it('is not one of another scheme, nor the code for nothing; that is no fault', () => {
    for (const classification of [
      { scheme: 'CPVS', id: 'DA03' },
      { scheme: 'UNSPSC', id: '45000000 - Tools' },
      { scheme: 'CPV', id: '00000000' },
      {},
    ]) {
      expect(cpvsOf(classification)).toEqual([]);
      expect(warningsOf(classification)).toEqual([]);
    }
  });
});
