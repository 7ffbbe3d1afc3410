import { expect, it } from 'vitest';
import { type CountedContract, computeTotals } from '../../ingest/totals.ts';

const contract = (id: string, other: string, value: number): CountedContract => ({
  id,
  value,
  currency: 'GBP',
  valueClass: 'sum',
  sortDate: '2026-01-01',
  noticeId: '000001-2026',
  others: [{ id: other, name: other }],
  framework: null,
});

it('of as many contracts, the counterparty with the greater value comes first', () => {
  const contracts = [contract('1', 'a', 5), contract('2', 'b', 70), contract('3', 'c', 6), contract('4', 'c', 1)];
  expect(computeTotals(contracts, () => undefined).top.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
});
