import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, compileOne } from '../releases.ts';

/** Invites bids until 2 December under the older regulations, as Scottish bodies still do. */
const INVITATION = actRelease('035490-2026', '2026-10-31T10:00:00Z', {
  tender: {
    legalBasis: { scheme: 'CELEX', id: '32014L0024' },
    status: 'active',
    tenderPeriod: { endDate: '2026-12-02T12:00:00Z' },
  },
});

/** A corrigendum (F14) as Find a Tender publishes it: it states what changed, and repeats nothing else. */
const corrigendum = (id: string, date: string, changes: JsonObject[], tender: JsonObject = {}) =>
  actRelease(id, date, {
    tag: ['tenderUpdate'],
    tender: {
      legalBasis: { scheme: 'CELEX', id: '32014L0024' },
      amendments: [{ id: '1', unstructuredChanges: changes }],
      ...tender,
    },
  });
const change = (section: string, from: JsonObject, to: JsonObject) => ({
  where: { section, label: 'Time limit for receipt of tenders or requests to participate' },
  oldValue: from,
  newValue: to,
});
const limit = (from: string, to: string, section = 'IV.2.2') => change(section, { date: from }, { date: to });

const deadlines = (releases: JsonObject[]) =>
  compileOne(releases).notices.map(({ noticeId, deadlineAt }) => [noticeId, deadlineAt]);

describe('a corrigendum of the forms under the directives', () => {
  it.each([['IV.2.2'], ['IV.2.2)'], ['IV.2.2.'], ['IV 2.2']])('moves the time limit for bids (%s)', (section) => {
    const moved = limit('2026-12-02T12:00:00Z', '2026-12-09T16:00:00Z', section);
    expect(deadlines([INVITATION, corrigendum('036312-2026', '2026-11-08T15:56:37Z', [moved])])).toEqual([
      ['035490-2026', '2026-12-02T12:00:00Z'],
      ['036312-2026', '2026-12-09T16:00:00Z'],
    ]);
  });

  it('moves it to the last of several, and the process stays open until then', () => {
    const first = corrigendum('036312-2026', '2026-11-08T15:56:37Z', [
      limit('2026-12-02T12:00:00Z', '2026-12-09T16:00:00Z'),
    ]);
    const second = corrigendum('037001-2026', '2026-11-20T09:00:00Z', [
      change('III.1.2', { text: 'No turnover is required' }, { text: 'A turnover of £250,000 is required' }),
      limit('2026-12-09T16:00:00Z', '2027-01-08T12:00:00Z'),
    ]);
    const process = compileOne([second, INVITATION, first]);
    expect([process.status, process.bidsUntil]).toEqual(['open', '2027-01-08T12:00:00Z']);
  });

  it.each([
    ['09/12/2026 16:00'],
    ['Date: 09/12/2026 Local time: 16:00'],
    ['Date: 9 December 2026\r\nTime: 16:00'],
    ['9 December 2026 at 16:00'],
    ['9 December 2026 at 16:00.'],
  ])('moves it to a day in words: %j', (text) => {
    const moved = change('IV.2.2', { text: '02/12/2026 12:00' }, { text });
    expect(deadlines([INVITATION, corrigendum('036312-2026', '2026-11-08T15:56:37Z', [moved])])[1]).toEqual([
      '036312-2026',
      '2026-12-09T16:00:00Z',
    ]);
  });

  it.each([
    ['of another section', [limit('2026-12-02', '2026-12-09', 'IV.2.7')], {}],
    ['in words', [change('IV.2.2', { text: 'noon' }, { text: 'one o’clock' })], {}],
    ['to two days', [change('IV.2.2', { text: '' }, { text: '9/12/2026 or 10/12/2026' })], {}],
    ['of nothing', [], {}],
  ])('leaves it at a change %s', (_, changes) => {
    expect(deadlines([INVITATION, corrigendum('036312-2026', '2026-11-08T15:56:37Z', changes)])[1]).toEqual([
      '036312-2026',
      '2026-12-02T12:00:00Z',
    ]);
  });

  it('states its own time limit first', () => {
    const moved = [limit('2026-12-02T12:00:00Z', '2026-12-09T16:00:00Z')];
    const whole = corrigendum('036312-2026', '2026-11-08T15:56:37Z', moved, {
      tenderPeriod: { endDate: '2026-12-10T12:00:00Z' },
    });
    expect(deadlines([INVITATION, whole])[1]).toEqual(['036312-2026', '2026-12-10T12:00:00Z']);
  });

  it('leaves what it does not repeat: the value, the lots, the procedure, the description', () => {
    const lots = [{ id: '1', title: 'North', value: { amount: 310_000, currency: 'GBP' } }];
    const described = { description: 'Surfaces of playparks', procurementMethodDetails: 'Open procedure' };
    const invitation = { ...INVITATION, tender: { ...(INVITATION.tender as JsonObject), ...described, lots } };
    const note = { description: 'To register your interest, visit the web site' };
    const moved = (id: string, day: string, tender: JsonObject = {}) => ({
      ...corrigendum(id, `2026-11-${day}T10:00:00Z`, [limit('2026-12-02T12:00:00Z', '2026-12-09T16:00:00Z')], tender),
      ...note,
    });
    const value = { amount: 400_000, currency: 'GBP' };
    const process = compileOne([invitation, moved('036312-2026', '08'), moved('037001-2026', '20', { value })]);
    const [first, second, third] = process.notices;
    const same = {
      value: 310_000,
      currency: 'GBP',
      valueBasis: 'estimate',
      description: 'Surfaces of playparks',
      detail: { lots: [{ lot_id: '1', title: 'North' }], procedure: 'Open procedure', procedure_code: 'open' },
    };
    expect(first).toMatchObject({ ...same, isTender: false, deadline: '2026-12-02' });
    expect(second).toMatchObject({ ...same, isTender: false, deadline: '2026-12-09' });
    expect(third).toMatchObject({ ...same, isTender: true, value: 400_000 });
  });

  it('takes nothing from an award that follows it', () => {
    const { value, lots } = { value: { amount: 9_000, currency: 'GBP' }, lots: [{ id: '1', title: 'North' }] };
    const awarded = actRelease('040001-2027', '2027-02-01T10:00:00Z', { tag: ['award'], tender: { value, lots } });
    const process = compileOne([INVITATION, corrigendum('036312-2026', '2026-11-08T15:56:37Z', []), awarded]);
    expect(process.notices.map((one) => [one.value, one.detail.lots.length])).toEqual([
      [null, 0],
      [null, 0],
      [9_000, 1],
    ]);
  });
});
