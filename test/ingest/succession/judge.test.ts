import { describe, expect, it } from 'vitest';
import {
  type EarlierContract,
  judgePair,
  type LaterProcurement,
  type PairFacts,
  SUCCESSION_MIN,
} from '../../../ingest/succession/judge.ts';
import { titleWords } from '../../../ingest/succession/titles.ts';

const title = (text: string) => titleWords(text, 'Stourland Council');

function later(more: Partial<LaterProcurement> = {}): LaterProcurement {
  return {
    processId: 'new',
    title: title('Dry Mixed Recyclables 2026'),
    reference: null,
    firstPublished: '2025-11-01',
    starts: '2026-04-01',
    expected: more.starts ?? '2026-04-01',
    isPlanOnly: false,
    cpvs: ['90500000'],
    isFramework: false,
    frameworkIds: [],
    ...more,
  };
}

function earlier(more: Partial<EarlierContract> = {}): EarlierContract {
  return {
    contractId: 'old-a-1',
    processId: 'old',
    titles: [title('Dry Mixed Recyclables 2022')],
    reference: null,
    awarded: '2022-03-01',
    starts: '2022-04-01',
    ends: '2026-03-31',
    endsLatest: null,
    cpvs: ['90513000'],
    frameworkId: null,
    isFramework: false,
    ...more,
  };
}

const NOTHING: PairFacts = { named: null, sharing: 0, isParallel: () => false };
const judge = (one: LaterProcurement, two: EarlierContract, facts: Partial<PairFacts> = {}) =>
  judgePair(one, two, { ...NOTHING, ...facts });
const isNamed = (found: ReturnType<typeof judge>) => found !== null && found.score >= SUCCESSION_MIN;

describe('a purchase of the same need', () => {
  it('is recognised by its title, CPV branch and dates, and says so', () => {
    expect(judge(later(), earlier())).toEqual({
      method: 'title_cpv_dates',
      score: 0.97,
      evidence: [
        'the same words in both titles: Dry Mixed Recyclables',
        'the same branch of the CPV: 90500000 and 90513000',
        'the contract ends on 2026-03-31; the new one begins on 2026-04-01',
      ],
    });
  });

  it('may begin at the end of an option to extend', () => {
    const found = judge(later({ starts: '2028-04-01' }), earlier({ endsLatest: '2028-03-31' }));
    expect(found?.score).toBe(0.97);
  });

  it('may begin late, or after a contract whose end nobody published, with less certainty', () => {
    expect(judge(later({ starts: '2027-05-20' }), earlier())?.score).toBe(0.84);
    expect(judge(later(), earlier({ ends: null }))?.score).toBe(0.84);
  });

  it('is recognised by a text that names the current contract', () => {
    const named = { id: '012345-2022', asCurrent: true };
    const found = judge(later({ title: title('Waste') }), earlier(), { named });
    expect(found).toMatchObject({ method: 'identifier', score: 0.98 });
    expect(found?.evidence[0]).toBe('its text names the current contract: 012345-2022');
  });

  it('is recognised by a reference that few procurements have', () => {
    expect(judge(later(), earlier(), { sharing: 2 })).toMatchObject({ method: 'reference', score: 0.95 });
    expect(judge(later(), earlier(), { sharing: 20 })?.method).toBe('title_cpv_dates');
  });
});

describe('no successor', () => {
  it.each<[string, Partial<LaterProcurement>, Partial<EarlierContract>, Partial<PairFacts>]>([
    ['a notice of the same process', { processId: 'old' }, {}, {}],
    ['another title', { title: title('Food Waste') }, {}, {}],
    ['a title that tells nothing', { title: title('Consultancy') }, { titles: [title('Consultancy')] }, {}],
    ['a contract that begins while the other runs on', { starts: '2025-06-01' }, {}, {}],
    ['one that begins years after', { starts: '2029-06-01' }, {}, {}],
    ['one bought at the same time', { firstPublished: '2022-03-20' }, {}, {}],
    ['a change of the contract', { title: title('Dry Mixed Recyclables - Contract Variation') }, {}, {}],
    ['a call-off of the framework', { frameworkIds: ['old'] }, { isFramework: true }, {}],
    ['a framework after a contract', { isFramework: true }, {}, {}],
    ['one of several at once under one title', {}, {}, { isParallel: () => true }],
    ['a framework that is merely named', {}, { isFramework: true }, { named: { id: 'old', asCurrent: false } }],
  ])('%s', (_, one, two, facts) => expect(isNamed(judge(later(one), earlier(two), facts))).toBe(false));
});
