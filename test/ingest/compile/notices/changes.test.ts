import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, noticeDocument, reference } from '../releases.ts';

const ID = '012345-2026';
const detailOf = (more: JsonObject) =>
  compileOne([actRelease(ID, '2026-03-01T10:00:00Z', { parties: [COUNCIL, BRIGHT], ...more })]).notices[0]?.detail;

it('a notice of a change that is not signed yet says what is proposed', () => {
  const proposedAmendments = [{ id: ID, date: '2026-06-01T23:59:59+01:00', rationale: 'A second boiler house.' }];
  expect(detailOf({ contracts: [{ id: '1', awardID: '1', proposedAmendments }] })?.what_changed).toBe(
    'A second boiler house.',
  );
});

it('a proposed change states the value and the end that the contract is to have, and no other start', () => {
  const value = { amount: 509_195, amountGross: 611_034, currency: 'GBP' };
  const period = { startDate: '2026-06-02T00:00:00+01:00', endDate: '2027-05-31T23:59:59+01:00' };
  const maxExtentDate = '2027-08-31T23:59:59+01:00';
  const change = { id: ID, date: '2026-06-01T23:59:59+01:00', value, period: { ...period, maxExtentDate } };
  const stated = { title: 'Heating', value: { amount: 400_000, currency: 'GBP' } };
  const { notices, contracts } = compileOne([
    actRelease('000001-2025', '2025-03-01T10:00:00Z', {
      tag: ['award', 'contract'],
      parties: [COUNCIL, BRIGHT],
      awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)] }],
      contracts: [
        { id: '1', awardID: '1', ...stated, documents: [noticeDocument('000001-2025', 'UK7', 'contractNotice')] },
      ],
    }),
    actRelease(ID, '2026-03-01T10:00:00Z', {
      tag: ['contractAmendment'],
      contracts: [
        {
          ...{ id: '1', awardID: '1', proposedAmendments: [change] },
          documents: [noticeDocument(ID, 'UK10', 'contractNotice')],
        },
      ],
    }),
  ]);
  const changed = { value: 509_195, currency: 'GBP' };
  expect(notices[1]).toMatchObject({ stage: 'change', ...changed, valueBasis: 'net' });
  const ends = { ends: '2027-05-31', extends_to: '2027-08-31' };
  expect(notices[1]?.detail.dates).toEqual(ends);
  expect(contracts[0]).toMatchObject({ value: 400_000, ends: null });
  expect(contracts[0]?.detail.changes).toEqual([
    { notice_id: ID, date: '2026-06-01', ...changed, value_basis: 'net', ...ends, proposed: true },
  ]);
});

it('the last of several proposed changes states the value of a contract that states none', () => {
  const changes = [500, 600].map((amount, place) => ({ id: `${place}`, value: { amount, currency: 'GBP' } }));
  const contracts = [{ id: '1', awardID: '1', value: { amount: null, currency: 'GBP' }, proposedAmendments: changes }];
  const release = actRelease(ID, '2026-03-01T10:00:00Z', { tag: ['contractAmendment'], contracts });
  expect(compileOne([release]).notices[0]).toMatchObject({ value: 600, currency: 'GBP' });
});

it('a change says what it is and why it is made', () => {
  const [description, rationale] = ['A second boiler house.', 'The first one burnt down.'];
  const changed = (words: JsonObject) =>
    detailOf({ contracts: [{ id: '1', awardID: '1', amendments: [{ id: '2', ...words }] }] })?.what_changed;
  expect(changed({ description, rationale })).toBe(`${description}\n\n${rationale}`);
  expect(changed({ description, rationale: description })).toBe(description);
});

it('a correction says what each section said before and says now, after its own words', () => {
  const unstructuredChanges = [
    {
      where: { section: 'IV.2.2', label: 'Time limit' },
      oldValue: { date: '2026-08-21T12:00:00+01:00' },
      newValue: { date: '2026-08-28T12:00:00+01:00' },
    },
    { where: { section: 'II.2.6' }, relatedLot: 'Lot 2', oldValue: { text: '' }, newValue: { text: '£14,000,000' } },
    { where: { section: 'I.1', label: 'Contact person' }, oldValue: { text: 'Ann Lee' }, newValue: { text: 'Bo Ray' } },
    {},
    null,
  ];
  const changes =
    'IV.2.2, Time limit\nBefore: 2026-08-21T12:00:00+01:00\nNow: 2026-08-28T12:00:00+01:00\n\nII.2.6, Lot 2\nNow: £14,000,000\n\nI.1, Contact person';
  const changed = (more: JsonObject) =>
    detailOf({ tag: ['tenderUpdate'], tender: { amendments: [{ id: '1', unstructuredChanges, ...more }] } })
      ?.what_changed;
  expect(changed({})).toBe(changes);
  expect(changed({ description: 'A longer time.' })).toBe(`A longer time.\n\n${changes}`);
  expect(changed({ unstructuredChanges: [] })).toBeUndefined();
});

it('a notice of a change says on what grounds it is made', () => {
  const rationaleClassifications = [{ id: 'unforeseeableCircumstances' }, { id: 'urgency' }];
  const change = {
    id: ID,
    date: '2026-06-01T00:00:00+01:00',
    rationale: 'The roof fell in.',
    rationaleClassifications,
  };
  const detail = detailOf({ contracts: [{ id: '1', awardID: '1', amendments: [change] }] });
  expect(detail?.what_changed).toBe('Unforeseeable circumstances, urgency: The roof fell in.');
});

it('a notice that ends a procurement or a contract says why, by its code and in words', () => {
  const cancelled = { id: '1', status: 'cancelled', statusDetails: 'No bids were received.' };
  expect(detailOf({ awards: [cancelled] })?.what_changed).toBe('No bids were received.');
  const reasons = { terminationRationaleClassifications: [{ id: 'breachOfContract' }] };
  const terminated = {
    id: '1',
    awardID: '1',
    status: 'terminated',
    statusDetails: 'A warranty was untrue.',
    ...reasons,
  };
  const same = { ...terminated, id: '2', awardID: '2' };
  const completed = {
    id: '3',
    status: 'terminated',
    statusDetails: 'N/A',
    terminationRationaleClassifications: [{ id: 'contractCompleted' }],
  };
  const cancelledToo = { id: '4', status: 'cancelled', statusDetails: null };
  expect(detailOf({ contracts: [terminated, same, completed, cancelledToo] })?.what_changed).toBe(
    'Breach of contract: A warranty was untrue.\n\nContract completed',
  );
  // What stands, or was never won, did not end.
  const others = ['active', 'pending', 'unsuccessful'].map((status) => ({ ...cancelled, status }));
  expect(detailOf({ awards: others })?.what_changed).toBeUndefined();
});

it('a correction of an award says once what it changes, cut with a warning where it is too long', () => {
  const amendments = [{ id: ID, description: 'The value was wrong.' }];
  const corrected = detailOf({ awards: [{ id: '1', amendments }], contracts: [{ id: '1', awardID: '1', amendments }] });
  expect(corrected?.what_changed).toBe('The value was wrong.');
  const many = ['a', 'b', 'c'].map((letter) => ({ id: letter, description: letter.repeat(60_000) }));
  const cut = detailOf({ description: 'd'.repeat(100_001), tender: { amendments: many } });
  expect(cut?.what_changed).toHaveLength(100_000);
  expect(cut?.additional_information).toHaveLength(100_000);
  expect(cut?.warnings).toEqual(
    expect.arrayContaining([
      'only the first 100000 of 100001 characters of the additional information are held',
      'only the first 100000 of 180004 characters of the changes are held',
    ]),
  );
});
