import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, noticeDocument, reference } from '../releases.ts';

const [SIGNED, ENDED] = ['000007-2026', '000011-2026'];
const renewal = (description: string | null) => ({ hasRenewal: true, renewal: { description } });
const options = (description: string) => ({ hasOptions: true, options: { description } });

const signed = (contract: JsonObject, award: JsonObject = {}) =>
  actRelease(SIGNED, '2026-03-01T10:00:00Z', {
    tag: ['award', 'contract'],
    parties: [COUNCIL, BRIGHT],
    awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)], ...award }],
    contracts: [{ id: '1', awardID: '1', documents: [noticeDocument(SIGNED, 'UK7', 'contractNotice')], ...contract }],
  });
const ended = (...finalValues: JsonObject[]) =>
  actRelease(ENDED, '2026-09-01T10:00:00Z', {
    tag: ['contractTermination'],
    contracts: finalValues.map((finalValue, index) => ({
      id: `${index + 1}`,
      awardID: '1',
      status: 'terminated',
      implementation: { endDate: '2026-08-31T00:00:00+01:00', finalValue },
      documents: [noticeDocument(ENDED, 'UK11', 'contractTerminationNotice')],
    })),
  });
const detailOf = (...releases: JsonObject[]) => compileOne(releases).contracts[0]?.detail;

it.each([
  ['its contract says', renewal('2 x 12 months'), renewal('1 year'), '2 x 12 months'],
  ['its award says, where its contract says nothing of it', renewal('N/A'), renewal('1 year'), '1 year'],
  ['nothing, where both say only that it may not', renewal('No'), renewal('no'), undefined],
  ['nothing, where neither says anything', renewal(null), {}, undefined],
])('how a contract may be extended is in the words that %s', (_, contract, award, words) => {
  expect(detailOf(signed(contract, award))?.renewal).toBe(words);
});

it.each([
  ['of its lot', ['1'], {}, '2 x 12 months'],
  ['of its lots, where they agree', ['1', '2', '4'], {}, '2 x 12 months'],
  ['of neither lot, where they differ', ['1', '3'], {}, undefined],
  ['of no lot that it does not name', [], {}, undefined],
  ['its own before those of its lot', ['1'], renewal('1 year'), '1 year'],
])('how a contract may be extended is in the words %s', (_, relatedLots, contract, words) => {
  const told = ['2 x 12 months', '2 x 12 months', '3 years', 'N/A'];
  const lots = told.map((text, index) => ({ id: `${index + 1}`, title: 'North', ...renewal(text) }));
  const release = { ...signed(contract, { relatedLots }), tender: { lots } };
  expect(detailOf(release)?.renewal).toBe(words);
});

it('how a contract may be extended is in the words of the only lot, also where it names none', () => {
  const release = { ...signed({}, { relatedLots: [] }), tender: { lots: [{ id: '1', ...renewal('2 x 12 months') }] } };
  expect(detailOf(release)?.renewal).toBe('2 x 12 months');
});

it('what more may be bought under a contract is in its words', () => {
  expect(detailOf(signed(options('A second depot.')))).toMatchObject({ options: 'A second depot.' });
});

it.each([
  ['net', [{ amount: 6_705, amountGross: 8_046, currency: 'GBP' }], [6_705, 'net']],
  ['gross, where no other is stated', [{ amountGross: 8_046, currency: 'GBP' }], [8_046, 'gross']],
  [
    'of all its contracts',
    [
      { amount: 6_705.1, currency: 'GBP' },
      { amount: 4.2, currency: 'GBP' },
    ],
    [6_709.3, 'net'],
  ],
  [
    'not known, where two are on different bases',
    [
      { amount: 1, currency: 'GBP' },
      { amountGross: 2, currency: 'GBP' },
    ],
    null,
  ],
  ['not known, where none is stated', [{ currency: 'GBP' }], null],
])('what a contract cost in the end is %s', (_, values, expected) => {
  const [value, value_basis] = expected ?? [];
  expect(detailOf(signed({ value: { amount: 9_000, currency: 'GBP' } }), ended(...values))?.final_value).toEqual(
    expected ? { value, currency: 'GBP', value_basis } : undefined,
  );
});

it('the value of a contract stays as awarded when it ended at another', () => {
  const { contracts } = compileOne([
    signed({ value: { amount: 9_000, currency: 'GBP' } }),
    ended({ amount: 6_705, currency: 'GBP' }),
  ]);
  expect(contracts[0]).toMatchObject({ value: 9_000, status: 'terminated' });
});

it('what an award cost in the end is of all its contracts, however many notices ended them', () => {
  const [first, second, third] = ['1', '2', '3'].map((id) => ({ id, awardID: '1', title: `Depot ${id}` }));
  const ending = (id: string, contract: JsonObject | undefined, amount: number) =>
    actRelease(id, `2026-09-0${id.slice(-1)}T10:00:00Z`, {
      tag: ['contractTermination'],
      contracts: [{ ...contract, status: 'terminated', implementation: { finalValue: { amount, currency: 'GBP' } } }],
    });
  const [one, two] = [ending('000011-2021', first, 100), ending('000011-2022', second, 20)];
  const both = signed({ title: 'Depot 1' });
  const contracts = [...(both.contracts as JsonObject[]), second];
  expect(detailOf({ ...both, contracts }, one)?.final_value).toBeUndefined();
  expect(detailOf({ ...both, contracts }, one, two)?.final_value).toMatchObject({ value: 120 });
  expect(detailOf({ ...both, contracts: [...contracts, third] }, one, two)?.final_value).toBeUndefined();
});

const reasonOf = (...releases: JsonObject[]) => detailOf(...releases)?.no_kpis_reason;
const reason = (noAgreedMetricsRationale: unknown) => ({ noAgreedMetricsRationale });
const AUDIT = { agreedMetrics: [{ id: '1', title: 'Audit' }] };

it.each([
  ['in its words', reason('Below &pound;5 million'), 'Below £5 million'],
  ['not, where it says nothing', reason('N/A'), undefined],
  ['not, where it only says no', reason('No'), undefined],
  ['not, where nothing is stated', {}, undefined],
  ['not, where it has some', { ...reason('Below £5 million'), ...AUDIT }, undefined],
])('why a contract has no performance indicators is said %s', (_, contract, words) => {
  expect(reasonOf(signed(contract))).toBe(words);
});

it('why the contracts of an award have no performance indicators is no longer than a text', () => {
  const contracts = ['a', 'b'].map((id) => ({ id, awardID: '1', ...reason(id.repeat(60_000)) }));
  const release = signed({});
  expect(reasonOf({ ...release, contracts })).toHaveLength(100_000);
});

it('the latest notice that says why a contract has no performance indicators is right, until one states some', () => {
  const later = (contract: JsonObject) => ({ ...signed(contract), id: ENDED, date: '2026-04-01T10:00:00Z' });
  expect(reasonOf(signed(reason('Urgent')), later({}))).toBe('Urgent');
  expect(reasonOf(signed(reason('Urgent')), later(reason('Below £5 million')))).toBe('Below £5 million');
  expect(reasonOf(signed(reason('Urgent')), later(AUDIT))).toBeUndefined();
});

it('an award that is published again under another number keeps why it has no performance indicators', () => {
  const published = (at: number, contract: JsonObject) => {
    const id = `00000${at}-2026`;
    const money = { value: { amount: 18_500, currency: 'GBP' }, contractPeriod: { endDate: '2028-03-31' } };
    return actRelease(id, `2026-0${at}-02T10:00:00Z`, {
      tag: ['award', 'contract'],
      parties: [COUNCIL, BRIGHT],
      awards: [{ id: `${at}`, status: 'active', date: '2026-02-01', ...money, suppliers: [reference(BRIGHT)] }],
      contracts: [{ id: `${at}`, awardID: `${at}`, documents: [noticeDocument(id, 'UK7')], ...contract }],
    });
  };
  expect(detailOf(published(1, reason('Urgent')), published(4, {}))).toMatchObject({
    also_published_as: [expect.any(String)],
    no_kpis_reason: 'Urgent',
  });
  expect(reasonOf(published(1, AUDIT), published(4, reason('Urgent')))).toBeUndefined();
});
