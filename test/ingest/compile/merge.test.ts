import { describe, expect, it } from 'vitest';
import { mergeReleases } from '../../../ingest/merge.ts';
import { mergeUk } from '../../../ingest/merge-uk.ts';
import { COUNCIL, stored } from './releases.ts';

const merge = (...releases: Record<string, unknown>[]) => mergeReleases(releases).compiled;

describe('the OCDS merge', () => {
  it('replaces literals, keeps what is not said again and drops id, date and tag', () => {
    const compiled = merge(
      { ocid: 'o', id: '1', date: '2026-01-01', tag: ['tender'], tender: { title: 'A', status: 'active' } },
      { ocid: 'o', id: '2', date: '2026-02-01', tag: ['award'], tender: { status: 'complete' } },
    );
    expect(compiled).toEqual({
      ocid: 'o',
      id: 'o-2026-02-01',
      date: '2026-02-01',
      tag: ['compiled'],
      tender: { title: 'A', status: 'complete' },
    });
  });

  it('merges arrays of objects by id, in the order first seen, and appends the new', () => {
    const compiled = merge(
      {
        awards: [
          { id: '1', title: 'one', value: { amount: 5 } },
          { id: 2, title: 'two' },
        ],
      },
      { awards: [{ id: '2', title: 'zwei' }, { id: '3' }, { id: '1', value: { currency: 'GBP' } }] },
    );
    expect(compiled.awards).toEqual([
      { id: '1', title: 'one', value: { amount: 5, currency: 'GBP' } },
      { id: '2', title: 'zwei' },
      { id: '3' },
    ]);
  });

  it('replaces lists of literals, whole lists and lists of objects without ids', () => {
    const compiled = merge(
      { tag2: ['a', 'b'], tender: { items: [{ id: '1', additionalClassifications: [{ id: 'x' }, { id: 'y' }] }] } },
      { tag2: ['c'], tender: { items: [{ id: '1', additionalClassifications: [{ id: 'z' }] }] } },
    );
    expect(compiled.tag2).toEqual(['c']);
    expect(compiled.tender).toEqual({ items: [{ id: '1', additionalClassifications: [{ id: 'z' }] }] });
    expect(merge({ list: [{ a: 1 }] }, { list: [{ b: 2 }] }).list).toEqual([{ b: 2 }]);
  });

  it('deletes on null, and takes empty objects and arrays for silence', () => {
    const compiled = merge({ a: 1, b: { c: 2 }, list: [{ id: 1 }] }, { a: null, b: {}, list: [] });
    expect(compiled).toEqual({ b: { c: 2 }, list: [{ id: 1 }], tag: ['compiled'] });
  });

  it('empties a whole list by an empty one, and makes nothing of an object in which nothing is said', () => {
    const parties = [{ id: '1', additionalIdentifiers: [{ id: 'x' }] }];
    expect(merge({ parties }, { parties: [{ id: '1', additionalIdentifiers: [] }] }).parties).toEqual([
      { id: '1', additionalIdentifiers: [] },
    ]);
    expect(merge({ planning: { budget: {} } })).toEqual({ tag: ['compiled'] });
  });

  it('lets the last of two equal ids in one array win, and counts them', () => {
    const { compiled, report } = mergeReleases([
      {
        awards: [
          { id: '1', a: 1, b: 1 },
          { id: '1', a: 2 },
        ],
      },
    ]);
    expect(compiled.awards).toEqual([{ id: '1', a: 2, b: 1 }]);
    expect(report.duplicateIds).toBe(1);
  });

  it('changes nothing it was given', () => {
    const first = Object.freeze({ tender: Object.freeze({ lots: Object.freeze([Object.freeze({ id: '1' })]) }) });
    const second = { tender: { lots: [{ id: '1', title: 'x' }] } };
    merge(first as never, second);
    expect(first.tender.lots[0]).toEqual({ id: '1' });
    expect(second).toEqual({ tender: { lots: [{ id: '1', title: 'x' }] } });
  });
});

describe('the UK exceptions around it', () => {
  const base = { ocid: 'ocds-h6vhtk-0000aa', parties: [COUNCIL], tag: ['tender'] };
  const pair = [
    { ...base, id: '000001-2026', date: '2026-01-01T00:00:00Z', tender: { description: 'kept' } },
    { ...base, id: '000002-2026', date: '2026-01-02T00:00:00Z', tender: { description: null } },
  ];

  it('a null of Find a Tender wipes nothing; elsewhere it deletes', () => {
    expect(mergeUk(stored(pair)).compiled.tender).toEqual({ description: 'kept' });
    expect(mergeUk(stored(pair, 'contracts_finder')).compiled.tender).toEqual({});
  });

  it('party ids that hold within one release are kept apart', () => {
    const release = (id: string, name: string) => ({
      ...base,
      id,
      date: '2026-01-01T00:00:00Z',
      parties: [{ id: '1', name, roles: ['supplier'] }],
      awards: [{ id, suppliers: [{ id: '1', name }] }],
    });
    const { compiled } = mergeUk(stored([release('r1', 'One Ltd'), release('r2', 'Two Ltd')], 'contracts_finder'));
    expect(compiled.parties).toHaveLength(2);
    expect(compiled.awards).toMatchObject([{ suppliers: [{ id: 'r1#1' }] }, { suppliers: [{ id: 'r2#1' }] }]);
  });
});
