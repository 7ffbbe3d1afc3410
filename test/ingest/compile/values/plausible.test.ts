import { describe, expect, it } from 'vitest';
import { doubtCeiling, doubtValue, PLAUSIBLE } from '../../../../ingest/compile/values/plausible.ts';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, noticeDocument, OAKES, reference, supplier } from '../releases.ts';

const THIRD = supplier('SC123456', 'Caledon Clean Ltd');
const gbp = (value: number) => ({ value, currency: 'GBP' });
const stated = (amount: number) => ({ value: { amount, currency: 'GBP' } });

describe('a value that is believed', () => {
  it('is any from above a placeholder up to a thousand million', () => {
    expect(doubtValue(gbp(1.01), null)).toBeNull();
    expect(doubtValue(gbp(PLAUSIBLE.needsEstimateAbove), null)).toBeNull();
  });

  it('above that is one that its own estimate supports, up to five thousand million', () => {
    expect(doubtValue(gbp(3_600_000_000), gbp(4_000_000_000))).toBeNull();
    expect(doubtValue(gbp(3_600_000_000), gbp(300_000_000))).toContain('no estimate of its process bears it out');
    expect(doubtValue(gbp(3_600_000_000), null)).toContain('not plausible');
    expect(doubtValue(gbp(3_600_000_000), { value: 4_000_000_000, currency: 'EUR' })).toContain('not plausible');
    expect(doubtValue(gbp(6_500_000_000), gbp(6_500_000_000))).toContain('more than any single award');
  });

  it('is not a hundred times its estimate, which is pence taken for pounds; small estimates prove nothing', () => {
    expect(doubtValue(gbp(45_000_000), gbp(450_000))).toContain('100 times its estimate');
    expect(doubtValue(gbp(45_000_000), gbp(9_000_000))).toBeNull();
    expect(doubtValue(gbp(45_000), gbp(100))).toBeNull();
    expect(doubtValue(gbp(45_000_000), gbp(0.01))).toBeNull();
  });

  it('of a framework may be larger: what all of its call-offs may cost together', () => {
    expect(doubtCeiling(gbp(10_000_000_000))).toBeNull();
    expect(doubtCeiling(gbp(100_000_000_001))).toContain('more than any framework');
    expect(doubtCeiling(gbp(1))).toContain('a placeholder');
  });
});

describe('the awards of one process', () => {
  const compile = (awards: JsonObject[], tender: JsonObject = {}) => {
    const release = actRelease('000200-2026', '2026-03-01T09:00:00Z', {
      tag: ['award', 'contract'],
      parties: [COUNCIL, BRIGHT, OAKES, THIRD],
      tender,
      awards: awards.map((award, index) => ({
        id: String(index + 1),
        status: 'active',
        documents: [noticeDocument('000200-2026', 'UK6')],
        ...award,
      })),
    });
    return compileOne([release]);
  };
  const to = (...suppliers: JsonObject[]) => ({ suppliers: suppliers.map(reference) });

  it('are classed each by itself: many suppliers of one make no ceiling of its neighbour', () => {
    const { contracts, framework } = compile([
      { ...to(BRIGHT, OAKES, THIRD), ...stated(900_000) },
      { ...to(BRIGHT), ...stated(5_000) },
      { ...to(OAKES, THIRD), ...stated(7_000) },
    ]);
    expect(contracts.map(({ valueClass }) => valueClass)).toEqual(['shared', 'sum', 'shared']);
    expect(framework).toBeNull();
  });

  it('are all ceilings where flag, dynamic market or title says framework', () => {
    const flag = { techniques: { hasFrameworkAgreement: true } };
    for (const tender of [flag, { title: 'Windows Framework 2026' }, { title: 'Taxi DPS' }]) {
      const { contracts } = compile([{ ...to(BRIGHT), ...stated(5_000) }, to(BRIGHT, OAKES, THIRD)], tender);
      expect(contracts.map(({ valueClass }) => valueClass)).toEqual(['framework_ceiling', 'framework_ceiling']);
    }
  });

  it('do not count a supplier as further ones for being replaced', () => {
    const first = actRelease('000100-2026', '2026-02-01T09:00:00Z', {
      parties: [COUNCIL, BRIGHT, OAKES],
      awards: [{ id: '1', status: 'active', ...to(BRIGHT, OAKES), ...stated(5_000) }],
    });
    const second = actRelease('000200-2026', '2026-03-01T09:00:00Z', {
      parties: [COUNCIL, THIRD],
      awards: [{ id: '1', status: 'active', ...to(THIRD), ...stated(5_000) }],
    });
    expect(compileOne([first, second])).toMatchObject({ framework: null, contracts: [{ valueClass: 'sum' }] });
  });

  it('keep an unbelievable value out of the ranking of notices, and say it in both', () => {
    const { contracts, notices } = compile([{ ...to(BRIGHT), ...stated(6_500_000_000) }]);
    expect(contracts).toMatchObject([{ value: 6_500_000_000, valueClass: 'absurd' }]);
    expect(notices).toMatchObject([{ value: null, currency: null }]);
    const said = ['the published value 6500000000 GBP is not plausible: more than any single award'];
    expect([contracts[0]?.detail.warnings, notices[0]?.detail.warnings]).toEqual([said, said]);
  });
});

it.each<[object, string[]]>([
  [{ amount: 0 }, ['a value of 0 was published: taken as not stated']],
  [{ amountGross: 0 }, ['a value of 0 was published: taken as not stated']],
  [{ amountGross: -5 }, ['a negative value was published: taken as not stated']],
  [{ amount: 900, amountGross: 0 }, []],
  [{ amount: 900, amountGross: 750 }, ['a value was published that is less with tax than without']],
  [{ amount: 900, amountGross: 900 }, []],
  [{ amountGross: 1080 }, []],
])(
  'a value of nothing is said, whether it is net or gross alone, and so is a tax below nothing: %j',
  (value, warnings) => {
    const release = actRelease('000200-2026', '2026-03-01T09:00:00Z', {
      tag: ['award', 'contract'],
      parties: [COUNCIL, BRIGHT],
      awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)], value: { ...value, currency: 'GBP' } }],
    });
    expect(compileOne([release]).contracts[0]?.detail.warnings).toEqual(warnings);
  },
);

describe('a placeholder', () => {
  const NOTICES = ['UK6', 'UK7', 'UK10'] as const;
  const PLACEHOLDERS = [{ amount: 0.01, amountGross: 0.01 }, { amount: 1, amountGross: 1.2 }, { amount: 99_999_999 }];
  const REAL = { amount: 54_000, amountGross: 64_800 };
  /** One contract as its award notice, its details and a change state it; a notice without a value is not published. */
  const contractOf = (...values: ({ amount?: number; amountGross?: number } | null)[]) => {
    const releases = values.flatMap((amounts, n): JsonObject[] => {
      if (!amounts) return [];
      const [value, id, type = ''] = [{ ...amounts, currency: 'GBP' }, `00040${n}-2026`, NOTICES[n]];
      const documents = [noticeDocument(id, type)];
      const award = { id: '1', status: 'active', suppliers: [reference(BRIGHT)] };
      const amendments = type === 'UK10' ? [{ id, date: '2026-05-01' }] : [];
      const stated =
        type === 'UK6'
          ? { awards: [{ ...award, value, documents }] }
          : {
              awards: [award],
              contracts: [{ id: '1', awardID: '1', dateSigned: '2026-03-09', value, documents, amendments }],
            };
      const tag = type === 'UK10' ? ['contractAmendment'] : ['award', 'contract'];
      return [actRelease(id, `2026-0${n + 3}-10T09:00:00Z`, { tag, parties: [COUNCIL, BRIGHT], ...stated })];
    });
    return compileOne(releases).contracts[0];
  };

  it.each(PLACEHOLDERS)('of one notice leaves the price that another states: %j', (token) => {
    const said = expect.stringContaining('placeholder');
    for (const values of [
      [token, REAL],
      [REAL, token],
      [null, REAL, token],
      [token, null, REAL],
      [token, token, REAL],
    ])
      expect(contractOf(...values)).toMatchObject({ value: 54_000, valueBasis: 'net', valueClass: 'sum' });
    expect(contractOf(token, REAL)?.detail.warnings).toContainEqual(said);
    expect(contractOf(REAL, { amount: 54_000 })?.detail.warnings).not.toContainEqual(said);
  });

  it.each(PLACEHOLDERS)('of one contract is no part of the sum of several, nor a price that differs: %j', (token) => {
    const id = '000409-2026';
    const contracts = [token, REAL].map((amounts, n) => ({
      id: `c-${n}`,
      awardID: '1',
      dateSigned: '2026-03-09',
      value: { ...amounts, currency: 'GBP' },
      documents: [noticeDocument(id, 'UK7', 'contractNotice')],
    }));
    const awards = [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)] }];
    const more = { tag: ['award', 'contract'], parties: [COUNCIL, BRIGHT], awards, contracts };
    const [contract] = compileOne([actRelease(id, '2026-03-10T09:00:00Z', more)]).contracts;
    expect(contract).toMatchObject({ value: 54_000, valueBasis: 'net', valueClass: 'sum' });
    expect(contractOf(token, REAL)?.detail.warnings).toEqual([expect.stringContaining('placeholder')]);
  });

  it('is not believed where nothing else is stated, and its tax makes no price of it', () => {
    for (const token of PLACEHOLDERS) expect(contractOf(token, token)).toMatchObject({ valueClass: 'absurd' });
    expect(contractOf({ amount: 1, amountGross: 50_000 })).toMatchObject({ value: 50_000, valueBasis: 'gross' });
    expect(contractOf({ amount: 1.5 }, REAL)).toMatchObject({ value: 1.5, valueClass: 'sum' });
  });
});

it('a contract whose award is dated by a wrong year is as old as its notice', () => {
  const compiled = (dateSigned: string, startDate: string, ...noticeTypes: string[]) => {
    const [contract] = compileOne(
      (noticeTypes.length > 0 ? noticeTypes : ['UK7']).map((noticeType, n) => {
        const documents = [noticeDocument(`00030${n}-2026`, noticeType, 'contractNotice')];
        return actRelease(`00030${n}-2026`, `2026-07-2${n + 1}T09:00:00Z`, {
          tag: ['award', 'contract'],
          parties: [COUNCIL, BRIGHT],
          awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)] }],
          contracts: [{ id: '1', awardID: '1', dateSigned, period: { startDate }, documents }],
        });
      }),
    ).contracts;
    return [contract?.signed, contract?.sortDate, ...(contract?.detail.warnings ?? [])];
  };
  expect(compiled('2006-03-31', '2026-04-01')).toEqual([
    null,
    '2026-07-21',
    'the published date of signing 2006-03-31 is not plausible: over 10 years before the start',
  ]);
  // A lease or a framework that begins years later, one published late, one whose start is the slip, and one that a change extends.
  expect(compiled('2018-03-31', '2026-04-01')).toEqual(['2018-03-31', '2018-03-31']);
  expect(compiled('2006-03-31', '2008-04-01')).toEqual(['2006-03-31', '2006-03-31']);
  expect(compiled('2026-03-31', '2062-04-01')).toEqual(['2026-03-31', '2026-03-31']);
  expect(compiled('2006-03-31', '2026-04-01', 'UK10')).toEqual(['2006-03-31', '2006-03-31']);
  // One signed long after every notice that tells of it: no year has contracts of 2062, and no list begins with them.
  expect(compiled('2062-03-31', '2026-04-01')).toEqual([
    null,
    '2026-07-21',
    'the published date of signing 2062-03-31 is not plausible: over 3 years after the newest notice',
  ]);
  expect(compiled('2028-03-31', '2028-04-01')).toEqual(['2028-03-31', '2028-03-31']);
  // A change of what was not believed before makes it no likelier.
  expect(compiled('2006-03-31', '2026-04-01', 'UK7', 'UK10').slice(0, 2)).toEqual([null, '2026-07-22']);
});

it('where a later notice has a wrong year, the days that an earlier one states are believed', () => {
  const notice = (id: string, date: string, dateSigned: string) =>
    actRelease(`00031${id}-2026`, `2026-07-2${id}T09:00:00Z`, {
      tag: ['award', 'contract'],
      parties: [COUNCIL, BRIGHT],
      awards: [{ id: '1', status: 'active', date, suppliers: [reference(BRIGHT)] }],
      contracts: [
        { id: '1', awardID: '1', dateSigned, documents: [noticeDocument(`00031${id}-2026`, 'UK7', 'contractNotice')] },
      ],
    });
  const releases = [notice('1', '2026-06-01', '2026-07-01'), notice('2', '2062-06-01', '2062-07-01')];
  const [contract] = compileOne(releases).contracts;
  expect([contract?.awarded, contract?.signed]).toEqual(['2026-06-01', '2026-07-01']);
  expect(contract?.detail.warnings).toEqual([
    'the published award date 2062-06-01 is not plausible: over 3 years after the newest notice',
    'the published date of signing 2062-07-01 is not plausible: over 3 years after the newest notice',
  ]);
});
