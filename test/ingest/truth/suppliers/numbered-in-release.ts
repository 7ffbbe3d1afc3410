import { oneRelease, severalReleases } from '../build-case.ts';
import { type ContractCase, contract } from '../cases.ts';
import { C, CLEANING, J, JOINERY, R, ROOFING, under, unnumbered } from '../firms.ts';
import { firm, reference } from '../releases/notice.ts';

const QUIET = { warned: false };
const AUTUMN = '2020-09-05T00:00:00';
const one = (id: unknown, given = JOINERY) => under(id, given);

/** The shape of 2017 to 2021: the suppliers of each release are numbered from 1. */
export const numberedInRelease: ContractCase[] = [
  oneRelease(
    'positive',
    '2017',
    'numbered: 1, 2 and 3 with their company numbers',
    [{ firms: [one('1'), one('2', ROOFING), one('3', CLEANING)], value: 71_000 }],
    [contract([J, R, C], 71_000)],
  ),
  oneRelease(
    'positive',
    '2017',
    'numbered: all three are 1',
    [{ firms: [one('1'), one('1', ROOFING), one('1', CLEANING)], value: 72_000 }],
    [contract([J, R, C], 72_000, { warned: true })],
  ),
  oneRelease(
    'positive',
    '2017',
    'numbered: each award begins with 1',
    [
      { firms: [one('1')], value: 7_300, title: 'Lot 1: doors' },
      { firms: [one('1', ROOFING)], value: 7_400, title: 'Lot 2: roofs' },
    ],
    [contract([J], 7_300), contract([R], 7_400)],
  ),
  oneRelease(
    'positive',
    '2017',
    'numbered: parties are texts, references are numbers',
    [
      {
        firms: [one('1'), one('2', ROOFING)],
        suppliers: [
          { id: 1, name: J[0] },
          { id: 2, name: R[0] },
        ],
        value: 75_000,
      },
    ],
    [contract([J, R], 75_000)],
  ),
  oneRelease(
    'positive',
    '2017',
    'numbered: the references are in another order than the parties',
    [
      {
        firms: [one('1'), one('2', ROOFING)],
        suppliers: [reference(one('2', ROOFING)), reference(one('1'))],
        value: 76_000,
      },
    ],
    [contract([J, R], 76_000)],
  ),
  oneRelease(
    'positive',
    '2017',
    'numbered: the references name other firms than the parties of the same numbers',
    [
      {
        firms: [one('1'), one('2', ROOFING)],
        suppliers: [
          { id: '1', name: R[0] },
          { id: '2', name: J[0] },
        ],
        value: 77_000,
      },
    ],
    [contract([J, R], 77_000)],
    { doubtful: 'name and number contradict each other; a fair service may leave the company numbers out' },
  ),
  severalReleases(
    'positive',
    '2017',
    'numbered: 1 is another firm in the next notice',
    [
      { awards: [{ firms: [one('1')], value: 7_800, date: '2020-02-10' }] },
      { at: AUTUMN, firstAward: 2, awards: [{ firms: [one('1', CLEANING)], value: 7_900, date: '2020-09-01' }] },
    ],
    [contract([J], 7_800), contract([C], 7_900)],
  ),
  severalReleases(
    'positive',
    '2017',
    'numbered: 1 and 2 have changed places in the next notice',
    [
      { awards: [{ firms: [one('1'), one('2', ROOFING)], value: 80_000, date: '2020-02-10' }] },
      {
        at: AUTUMN,
        firstAward: 2,
        awards: [{ firms: [one('2'), one('1', ROOFING)], value: 81_000, date: '2020-09-01' }],
      },
    ],
    [contract([J, R], 80_000), contract([J, R], 81_000)],
  ),
  severalReleases(
    'positive',
    '2017',
    'numbered: 1 without a company number becomes another firm with one',
    [
      { awards: [{ firms: [unnumbered(one('1'))], value: 8_200, date: '2020-02-10' }] },
      { at: AUTUMN, firstAward: 2, awards: [{ firms: [one('1', ROOFING)], value: 8_300, date: '2020-09-01' }] },
    ],
    [contract([J[0]], 8_200), contract([R], 8_300)],
  ),
  oneRelease(
    'near-miss',
    '2017',
    'numbered: one supplier, number 1',
    [{ firms: [one('1')], value: 84_000 }],
    [contract([J], 84_000, QUIET)],
  ),
  oneRelease(
    'near-miss',
    '2017',
    'numbered: 1 and 2 are one firm',
    [{ firms: [one('1'), one('2')], value: 85_000 }],
    [contract([J], 85_000, QUIET)],
  ),
  oneRelease(
    'near-miss',
    '2017',
    'numbered: an escaped name in the reference',
    [
      {
        firms: [firm('Rook & Heron Ltd', { id: '1' })],
        suppliers: [{ id: '1', name: 'Rook &amp; Heron Ltd' }],
        value: 86_000,
      },
    ],
    [contract(['Rook & Heron Ltd'], 86_000, QUIET)],
  ),
  oneRelease(
    'near-miss',
    '2017',
    'numbered: the bidders 2 and 3 have won nothing',
    [{ firms: [one('1')], value: 87_000 }],
    [contract([J], 87_000, QUIET)],
    {
      tender: { numberOfTenderers: 3, tenderers: [one('1'), one('2', ROOFING), one('3', CLEANING)].map(reference) },
    },
  ),
  severalReleases(
    'near-miss',
    '2017',
    'numbered: 1 is the same firm in the next notice',
    [
      { awards: [{ firms: [one('1')], value: 8_800, date: '2020-02-10' }] },
      { at: AUTUMN, firstAward: 2, awards: [{ firms: [one('1')], value: 8_900, date: '2020-09-01' }] },
    ],
    [contract([J], 8_800, QUIET), contract([J], 8_900, QUIET)],
  ),
  severalReleases(
    'near-miss',
    '2017',
    'numbered: 1 in the first notice is 2 in the next',
    [
      { awards: [{ firms: [one('1')], value: 9_000, date: '2020-02-10' }] },
      {
        at: AUTUMN,
        firstAward: 2,
        awards: [{ firms: [one('1', ROOFING), one('2')], value: 9_100, date: '2020-09-01' }],
      },
    ],
    [contract([J], 9_000, QUIET), contract([R, J], 9_100)],
  ),
];
