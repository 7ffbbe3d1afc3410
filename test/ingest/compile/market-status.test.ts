import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, noticeDocument, OAKES, reference } from './releases.ts';

const status = (...releases: JsonObject[]) => compileOne(releases).status;

describe('a dynamic market of the Procurement Act', () => {
  const established = (tender: JsonObject) =>
    actRelease('000101-2026', '2026-01-05T09:00:00Z', {
      tag: ['award', 'contract'],
      parties: [COUNCIL, BRIGHT],
      awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)] }],
      contracts: [{ id: '1', awardID: '1', status: 'active', dateSigned: '2026-01-04' }],
      tender: { documents: [noticeDocument('000101-2026', 'UK14')], ...tender },
    });
  const changed = (type: string, tender: JsonObject = {}) =>
    actRelease('000102-2026', '2026-02-05T09:00:00Z', {
      tag: ['tenderUpdate'],
      tender: { documents: [noticeDocument('000102-2026', type)], ...tender },
    });

  it.each<JsonObject>([{}, { status: 'active' }, { status: 'complete' }])('that has members is open: %j', (tender) => {
    expect(status(established(tender))).toBe('open');
    expect(status(established(tender), changed('UK15'))).toBe('open');
    expect(status(established(tender), changed('UK16'))).toBe('complete');
  });

  it.each<[string, JsonObject]>([
    ['UK12', {}],
    ['UK15', { status: 'cancelled' }],
    ['UK15', { status: 'withdrawn' }],
    ['UK15', { techniques: { dynamicPurchasingSystem: { status: 'terminated' } } }],
  ])('that ended after its members signed is not open: %s, %j', (type, tender) => {
    expect(status(established({}), changed(type, tender))).toBe('awarded');
  });
});

it('a dynamic market names each kind of its notices once as evidence, however often it was modified', () => {
  const notices = ['UK14', 'UK15', 'UK15', 'UK15'].map((type, n) =>
    actRelease(`00010${n}-2026`, `2026-0${n + 1}-05T09:00:00Z`, {
      tag: ['award', 'contract'],
      parties: [COUNCIL, BRIGHT],
      awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)] }],
      tender: { documents: [noticeDocument(`00010${n}-2026`, type)] },
    }),
  );
  const { framework } = compileOne(notices);
  expect(framework?.detail.evidence).toEqual(['notice type UK14', 'notice type UK15']);
});

describe('a dynamic market of the directives', () => {
  const market = (status: string, of: JsonObject = {}) => ({
    status,
    legalBasis: { scheme: 'CELEX', id: '32014L0024' },
    techniques: { hasDynamicPurchasingSystem: true, dynamicPurchasingSystem: { type: 'open', ...of } },
  });
  const until = (endDate: string) =>
    actRelease('000101-2026', '2026-01-05T09:00:00Z', { tender: { ...market('active'), tenderPeriod: { endDate } } });
  const awarded = (more: JsonObject) =>
    actRelease('000102-2026', '2026-02-05T09:00:00Z', {
      tag: ['award', 'contract'],
      parties: [COUNCIL, BRIGHT],
      awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)] }],
      ...more,
    });

  it.each(['complete', 'unsuccessful'])('is open until its deadline, though an award under it is %s', (award) => {
    const process = compileOne([until('2031-09-12T11:00:00Z'), awarded({ tender: market(award) })]);
    expect(process).toMatchObject({ status: 'open', bidsUntil: '2031-09-12T11:00:00Z' });
    expect(process.contracts).toHaveLength(1);
  });

  it.each<[string, string, JsonObject]>([
    ['its deadline has passed', '2026-02-04T11:00:00Z', {}],
    ['the award notice says that it has ended', '2031-09-12T11:00:00Z', { status: 'Terminated' }],
  ])('is awarded where %s', (_, deadline, of) => {
    expect(status(until(deadline), awarded({ tender: market('complete', of) }))).toBe('awarded');
  });

  it('is another process than an award within it, which is awarded, though it ticks the box of a market', () => {
    const within = { id: '1', relationship: ['framework'], scheme: 'ocid', identifier: 'ocds-h6vhtk-0000ff' };
    expect(status(awarded({ relatedProcesses: [within], tender: market('active') }))).toBe('awarded');
  });
});

describe('a supplier that leaves a dynamic market', () => {
  const lots = ['1', '2', '3'].map((id) => ({ id, title: `Lot ${id}` }));
  const market = actRelease('000100-2026', '2026-01-05T09:00:00Z', {
    tag: ['award', 'contract'],
    parties: [COUNCIL, BRIGHT, OAKES],
    awards: lots.map(({ id }) => ({
      id,
      status: 'active',
      suppliers: [BRIGHT, OAKES].map(reference),
      relatedLots: [id],
    })),
    tender: { lots, documents: [noticeDocument('000100-2026', 'UK14')] },
  });
  const modified = (month: number, party: JsonObject, awards: readonly string[]) =>
    actRelease(`000${month}00-2026`, `2026-0${month}-05T09:00:00Z`, {
      tag: ['award', 'contract'],
      parties: [COUNCIL, party],
      awards: awards.map((id) => ({
        id,
        amendments: [{ id: `000${month}00-2026` }],
        ...(party === BRIGHT ? { suppliers: [reference(BRIGHT)] } : {}),
      })),
      tender: { documents: [noticeDocument(`000${month}00-2026`, 'UK15')] },
    });
  const LEFT = { ...BRIGHT, roles: ['removedSupplier'] };
  /** The lots of the one that leaves, and the number of members that are left in each. */
  const lotsOf = (...later: JsonObject[]) => {
    const { framework, contracts } = compileOne([market, ...later]);
    const members = framework?.lots.map(({ supplierParties }) => supplierParties) ?? [];
    expect(contracts.map(({ supplierParties }) => supplierParties.length)).toEqual(members.map(({ length }) => length));
    return members.flatMap((ids, place) => (ids.includes('GB-COH-01234567') ? place + 1 : []));
  };

  it.each<[string, readonly string[], number[]]>([
    ['all that the notice names', ['1', '2', '3'], []],
    ['one, and stays in the others', ['1'], [2, 3]],
    ['all, where the notice names none', [], []],
  ])('leaves %s', (_, awards, stays) => {
    expect(lotsOf()).toEqual([1, 2, 3]);
    expect(lotsOf(modified(2, LEFT, awards))).toEqual(stays);
  });

  it('is back in those lots alone that name it again', () => {
    expect(lotsOf(modified(2, LEFT, ['1', '2', '3']), modified(3, BRIGHT, ['2']))).toEqual([2]);
    expect(lotsOf(modified(2, LEFT, ['1', '2']), modified(3, BRIGHT, ['2']), modified(4, LEFT, ['2']))).toEqual([3]);
    expect(lotsOf(modified(2, LEFT, ['1', '2', '3']), modified(3, BRIGHT, []))).toEqual([1, 2, 3]);
  });
});
