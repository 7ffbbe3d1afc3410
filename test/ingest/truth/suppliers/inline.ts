import { oneRelease } from '../build-case.ts';
import { type ContractCase, contract } from '../cases.ts';
import { C, CLEANING, carerNames, carers, J, JOINERY, R, ROOFING, under } from '../firms.ts';
import { inlineSupplier } from '../releases/contracts-finder.ts';
import { firm } from '../releases/notice.ts';

const WARNED = { warned: true };

/** The shape of 2019-20: each supplier stands in the award, and the id says nothing. */
export const inline: ContractCase[] = [
  oneRelease(
    'positive',
    '2020',
    'inline: 34 firms under id 0 and the ceiling of a framework',
    [{ firms: carers(34), value: 4_000_000 }],
    [contract(carerNames(34), 4_000_000, { countedAs: 'framework_ceiling', ...WARNED })],
    { title: 'Framework agreement for home care', description: 'A framework agreement with several providers.' },
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: 90 firms under id 0, no value',
    [{ firms: carers(90), value: null }],
    [contract(carerNames(90), undefined, WARNED)],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: id 0 as text',
    [{ firms: [under('0', JOINERY), under('0', ROOFING)], value: 40_000 }],
    [contract([J, R], 40_000, WARNED)],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: id as empty text',
    [{ firms: [under('', JOINERY), under('', ROOFING)], value: 41_000 }],
    [contract([J, R], 41_000)],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: no id at all',
    [{ firms: [under(undefined, JOINERY), under(undefined, ROOFING)], value: 42_000 }],
    [contract([J, R], 42_000)],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: id null',
    [{ firms: [under(null, JOINERY), under(null, ROOFING)], value: 43_000 }],
    [contract([J, R], 43_000)],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: id a blank',
    [{ firms: [under(' ', JOINERY), under(' ', ROOFING)], value: 44_000 }],
    [contract([J, R], 44_000)],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: id N/A',
    [{ firms: [under('N/A', JOINERY), under('N/A', ROOFING)], value: 45_000 }],
    [contract([J, R], 45_000)],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: 0, 0 and 1',
    [{ firms: [JOINERY, ROOFING, under(1, CLEANING)], value: 47_000 }],
    [contract([J, R, C], 47_000, WARNED)],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: suppliers as an object with keys',
    [{ suppliers: { 1: inlineSupplier(JOINERY), 2: inlineSupplier(ROOFING) }, value: 55_000 }],
    [contract([J, R], 55_000, WARNED)],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: one supplier that is no list',
    [{ suppliers: inlineSupplier(JOINERY), value: 56_000 }],
    [contract([J], 56_000)],
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: the buyer has id 0 as well',
    [{ firms: [JOINERY], value: 57_000 }],
    [contract([J], 57_000)],
    {
      more: { buyer: { id: 0, name: 'Aldermoor Borough Council' } },
    },
  ),
  oneRelease(
    'positive',
    '2020',
    'inline: names differ by one letter, streets agree',
    [
      {
        firms: [firm('A J Sparks Ltd', { postcode: 'ZE6 1AA' }), firm('A K Sparks Ltd', { postcode: 'ZE6 1AA' })],
        value: 59_000,
      },
    ],
    [contract(['A J Sparks Ltd', 'A K Sparks Ltd'], 59_000, WARNED)],
  ),
];
