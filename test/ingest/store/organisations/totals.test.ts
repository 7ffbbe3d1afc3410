import { expect, it } from 'vitest';
import { type CountedContract, computeTotals, countAwards } from '../../../../ingest/store/organisations/totals.ts';

const contract = (id: string, other: string, value: number): CountedContract => ({
  id,
  value,
  currency: 'GBP',
  valueClass: 'sum',
  sortDate: '2026-01-01',
  noticeId: '000001-2026',
  others: [{ id: other, name: other }],
  framework: null,
  onFramework: null,
});

it('of as many contracts, the counterparty with the greater value comes first', () => {
  const contracts = [contract('1', 'a', 5), contract('2', 'b', 70), contract('3', 'c', 6), contract('4', 'c', 1)];
  expect(computeTotals(contracts, () => undefined).top.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
});

it('what sets up a framework is places on it and no contract: of the year, of a counterparty, and of all', () => {
  const place = (id: string, other: string): CountedContract => ({
    ...contract(id, other, 9_000_000),
    valueClass: 'framework_ceiling',
    framework: `framework-${id}`,
  });
  const contracts = [contract('1', 'a', 5), place('2', 'a'), place('3', 'b'), place('4', 'b')];
  expect(countAwards(contracts)).toEqual({ contract_count: 1, framework_places: 3 });
  expect(computeTotals(contracts, () => 'Works')).toMatchObject({
    sum: { GBP: { count: 1, value: 5 } },
    apart: { framework_ceiling: { count: 3 } },
    by_year: { '2026': { count: 1, places: 3, sum: { GBP: 5 } } },
    top: [
      { id: 'a', count: 1, places: 1, value: 5 },
      { id: 'b', count: 0, places: 2 },
    ],
  });
});
