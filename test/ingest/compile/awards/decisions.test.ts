import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, noticeDocument, OAKES, reference } from '../releases.ts';

/** A supplier without an identifier: its id is the release's own. */
const jackdaw = (id: string): JsonObject => ({
  id,
  name: 'Jackdaw & Rowe Supplies Ltd',
  address: { postalCode: 'LS2 7EW' },
  roles: ['supplier'],
});
const gbp = (amount: number) => ({ value: { amount, currency: 'GBP' } });

/** A notice about award 1 and its contract. */
function notice(
  number: number,
  noticeType: string,
  award: JsonObject | null,
  contract?: JsonObject,
  more: JsonObject = {},
) {
  const id = `000${number}00-2026`;
  const documents = [noticeDocument(id, noticeType)];
  return actRelease(id, `2026-0${number}-01T09:00:00Z`, {
    tag: ['award', 'contract'],
    tender: contract || award ? {} : { documents },
    ...(award ? { awards: [{ id: '1', ...(contract ? {} : { documents }), ...award }] } : {}),
    ...(contract ? { contracts: [{ id: '1', awardID: '1', documents, ...contract }] } : {}),
    ...more,
  });
}

it('the history of a contract names suppliers that an award states by id alone', () => {
  const told = [reference(OAKES), { id: OAKES.id }].map((supplier, index) =>
    notice(index + 1, 'UK6', { status: 'active', suppliers: [supplier] }, undefined, { parties: [COUNCIL, OAKES] }),
  );
  const [contract] = compileOne(told).contracts;
  expect(contract?.detail.history).toMatchObject([{ suppliers: [OAKES.name] }, { suppliers: [OAKES.name] }]);
});

describe('a supplier that is named again under another id', () => {
  const named = (number: number, partyId: string, type: string) =>
    notice(number, type, { status: 'active', suppliers: [{ id: partyId }], ...gbp(500) }, undefined, {
      parties: [COUNCIL, jackdaw(partyId)],
    });
  const told = [named(1, '7', 'UK6'), named(2, 'GB-FTS-81', 'UK6'), named(3, 'GB-FTS-9', 'UK7')];

  it('is one: its value is shared with nobody and the award is no framework', () => {
    const { contracts, framework } = compileOne(told);
    expect(contracts).toMatchObject([{ value: 500, valueClass: 'sum' }]);
    expect(framework).toBeNull();
  });

  it('beside another supplier still makes two', () => {
    const award = { status: 'active', suppliers: [{ id: '7' }, reference(OAKES)], ...gbp(500) };
    const both = notice(4, 'UK7', award, undefined, { parties: [COUNCIL, jackdaw('7'), OAKES] });
    expect(compileOne([...told, both]).contracts).toMatchObject([{ valueClass: 'shared' }]);
  });
});

describe('an end', () => {
  const parties = [COUNCIL, OAKES];
  const signed = { status: 'active', dateSigned: '2026-02-10T00:00:00Z', ...gbp(900) };
  const won = notice(2, 'UK7', { status: 'active', suppliers: [reference(OAKES)] }, signed, { parties });
  const stop = (status: string) =>
    notice(3, 'UK12', null, undefined, { tag: ['tenderCancellation'], tender: { status, documents: [] } });

  it('of a contract is its termination notice, also where that leaves the status out', () => {
    const over = notice(4, 'UK11', null, {}, { tag: ['contractTermination'] });
    const ended = compileOne([won, over]);
    expect(ended).toMatchObject({ status: 'complete', contracts: [{ status: 'terminated' }] });
  });

  it('of a process leaves what was signed before, and nothing else', () => {
    const awarded = notice(2, 'UK6', { status: 'active', suppliers: [reference(OAKES)], ...gbp(900) }, undefined, {
      parties,
    });
    for (const status of ['withdrawn', 'cancelled']) {
      const stopped = compileOne([awarded, stop(status)]);
      expect(stopped).toMatchObject({ status, contracts: [] });
      expect(stopped.why.leftOut).toEqual([{ awardId: '1', why: `the process was ${status}` }]);
      expect(compileOne([won, stop(status)])).toMatchObject({ status: 'awarded', contracts: [{ value: 900 }] });
    }
  });

  it('of some lots, or of a competition before a direct award, does not undo what is awarded afterwards', () => {
    const tender = { status: 'complete' };
    const award = { status: 'active', suppliers: [reference(OAKES)], ...gbp(900) };
    const awarded = notice(4, 'UK6', award, undefined, { parties, tender });
    const intended = notice(4, 'UK5', { ...award, status: 'pending' }, undefined, { parties, tender });
    for (const status of ['active', 'cancelled']) {
      expect(compileOne([stop(status), awarded])).toMatchObject({ status: 'awarded', contracts: [{ value: 900 }] });
      expect(compileOne([stop(status), intended])).toMatchObject({ status: 'planned', contracts: [] });
    }
  });

  it('of a contract before it was signed wins nothing, unless another was made', () => {
    const award = { status: 'active', suppliers: [reference(OAKES)], ...gbp(900) };
    const cancelled = notice(2, 'UK6', award, { status: 'cancelled' }, { parties });
    expect(compileOne([cancelled]).contracts).toEqual([]);
    expect(compileOne([cancelled]).why.leftOut).toMatchObject([{ awardId: '1' }]);
    const again = notice(3, 'UK7', award, { ...signed, id: '2' }, { parties });
    expect(compileOne([cancelled, again]).contracts).toMatchObject([{ signedIds: ['2'], value: 900 }]);
  });

  it('of one award leaves the others, signed or not', () => {
    const awards = [
      { id: '1', status: 'active', suppliers: [reference(BRIGHT)], relatedLots: ['1'], ...gbp(500) },
      { id: '2', status: 'active', suppliers: [reference(OAKES)], relatedLots: ['2'], ...gbp(900) },
    ];
    const tender = { status: 'complete', lots: ['1', '2'].map((id) => ({ id, status: 'complete' })) };
    const awarded = notice(2, 'UK6', null, undefined, { parties: [COUNCIL, BRIGHT, OAKES], tender, awards });
    // Find a Tender says `complete` of the lot of an award that it cancels, or cancels the contract alone.
    const documents = [noticeDocument('000300-2026', 'UK12')];
    const ofLot = { ...tender, lots: [{ id: '1', status: 'complete' }], documents };
    const stop = { tag: ['tenderCancellation'], awards: [{ id: '1', status: 'cancelled', relatedLots: ['1'] }] };
    const ofContract = {
      ...stop,
      awards: [{ id: '1', status: 'active' }],
      contracts: [{ id: '1', awardID: '1', status: 'cancelled' }],
    };
    for (const stopped of [
      { ...stop, tender: ofLot },
      { ...ofContract, tender: { documents } },
    ]) {
      const process = compileOne([awarded, notice(3, 'UK12', null, undefined, stopped)]);
      expect(process).toMatchObject({ status: 'awarded', contracts: [{ awardId: '2', value: 900 }] });
    }
  });

  it('of an award takes it back, even if its notice omits the status, until it is made again', () => {
    const award = { id: '1', status: 'active', suppliers: [reference(OAKES)], ...gbp(900) };
    const release = (number: number, tag: string, one: JsonObject) =>
      actRelease(`000${number}00-2026`, `2026-0${number}-01T09:00:00Z`, { parties, tag: [tag], awards: [one] });
    const made = release(2, 'award', award);
    const cancelled = release(3, 'awardCancellation', { id: '1' });
    expect(compileOne([made, cancelled])).toMatchObject({ status: 'unsuccessful', contracts: [] });
    expect(compileOne([made, cancelled, release(4, 'award', award)]).contracts).toMatchObject([{ value: 900 }]);
  });

  it('of a dynamic market is its cessation notice', () => {
    const techniques = { hasDynamicPurchasingSystem: true };
    const tender = { status: 'active', techniques };
    const open = actRelease('000100-2026', '2026-01-05T09:00:00Z', { tender });
    expect(compileOne([open]).status).toBe('open');
    const documents = [noticeDocument('000900-2026', 'UK16')];
    const ceased = actRelease('000900-2026', '2026-09-05T09:00:00Z', { tender: { ...tender, documents } });
    expect(compileOne([open, ceased]).status).toBe('complete');
  });
});

describe('a value that may mislead', () => {
  it('is warned of in the notice too', () => {
    const [told] = compileOne([actRelease('000100-2026', '2026-01-05T09:00:00Z', { tender: gbp(0.01) })]).notices;
    expect(told?.detail.warnings).toEqual(['the published value 0.01 GBP is not plausible: a placeholder']);
    expect(told?.value).toBeNull();
  });

  it('is the tender’s where a notice of a framework states several ceilings', () => {
    const awards = ['1', '2'].map((id) => ({ id, status: 'active', suppliers: [reference(OAKES)], ...gbp(400) }));
    const techniques = { hasFrameworkAgreement: true };
    const award = notice(2, 'UK6', null, undefined, { parties: [COUNCIL, OAKES], awards, tender: { techniques } });
    const tender = actRelease('000100-2026', '2026-01-05T09:00:00Z', { tender: { techniques, ...gbp(450) } });
    expect(compileOne([tender, award]).notices.at(-1)).toMatchObject({ value: 450, valueBasis: 'estimate' });
    expect(compileOne([award]).notices.at(-1)?.value).toBeNull();
  });
});
