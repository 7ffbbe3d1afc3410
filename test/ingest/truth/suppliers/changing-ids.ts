import { oneRelease, severalReleases } from '../build-case.ts';
import { type ContractCase, contract } from '../cases.ts';
import { C, CLEANING, J, JOINERY, R, ROOFING, under, unnumbered } from '../firms.ts';
import { party } from '../releases/contracts-finder.ts';
import { firm } from '../releases/notice.ts';

const ID = 'GB-CFS-512345';
const WARNED = { warned: true };

/** One id that means one firm here and another there: in two awards, two releases or another source. */
export const changingIds: ContractCase[] = [
  oneRelease(
    'positive',
    'today',
    'shared id: two lots to two firms under it',
    [
      { firms: [under(ID, JOINERY)], value: 21_000, title: 'Lot 1: joinery' },
      { firms: [under(ID, ROOFING)], value: 22_000, title: 'Lot 2: roofing' },
    ],
    [contract([J], 21_000, WARNED), contract([R], 22_000, WARNED)],
  ),
  oneRelease(
    'positive',
    'UK6',
    'shared id: two firms under one PPON',
    [
      {
        firms: ['Kestrel Data Ltd', 'Merlin Data Ltd'].map((name, i) =>
          firm(name, {
            id: 'GB-PPON-PBCD-1111-WXYZ',
            scheme: 'GB-PPON',
            number: 'PBCD-1111-WXYZ',
            postcode: `ZE4 ${i + 1}AA`,
          }),
        ),
        value: 95_000,
      },
    ],
    [contract(['Kestrel Data Ltd', 'Merlin Data Ltd'], 95_000, WARNED)],
  ),
  oneRelease(
    'positive',
    'old',
    'shared id: two firms under one GB-FTS number',
    [
      {
        firms: [under('GB-FTS-71234', unnumbered(JOINERY)), under('GB-FTS-71234', unnumbered(ROOFING))],
        value: 96_000,
      },
    ],
    [contract([J[0], R[0]], 96_000, WARNED)],
  ),
  oneRelease(
    'positive',
    'UK7',
    'shared id: two contracts, two firms, one GB-FTS number',
    [
      { firms: [under('GB-FTS-71235', JOINERY)], value: 23_000, title: 'North area' },
      { firms: [under('GB-FTS-71235', CLEANING)], value: 24_000, title: 'South area' },
    ],
    [contract([J], 23_000, WARNED), contract([C], 24_000, WARNED)],
  ),
  severalReleases(
    'positive',
    'today',
    'swapped: the two firms have changed ids in the update',
    [
      { awards: [{ firms: [under('GB-CFS-1', JOINERY), under('GB-CFS-2', ROOFING)], value: 97_000 }] },
      {
        at: '2024-03-06T09:00:00',
        tag: ['awardUpdate'],
        awards: [{ firms: [under('GB-CFS-2', JOINERY), under('GB-CFS-1', ROOFING)], value: 97_000 }],
      },
    ],
    [contract([J, R], 97_000)],
  ),
  severalReleases(
    'positive',
    '2020',
    'swapped: each notice counts its suppliers from 0',
    [
      { awards: [{ id: 'a1', firms: [JOINERY], value: 31_000, date: '2020-01-10' }] },
      { at: '2020-06-05T00:00:00', awards: [{ id: 'a2', firms: [ROOFING], value: 32_000, date: '2020-06-01' }] },
    ],
    [contract([J], 31_000), contract([R], 32_000)],
  ),
  severalReleases(
    'positive',
    'today',
    'swapped: supplier 1 of the first notice is another firm than supplier 1 of the second',
    [
      { awards: [{ id: 'a1', firms: [under('1', JOINERY)], value: 33_000, date: '2024-01-10' }] },
      {
        at: '2024-08-05T00:00:00',
        awards: [{ id: 'a2', firms: [under('1', CLEANING)], value: 34_000, date: '2024-08-01' }],
      },
    ],
    [contract([J], 33_000), contract([C], 34_000)],
  ),
  severalReleases(
    'positive',
    'today',
    'swapped: a bidder of the tender becomes the id of a supplier',
    [
      { at: '2023-11-05T00:00:00', awards: [], parties: [party(under('7', CLEANING), ['tenderer'])] },
      { awards: [{ firms: [under('7', JOINERY)], value: 35_000 }] },
    ],
    [contract([J], 35_000)],
  ),
];
