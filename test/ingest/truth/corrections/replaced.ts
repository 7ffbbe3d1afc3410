import type { Era } from '../build-case.ts';
import { type ContractCase, contract, type ExpectedContract } from '../cases.ts';
import { B, DAY, HOUR, job, MINUTE, notices, type Told, told } from './later.ts';

const corrected = (
  era: Era,
  name: string,
  minutes: number,
  each: Told[],
  contracts: ExpectedContract[],
  doubtful?: string,
) => notices('positive', era, `corrected: ${name}`, minutes, each, contracts, doubtful);

/** A later notice of the process says the same award again: one contract, as the later notice has it. */
export const replaced: ContractCase[] = [
  corrected(
    'today',
    'the same once more after 18 minutes',
    18 * MINUTE,
    [told(job(525_000)), told(job(525_000))],
    [contract([B], 525_000)],
  ),
  corrected(
    'today',
    'the same once more after nine hours',
    9 * HOUR,
    [told(job(526_000)), told(job(526_000))],
    [contract([B], 526_000)],
  ),
  corrected(
    'old',
    'the same once more under the next notice number',
    2 * HOUR,
    [told(job(528_000)), told(job(528_000))],
    [contract([B], 528_000)],
  ),
  corrected(
    'UK6',
    'the same once more under award 2',
    2 * HOUR,
    [told(job(529_000)), told(job(529_000))],
    [contract([B], 529_000)],
  ),
  corrected(
    'UK7',
    'the same once more under contract 2',
    3 * DAY,
    [told(job(530_000)), told(job(530_000))],
    [contract([B], 530_000)],
  ),
  corrected(
    'today',
    'the value is five per cent more',
    3 * HOUR,
    [told(job(200_000)), told(job(210_000))],
    [contract([B], 210_000)],
  ),
  corrected(
    'today',
    'the value is a seventh of the first',
    3 * HOUR,
    [told(job(210_000)), told(job(30_000))],
    [contract([B], 30_000)],
  ),
  corrected('today', 'tax was added', DAY, [told(job(100_000)), told(job(120_000))], [contract([B], 120_000)]),
  corrected(
    'old',
    'the value is corrected by pence',
    DAY,
    [told(job(100_000.4)), told(job(100_000.44))],
    [contract([B], 100_000.44)],
  ),
  corrected('today', 'the first states no value', HOUR, [told(job(null)), told(job(64_000))], [contract([B], 64_000)]),
  corrected('today', 'the first states the value 0', HOUR, [told(job(0)), told(job(65_000))], [contract([B], 65_000)]),
  corrected(
    'today',
    'the later states the value 0',
    HOUR,
    [told(job(66_000)), told(job(0))],
    [contract([B])],
    'a later 0 may mean "not stated again"; then 66,000 stays',
  ),
  corrected(
    'today',
    'the contract runs a year longer',
    DAY,
    [told(job(73_000)), told(job(73_000, { ends: '2027-03-31' }))],
    [contract([B], 73_000)],
  ),
  corrected(
    'today',
    'the description is longer',
    DAY,
    [
      told(job(74_000)),
      told(job(74_000), { description: 'Mowing, hedges and litter. Corrected: also the allotments.' }),
    ],
    [contract([B], 74_000)],
  ),
  corrected(
    'today',
    'the title has a mark of correction',
    DAY,
    [
      told(job(75_000), { title: 'Repairs to Fenwold Library' }),
      told(job(75_000), { title: 'Repairs to Fenwold Library - CORRECTED' }),
    ],
    [contract([B], 75_000)],
  ),
  corrected(
    'today',
    'the title is in capital letters',
    DAY,
    [
      told(job(76_000), { title: 'Repairs to Fenwold Library' }),
      told(job(76_000), { title: 'REPAIRS TO FENWOLD LIBRARY' }),
    ],
    [contract([B], 76_000)],
  ),
  corrected(
    'today',
    'the title has AWARD at its end',
    DAY,
    [
      told(job(77_000), { title: 'Repairs to Fenwold Library' }),
      told(job(77_000), { title: 'Repairs to Fenwold Library - AWARD' }),
    ],
    [contract([B], 77_000)],
  ),
  corrected(
    'today',
    'three notices within a day',
    2 * HOUR,
    [told(job(78_000)), told(job(79_000)), told(job(80_000))],
    [contract([B], 80_000)],
  ),
  corrected('today', 'after 29 days', 29 * DAY, [told(job(81_000)), told(job(82_000))], [contract([B], 82_000)]),
  corrected(
    'today',
    'after exactly 30 days',
    30 * DAY,
    [told(job(83_000)), told(job(84_000))],
    [contract([B], 84_000)],
    '"within 30 days" may or may not include the thirtieth',
  ),
  corrected(
    'today',
    'three notices, each 20 days after the other',
    20 * DAY,
    [told(job(85_000)), told(job(86_000)), told(job(87_000))],
    [contract([B], 87_000)],
    'the third comes 40 days after the first',
  ),
  corrected(
    'today',
    'the award date is written in another zone',
    DAY,
    [
      told(job(88_000, { more: { date: '2024-06-20T00:00:00+01:00' } })),
      told(job(89_000, { more: { date: '2024-06-19T23:00:00Z' } })),
    ],
    [contract([B], 89_000)],
  ),
  corrected(
    'today',
    'the tag says awardUpdate, the award is a new one',
    DAY,
    [told(job(90_000)), told(job(91_000), { tag: ['awardUpdate'] })],
    [contract([B], 91_000)],
  ),
  corrected(
    'today',
    'the tag says awardUpdate, the award is the same',
    15 * MINUTE,
    [told(job(1_350)), told(job(4_050), { tag: ['awardUpdate'], firstAward: 1 })],
    [contract([B], 4_050)],
  ),
  corrected(
    'today',
    'all three lots once more',
    DAY,
    [
      told([
        job(11_000, { title: 'Lot 1: doors' }),
        job(12_000, { title: 'Lot 2: stairs' }),
        job(13_000, { title: 'Lot 3: floors' }),
      ]),
      told([
        job(11_000, { title: 'Lot 1: doors' }),
        job(12_000, { title: 'Lot 2: stairs' }),
        job(13_500, { title: 'Lot 3: floors' }),
      ]),
    ],
    [contract([B], 11_000), contract([B], 12_000), contract([B], 13_500)],
  ),
  corrected(
    'today',
    'one of two lots once more',
    DAY,
    [
      told([job(14_000, { title: 'Lot 1: doors' }), job(15_000, { title: 'Lot 2: stairs' })]),
      told(job(16_000, { title: 'Lot 2: stairs' })),
    ],
    [contract([B], 14_000), contract([B], 16_000)],
  ),
];
