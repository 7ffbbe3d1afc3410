import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, noticeDocument, reference } from '../releases.ts';

const gbp = (amount: number) => ({ amount, currency: 'GBP' });
const notice = (number: number, type: string, more: JsonObject) => {
  const id = `00080${number}-2026`;
  const tender = { documents: [noticeDocument(id, type)] };
  return actRelease(id, `2026-0${number}-05T09:00:00Z`, {
    tag: ['contract'],
    parties: [COUNCIL, BRIGHT],
    tender,
    ...more,
  });
};
const award = (more: JsonObject = {}) => [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)], ...more }];
const contract = (id: string, more: JsonObject = {}) => ({ id, awardID: '1', ...more });
const period = { startDate: '2026-01-01', endDate: '2030-12-31' };
const BOTH = ['A', 'B'].map((id) => contract(id, { status: 'active', period }));
const signed = (more: JsonObject = {}) => notice(1, 'UK7', { awards: award(more), contracts: BOTH });
const change = (...contracts: JsonObject[]) => notice(2, 'UK10', { tag: ['contractAmendment'], contracts });
const end = (number: number, ...ids: string[]) =>
  notice(number, 'UK11', { tag: ['contractTermination'], contracts: ids.map((id) => contract(id)) });

describe('an award with several contracts', () => {
  it('keeps its value where a change states that of one, and the others have none', () => {
    const changed = change(contract('B', { value: gbp(700) }));
    expect(compileOne([signed({ value: gbp(5_000) }), changed]).contracts).toMatchObject([{ value: 5_000 }]);
    const whole = change(contract('A', { value: gbp(4_600) }), contract('B', { value: gbp(700) }));
    expect(compileOne([signed({ value: gbp(5_000) }), whole]).contracts).toMatchObject([{ value: 5_300 }]);
  });

  it('is terminated with the last of them', () => {
    const active = { status: 'active', ends: '2030-12-31' };
    const over = { status: 'terminated', endsBasis: 'termination' };
    expect(compileOne([signed(), end(3, 'A')]).contracts).toMatchObject([active]);
    expect(compileOne([signed(), end(3, 'A'), end(4, 'B')]).contracts).toMatchObject([{ ...over, ends: '2026-04-05' }]);
    expect(compileOne([signed(), end(3, 'A', 'B')])).toMatchObject({ status: 'complete', contracts: [over] });
  });
});

describe('an award whose contract was not published', () => {
  it('is terminated by the notice that names it', () => {
    const ended = notice(3, 'UK11', { tag: ['contractTermination'], awards: [{ id: '1' }] });
    expect(compileOne([notice(1, 'UK6', { awards: award() }), ended])).toMatchObject({
      status: 'complete',
      contracts: [{ status: 'terminated', ends: '2026-03-05' }],
    });
  });
});
