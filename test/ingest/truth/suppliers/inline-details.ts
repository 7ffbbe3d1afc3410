import { oneRelease } from '../build-case.ts';
import { type ContractCase, contract } from '../cases.ts';
import { C, CLEANING, carerNames, carers, J, JOINERY, R, ROOFING, under, unnumbered } from '../firms.ts';
import { inlineSupplier } from '../releases/contracts-finder.ts';
import { firm } from '../releases/notice.ts';

const WARNED = { warned: true };

/** What stands with a supplier inline must be read: numbers, legal names, awards of their own. */
export const inlineDetails: ContractCase[] = [
  oneRelease(
    'positive',
    '2020',
    'inline: three firms, every id the number 0',
    [{ firms: [JOINERY, ROOFING, CLEANING], value: 90_000 }],
    [contract([J, R, C], 90_000, WARNED)],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: two firms without numbers, every id 0',
    [{ firms: [unnumbered(JOINERY), unnumbered(ROOFING)], value: 61_500 }],
    [contract([J[0], R[0]], 61_500, WARNED)],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: id 1 for all, as number and as text',
    [{ firms: [under(1, JOINERY), under('1', ROOFING)], value: 46_000 }],
    [contract([J, R], 46_000, WARNED)],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: ids 1 and 2 as numbers',
    [{ firms: [under(1, JOINERY), under(2, ROOFING)], value: 48_000 }],
    [contract([J, R], 48_000)],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: the same name twice with two company numbers under id 0',
    [
      {
        firms: [
          firm('Phoenix Care Ltd', { number: '99000404', postcode: 'ZE4 1AA' }),
          firm('Phoenix Care Ltd', { number: '99000505', postcode: 'ZE5 1AA' }),
        ],
        value: 49_000,
      },
    ],
    [
      contract(
        [
          ['Phoenix Care Ltd', '99000404'],
          ['Phoenix Care Ltd', '99000505'],
        ],
        49_000,
        WARNED,
      ),
    ],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: a number and its address are read from the supplier itself',
    [{ firms: [JOINERY], value: 50_000 }],
    [contract([J], 50_000)],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: an unpadded number is padded',
    [{ firms: [firm('Saltby Plant Hire Ltd', { number: '912345' })], value: 51_000 }],
    [contract([['Saltby Plant Hire Ltd', '00912345']], 51_000)],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: a Scottish number in small letters with a blank',
    [{ firms: [firm('Glen Orrin Timber Ltd', { number: 'sc 990011' })], value: 52_000 }],
    [contract([['Glen Orrin Timber Ltd', 'SC990011']], 52_000)],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: a number with blanks',
    [{ firms: [firm('Saltby Signs Ltd', { number: '990 007 12' })], value: 53_000 }],
    [contract([['Saltby Signs Ltd', '99000712']], 53_000)],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: one of eight has a number',
    [{ firms: [...carers(7), ROOFING], value: 54_000 }],
    [contract([...carerNames(7), R], 54_000, WARNED)],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: each award has its own supplier, every id 0',
    [
      { firms: [JOINERY], value: 10_000, title: 'Lot 1: doors' },
      { firms: [ROOFING], value: 20_000, title: 'Lot 2: roofs' },
      { firms: [CLEANING], value: 30_000, title: 'Lot 3: windows' },
    ],
    [contract([J], 10_000), contract([R], 20_000), contract([C], 30_000)],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: an award of two and an award of one, every id 0',
    [
      { firms: [JOINERY, ROOFING], value: 70_000, title: 'Lot 1: timber' },
      { firms: [CLEANING], value: 15_000, title: 'Lot 2: cleaning' },
    ],
    [contract([J, R], 70_000, WARNED), contract([C], 15_000)],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: the legal name alone is filled in',
    [
      {
        suppliers: [
          {
            ...inlineSupplier(JOINERY),
            name: '',
            identifier: { legalName: 'Harbour Lane Joinery Ltd', scheme: 'GB-COH', id: '99000101', uri: '' },
          },
          inlineSupplier(ROOFING),
        ],
        value: 58_000,
      },
    ],
    [contract([J, R], 58_000, WARNED)],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: values of their own in x_awardValue',
    [
      {
        suppliers: [
          { ...inlineSupplier(JOINERY), x_awardValue: { amount: 25_000, currency: 'GBP' } },
          { ...inlineSupplier(ROOFING), x_awardValue: { amount: 35_000, currency: 'GBP' } },
        ],
        value: 60_000,
      },
    ],
    [contract([J, R], 60_000, WARNED)],
    { doubtful: "each supplier's own value could be counted to that supplier" },
  ),
];
