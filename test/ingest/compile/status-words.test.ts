import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, packageOf, read, reference } from './releases.ts';

const status = (...releases: JsonObject[]) => compileOne(releases).status;
const DUE = { tenderPeriod: { endDate: '2026-03-30T12:00:00+01:00' } };

describe('a status in the words of a site', () => {
  const tender = (word: string) =>
    actRelease('000101-2026', '2026-01-05T09:00:00Z', { tag: ['tender'], tender: { ...DUE, status: word } });

  it.each([
    ['Closed', 'closed'],
    ['CLOSED', 'closed'],
    ['Awarded', 'closed'],
    ['Completed', 'closed'],
    ['Open', 'open'],
    ['live', 'open'],
    ['Published', 'open'],
  ])('is read: %s', (word, due) => {
    expect(status(tender(word))).toBe(due);
    expect(read(packageOf([tender(word)])).unknown).toEqual([]);
    const lots = (one: string) =>
      compileOne([actRelease('000101-2026', '2026-01-05T09:00:00Z', { tender: { lots: [{ id: '1', status: one }] } })]);
    expect(lots(word).lots).toEqual(lots(due === 'open' ? 'active' : 'complete').lots);
  });

  it.each(['Disclosed', 'Closed early', 'Reopened', 'not awarded', 'constructor'])(
    'is counted otherwise: %s',
    (word) => {
      expect(status(tender(word))).toBe('open');
      expect(read(packageOf([tender(word)])).unknown).toEqual([{ field: 'tender.status', value: word }]);
    },
  );

  it('is an award that stands, where that is awarded', () => {
    const award = { id: '1', status: 'Awarded', suppliers: [reference(BRIGHT)] };
    const release = actRelease('000101-2026', '2026-01-05T09:00:00Z', {
      tag: ['award'],
      parties: [COUNCIL, BRIGHT],
      awards: [award],
    });
    expect(compileOne([release]).contracts).toMatchObject([{ status: 'active' }]);
  });

  const signed = (word: string, ...others: string[]) =>
    actRelease('000101-2026', '2026-01-05T09:00:00Z', {
      tag: ['award'],
      parties: [COUNCIL, BRIGHT],
      awards: [{ id: '1', status: 'pending', suppliers: [reference(BRIGHT)] }],
      contracts: [word, ...others].map((status, place) => ({ id: `${place}`, awardID: '1', status })),
    });

  it.each([
    ['In force', 'active', 'awarded'],
    ['Signed', 'active', 'awarded'],
    ['Expired', 'ended', 'complete'],
    ['Finished', 'ended', 'complete'],
    ['COMPLETE', 'ended', 'complete'],
    ['Completed', 'ended', 'complete'],
  ])('is a contract that was signed: %s', (word, contract, process) => {
    expect(compileOne([signed(word)])).toMatchObject({ status: process, contracts: [{ status: contract }] });
    expect(read(packageOf([signed(word)])).unknown).toEqual([]);
  });

  it.each(['Complete', 'Expired', 'Finished'])('is over once its end has passed: %s', (word) => {
    const ends = (endDate: string) => {
      const release = signed(word);
      const [contract] = release.contracts as JsonObject[];
      return compileOne([{ ...release, contracts: [{ ...contract, period: { endDate } }] }]);
    };
    expect(ends('2026-01-04')).toMatchObject({ status: 'complete', contracts: [{ status: 'ended' }] });
    for (const day of ['2026-01-05', '2028-03-31'])
      expect(ends(day)).toMatchObject({ status: 'awarded', contracts: [{ status: 'active', ends: day }] });
  });

  it('is that of all contracts of an award once the last is over', () => {
    expect(compileOne([signed('Expired', 'active')]).contracts).toMatchObject([{ status: 'active' }]);
    expect(compileOne([signed('Expired', 'terminated')]).contracts).toMatchObject([{ status: 'ended' }]);
  });

  it.each(['Withdrawn', 'Not awarded'])('is an award that came to nothing: %s', (word) => {
    const release = actRelease('000101-2026', '2026-01-05T09:00:00Z', {
      tag: ['award'],
      parties: [COUNCIL, BRIGHT],
      awards: [{ id: '1', status: word, suppliers: [reference(BRIGHT)] }],
    });
    expect(compileOne([release]).contracts).toEqual([]);
    expect(read(packageOf([release])).unknown).toEqual([]);
  });
});
