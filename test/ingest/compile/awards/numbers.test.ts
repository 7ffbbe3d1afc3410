import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { BRIGHT, COUNCIL, compileOne, OAKES, reference, supplier, winnerNames } from '../releases.ts';

const ALDER = supplier('01111111', 'Alder Taxis Ltd');
const [A = '', B = '', C = ''] = [BRIGHT, OAKES, ALDER].map(({ name }) => String(name));

/** A notice of the older forms: each award's own number, its supplier, the day of signing and the value. */
const notice = (
  id: string,
  month: number,
  signed: [string, JsonObject, string?, number?][],
  more: JsonObject = {},
) => ({
  ocid: 'ocds-r6ebe6-0000780028',
  id,
  date: `2026-0${month}-07T00:00:00Z`,
  tag: ['award'],
  buyer: reference(COUNCIL),
  parties: [COUNCIL, ...signed.map(([, winner]) => winner)],
  tender: { title: 'Passenger transport', legalBasis: { id: '32014L0024', scheme: 'CELEX' } },
  awards: signed.map(([number, winner]) => ({ id: number, status: 'active', suppliers: [reference(winner)] })),
  contracts: signed.map(([number, , dateSigned, amount]) => ({
    id: number,
    awardID: number,
    status: 'active',
    dateSigned,
    value: amount && { amount, currency: 'GBP' },
  })),
  ...more,
});
const compile = (...releases: JsonObject[]) => compileOne(releases, 'public_contracts_scotland');
const inLot = (release: ReturnType<typeof notice>, lot: string) => ({
  ...release,
  awards: release.awards.map((award) => ({ ...award, relatedLots: [lot] })),
});
const SPRING = notice('PCS-APR537028', 4, [
  ['1', BRIGHT, '2026-02-02', 12_000],
  ['2', OAKES, '2026-03-02', 18_000],
]);
const SUMMER = notice('PCS-JUL546028', 7, [['1', ALDER, '2026-05-05', 9_000]]);

describe('a number that a later award notice gives to another contract', () => {
  it('is not that contract: other suppliers won it on another day', () => {
    const process = compile(SPRING, SUMMER);
    expect(winnerNames(process)).toEqual([[A], [B], [C]]);
    expect(process.contracts.map(({ value, signed, noticeId }) => [value, signed, noticeId])).toEqual([
      [12_000, '2026-02-02', 'PCS-APR537028'],
      [18_000, '2026-03-02', 'PCS-APR537028'],
      [9_000, '2026-05-05', 'PCS-JUL546028'],
    ]);
    expect(new Set(process.contracts.map(({ id }) => id)).size).toBe(3);
    expect(compile(SUMMER, SPRING).contracts).toEqual(process.contracts);
  });

  it.each<[string, JsonObject, string | undefined, string, (string | undefined)[][]]>([
    ['others won another lot, and no day is stated', ALDER, undefined, '2', [[A], [B], [C]]],
    ['others won another lot on the same day', ALDER, '2026-02-02', '2', [[A], [B], [C]]],
    ['its winner won another lot on another day', BRIGHT, '2026-05-05', '2', [[A], [B], [A]]],
  ])('is not that contract: %s', (_, winner, day, lot, expected) => {
    const later = inLot(notice('PCS-JUL546028', 7, [['1', winner, day, 9_000]]), lot);
    const { contracts, ...process } = compile(inLot(SPRING, '1'), later);
    expect(winnerNames({ ...process, contracts })).toEqual(expected);
    expect(contracts.map(({ value }) => value)).toEqual([12_000, 18_000, 9_000]);
  });

  it.each<[string, JsonObject, string | undefined, string]>([
    ['others are stated for its lot, and no day', ALDER, undefined, '1'],
    ['its winner is stated for another lot, and no day', BRIGHT, undefined, '2'],
    ['its winner is stated for another lot on its day', BRIGHT, '2026-02-02', '2'],
    ['its winner is stated for its lot on another day', BRIGHT, '2026-05-05', '1'],
  ])('is still that contract where %s', (_, winner, day, lot) => {
    const later = inLot(notice('PCS-JUL546028', 7, [['1', winner, day, 9_000]]), lot);
    expect(compile(inLot(SPRING, '1'), later).contracts).toHaveLength(2);
  });

  it('is still that contract where its winner has another name, and its lot another number', () => {
    const renamed = supplier('01234567', 'Fairwater Facilities Limited');
    const later = inLot(notice('PCS-JUL546028', 7, [['1', renamed, '2026-02-02', 9_000]]), '2');
    expect(winnerNames(compile(inLot(SPRING, '1'), later))).toEqual([['Fairwater Facilities Limited'], [B]]);
  });

  it.each([['award'], ['contractAmendment']])('means the nearest of two, in a later %s that states no day', (tag) => {
    const first = inLot(notice('PCS-APR537028', 4, [['1', BRIGHT, '2026-02-02', 12_000]]), '1');
    const second = inLot(notice('PCS-JUN540028', 6, [['1', BRIGHT, '2026-05-05', 9_000]]), '2');
    const later = inLot(notice('PCS-JUL546028', 7, [['1', BRIGHT, undefined, 12_500]], { tag: [tag] }), '1');
    for (const releases of [
      [first, second, later],
      [later, second, first],
    ])
      expect(compile(...releases).contracts.map(({ value, signed }) => [value, signed])).toEqual([
        [12_500, '2026-02-02'],
        [9_000, '2026-05-05'],
      ]);
  });

  it('means the contract of its day and suppliers where a notice repeats or changes one', () => {
    const change = (id: string, month: number, winner: JsonObject, signed: string) =>
      notice(id, month, [['1', winner, signed, 10_500]], { tag: ['contractAmendment'] });
    expect(compile(SPRING, SUMMER, SPRING).contracts).toHaveLength(3);
    const values = (...later: JsonObject[]) => compile(SPRING, SUMMER, ...later).contracts.map(({ value }) => value);
    expect(values(change('PCS-AUG550001', 8, BRIGHT, '2026-02-02'))).toEqual([10_500, 18_000, 9_000]);
    expect(values(change('PCS-AUG550001', 8, ALDER, '2026-05-05'))).toEqual([12_000, 18_000, 10_500]);
    expect(values(notice('PCS-AUG550001', 8, [['1', ALDER, '2026-05-05', 9_900]]))).toEqual([12_000, 18_000, 9_900]);
  });

  it.each<[string, [string, JsonObject, string?, number?], JsonObject]>([
    ['the day of one with its supplier is corrected', ['1', BRIGHT, '2026-02-03', 12_000], {}],
    ['the supplier of one of its day is corrected', ['1', ALDER, '2026-02-02', 12_000], {}],
    ['the later notice states no day', ['1', ALDER, undefined, 12_000], {}],
    ['an update states another supplier and day', ['1', ALDER, '2026-05-05', 9_000], { tag: ['awardUpdate'] }],
  ])('is still that contract where %s', (_, signed, more) => {
    expect(compile(SPRING, notice('PCS-JUL546028', 7, [signed], more)).contracts).toHaveLength(2);
  });

  it('keeps the places on a framework that each notice awards, in their lots', () => {
    const techniques = { hasFrameworkAgreement: true };
    const lots = (...ids: string[]) => ids.map((id) => ({ id, title: `Lot ${id}` }));
    const places = (release: ReturnType<typeof notice>, lot: string) => ({
      ...release,
      tender: { ...release.tender, techniques, lots: lots(lot) },
      awards: release.awards.map((award) => ({ ...award, relatedLots: [lot] })),
    });
    const { framework } = compile(places(SPRING, '1'), places(SUMMER, '3'));
    expect(framework?.lots.map(({ lotId, supplierParties }) => [lotId, supplierParties.length])).toEqual([
      ['1', 2],
      ['3', 1],
    ]);
  });
});
