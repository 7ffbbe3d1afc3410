import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import type { SearchFilters } from '../../../search/filters/index.ts';
import { actRelease, BRIGHT, COUNCIL, OAKES, reference } from '../../ingest/compile/releases.ts';
import { openPublishedContracts, type PublishedContracts } from './published.ts';

const TRUST = { ...OAKES, details: { vcse: true } };
const FIRM = { ...BRIGHT, details: { vcse: false } };
/** By notice, the suppliers of its contract. */
const WON_BY = {
  '000001-2026': [TRUST],
  '000002-2026': [FIRM],
  '000003-2026': [BRIGHT],
  '000004-2026': [BRIGHT, TRUST],
  '000005-2026': [FIRM, OAKES],
};
const [BY_TRUST, BY_FIRM, NOT_SAID, WITH_TRUST] = Object.keys(WON_BY) as [string, string, string, string];

let contracts: PublishedContracts;

function awarded(id: string, date: string, suppliers: readonly JsonObject[]) {
  const award = {
    id: '1',
    status: 'active',
    suppliers: suppliers.map(reference),
    value: { amount: 10, currency: 'GBP' },
  };
  const more = { tag: ['award'], parties: [COUNCIL, ...suppliers], buyer: reference(COUNCIL), awards: [award] };
  return actRelease(id, date, more);
}

const publish = (id: string, date: string, suppliers: readonly JsonObject[]) =>
  contracts.publish(awarded(id, date, suppliers));
const find = (filters: SearchFilters) => contracts.find(filters);

beforeAll(async () => {
  const releases = Object.entries(WON_BY).map(([id, suppliers]) => awarded(id, '2026-03-01T00:00:00Z', suppliers));
  contracts = await openPublishedContracts(releases);
});
afterAll(() => contracts.close());

describe('contracts of voluntary, community and social enterprises', () => {
  it('are those that name one as a supplier; the others are those whose every supplier says it is none', async () => {
    expect(await find({ vcse: true })).toEqual([BY_TRUST, WITH_TRUST]);
    expect(await find({ vcse: false })).toEqual([BY_FIRM]);
  });

  it('are joined by one whose notice says so later, and left by one that is corrected', async () => {
    const { next } = await contracts.changesAfter({ vcse: true });
    await publish(NOT_SAID, '2026-03-02T00:00:00Z', [{ ...BRIGHT, details: { vcse: true } }]);
    await publish(BY_TRUST, '2026-03-02T00:00:00Z', [{ ...OAKES, details: { vcse: false } }]);
    const { changes } = await contracts.changesAfter({ vcse: true }, next);
    expect(
      changes.map(({ id, change, changed }) => [id.slice(12, 18), change, changed?.includes('suppliers')]).toSorted(),
    ).toEqual([
      ['000001', 'left', undefined],
      ['000003', 'new', true],
    ]);
    expect(await find({ vcse: true })).toEqual([NOT_SAID, WITH_TRUST]);
  });
});
