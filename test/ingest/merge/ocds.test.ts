import { describe, expect, it } from 'vitest';
import { mergeReleases, WHOLE_LISTS } from '../../../ingest/merge/ocds.ts';
import { mergeUk } from '../../../ingest/merge/uk.ts';
import { noticeIdOf } from '../../../ingest/sources/index.ts';
import { COUNCIL, stored } from '../compile/releases.ts';

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
      { awards: [{ id: ' 2', title: 'zwei' }, { id: '3' }, { id: '1', value: { currency: 'GBP' } }] },
    );
    expect(compiled.awards).toEqual([
      { id: '1', title: 'one', value: { amount: 5, currency: 'GBP' } },
      { id: ' 2', title: 'zwei' },
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

  it('keeps two of one release that share an id and differ, and makes one of two that do not', () => {
    const compiled = merge(
      {
        list: [
          { id: '1', a: 1, b: 1 },
          { id: 1, a: 1, c: 1 },
          { id: '1', a: 2 },
        ],
      },
      {
        list: [
          { id: '1', a: 1, d: 1 },
          { id: '1', a: 2, d: 2 },
        ],
      },
    );
    expect(compiled.list).toEqual([
      { id: '1', a: 1, b: 1, c: 1, d: 1 },
      { id: '1', a: 2, d: 2 },
    ]);
  });

  it('knows no id in blank text', () => {
    expect(merge({ list: [{ id: '1' }] }, { list: [{ id: '1' }, { id: ' ', a: 1 }, { id: '', a: 2 }] }).list).toEqual([
      { id: '1' },
      { a: 1 },
      { a: 2 },
    ]);
  });

  it('changes nothing it was given', () => {
    const first = Object.freeze({ tender: Object.freeze({ lots: Object.freeze([Object.freeze({ id: '1' })]) }) });
    const second = { tender: { lots: [{ id: '1', title: 'x' }] } };
    merge(first as never, second);
    expect(first.tender.lots[0]).toEqual({ id: '1' });
    expect(second).toEqual({ tender: { lots: [{ id: '1', title: 'x' }] } });
  });
});

describe('the rules of the schemas', () => {
  /** A release with this member two levels down: `parent` as an object and as a list, as the schemas have either. */
  const within = (parent: string, field: string, value: unknown) => ({
    tender: { [parent]: { [field]: value } },
    lists: { [parent]: [{ id: '1', [field]: value }] },
  });

  it.each([...WHOLE_LISTS])('%s is replaced whole, ids or not', (name) => {
    const [parent = '', field = ''] = name.split('.');
    const before = within(parent, field, [{ id: 'a', kept: true }, { id: 'b' }]);
    const after = within(parent, field, [{ id: 'a' }]);
    expect(merge(before, after)).toEqual({ ...after, tag: ['compiled'] });
  });

  it('takes the same list elsewhere by its ids', () => {
    const before = { planning: { additionalClassifications: [{ id: 'a', kept: true }, { id: 'b' }] } };
    const after = { planning: { additionalClassifications: [{ id: 'a', more: 1 }] } };
    expect(merge(before, after).planning).toEqual({
      additionalClassifications: [{ id: 'a', kept: true, more: 1 }, { id: 'b' }],
    });
  });

  it('takes a value of another shape as it comes, and appends what has no id', () => {
    expect(merge({ x: [{ id: '1' }], y: { a: 1 } }, { x: 'text', y: [1] })).toEqual({
      x: 'text',
      y: [1],
      tag: ['compiled'],
    });
    expect(merge({ x: [{ id: '1' }] }, { x: [{ id: '1', a: 1 }, { a: 2 }] }).x).toEqual([{ id: '1', a: 1 }, { a: 2 }]);
  });

  it('deletes a member of a member by null, and not its brother', () => {
    const awards = [{ id: '1', value: { amount: 5, currency: 'GBP' } }];
    expect(merge({ awards }, { awards: [{ id: '1', value: { amount: null } }] }).awards).toEqual([
      { id: '1', value: { currency: 'GBP' } },
    ]);
  });

  it('knows no id for what every object has', () => {
    const awards = ['__proto__', 'constructor'].map((id) => ({ id, a: 1 }));
    expect(merge({ awards }, { awards: [{ id: 'constructor', b: 2 }] }).awards).toEqual([
      { id: '__proto__', a: 1 },
      { id: 'constructor', a: 1, b: 2 },
    ]);
  });
});

describe('the UK exceptions around it', () => {
  const base = { ocid: 'ocds-h6vhtk-0000aa', parties: [COUNCIL], tag: ['tender'] };
  const pair = [
    { ...base, id: '000001-2026', date: '2026-01-01T00:00:00Z', tender: { description: 'kept' } },
    { ...base, id: '000002-2026', date: '2026-01-02T00:00:00Z', tender: { description: null } },
  ];

  it('a null deletes only where the service means it so', () => {
    expect(mergeUk(stored(pair), { nullDeletes: false, numberOf: noticeIdOf }).compiled.tender).toEqual({
      description: 'kept',
    });
    expect(mergeUk(stored(pair), { nullDeletes: true, numberOf: noticeIdOf }).compiled.tender).toEqual({});
  });

  it('party ids that hold within one release are kept apart', () => {
    const release = (id: string, name: string) => ({
      ...base,
      id,
      date: '2026-01-01T00:00:00Z',
      parties: [{ id: '1', name, roles: ['supplier'] }],
      awards: [{ id, suppliers: [{ id: '1', name }] }],
    });
    const { compiled } = mergeUk(stored([release('r1', 'One Ltd'), release('r2', 'Two Ltd')]), {
      nullDeletes: true,
      numberOf: noticeIdOf,
    });
    expect(compiled.parties).toHaveLength(2);
    expect(compiled.awards).toMatchObject([{ suppliers: [{ id: 'r1#1' }] }, { suppliers: [{ id: 'r2#1' }] }]);
  });
});
