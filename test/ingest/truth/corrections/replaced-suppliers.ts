import { type ContractCase, contract } from '../cases.ts';
import { pool, poolNames } from '../firms.ts';
import { B, BUILDER, corrected, DAY, job, MINUTE, P, PAINTER, told } from './later.ts';

/** A later notice of the process lists the suppliers a little differently: one contract, with the later list. */
export const replacedSuppliers: ContractCase[] = [
  corrected(
    '2020',
    'the same once more, inline suppliers',
    DAY,
    [told(job(527_000)), told(job(527_000))],
    [contract([B], 527_000)],
  ),
  corrected(
    'today',
    '13 suppliers instead of 12',
    40 * MINUTE,
    [told({ firms: pool(12), value: 900_000 }), told({ firms: pool(13), value: 900_000 })],
    [contract(poolNames(13), 900_000)],
  ),
  corrected(
    'today',
    '12 suppliers instead of 13',
    40 * MINUTE,
    [told({ firms: pool(13), value: 901_000 }), told({ firms: pool(12), value: 901_000 })],
    [contract(poolNames(12), 901_000)],
  ),
  corrected(
    '2020',
    '13 suppliers instead of 12, all under id 0',
    DAY,
    [
      told({ firms: pool(12).map((each) => ({ ...each, id: 0 })), value: 902_000 }),
      told({ firms: pool(13).map((each) => ({ ...each, id: 0 })), value: 902_000 }),
    ],
    [contract(poolNames(13), 902_000)],
  ),
  corrected(
    'today',
    '12 suppliers in another order',
    40 * MINUTE,
    [told({ firms: pool(12), value: 903_000 }), told({ firms: pool(12).reverse(), value: 903_000 })],
    [contract(poolNames(12), 903_000)],
  ),
  corrected(
    'old',
    '21 suppliers instead of 20',
    DAY,
    [told({ firms: pool(20), value: null }), told({ firms: pool(21), value: null })],
    [contract(poolNames(21))],
  ),
  corrected(
    'today',
    'a second supplier is added to one',
    DAY,
    [told(job(67_000)), told({ firms: [BUILDER, PAINTER], value: 67_000 })],
    [contract([B, P], 67_000)],
    'one and two are hardly "nearly the same"; yet date, title and value agree',
  ),
  corrected(
    'today',
    'Ltd has become Limited',
    DAY,
    [told(job(68_000)), told(job(68_000, { firms: [{ ...BUILDER, name: 'Fenwold Builders Limited' }] }))],
    [contract([['Fenwold Builders Limited', B[1]]], 68_000)],
  ),
  corrected(
    'today',
    'the supplier has another GB-CFS number',
    DAY,
    [told(job(69_000)), told(job(69_000, { firms: [{ ...BUILDER, id: 'GB-CFS-49999' }] }))],
    [contract([B], 69_000)],
  ),
  corrected(
    'today',
    'the company number is new',
    DAY,
    [told(job(70_000, { firms: [{ ...BUILDER, number: undefined }] })), told(job(70_000))],
    [contract([B], 70_000)],
  ),
  corrected(
    'today',
    'the company number is left out the second time',
    DAY,
    [told(job(71_000)), told(job(71_000, { firms: [{ ...BUILDER, number: undefined }] }))],
    [contract([B], 71_000)],
    'the number of the replaced notice may be kept or dropped',
  ),
  corrected(
    'today',
    'the firm was misspelt, the company number agrees',
    DAY,
    [told(job(72_000, { firms: [{ ...BUILDER, name: 'Fenwald Bilders Ltd' }] })), told(job(72_000))],
    [contract([B], 72_000)],
  ),
  corrected(
    'today',
    'the ceiling of a framework once more',
    DAY,
    [
      told({ firms: pool(6), value: 5_000_000 }, { title: 'Framework agreement for home care' }),
      told({ firms: pool(6), value: 5_500_000 }, { title: 'Framework agreement for home care' }),
    ],
    [contract(poolNames(6), 5_500_000, { countedAs: 'framework_ceiling' })],
  ),
];
