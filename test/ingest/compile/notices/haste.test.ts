import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, compileOne } from '../releases.ts';

/** What the last of these notices says of the procedure's haste, of risks, and of when it is advertised again. */
function lastOf(...tenders: JsonObject[]) {
  const releases = tenders.map((tender, n) => actRelease(`01234${n}-2026`, `2026-03-0${n + 1}T10:00:00Z`, { tender }));
  const { accelerated, accelerated_reason, risks, recurrence } = compileOne(releases).notices.at(-1)?.detail ?? {};
  return { accelerated, accelerated_reason, risks, recurrence };
}
const hasty = (acceleratedRationale?: string, isAccelerated: unknown = true) => ({
  procedure: { isAccelerated, acceleratedRationale },
});
const URGENT = { accelerated: true, accelerated_reason: 'State of urgency' };

describe('a procedure that takes less time than usual', () => {
  it.each([
    ['is told with its reason', hasty('State of urgency'), URGENT],
    ['may be told as a text', hasty('State of urgency', 'true'), URGENT],
    ['may be told by its reason alone', { procedure: { acceleratedRationale: 'State of urgency' } }, URGENT],
    ['may have no reason', hasty('N/A'), { accelerated: true }],
    ['is not one where the notice says no', hasty('State of urgency', false), {}],
    ['is not one where nothing is said', { procedure: { features: 'Two stages.' } }, {}],
    ['is not one where no reason is a reason', { procedure: { acceleratedRationale: ' - ' } }, {}],
  ])('%s', (_, tender, said) => {
    expect(lastOf(tender)).toEqual(said);
  });

  it('stays one in a later notice that says nothing, and in no other', () => {
    expect(lastOf(hasty('State of urgency'), { title: 'New' })).toEqual(URGENT);
    expect(lastOf(hasty('State of urgency'), hasty())).toEqual({ accelerated: true });
    expect(lastOf(hasty('State of urgency'), hasty(undefined, false))).toEqual({});
    expect(lastOf(hasty('State of urgency'), { procedure: { features: 'Two stages.' } })).toEqual({});
  });
});

describe('the risks of a contract', () => {
  it.each([
    ['Weather.&lt;br&gt;Call 020 7946 0000.', 'Weather.\nCall [telephone removed].'],
    [['Weather', 'Floods'], 'Weather\nFloods'],
    ['na', undefined],
    ['N/A', undefined],
    [{}, undefined],
    [[], undefined],
  ])('published as %j are %j', (riskDetails, risks) => {
    expect(lastOf({ riskDetails })).toEqual({ risks });
  });

  it('are those of the latest notice that states any', () => {
    expect(lastOf({ riskDetails: 'Weather' }, { riskDetails: 'Floods' })).toEqual({ risks: 'Floods' });
    expect(lastOf({ riskDetails: 'Weather' }, {})).toEqual({ risks: 'Weather' });
  });
});

describe('when a need is to be advertised again', () => {
  it.each([
    ['in words', { hasRecurrence: true, recurrence: { description: 'In 3&nbsp;years\r\nor 4' } }, 'In 3 years\nor 4'],
    ['in words alone', { recurrence: { description: '2030' } }, '2030'],
    ['in none', { hasRecurrence: true, recurrence: { description: 'n/a' } }, undefined],
    ['in words that begin so', { recurrence: { description: 'No earlier than 2030' } }, 'No earlier than 2030'],
    ['not at all', { hasRecurrence: true }, undefined],
    ['as never', { hasRecurrence: false, recurrence: { description: '2030' } }, undefined],
  ])('is what the notice states %s', (_, tender, recurrence) => {
    expect(lastOf(tender)).toEqual({ recurrence });
  });

  it.each(['No', 'no.', 'false', 'True', 'Yes', 'Not known', 'Unknown'])(
    'is not known from %s alone',
    (description) => {
      expect(lastOf({ hasRecurrence: true, recurrence: { description }, riskDetails: description })).toEqual({});
      expect(lastOf({ procedure: { acceleratedRationale: description } })).toEqual({});
    },
  );

  it('is what the latest notice states that states it', () => {
    const stating = (description: string) => ({ recurrence: { description } });
    expect(lastOf(stating('2030'), stating('2031'))).toEqual({ recurrence: '2031' });
    expect(lastOf(stating('2030'), {})).toEqual({ recurrence: '2030' });
    expect(lastOf(stating('2030'), { hasRecurrence: false })).toEqual({});
  });
});
