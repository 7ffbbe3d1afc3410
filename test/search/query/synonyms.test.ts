import { describe, expect, it } from 'vitest';
import { describeSynonyms, parseQuery } from '../../../search/query/parse.ts';
import { synonymTable } from '../../../search/query/synonyms.ts';

const othersOf = (text: string) => describeSynonyms(parseQuery(text)).synonyms?.flatMap(({ to }) => to) ?? [];

describe('other wordings', () => {
  it.each([
    ['FCDO', ['foreign commonwealth and development office']],
    ['Dstl', ['defence science and technology laboratory']],
    ['contracts of the UKRI', ['uk research and innovation']],
    ['NS&I', ['national savings and investments']],
    ['HMPPS', ['hm prison and probation service', 'her majestys prison and probation service']],
    ['beis', ['business energy and industrial strategy']],
  ])('a short name of a public body is its names: %s', (text, names) => {
    expect(othersOf(text)).toEqual(expect.arrayContaining(names.map((name) => name.replace('majestys', 'majesty'))));
  });

  it('a short name says each name once, and none that contains another', () => {
    expect(othersOf('CCS')).toEqual(['crown commercial service']);
    expect(othersOf('MOD')).toEqual(['ministry of defence']);
  });

  it.each(['ACA', 'DCM', 'NICEs', 'HMPP', 'maps', 'site map', 'MAPS'])('%s is no short name of a body', (text) => {
    expect(othersOf(text)).toEqual([]);
  });

  it.each([' ', ' OR '])('a query of acronyms alone does not become a hundred phrases: joined by %j', (between) => {
    const acronyms = 'DCMS DHSC HMPPS HMCTS Defra BEIS NSS DWP DfT DBT DESNZ FCDO MHRA ESRC EPSRC BBSRC'.split(' ');
    const others = othersOf(acronyms.join(between));
    expect(others).toContain('department for culture media and sport');
    expect(others.join(' ').split(' ').length).toBeLessThanOrEqual(96);
    expect(othersOf(acronyms.slice(0, 4).join(between))).toContain('hm courts and tribunals service');
  });

  it('the names of a body do not lead to its short name, which may mean something else', () => {
    expect(othersOf('national institute for health and care excellence')).toEqual([]);
    expect(othersOf('NICE')).toEqual(['national institute for health and care excellence']);
    expect(synonymTable()).toMatchObject({
      nice: ['national institute for health and care excellence', expect.anything()],
    });
    expect(synonymTable()).not.toHaveProperty('national institute health care excellence');
  });

  it.each([
    ['Microsoft licenses', 'licence'],
    ['Microsoft licences', 'license'],
    ['program management', 'programme'],
    ['organization design', 'organisation'],
    ['digitisations', 'digitizations'],
    ['web site', 'website'],
    ['Elmbrook Services Limited', 'ltd'],
    ['Elmbrook Services Ltd', 'limited'],
    ['Dept for Education', 'department'],
    ['e-learning', 'elearning'],
    ['cybersecurity', 'cyber security'],
  ])('a word that is spelt in two ways is both: %s', (text, other) => {
    expect(othersOf(text)).toContain(other);
  });

  it.each(['sensation', 'compensation', 'visit', 'nation', 'station'])('%s has one spelling', (word) => {
    expect(othersOf(word)).toEqual([]);
  });
});
