import type { Era } from '../build-case.ts';
import { type ContractCase, contract } from '../cases.ts';
import type { Award } from '../releases/notice.ts';
import { B, DAY, HOUR, job, notices, type Told, told } from './later.ts';

const QUIET = { warned: false };
let value = 310_000;

/** Two titles, one supplier, one day: two contracts, each with its value. They come in one notice and in two. */
function titled(
  how: string,
  first: string,
  second: string,
  {
    era = 'today' as Era,
    doubtful,
    inOne = false,
    tender = false,
    factor = 1,
  }: { era?: Era; doubtful?: string; inOne?: boolean; tender?: boolean; factor?: number } = {},
): ContractCase {
  value += 700;
  const other = value * factor;
  const contracts = [contract([B], value, QUIET), contract([B], other, QUIET)];
  const [one, two]: Award[] = [job(value, tender ? {} : { title: first }), job(other, tender ? {} : { title: second })];
  const separate: Told[] = [
    told(one ?? {}, tender ? { title: first } : {}),
    told(two ?? {}, tender ? { title: second } : {}),
  ];
  const each = inOne ? [told([one ?? {}, two ?? {}])] : separate;
  return notices(
    'near-miss',
    era,
    `own titles: ${how} (${era}${inOne ? ', one notice' : ''}${tender ? ', title of the process' : ''})`,
    2 * HOUR,
    each,
    contracts,
    doubtful,
  );
}

export const lots: ContractCase[] = [
  titled('two lots', 'Lot 1: doors', 'Lot 2: stairs'),
  titled('two lots', 'Lot 1: doors', 'Lot 2: stairs', { inOne: true }),
  titled('two lots', 'Lot 1: doors', 'Lot 2: stairs', { era: 'old' }),
  titled('two lots', 'Lot 1: doors', 'Lot 2: stairs', { era: 'UK6', inOne: true }),
  titled('two lots', 'Lot 1: doors', 'Lot 2: stairs', { era: '2020' }),
  titled('two lots ten times apart', 'Lot 1: doors', 'Lot 2: stairs', { factor: 10 }),
  titled('two lots a hundred times apart', 'Lot A', 'Lot B', { factor: 100, inOne: true }),
  titled('two lots with numbers alone', 'Lot 1', 'Lot 2'),
  titled('two lots with letters alone', 'Lot A', 'Lot B'),
  titled('the number of the lot at the end', 'Repairs of schools (lot 12)', 'Repairs of schools (lot 13)'),
  titled('two call-offs', 'Repairs of schools - Call-off 1', 'Repairs of schools - Call-off 2', { tender: true }),
  titled('two call-offs', 'Call-Off Contract 3', 'Call-Off Contract 4'),
  titled('two phases', 'Leisure centre roof, phase 1', 'Leisure centre roof, phase 2', { tender: true }),
  titled('two phases in Roman numbers', 'Leisure centre roof, phase I', 'Leisure centre roof, phase II', {
    tender: true,
  }),
  titled('two stages in words', 'Flood scheme: design stage', 'Flood scheme: build stage', { tender: true }),
  titled('two years', 'Gritting 2023/24', 'Gritting 2024/25', { tender: true }),
  titled('two tranches', 'Bus routes (tranche 2)', 'Bus routes (tranche 3)', { tender: true }),
  titled('two routes', 'School transport, route QOC471', 'School transport, route QOC472', { tender: true }),
  titled('two areas', 'Grass cutting, north', 'Grass cutting, south'),
  titled('two schools', 'Boiler at Elm Primary School', 'Boiler at Oak Primary School'),
  titled('two house numbers', 'Adaptation of 12 Weir Street', 'Adaptation of 14 Weir Street', { era: 'old' }),
  titled('two work packages', 'Work package 1', 'Work package 2', { era: 'UK7', inOne: true }),
  titled('two order numbers', 'Purchase order 700123', 'Purchase order 700124'),
  titled('two skills', 'Supply of a project manager', 'Supply of a quantity surveyor', { tender: true }),
  titled('two sizes', 'Refuse lorries, 18 tonnes', 'Refuse lorries, 26 tonnes', { era: '2020' }),
];

/** Awards without titles of their own that other fields part. */
export const otherwiseParted: ContractCase[] = [
  notices(
    'near-miss',
    'old',
    'parted: lots 1 and 2 in one notice, no titles',
    HOUR,
    [told([job(401_000, { lots: ['1'] }), job(402_000, { lots: ['2'] })])],
    [contract([B], 401_000, QUIET), contract([B], 402_000, QUIET)],
  ),
  notices(
    'near-miss',
    'old',
    'parted: lots 1 and 2 in two notices, no titles',
    HOUR,
    [told(job(403_000, { lots: ['1'] })), told(job(404_000, { lots: ['2'] }))],
    [contract([B], 403_000, QUIET), contract([B], 404_000, QUIET)],
  ),
  notices(
    'near-miss',
    'UK6',
    'parted: lots a hundred times apart in one notice, no titles',
    HOUR,
    [told([job(4_000, { lots: ['1'] }), job(400_000, { lots: ['2'] })])],
    [contract([B], 4_000, QUIET), contract([B], 400_000, QUIET)],
  ),
  notices(
    'near-miss',
    'UK7',
    'parted: lots 1 and 2 in two notices of contract details',
    3 * DAY,
    [told(job(405_000, { lots: ['1'] })), told(job(406_000, { lots: ['2'] }))],
    [contract([B], 405_000, QUIET), contract([B], 406_000, QUIET)],
  ),
  notices(
    'near-miss',
    'today',
    'parted: two awards of one notice, nothing but the values differs',
    HOUR,
    [told([job(407_000), job(408_000)])],
    [contract([B], 407_000, QUIET), contract([B], 408_000, QUIET)],
    'one notice corrects nothing, though a careless publisher may state a row twice',
  ),
  notices(
    'near-miss',
    'today',
    'parted: two periods that follow each other',
    HOUR,
    [
      told(job(409_000, { starts: '2024-04-01', ends: '2025-03-31' })),
      told(job(411_000, { starts: '2025-04-01', ends: '2026-03-31' })),
    ],
    [contract([B], 409_000, QUIET), contract([B], 411_000, QUIET)],
    'a correction may move the period as well',
  ),
];
