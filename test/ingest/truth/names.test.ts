import { describe, expect, it } from 'vitest';
import { INVISIBLE_CASES } from './contacts/invisible.ts';
import { LABELS } from './labels.ts';
import { BUYER_PAIRS, COMPANY_CASES, CONTACT_CASES } from './sets-of-names.ts';

const unique = (keys: string[]) => keys.filter((key, at) => keys.indexOf(key) !== at);

describe('the labels of the recordings', () => {
  const labels = LABELS;
  const count = (kind: string) => labels.filter(({ label }) => label === kind).length;

  it('name each process once, with a reason', () => {
    expect(unique(labels.map(({ ocid }) => ocid))).toEqual([]);
    expect(labels.filter(({ ocid, why }) => !ocid.startsWith('ocds-') || why.length < 5)).toEqual([]);
  });

  it('are at least 200, of every kind', () => {
    expect(labels.length).toBeGreaterThanOrEqual(200);
    expect(count('framework') + count('market')).toBeGreaterThanOrEqual(75);
    expect(count('none')).toBeGreaterThanOrEqual(75);
    expect(count('market')).toBeGreaterThanOrEqual(10);
  });
});

describe('the pairs of buyers', () => {
  const pairs = BUYER_PAIRS;

  it('are each said once, in either order, with a reason', () => {
    const keys = pairs.map(({ a, b }) =>
      [a, b]
        .map((buyer) => JSON.stringify(buyer))
        .sort()
        .join(' '),
    );
    expect(unique(keys)).toEqual([]);
    expect(pairs.filter(({ a, b, why }) => a.name.trim() === '' || b.name.trim() === '' || why.length < 2)).toEqual([]);
    expect(pairs.filter(({ a, b }) => JSON.stringify(a) === JSON.stringify(b))).toEqual([]);
  });

  it('are at least 150 of each kind', () => {
    expect(pairs.filter(({ same }) => same).length).toBeGreaterThanOrEqual(150);
    expect(pairs.filter(({ same }) => !same).length).toBeGreaterThanOrEqual(150);
  });
});

describe('the names of companies', () => {
  const cases = COMPANY_CASES;

  it('are each said once beside one to four rows with numbers of their own', () => {
    expect(unique(cases.map(({ published, register }) => JSON.stringify([published, register])))).toEqual([]);
    const wrong = cases.filter(
      ({ register, expect: at, why }) =>
        register.length < 1 ||
        register.length > 4 ||
        unique(register.map(({ number }) => number)).length > 0 ||
        (at !== null && register[at] === undefined) ||
        why.length < 2,
    );
    expect(wrong).toEqual([]);
  });

  it('are at least 120 of each kind', () => {
    expect(cases.filter(({ expect: at }) => at !== null).length).toBeGreaterThanOrEqual(120);
    expect(cases.filter(({ expect: at }) => at === null).length).toBeGreaterThanOrEqual(120);
  });
});

describe('the contacts', () => {
  const cases = CONTACT_CASES;

  it('are each named once, and their text holds the part that is judged', () => {
    expect(unique(cases.map(({ name }) => name))).toEqual([]);
    const wrong = cases.filter(({ text, expect: wanted, struck, kept }) => {
      const part = wanted === 'struck' ? struck : kept;
      return part === undefined || part.trim() === '' || !text.includes(part);
    });
    expect(wrong).toEqual([]);
  });

  it('are at least 120 of each kind', () => {
    expect(cases.filter(({ expect: wanted }) => wanted === 'struck').length).toBeGreaterThanOrEqual(120);
    expect(cases.filter(({ expect: wanted }) => wanted === 'kept').length).toBeGreaterThanOrEqual(120);
  });
});

describe('the characters that nobody sees', () => {
  it('are at least 30 texts, each said once, some that change and some that stay', () => {
    expect(unique(INVISIBLE_CASES.map(({ text }) => text))).toEqual([]);
    expect(INVISIBLE_CASES.length).toBeGreaterThanOrEqual(30);
    expect(INVISIBLE_CASES.filter(({ text, expect: wanted }) => text === wanted).length).toBeGreaterThanOrEqual(10);
  });
});
