import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, noticeDocument, OAKES, reference, winnerNames } from '../releases.ts';

const parties = [COUNCIL, BRIGHT, OAKES];
const notice = (number: number, type: string, more: JsonObject) => {
  const id = `00060${number}-2026`;
  const tender = { documents: [noticeDocument(id, type)] };
  return actRelease(id, `2026-0${number}-05T09:00:00Z`, { tag: ['award', 'contract'], parties, tender, ...more });
};
const award = (id: string, supplier: JsonObject, more: JsonObject = {}) => ({
  id,
  status: 'active',
  date: '2026-01-05T00:00:00Z',
  suppliers: [reference(supplier)],
  ...more,
});
const signed = (id: string | undefined, amount: number, more: JsonObject = {}) => ({
  ...(id === undefined ? {} : { id }),
  status: 'active',
  dateSigned: '2026-02-01T00:00:00Z',
  value: { amount, currency: 'GBP' },
  ...more,
});
const contractsOf = (...releases: JsonObject[]) =>
  compileOne(releases).contracts.map(({ awardId, value, noticeId }) => [awardId, value, noticeId]);

const AWARDED = notice(1, 'UK6', { awards: [award('A1', BRIGHT)] });
const TWO = notice(1, 'UK6', { awards: [award('A1', BRIGHT), award('A2', OAKES)] });

describe('a contract that names no award, in a notice without awards', () => {
  it.each(['C1', undefined])('belongs to the only award of its process, under the id %s', (id) => {
    const details = notice(2, 'UK7', { contracts: [signed(id, 5_000)] });
    expect(contractsOf(AWARDED, details)).toEqual([['A1', 5_000, '000602-2026']]);
    const change = notice(3, 'UK10', { tag: ['contractAmendment'], contracts: [signed(id, 6_000)] });
    expect(contractsOf(AWARDED, details, change)).toEqual([['A1', 6_000, '000603-2026']]);
    expect(contractsOf(change, AWARDED, details)).toEqual([['A1', 6_000, '000603-2026']]);
  });

  it('belongs to the only award that came to something', () => {
    const awards = [award('A1', BRIGHT, { status: 'cancelled' }), award('A2', OAKES)];
    const details = notice(2, 'UK7', { contracts: [signed('C1', 5_000)] });
    expect(contractsOf(notice(1, 'UK6', { awards }), details)).toEqual([['A2', 5_000, '000602-2026']]);
    const lost = notice(3, 'UK6', { awards: [{ id: 'A1', status: 'cancelled' }] });
    expect(contractsOf(TWO, details, lost)).toEqual([['A2', 5_000, '000602-2026']]);
  });

  it('belongs to the award that another notice names for it, or that has its id', () => {
    const details = notice(2, 'UK7', { contracts: [signed('C2', 5_000, { awardID: 'A2' }), signed('A1', 700)] });
    const change = notice(3, 'UK10', { tag: ['contractAmendment'], contracts: [signed('C2', 6_000)] });
    expect(contractsOf(TWO, details, change)).toEqual([
      ['A1', 700, '000602-2026'],
      ['A2', 6_000, '000603-2026'],
    ]);
    const ended = notice(4, 'UK11', { tag: ['contractTermination'], contracts: [{ id: 'C2', status: 'terminated' }] });
    expect(compileOne([TWO, details, ended]).contracts.map(({ status }) => status)).toEqual(['active', 'terminated']);
  });

  it('is a contract of its own where any of several awards may be meant, or none is known', () => {
    const details = notice(2, 'UK7', { contracts: [signed('C1', 5_000)] });
    expect(contractsOf(TWO, details)).toEqual([
      ['A1', null, '000601-2026'],
      ['A2', null, '000601-2026'],
      ['C1', 5_000, '000602-2026'],
    ]);
    expect(contractsOf(details)).toEqual([['C1', 5_000, '000602-2026']]);
  });

  it('is counted under its notice where it has no id either', () => {
    const details = notice(2, 'UK7', { contracts: [signed(undefined, 5_000), signed(undefined, 7_000)] });
    expect(contractsOf(details)).toEqual([
      ['000602-2026-1', 5_000, '000602-2026'],
      ['000602-2026-2', 7_000, '000602-2026'],
    ]);
  });
});

describe('the suppliers of contracts whose award was not published', () => {
  const TAKEN = 'the award names no supplier: those that its notice lists are taken';
  const change = (contracts: JsonObject[], more: JsonObject = {}) =>
    notice(3, 'UK10', { tag: ['contractAmendment'], parties: [COUNCIL, BRIGHT], contracts, ...more });
  const of = (...releases: JsonObject[]) => {
    const process = compileOne(releases);
    const said = process.contracts.map(({ detail }) => detail.warnings.includes(TAKEN));
    return [winnerNames(process), said];
  };

  it('are the parties of its notice that are suppliers, if it is the only one', () => {
    expect(of(change([signed('C1', 6_000)]))).toEqual([[[BRIGHT.name]], [true]]);
    const named = change([signed('C1', 6_000, { suppliers: [reference(OAKES)] })], { parties });
    expect(of(named)).toEqual([[[OAKES.name]], [false]]);
  });

  it('are those of the last notice that states it, not of one before it', () => {
    const planned = notice(1, 'UK2', { tag: ['planning'], parties: [COUNCIL, OAKES] });
    expect(of(planned, change([signed('C1', 6_000)]))).toEqual([[[BRIGHT.name]], [true]]);
    const corrected = notice(4, 'UK7', { parties: [COUNCIL, OAKES], contracts: [signed('C1', 6_000)] });
    expect(of(corrected, change([signed('C1', 6_000)]))).toEqual([[[OAKES.name]], [true]]);
  });

  it('are not known where they may be those of another contract or award, or have left', () => {
    expect(of(change([signed('C1', 6_000), signed('C2', 7_000)]))).toEqual([
      [[], []],
      [false, false],
    ]);
    const left = { ...BRIGHT, roles: ['removedSupplier'] };
    expect(of(change([signed('C1', 6_000)], { parties: [COUNCIL, left] }))).toEqual([[[]], [false]]);
    const another = change([signed('C2', 7_000, { awardID: 'A2' })]);
    expect(of(AWARDED, another)[0]).toEqual([[BRIGHT.name], []]);
  });
});
