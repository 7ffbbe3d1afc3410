import { type Era, oneRelease, severalReleases } from '../build-case.ts';
import { type ContractCase, contract, type ExpectedContract } from '../cases.ts';
import { C, CLEANING, J, JOINERY, under, unnumbered } from '../firms.ts';
import { party } from '../releases/contracts-finder.ts';
import { type Award, firm, type Notice } from '../releases/notice.ts';

const QUIET = { warned: false };
const a = under('GB-CFS-81', JOINERY);
const branch = (postcode: string, more = {}) => firm('Marlow Vale Tools Ltd', { postcode, ...more });
const MARLOW: [string, string] = ['Marlow Vale Tools Ltd', '99008181'];

const quiet = (
  era: Era,
  name: string,
  awards: Award[],
  contracts: ExpectedContract[],
  more: Omit<Notice, 'process' | 'awards'> & { doubtful?: string } = {},
) => oneRelease('near-miss', era, `one supplier: ${name}`, awards, contracts, more);

/** What looks like several suppliers, or like a faulty id, and is neither. */
export const oneSupplier: ContractCase[] = [
  quiet('2020', 'a single one under id 0', [{ firms: [JOINERY], value: 301_000 }], [contract([J], 301_000, QUIET)]),
  quiet(
    '2020',
    'a single one under id 0 with no number',
    [{ firms: [unnumbered(JOINERY)], value: 302_000 }],
    [contract([J[0]], 302_000, QUIET)],
  ),
  quiet(
    '2020',
    'the same one under id 0 in two lots',
    [
      { firms: [JOINERY], value: 41_000, title: 'Lot 1: doors' },
      { firms: [JOINERY], value: 42_000, title: 'Lot 2: stairs' },
    ],
    [contract([J], 41_000, QUIET), contract([J], 42_000, QUIET)],
  ),
  quiet(
    '2020',
    'no id, one supplier',
    [{ firms: [under(undefined, JOINERY)], value: 303_000 }],
    [contract([J], 303_000, QUIET)],
  ),
  quiet(
    '2020',
    'ids 1 and 2, the same firm with one number',
    [{ firms: [under('1', JOINERY), under('2', JOINERY)], value: 304_000 }],
    [contract([J], 304_000, QUIET)],
  ),
  quiet(
    'today',
    'two GB-CFS numbers, the same firm with one company number',
    [{ firms: [under('GB-CFS-91', JOINERY), under('GB-CFS-92', JOINERY)], value: 305_000 }],
    [contract([J], 305_000, QUIET)],
  ),
  quiet(
    'today',
    'two references, one party',
    [
      {
        firms: [a],
        suppliers: [
          { id: 'GB-CFS-81', name: J[0] },
          { id: 'GB-CFS-81', name: J[0] },
        ],
        value: 306_000,
      },
    ],
    [contract([J], 306_000, QUIET)],
  ),
  quiet('today', 'the party is listed twice', [{ firms: [a], value: 307_000 }], [contract([J], 307_000, QUIET)], {
    parties: [party(a), party(a)],
  }),
  quiet(
    'today',
    'two branches with one company number under one id',
    [
      {
        firms: [
          branch('ZE1 1AB', { id: 'GB-COH-99008181', number: '99008181' }),
          branch('ZE9 9XY', { id: 'GB-COH-99008181', number: '99008181' }),
        ],
        value: 308_000,
      },
    ],
    [contract([MARLOW], 308_000, QUIET)],
  ),
  quiet(
    'today',
    'two branches with one company number under two ids',
    [
      {
        firms: [
          branch('ZE1 1AB', { id: 'GB-CFS-93', number: '99008181' }),
          branch('ZE9 9XY', { id: 'GB-CFS-94', number: '99008181' }),
        ],
        value: 309_000,
      },
    ],
    [contract([MARLOW], 309_000, QUIET)],
  ),
  quiet(
    '2020',
    'two branches with one company number under id 0',
    [{ firms: [branch('ZE1 1AB', { number: '99008181' }), branch('ZE9 9XY', { number: '99008181' })], value: 310_000 }],
    [contract([MARLOW], 310_000, QUIET)],
  ),
  quiet(
    '2020',
    'two branches without a number under id 0',
    [{ firms: [branch('ZE1 1AB'), branch('ZE9 9XY')], value: 311_000 }],
    [contract([MARLOW[0]], 311_000)],
    {
      doubtful: 'the rule as written parts them by postcode; a reader sees one firm',
    },
  ),
  quiet(
    'today',
    'an address at one of two sightings',
    [
      {
        firms: [branch('ZE1 1AB', { id: 'GB-CFS-95' }), firm('Marlow Vale Tools Ltd', { id: 'GB-CFS-95' })],
        value: 312_000,
      },
    ],
    [contract([MARLOW[0]], 312_000, QUIET)],
  ),
  quiet(
    '2020',
    'a VAT number filed as a company number is none',
    [{ firms: [firm('Barrow Ltd', { number: 'GB 990 4567 23' })], value: 325_000 }],
    [contract(['Barrow Ltd'], 325_000)],
  ),
  quiet(
    '2020',
    'the number 0 is none',
    [{ firms: [firm('Barrow Ltd', { number: '0' })], value: 326_000 }],
    [contract(['Barrow Ltd'], 326_000)],
  ),
  quiet('2020', 'the value 0 states none', [{ firms: [JOINERY], value: 0 }], [contract([J])]),
  quiet('2020', 'no value and an id 0', [{ firms: [CLEANING], value: null }], [contract([C])]),
  severalReleases(
    'near-miss',
    'today',
    'one supplier: the same release comes again under a new suffix',
    [
      { awards: [{ firms: [a], value: 327_000 }] },
      { at: '2024-03-05T12:00:00', tag: ['awardUpdate'], awards: [{ firms: [a], value: 327_000 }] },
    ],
    [contract([J], 327_000, QUIET)],
  ),
  severalReleases(
    'near-miss',
    'today',
    'one supplier: the tender names nobody, the award names one',
    [{ at: '2023-12-01T09:00:00', awards: [] }, { awards: [{ firms: [a], value: 328_000 }] }],
    [contract([J], 328_000, QUIET)],
  ),
  severalReleases(
    'near-miss',
    'today',
    'one supplier: the firm has moved between two notices of one process',
    [
      { awards: [{ firms: [branch('ZE1 1AB', { id: 'GB-CFS-96', number: '99008181' })], value: 329_000 }] },
      {
        at: '2024-03-20T12:00:00',
        tag: ['awardUpdate'],
        awards: [{ firms: [branch('ZE9 9XY', { id: 'GB-CFS-96', number: '99008181' })], value: 329_000 }],
      },
    ],
    [contract([MARLOW], 329_000, QUIET)],
  ),
];
