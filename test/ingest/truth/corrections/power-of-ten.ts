import type { Era } from '../build-case.ts';
import { type ContractCase, contract } from '../cases.ts';
import { pool, poolNames } from '../firms.ts';
import { B, DAY, HOUR, job, MINUTE, notices, type Told, told } from './later.ts';

const NOT_BELIEVED = { countedAs: 'not_believed', warned: true } as const;

/** The builder's award twice, the values a power of ten apart: one contract, flagged, in no sum. */
function slip(
  era: Era,
  how: string,
  first: number,
  second: number,
  minutes = 30 * MINUTE,
  doubtful?: string,
  later: Omit<Told, 'awards'> = {},
) {
  return notices(
    'positive',
    era,
    `power of ten: ${how} (${era})`,
    minutes,
    [told(job(first)), told(job(second), later)],
    [contract([B], second, NOT_BELIEVED)],
    doubtful,
  );
}

export const powerOfTen: ContractCase[] = [
  slip('today', 'a hundredth', 5_400_000, 54_000),
  slip('today', 'a hundred times', 54_000, 5_400_000),
  slip('2020', 'a hundredth', 5_500_000, 55_000, DAY),
  slip('old', 'a hundredth', 5_600_000, 56_000, 5 * HOUR),
  slip('UK6', 'a hundredth', 5_700_000, 57_000, 5 * HOUR),
  slip('UK7', 'a hundred times', 58_000, 5_800_000, 5 * HOUR),
  slip('today', 'a tenth', 620_000, 62_000),
  slip('today', 'ten times', 63_500, 635_000),
  slip('old', 'ten times', 64_500, 645_000, 2 * DAY),
  slip('today', 'a thousandth', 65_500_000, 65_500),
  slip('today', 'a million times, filed in millions the first time', 4.25, 4_250_000),
  slip('today', 'pence for pounds, with pence', 1_234_567, 12_345.67),
  slip('today', 'a hundredth after 29 days', 6_600_000, 66_000, 29 * DAY),
  slip('today', 'a hundredth under the same award id', 6_700_000, 67_000, 15 * MINUTE, undefined, {
    firstAward: 1,
    tag: ['awardUpdate'],
  }),
  slip('UK6', 'ten times under the same award id', 68_000, 680_000, HOUR, undefined, {
    firstAward: 1,
    tag: ['awardUpdate', 'contractUpdate'],
  }),
  notices(
    'positive',
    'today',
    'power of ten: 13 suppliers instead of 12 and a hundredth',
    HOUR,
    [told({ firms: pool(12), value: 7_100_000 }), told({ firms: pool(13), value: 71_000 })],
    [contract(poolNames(13), 71_000, NOT_BELIEVED)],
  ),
  notices(
    'positive',
    'today',
    'power of ten: one lot of two',
    HOUR,
    [
      told([job(21_000, { title: 'Lot 1: doors' }), job(2_200_000, { title: 'Lot 2: stairs' })]),
      told([job(21_000, { title: 'Lot 1: doors' }), job(22_000, { title: 'Lot 2: stairs' })]),
    ],
    [contract([B], 21_000), contract([B], 22_000, NOT_BELIEVED)],
  ),
  notices(
    'positive',
    'today',
    'power of ten: wrong, then right, then right again',
    HOUR,
    [told(job(7_300_000)), told(job(73_000)), told(job(73_000))],
    [contract([B], 73_000, NOT_BELIEVED)],
    'two of three notices agree, so a fair service may believe them',
  ),
  notices(
    'positive',
    'today',
    'power of ten: nearly, 9.9 times',
    HOUR,
    [told(job(74_000)), told(job(732_600))],
    [contract([B], 732_600)],
    'how near to a power of ten is near enough is not said',
  ),
];
