import { describe, expect, it } from 'vitest';
import { rowsOfProcess } from '../../../ingest/store/process-rows.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, noticeDocument, reference } from './releases.ts';

const release = (number: number, type: string, more: JsonObject = {}) => {
  const id = `00010${number}-2026`;
  const { tender, ...rest } = more;
  return actRelease(id, `2026-0${number}-05T09:00:00Z`, {
    tender: { documents: [noticeDocument(id, type)], ...(tender as JsonObject | undefined) },
    ...rest,
  });
};
const status = (...releases: JsonObject[]) => compileOne(releases).status;
const DUE = { tenderPeriod: { endDate: '2026-03-30T12:00:00+01:00' } };

describe('the status of a process', () => {
  it('of a report on payments is complete; of an intended market planned; of a termination complete', () => {
    expect(status(release(1, 'UK17', { tag: ['implementation'] }))).toBe('complete');
    expect(status(release(1, 'UK13', { tag: ['planning'] }))).toBe('planned');
    expect(status(release(1, 'UK14', { tag: ['award'] }))).toBe('open');
    expect(status(release(1, 'UK11', { tag: ['contractTermination'] }))).toBe('complete');
    expect(status(release(1, 'UK8', { tag: ['implementation'] }))).toBe('awarded');
  });

  it('is no other for a report on payments beside', () => {
    const report = release(2, 'UK17', { tag: ['implementation'] });
    expect(status(release(1, 'UK3', { tag: ['planning'] }), report)).toBe('planned');
    expect(status(release(1, 'UK4', { tender: DUE }), report)).toBe('open');
  });

  it('of a transparency notice is planned, its stage award', () => {
    const award = {
      id: '1',
      status: 'pending',
      suppliers: [reference(BRIGHT)],
      documents: [noticeDocument('000101-2026', 'UK5')],
    };
    const process = compileOne([
      actRelease('000101-2026', '2026-01-05T09:00:00Z', {
        tag: ['award', 'contract'],
        parties: [COUNCIL, BRIGHT],
        awards: [award],
      }),
    ]);
    expect(process).toMatchObject({ stage: 'award', status: 'planned', contracts: [] });
  });

  it.each<[string, string[], JsonObject, string]>([
    ['names some of the lots', ['cancelled'], {}, 'open'],
    ['names all of the lots', ['cancelled', 'withdrawn'], {}, 'cancelled'],
    ['names none', [], {}, 'cancelled'],
    ['names some, and says that the tender is over', ['cancelled'], { status: 'cancelled' }, 'cancelled'],
  ])('after a termination that %s', (_, ended, tender, expected) => {
    const lots = ['active', 'active'].map((status, at) => ({ id: String(at + 1), status }));
    const left = ended.map((status, at) => ({ id: String(at + 1), status }));
    const termination = { tag: ['tenderCancellation'], tender: { ...tender, lots: left } };
    expect(status(release(1, 'UK4', { tender: { ...DUE, lots } }), release(2, 'UK12', termination))).toBe(expected);
  });

  it.each<[string, string[][], JsonObject, string]>([
    ['of one lot', [['2']], {}, 'open'],
    ['of one lot, and says that the tender is over', [['2']], { status: 'withdrawn' }, 'withdrawn'],
    ['of both lots in one award', [['1', '2']], {}, 'cancelled'],
    ['of each lot in its own award', [['1'], ['2']], {}, 'cancelled'],
    ['of no lot that is known', [[]], {}, 'cancelled'],
  ])('after a termination that cancels awards %s', (_, cancelled, tender, expected) => {
    const lots = ['1', '2'].map((id) => ({ id, status: 'active' }));
    const awards = cancelled.map((relatedLots, at) => ({ id: String(at + 1), status: 'cancelled', relatedLots }));
    const stop = {
      tag: ['tenderCancellation'],
      tender: { ...tender, lots: [{ id: '2', status: 'complete' }] },
      awards,
    };
    expect(status(release(1, 'UK4', { tender: { ...DUE, lots } }), release(2, 'UK12', stop))).toBe(expected);
  });

  it.each<[string, string, string[], string]>([
    ['the only award, of one lot of two', 'UK6', ['1'], 'open'],
    ['the award of each lot', 'UK6', ['1', '2'], 'cancelled'],
    ['one award of the same lots, where another is intended', 'UK5', ['1'], 'planned'],
  ])('after a termination that cancels the contract of %s', (_, type, cancelled, expected) => {
    const made = cancelled.map((id) => ({ id, status: 'active', relatedLots: [id] }));
    const stop = release(3, 'UK12', {
      tag: ['tenderCancellation'],
      awards: made,
      contracts: cancelled.map((id) => ({ id, awardID: id, status: 'cancelled' })),
    });
    const tender = { ...DUE, lots: [{ id: '1' }, { id: '2' }] };
    const awards = type === 'UK5' ? [...made, { id: '3', status: 'pending', relatedLots: ['1'] }] : made;
    expect(status(release(1, 'UK4', { tender }), release(2, type, { awards }), stop)).toBe(expected);
  });

  it('after a termination that cancels the contract that was signed is cancelled', () => {
    const awards = [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)] }];
    const contracts = (more: JsonObject) => [{ id: '1', awardID: '1', ...more }];
    const signed = release(2, 'UK7', { awards, contracts: contracts({ status: 'active', dateSigned: '2026-02-01' }) });
    const stop = release(3, 'UK12', { tag: ['tenderCancellation'], contracts: contracts({ status: 'cancelled' }) });
    expect(status(release(1, 'UK4', { tender: DUE }), signed, stop)).toBe('cancelled');
    expect(status(signed, stop)).toBe('cancelled');
  });

  it.each<[string[], string]>([
    [['cancelled'], 'open'],
    [['cancelled', 'cancelled'], 'cancelled'],
    [['withdrawn', 'unsuccessful'], 'unsuccessful'],
  ])('of which an update says that its lots are %j is %s', (ended, expected) => {
    const lots = ['active', 'active'].map((status, at) => ({ id: String(at + 1), status }));
    const left = ended.map((status, at) => ({ id: String(at + 1), status }));
    const tender = { ...DUE, status: 'active' };
    const update = release(2, 'UK4', { tag: ['tenderUpdate'], tender: { ...tender, lots: left } });
    const first = release(1, 'UK4', { tender: { ...tender, lots } });
    expect(status(first, update)).toBe(expected);
    expect(status(first, update, release(3, 'UK4', { tender }))).toBe('open');
  });

  it('is closed where bids were invited and no deadline is published, unless it is a dynamic market', () => {
    expect(status(release(1, 'UK4'))).toBe('closed');
    const market = release(1, 'UK4', { tender: { techniques: { hasDynamicPurchasingSystem: true } } });
    expect(compileOne([market])).toMatchObject({ status: 'open', bidsUntil: null });
  });

  it.each<JsonObject>([
    {},
    { tenderPeriod: null },
    { tenderPeriod: 'TBC' },
    { tenderPeriod: { endDate: 'TBC' } },
    { tenderPeriod: { endDate: '0202-03-30' }, expressionOfInterestDeadline: 'to follow' },
  ])('stays open after an update that does not repeat the deadline: %j', (tender) => {
    const { status, bidsUntil, notices } = compileOne([
      release(1, 'UK4', { tender: DUE }),
      release(2, 'UK4', { tag: ['tenderUpdate'], tender: { ...tender, amendments: [{ id: 'a' }] } }),
    ]);
    expect([status, bidsUntil]).toEqual(['open', '2026-03-30T11:00:00Z']);
    expect(notices.map(({ deadline, isTender }) => [deadline, isTender])).toEqual([
      ['2026-03-30', false],
      ['2026-03-30', true],
    ]);
  });
});

describe('a tender notice after an award', () => {
  const award = (number: number, status: string) =>
    release(number, 'UK6', {
      tag: ['award'],
      parties: [COUNCIL, BRIGHT],
      awards: [{ id: '1', status, suppliers: [reference(BRIGHT)], value: { amount: 5_000, currency: 'GBP' } }],
    });
  const again = (tender: JsonObject) => release(3, 'UK4', { tag: ['tender'], tender });

  it.each(['active', 'pending', 'unsuccessful', 'cancelled'])('opens it again, where that is %s', (status) => {
    const process = compileOne([release(1, 'UK4', { tender: DUE }), award(2, status), again(DUE)]);
    expect([process.status, process.bidsUntil]).toEqual(['open', '2026-03-30T11:00:00Z']);
    expect(process.contracts).toHaveLength(status === 'active' || status === 'pending' ? 1 : 0);
  });

  it.each<JsonObject>([
    { tenderPeriod: { endDate: '2026-02-20T12:00:00Z' } },
    { tenderPeriod: { endDate: 'TBC' } },
    { ...DUE, status: 'complete' },
    {},
  ])('does not where it invites nobody: %j', (tender) => {
    expect(status(release(1, 'UK4', { tender: DUE }), award(2, 'active'), again(tender))).toBe('awarded');
  });

  it('does not where the award follows it', () => {
    expect(status(release(1, 'UK4', { tender: DUE }), again(DUE), award(4, 'active'))).toBe('awarded');
  });
});

describe('a deadline that cannot be read', () => {
  const tbc = { tenderPeriod: { endDate: 'TBC' } };
  const warningsOf = (process: ReturnType<typeof compileOne>) => process.notices.map(({ detail }) => detail.warnings);
  const WARNING = 'the published deadline is not a date: TBC';

  it('is said so, also where an earlier notice states one', () => {
    expect(warningsOf(compileOne([release(1, 'UK4', { tender: tbc })]))).toEqual([[WARNING]]);
    const update = release(2, 'UK4', { tag: ['tenderUpdate'], tender: tbc });
    expect(warningsOf(compileOne([release(1, 'UK4', { tender: DUE }), update]))).toEqual([[], [WARNING]]);
  });

  it('leaves the day until which interest may be expressed', () => {
    const interest = { ...tbc, expressionOfInterestDeadline: '2026-03-12T12:00:00Z' };
    expect(compileOne([release(1, 'UK4', { tender: interest })])).toMatchObject({
      status: 'open',
      bidsUntil: '2026-03-12T12:00:00Z',
    });
  });

  it('becomes the deadline of the update that states it', () => {
    const update = release(2, 'UK4', { tag: ['tenderUpdate'], tender: DUE });
    expect(compileOne([release(1, 'UK4', { tender: tbc }), update])).toMatchObject({
      status: 'open',
      bidsUntil: '2026-03-30T11:00:00Z',
    });
  });
});

describe('until when bids may come in', () => {
  const detailsOf = (...releases: JsonObject[]) => {
    const process = compileOne(releases);
    const rows = rowsOfProcess({ process, parties: new Map(), link: null });
    return rows.flatMap(({ table, columns }) =>
      table === 'notice' ? [(JSON.parse(String(columns.detail)) as { bids_until?: string }).bids_until] : [],
    );
  };

  it('is kept for the notices that do not state it themselves', () => {
    const planning = release(1, 'UK2', { tag: ['planning'] });
    expect(detailsOf(planning, release(2, 'UK4', { tender: DUE }))).toEqual(['2026-03-30T11:00:00Z', undefined]);
  });

  it('is the newest deadline for an earlier tender notice', () => {
    const later = release(2, 'UK4', { tender: { tenderPeriod: { endDate: '2026-04-30T11:00:00Z' } } });
    expect(detailsOf(release(1, 'UK4', { tender: DUE }), later)).toEqual(['2026-04-30T11:00:00Z', undefined]);
  });

  it('is the end of a dynamic market that names no deadline', () => {
    const techniques = {
      hasDynamicPurchasingSystem: true,
      frameworkAgreement: { period: { startDate: '2026-02-01', endDate: '2030-06-30' } },
    };
    expect(detailsOf(release(1, 'UK4', { tender: { techniques } }))).toEqual(['2030-06-30T22:59:59Z']);
  });

  it('is nothing once the process is over', () => {
    const cancelled = release(2, 'UK12', { tag: ['tenderCancellation'], tender: { status: 'cancelled' } });
    expect(detailsOf(release(1, 'UK4', { tender: DUE }), cancelled)).toEqual([undefined, undefined]);
  });
});

describe('a cancellation of an award', () => {
  const award = { id: '1', status: 'active', suppliers: [reference(BRIGHT)] };
  const parties = [COUNCIL, BRIGHT];
  const cancel = (more: JsonObject) =>
    compileOne([
      actRelease('000101-2026', '2026-01-05T09:00:00Z', { tag: ['award'], parties, awards: [award] }),
      actRelease('000102-2026', '2026-02-05T09:00:00Z', { tag: ['awardCancellation'], ...more }),
    ]);

  it('that names none leaves every award, and says so', () => {
    for (const more of [{}, { awards: [] }]) {
      const { contracts, notices } = cancel(more);
      expect(contracts).toMatchObject([{ awardId: '1' }]);
      expect(notices[1]?.detail.warnings).toEqual(['an award is cancelled without being named: every award is kept']);
    }
    const named = cancel({ awards: [{ id: '1' }] });
    expect([named.contracts, named.notices[1]?.detail.warnings]).toEqual([[], []]);
  });
});
