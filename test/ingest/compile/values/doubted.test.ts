import { describe, expect, it } from 'vitest';
import type { CompiledProcess } from '../../../../ingest/compile/types.ts';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, noticeDocument, OAKES, reference } from '../releases.ts';

const money = (amount: number, currency: string) => ({ value: { amount, currency } });
const gbp = (amount: number) => money(amount, 'GBP');
const award = (id: string, amount: number, more: JsonObject = {}): JsonObject => ({
  id,
  status: 'active',
  ...gbp(amount),
  suppliers: [reference(BRIGHT)],
  ...more,
});
/** An award notice of the first of March, an hour later for each. */
const notice = (n: number, awards: JsonObject[], more: JsonObject = {}): JsonObject =>
  actRelease(`00030${n}-2026`, `2026-03-01T${9 + n}:00:00Z`, {
    tag: ['award'],
    parties: [COUNCIL, BRIGHT, OAKES],
    awards: awards.map((one) => ({ ...one, documents: [noticeDocument(`00030${n}-2026`, 'UK6')] })),
    ...more,
  });
const values = (process: CompiledProcess) => process.notices.map(({ value }) => value);

it('a notice is worth its awards, without those that came to nothing beside others', () => {
  const lost = (id: string, status: string) => award(id, 7_000_000, { status });
  const all = [award('1', 80_000), lost('2', 'cancelled'), lost('3', 'unsuccessful')];
  expect(values(compileOne([notice(1, all)]))).toEqual([80_000]);
  expect(values(compileOne([notice(1, all.slice(1, 2))]))).toEqual([7_000_000]);
});

describe('an estimate', () => {
  const of = (amount: number, techniques?: JsonObject) =>
    compileOne([
      actRelease('000299-2026', '2026-01-01T09:00:00Z', {
        tag: ['tender'],
        tender: { title: 'Roads', techniques, ...gbp(amount) },
      }),
    ]);

  it.each([99_999_999_999, 99_999_999, 999_999_999.99, 20_000_000_001, 1])('of %d is not believed', (amount) => {
    const process = of(amount);
    expect(values(process)).toEqual([null]);
    expect(process.notices[0]?.detail.warnings.join()).toContain('is not plausible');
  });

  it.each([9_999_999, 99_999_998, 20_000_000_000, 199_999_999])('of %d is', (amount) => {
    expect(values(of(amount))).toEqual([amount]);
  });

  it('of a framework may be larger, but is no filler either', () => {
    const techniques = { hasFrameworkAgreement: true };
    expect(of(60_000_000_000, techniques).framework).toMatchObject({ ceiling: 60_000_000_000 });
    expect(values(of(60_000_000_000, techniques))).toEqual([60_000_000_000]);
    expect(of(99_999_999_999, techniques).framework).toMatchObject({ ceiling: null });
  });
});

describe('a value that is not believed of a contract', () => {
  it('is none of the notices that stated it, and they say so', () => {
    const slip = compileOne([notice(1, [award('1', 5_000_000)]), notice(2, [award('1', 50_000)])]);
    expect(slip.contracts).toMatchObject([{ value: 50_000, valueClass: 'absurd' }]);
    expect(values(slip)).toEqual([null, null]);
    expect(slip.notices[0]?.detail.warnings).toContain(
      'the published value 5000000 GBP is not plausible: that of its contract is not believed',
    );
    const changed = compileOne([notice(1, [award('1', 50_000)]), notice(2, [award('1', 52_000)])]);
    expect(values(changed)).toEqual([50_000, 52_000]);
    const inEuros = compileOne([notice(1, [award('1', 5_000_000)]), notice(2, [award('1', 0, money(50_000, 'EUR'))])]);
    expect(inEuros.contracts).toMatchObject([{ value: 50_000, currency: 'EUR', valueClass: 'sum' }]);
    expect(values(inEuros)).toEqual([5_000_000, 50_000]);
  });

  it('spoils the sum that holds it, but a placeholder spoils none', () => {
    const lots = (first: number) => [notice(1, [award('1', first), award('2', 21_000)])];
    const slip = compileOne([...lots(5_000_000), notice(2, [award('1', 50_000)])]);
    expect(values(slip)).toEqual([null, null]);
    const placeholder = compileOne(lots(0.01));
    expect(placeholder.contracts.map(({ valueClass }) => valueClass)).toEqual(['absurd', 'sum']);
    expect(values(placeholder)).toEqual([21_000.01]);
  });

  it('of one supplier is hidden by no other award of the notice that many suppliers share', () => {
    const many = { suppliers: ['A', 'B', 'C'].map((name) => ({ id: name, name })) };
    const process = compileOne([notice(1, [award('1', 6_000_000_000), award('2', 9_000, many)])]);
    expect(process.contracts.map(({ valueClass }) => valueClass)).toEqual(['absurd', 'shared']);
    expect(values(process)).toEqual([null]);
  });

  it('that was estimated alone is none of the award notice either, and stays the tender’s', () => {
    const tender = { tender: { title: 'Roads', ...gbp(2_000_000_000) } };
    const planned = actRelease('000299-2026', '2026-01-01T09:00:00Z', { tag: ['tender'], ...tender });
    const { value: _value, ...unstated } = award('1', 0);
    const process = compileOne([planned, notice(1, [unstated], tender)]);
    expect(process.contracts).toMatchObject([{ value: 2_000_000_000, valueClass: 'absurd' }]);
    expect(values(process)).toEqual([2_000_000_000, null]);
  });

  it('leaves an earlier notice the estimate that it gave', () => {
    const tender = { tender: { title: 'Roads', ...gbp(300_000) } };
    const { value: _value, ...unstated } = award('1', 0);
    const process = compileOne([notice(1, [unstated], tender), notice(2, [award('1', 6_000_000_000)], tender)]);
    expect(process.contracts).toMatchObject([{ value: 6_000_000_000, valueClass: 'absurd' }]);
    expect(values(process)).toEqual([300_000, null]);
  });

  it('shows what is no estimate of a tender: a power of ten off, or beyond all measure', () => {
    const of = (estimate: number, amount: number, awards = 1, currency = 'GBP') => {
      const tender = { tender: { title: 'Roads', ...money(estimate, currency) } };
      const planned = actRelease('000299-2026', '2026-01-01T09:00:00Z', { tag: ['tender'], ...tender });
      const won = Array.from({ length: awards }, (_, at) => award(String(at + 1), amount));
      return values(compileOne([planned, notice(1, won, tender)]))[0];
    };
    expect(of(54_000_000, 540_000)).toBeNull();
    expect(of(1_500_000_000, 54_134.15)).toBeNull();
    expect(of(54_000_000, 500_000)).toBe(54_000_000);
    expect(of(54_000_000, 5_400_000)).toBe(54_000_000);
    expect(of(9_000_000, 90_000)).toBe(9_000_000);
    expect(of(54_000_000, 540_000, 2)).toBe(54_000_000);
    expect(of(1_500_000_000, 7_800_000, 1, 'JPY')).toBe(1_500_000_000);
  });

  it('is no ceiling of a framework', () => {
    const framework = { tender: { title: 'Roads', techniques: { hasFrameworkAgreement: true } } };
    const of = (...amounts: number[]) =>
      compileOne(amounts.map((amount, at) => notice(at + 1, [award('1', amount)], framework))).framework;
    expect(of(5_000_000)).toMatchObject({ ceiling: 5_000_000 });
    expect(of(5_000_000, 50_000)).toMatchObject({ ceiling: null });
    expect(of(5_000_000, 50_000)?.detail.warnings).toEqual(['the value that its awards state is not believed']);
  });
});

describe('the least that a tender may be worth', () => {
  const amount = (of: number, currency = 'GBP') => ({ amount: of, currency });
  const release = (id: string, tender: JsonObject, more: JsonObject = {}) =>
    actRelease(id, `2026-03-${id.slice(4, 6)}T09:00:00Z`, { parties: [COUNCIL, BRIGHT], tender, ...more });
  const leastOf = (...releases: JsonObject[]) => {
    const { value, detail } = compileOne(releases).notices.at(-1) ?? {};
    return [value, detail?.value_min];
  };
  const range = { minValue: amount(26_410), value: amount(213_750) };

  it.each([
    ['is the lower end of its range', range, [213_750, 26_410]],
    ['is the value where that alone is stated', { minValue: amount(26_410) }, [26_410, undefined]],
    ['is not stated by a range of nothing', { minValue: amount(500), value: amount(500) }, [500, undefined]],
    ['is not more than the value', { minValue: amount(600), value: amount(500) }, [500, undefined]],
    ['is no zero', { minValue: amount(0), value: amount(500) }, [500, undefined]],
    ['is in the currency of the value', { minValue: amount(400, 'EUR'), value: amount(500) }, [500, undefined]],
  ])('%s', (_, tender, expected) => {
    expect(leastOf(release('000301-2026', tender))).toEqual(expected);
  });

  it('is not said of the value of an award', () => {
    const more = { tag: ['award'], awards: [award('1', 80_000)] };
    expect(leastOf(release('000301-2026', range, more))).toEqual([80_000, undefined]);
  });

  it('is none where the value turns out not to be believed', () => {
    const slipped = release(
      '000301-2026',
      { minValue: amount(900_000), value: amount(15_000_000) },
      { tag: ['tender'] },
    );
    const won = release('000302-2026', {}, { tag: ['award'], awards: [award('1', 15_000)] });
    expect(compileOne([slipped, won]).notices[0]).toMatchObject({ value: null, detail: { value_min: undefined } });
  });

  it('is that of the latest notice with a value: one without keeps it, and a single value takes it back', () => {
    const first = release('000301-2026', range);
    expect(leastOf(first, release('000302-2026', {}))).toEqual([213_750, 26_410]);
    expect(leastOf(first, release('000302-2026', { value: amount(90_000) }))).toEqual([90_000, undefined]);
  });
});
