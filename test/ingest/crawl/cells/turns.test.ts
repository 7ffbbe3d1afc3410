import { afterEach, describe, expect, it } from 'vitest';
import { runCells } from '../../../../ingest/crawl/cells/run.ts';
import { registerSources } from '../../../../ingest/runs/record.ts';
import { sources } from '../../../../ingest/sources/index.ts';
import { publicContractsScotland as source } from '../../../../ingest/sources/public-contracts-scotland.ts';
import type { TypedRelease } from '../../../upstream/data.ts';
import { makeData, makeWorld, type World, type WorldOptions } from '../../small-world.ts';
import { FOLDER, makeScottish, ocidOf } from './releases.ts';

const TYPES = source.types.length;
const DAY_MS = 86_400_000;
let world: World;
afterEach(() => world.close());

/** A world as of 20 November 2026 in which the service has these. */
async function open(releases: TypedRelease[], options: WorldOptions = {}): Promise<World> {
  world = await makeWorld(makeData({ byMonth: new Map([[FOLDER, releases]]) }), options);
  await registerSources(world.catalogue, sources);
  return world;
}
const turn = (more = {}) => runCells(world.context, source, more);
const cells = () =>
  world.rows<{ month: string; type: string; state: string; releases: number; error: string | null }>(
    "SELECT month, type, state, releases, error FROM cell WHERE state <> 'empty' ORDER BY month, type",
  );
const asOf = async () =>
  (await world.rows<{ as_of: string | null }>(`SELECT as_of FROM source WHERE id = '${source.id}'`))[0]?.as_of;

/** Does `work` while the service has these types only. */
async function withTypes(names: string[], work: () => Promise<void>): Promise<void> {
  const { types } = source;
  Object.assign(source, { types: types.filter(({ type }) => names.includes(type)) });
  try {
    await work();
  } finally {
    Object.assign(source, { types });
  }
}

describe('a turn of a service that is asked by month and type', () => {
  it('asks every type of the current and the previous month, and holds all until now', async () => {
    await open([
      makeScottish(1, { day: '2026-11-03' }),
      makeScottish(2, { day: '2026-10-31', type: '102' }),
      makeScottish(3, { day: '2026-09-30' }),
    ]);
    expect(await turn()).toMatchObject({ state: 'succeeded', requests: 2 * TYPES, stored: 2, warning: null });
    expect(await cells()).toMatchObject([
      { month: '2026-10', type: '102', state: 'ok', releases: 1 },
      { month: '2026-11', type: '2', state: 'ok', releases: 1 },
    ]);
    expect(await world.count("cell WHERE state = 'empty'")).toBe(2 * TYPES - 2);
    expect(await asOf()).toBe('2026-11-20T12:00:00Z');
    const [asked] = world.upstream.requests;
    expect(asked).toMatchObject({ query: { dateFrom: '10-2026', noticeType: '102', outputType: '0' } });
    expect(asked?.userAgent).toContain('ingest@example.org');
  });

  it('adds no row when one month is asked again and again, though every id by position moves', async () => {
    const many = Array.from({ length: 30 }, (_, index) => makeScottish(index + 1, { day: '2026-11-03' }));
    await open(many);
    const rows = () => world.rows('SELECT id, seq FROM notice UNION ALL SELECT id, seq FROM process');
    const span = { since: new Date('2026-11-01T00:00:00Z'), again: true };
    await withTypes(['2'], async () => {
      await turn();
      const before = await rows();
      for (let time = 0; time < 6; time++)
        expect(await turn(span)).toMatchObject({ state: 'succeeded', stored: 0, unchanged: 30 });
      expect(await rows()).toEqual(before);
    });
    expect(await world.count('release')).toBe(30);
    expect(await world.count('fetched_again')).toBe(0);
  });

  it('takes a document that appears later for an update of its notice', async () => {
    const release = makeScottish(1, { day: '2026-11-03' });
    await open([release, makeScottish(2, { day: '2026-11-04' })]);
    await turn();
    const { documents } = release.release.tender as { documents: object[] };
    documents.push({ id: 'SEP500001-1', title: 'Specification', format: 'application/pdf' });
    expect(await turn()).toMatchObject({ stored: 1, unchanged: 1 });
    expect(await world.count('notice')).toBe(2);
    expect(await world.count("release WHERE release_id = 'PCS-SEP500001'")).toBe(2);
  });

  it('says what the service says by now also after a clock that was ahead', async () => {
    const release = makeScottish(1, { day: '2026-11-03', title: 'Gritting' });
    await open([release]);
    const title = async () => (await world.rows<{ title: string }>('SELECT title FROM notice'))[0]?.title;
    await world.clock.sleep(DAY_MS);
    await turn();
    await world.clock.sleep(-DAY_MS);
    Object.assign(release.release.tender as object, { title: 'Gritting and snow clearance' });
    expect(await turn()).toMatchObject({ stored: 1 });
    expect(await title()).toBe('Gritting and snow clearance');
    Object.assign(release.release.tender as object, { title: 'Gritting' });
    await world.clock.sleep(1_000);
    expect(await turn()).toMatchObject({ stored: 0 });
    expect(await title()).toBe('Gritting');
  });

  it('keeps two tenders of one family as two notices of one process', async () => {
    await open([makeScottish(1, { day: '2026-10-05' }), makeScottish(9, { day: '2026-11-05', family: 1 })]);
    await turn();
    expect(await world.rows('SELECT notice_id, process_id, is_tender FROM notice ORDER BY notice_id')).toEqual([
      { notice_id: 'PCS-SEP500001', process_id: ocidOf(1), is_tender: 0 },
      { notice_id: 'PCS-SEP500009', process_id: ocidOf(1), is_tender: 1 },
    ]);
  });

  it('reads a month of more releases than a batch stores', async () => {
    await open(
      Array.from({ length: 450 }, (_, index) =>
        makeScottish(index + 1, { day: '2026-11-03', buyer: `Council ${index}` }),
      ),
    );
    await withTypes(['2'], async () =>
      expect(await turn()).toMatchObject({ state: 'succeeded', stored: 450, quarantined: 0 }),
    );
  });

  it('continues a backfill at the cell where it was stopped, and asks nothing twice', async () => {
    await open([makeScottish(1, { day: '2026-08-03' }), makeScottish(2, { day: '2026-09-03' })]);
    const span = { since: new Date('2026-08-01T00:00:00Z'), until: new Date('2026-09-30T12:00:00Z') };
    const stop = new AbortController();
    const onProgress = ({ requests }: { requests: number }) => requests === 5 && stop.abort(new Error('stopped'));
    expect(await turn({ ...span, signal: stop.signal, onProgress })).toMatchObject({ state: 'abandoned', requests: 5 });
    expect(await turn(span)).toMatchObject({ state: 'succeeded', requests: 2 * TYPES - 5 });
    expect(await turn(span)).toMatchObject({ state: 'empty', requests: 0 });
    expect(await world.count('release')).toBe(2);
    // A span of the past says nothing of the time since.
    expect(await asOf()).toBeNull();
  });
});

describe('a cell that gives no answer of use', () => {
  const bad = (fault: object) => [{ path: /noticeType=3&/, fault, times: 99 }] as WorldOptions['faults'] & object;
  const one = [makeScottish(1, { day: '2026-11-03' }), makeScottish(2, { day: '2026-11-04', type: '3', tag: 'award' })];

  it.each([
    [
      'answers 500 with a page',
      { kind: 'status', status: 500, body: '<html><title>Error converting data type</title>' },
      /500.*Error converting/,
    ],
    ['answers a page with 200', { kind: 'html' }, /an HTML page/],
    ['ends half-way', { kind: 'truncated' }, /no usable answer/],
    ['is cut and whole for HTTP', { kind: 'half' }, /truncated JSON/],
    ['answers JSON of another kind', { kind: 'error_json' }, /nothing of one is in it/],
    ['answers nothing', { kind: 'empty' }, /an empty body/],
  ])('is recorded as failed where it %s, and nothing is complete past it', async (_what, fault, why) => {
    await open(one, { faults: bad(fault) });
    const report = await turn();
    expect(report).toMatchObject({ state: 'failed', stored: 1 });
    expect((await cells()).filter(({ state }) => state === 'failed')).toMatchObject([
      { month: '2026-10', type: '3', error: expect.stringMatching(why) },
      { month: '2026-11', type: '3', error: expect.stringMatching(why) },
    ]);
    expect(await asOf()).toBeNull();
    world.upstream.setFaults([]);
    expect(await turn()).toMatchObject({ state: 'succeeded', stored: 1 });
    expect(await asOf()).toBe('2026-11-20T12:00:00Z');
  });

  it('is asked once a day after two bad answers, and the other types every turn', async () => {
    await open(one, { faults: bad({ kind: 'status', status: 500 }) });
    await turn();
    await turn();
    expect(await turn()).toMatchObject({
      state: 'succeeded',
      requests: 2 * TYPES - 2,
      warning: expect.stringContaining('types 3'),
    });
    expect(await asOf()).toBeNull();
    await world.clock.sleep(86_400_000);
    expect(await turn()).toMatchObject({ state: 'failed', requests: 2 * TYPES + 2 });
  });
});
