import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { expect, it } from 'vitest';
import { makeContractDocument } from '../../../search/documents/contract.ts';
import { makeDocument } from '../../../search/documents/from-row.ts';
import { contractDetail } from '../../support/seed.ts';

setFlagsFromString('--allow-natives-syntax');
const haveSameMap: (one: object, other: object) => boolean = runInThisContext(
  '(one, other) => %HaveSameMap(one, other)',
);

const ROW = {
  source: 'find_a_tender',
  title: 'Supply',
  deadline: null,
  deadline_at: null,
  also_on: null,
  detail: '{}',
};
const NOTICE = { ...ROW, stage: 'tender', cpvs: '[]', regions: '[]', is_tender: 1, framework_references: null };
const CONTRACT = {
  ...ROW,
  detail: JSON.stringify(contractDetail),
  suppliers: '[]',
  register_names: '[]',
  code_names: null,
  status: 'active',
  sme: null,
  vcse: null,
  buyer_kind: null,
};

it.each([
  ['notices', () => makeDocument({ ...NOTICE } as never)],
  ['contracts', () => makeContractDocument({ ...CONTRACT } as never)],
])('documents of %s have one hidden class, as reading thousands of classes is slow', (_name, make: () => object) => {
  const [first, ...others] = Array.from({ length: 20 }, () => make()) as [object, ...object[]];
  expect(others.filter((other) => !haveSameMap(first, other))).toEqual([]);
});

it('a notice and a contract are found by where they are delivered', () => {
  const detail = JSON.stringify({ ...contractDetail, delivery_places: ['Mill Lane depot', 'LS1'] });
  expect(makeDocument({ ...NOTICE, detail } as never).subjects).toEqual(['Mill Lane depot', 'LS1']);
  expect(makeContractDocument({ ...CONTRACT, detail } as never).subjects).toEqual(['Mill Lane depot', 'LS1']);
  expect(makeContractDocument({ ...CONTRACT, detail } as never).districts).toEqual(['ls1']);
});

it('a notice is found by the names of all who buy together', () => {
  const joint_buyers = ['Vale Council', 'Moor Trust'];
  const { subjects } = makeDocument({ ...NOTICE, detail: JSON.stringify({ joint_buyers }) } as never);
  expect(subjects).toEqual(joint_buyers);
});

it.each([
  [
    ['LS1', 'LS1', 'Palace of Westminster, SW1A 0AA'],
    ['ls1', 'sw1a'],
  ],
  [
    ['1 Kew Road, TW9', 'Leeds LS2 9JT and BD1 1HY', 'N19'],
    ['tw9', 'ls2', 'bd1', 'n19'],
  ],
  [['Unit B1, Mill Lane', 'Building E17', 'M1 motorway', 'Lot B2', 'HS2', 'ls1'], ['hs2']],
])('the districts of %j are %j', (delivery_places, districts) => {
  expect(makeDocument({ ...NOTICE, detail: JSON.stringify({ delivery_places }) } as never).districts).toEqual(
    districts,
  );
});
