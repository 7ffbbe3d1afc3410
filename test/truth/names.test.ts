import { describe, expect, it } from 'vitest';
import { DIFFERENT_COUNCILS } from './buyers/different-councils.ts';
import { DIFFERENT_OTHERS } from './buyers/different-others.ts';
import { SAME_CENTRAL } from './buyers/same-central.ts';
import { SAME_COUNCILS } from './buyers/same-councils.ts';
import { SAME_OTHERS } from './buyers/same-others.ts';
import { ABSENT_FORMS } from './companies/absent-forms.ts';
import { ABSENT_NAMES } from './companies/absent-names.ts';
import { FOUND_SPELLING } from './companies/found-spelling.ts';
import { FOUND_WRAPPING } from './companies/found-wrapping.ts';
import { INVISIBLE_CASES } from './contacts/invisible.ts';
import { KEPT_FIGURES } from './contacts/kept-figures.ts';
import { KEPT_WORDS } from './contacts/kept-words.ts';
import { STRUCK_NAMES } from './contacts/struck-names.ts';
import { STRUCK_MAIL, STRUCK_TELEPHONE } from './contacts/struck-reach.ts';
import { EARLY_LABELS } from './framework-labels/early.ts';
import { MIDDLE_LABELS } from './framework-labels/middle.ts';
import { MIDDLE_SECOND_LABELS } from './framework-labels/middle-second.ts';
import { MIDDLE_THIRD_LABELS } from './framework-labels/middle-third.ts';
import { RECENT_LABELS } from './framework-labels/recent.ts';

const unique = (keys: string[]) => keys.filter((key, at) => keys.indexOf(key) !== at);

describe('the labels of the recordings', () => {
  const labels = [...EARLY_LABELS, ...MIDDLE_LABELS, ...MIDDLE_SECOND_LABELS, ...MIDDLE_THIRD_LABELS, ...RECENT_LABELS];
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
  const pairs = [...SAME_CENTRAL, ...SAME_COUNCILS, ...SAME_OTHERS, ...DIFFERENT_COUNCILS, ...DIFFERENT_OTHERS];

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
  const cases = [...FOUND_SPELLING, ...FOUND_WRAPPING, ...ABSENT_FORMS, ...ABSENT_NAMES];

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
  const cases = [...STRUCK_MAIL, ...STRUCK_TELEPHONE, ...STRUCK_NAMES, ...KEPT_WORDS, ...KEPT_FIGURES];

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
