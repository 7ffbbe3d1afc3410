import type { Era } from '../build-case.ts';
import { type ContractCase, contract, type ExpectedContract } from '../cases.ts';
import { pool, poolNames } from '../firms.ts';
import { contractsFinder } from '../releases/contracts-finder.ts';
import { findATender } from '../releases/find-a-tender.ts';
import { firm } from '../releases/notice.ts';
import { B, BUILDER, DAY, HOUR, job, notices, P, PAINTER, type Told, told } from './later.ts';

const QUIET = { warned: false };
const stays = (
  era: Era,
  name: string,
  minutes: number,
  each: Told[],
  contracts: ExpectedContract[],
  doubtful?: string,
) => notices('near-miss', era, `stays: ${name}`, minutes, each, contracts, doubtful);
const two = (first: number, second: number) => [contract([B], first, QUIET), contract([B], second, QUIET)];
const twoLots = [job(534_000, { title: 'Lot 1: doors' }), job(535_000, { title: 'Lot 2: stairs' })];
const sameName = { ...BUILDER, id: 'GB-CFS-40009', number: '99004009', postcode: 'ZE9 9FB' };

/** Later notices of a process that replace nothing. */
export const notReplaced: ContractCase[] = [
  stays(
    'today',
    'the second comes after 31 days',
    31 * DAY,
    [told(job(501_000)), told(job(502_000))],
    two(501_000, 502_000),
  ),
  stays(
    'today',
    'the second comes after 31 days and was awarded then',
    31 * DAY,
    [told(job(503_000)), told(job(504_000, { date: '2024-04-04' }))],
    two(503_000, 504_000),
  ),
  stays(
    '2020',
    'the second comes after 60 days',
    60 * DAY,
    [told(job(505_000)), told(job(506_000, { date: '2020-05-01' }))],
    two(505_000, 506_000),
  ),
  stays(
    'old',
    'the second comes after 90 days',
    90 * DAY,
    [told(job(507_000)), told(job(508_000, { date: '2024-05-30' }))],
    two(507_000, 508_000),
  ),
  stays(
    'today',
    'a year later, the yearly renewal',
    365 * DAY,
    [told(job(509_000)), told(job(509_000, { date: '2025-02-20', starts: '2025-04-01', ends: '2026-03-31' }))],
    two(509_000, 509_000),
  ),
  stays(
    'UK7',
    'a year later, the same sum',
    365 * DAY,
    [told(job(510_000)), told(job(510_000, { date: '2026-05-20' }))],
    two(510_000, 510_000),
  ),
  stays(
    'today',
    'a hundred times the first after 45 days',
    45 * DAY,
    [told(job(5_000)), told(job(500_000, { date: '2024-04-15' }))],
    two(5_000, 500_000),
  ),
  stays(
    'today',
    'awarded two weeks later',
    14 * DAY,
    [told(job(511_000)), told(job(512_000, { date: '2024-03-12' }))],
    two(511_000, 512_000),
  ),
  stays(
    'old',
    'signed a week later',
    7 * DAY,
    [told(job(513_000)), told(job(514_000, { date: '2024-02-27' }))],
    two(513_000, 514_000),
  ),
  stays(
    'today',
    'another supplier on the same day',
    HOUR,
    [told(job(515_000)), told(job(516_000, { firms: [PAINTER] }))],
    [contract([B], 515_000, QUIET), contract([P], 516_000, QUIET)],
  ),
  stays(
    'today',
    'another supplier for the same sum',
    HOUR,
    [told(job(517_000)), told(job(517_000, { firms: [PAINTER] }))],
    [contract([B], 517_000, QUIET), contract([P], 517_000, QUIET)],
  ),
  stays(
    '2020',
    'another supplier inline, both under id 0',
    DAY,
    [told(job(518_000, { firms: [{ ...BUILDER, id: 0 }] })), told(job(519_000, { firms: [{ ...PAINTER, id: 0 }] }))],
    [contract([B], 518_000, QUIET), contract([P], 519_000, QUIET)],
  ),
  stays(
    'today',
    'a namesake with another company number',
    HOUR,
    [told(job(520_000)), told(job(521_000, { firms: [sameName] }))],
    [contract([B], 520_000, QUIET), contract([['Fenwold Builders Ltd', '99004009']], 521_000, QUIET)],
  ),
  stays(
    'today',
    'a sister company',
    HOUR,
    [
      told(job(522_000)),
      told(job(523_000, { firms: [firm('Fenwold Builders (North) Ltd', { id: 'GB-CFS-40010', number: '99004010' })] })),
    ],
    [contract([B], 522_000, QUIET), contract([['Fenwold Builders (North) Ltd', '99004010']], 523_000, QUIET)],
  ),
  stays(
    'today',
    'two pools that share half of their firms',
    HOUR,
    [told({ firms: pool(8), value: 524_000 }), told({ firms: pool(12).slice(4), value: 531_000 })],
    [contract(poolNames(8), 524_000, QUIET), contract(poolNames(12).slice(4), 531_000, QUIET)],
  ),
  stays(
    'today',
    'two pairs with one firm in common',
    HOUR,
    [told({ firms: [BUILDER, PAINTER], value: 532_000 }), told({ firms: [BUILDER, ...pool(1)], value: 533_000 })],
    [contract([B, P], 532_000, QUIET), contract([B, ...poolNames(1)], 533_000, QUIET)],
    'one of two firms may have been filed wrongly the first time',
  ),
  {
    name: 'stays: two lots in a notice of award and in the notice of contract details',
    kind: 'near-miss',
    source: 'find_a_tender',
    releases: [
      findATender('UK6', { process: 'award, then details', awards: twoLots }),
      findATender('UK7', { process: 'award, then details', notice: 2, at: '2025-06-20T09:00:00', awards: twoLots }),
    ],
    expect: { contracts: two(534_000, 535_000) },
  },
  stays(
    'today',
    'the update adds a lot to the first',
    DAY,
    [
      told(job(536_000, { title: 'Lot 1: doors' })),
      told([job(536_000, { title: 'Lot 1: doors' }), job(537_000, { title: 'Lot 2: stairs' })], {
        firstAward: 1,
        tag: ['awardUpdate'],
      }),
    ],
    two(536_000, 537_000),
  ),
  stays(
    'old',
    'two buyers use one register',
    HOUR,
    [
      told(job(538_000)),
      told(job(539_000), {
        buyer: { id: 'GB-FTS-9911', name: 'Saltby Water Company', postcode: 'ZE8 8WW' },
        tender: { title: 'Valve supply' },
      }),
    ],
    two(538_000, 539_000),
  ),
  {
    name: 'stays: another process of the same buyer on the same day',
    kind: 'near-miss',
    source: 'contracts_finder',
    releases: ['first', 'second'].map((process, index) =>
      contractsFinder({
        process: `two processes, ${process}`,
        title: `Fencing of the ${process} depot`,
        awards: [job(541_000 + index * 1_000)],
      }),
    ),
    expect: { contracts: two(541_000, 542_000) },
  },
  {
    name: 'stays: two processes with one title and values ten times apart',
    kind: 'near-miss',
    doubtful: 'a careful publisher gives two processes two titles; the rule speaks of one process only',
    source: 'contracts_finder',
    releases: ['a', 'b'].map((process, index) =>
      contractsFinder({
        process: `one title, ${process}`,
        title: 'Fencing of depots',
        awards: [job(index ? 543_000 : 54_300)],
      }),
    ),
    expect: { contracts: two(54_300, 543_000) },
  },
];
