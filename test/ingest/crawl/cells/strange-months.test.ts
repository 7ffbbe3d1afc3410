import { afterEach, expect, it } from 'vitest';
import { runCells } from '../../../../ingest/crawl/cells/run.ts';
import { resolvePages } from '../../../../ingest/quarantine/retry.ts';
import { registerSources } from '../../../../ingest/runs/record.ts';
import { sources } from '../../../../ingest/sources/index.ts';
import { publicContractsScotland } from '../../../../ingest/sources/public-contracts-scotland.ts';
import { sell2wales } from '../../../../ingest/sources/sell2wales.ts';
import type { Json, TypedRelease } from '../../../upstream/data.ts';
import { makeData, makeWorld, type World } from '../../small-world.ts';
import { FOLDER, makeScottish } from './releases.ts';

let world: World;
afterEach(() => world.close());

async function open(folder: string, releases: TypedRelease[]): Promise<void> {
  world = await makeWorld(makeData({ byMonth: new Map([[folder, releases]]) }));
  await registerSources(world.catalogue, sources);
}

it('a month that shrinks takes nothing away, and is not taken for an error', async () => {
  const releases = [1, 2, 3].map((n) => makeScottish(n, { day: '2026-11-03' }));
  await open(FOLDER, releases);
  const turn = () => runCells(world.context, publicContractsScotland);
  expect(await turn()).toMatchObject({ state: 'succeeded', stored: 3 });
  world.upstream.setFaults([{ path: /dateFrom=11-2026&noticeType=2&/, fault: { kind: 'body', of: withoutFirst } }]);
  expect(await turn()).toMatchObject({ state: 'succeeded', stored: 0, unchanged: 2, warning: null });
  expect(await world.rows("SELECT state, releases FROM cell WHERE month = '2026-11' AND type = '2'")).toEqual([
    { state: 'ok', releases: 2 },
  ]);
  expect(await world.count('notice WHERE gone = 0')).toBe(3);
  world.upstream.setFaults([]);
  expect(await turn()).toMatchObject({ state: 'succeeded', stored: 0, unchanged: 3 });
});

it('a month whose answer ends early is in quarantine until it is read whole', async () => {
  await open(FOLDER, [makeScottish(1, { day: '2026-11-03' })]);
  const turn = () => runCells(world.context, publicContractsScotland);
  const quarantined = () => world.rows('SELECT kind, state, bytes IS NULL AS gone FROM quarantine');
  world.upstream.setFaults([{ path: /dateFrom=11-2026&noticeType=2&/, fault: { kind: 'half' } }]);
  expect(await turn()).toMatchObject({ state: 'failed', quarantined: 1 });
  expect(await quarantined()).toEqual([{ kind: 'page', state: 'held', gone: 0 }]);
  world.upstream.setFaults([]);
  await world.clock.sleep(14_400_000);
  expect(await turn()).toMatchObject({ state: 'succeeded', stored: 1 });
  expect(await resolvePages(world.context, publicContractsScotland)).toBe(1);
  expect(await quarantined()).toEqual([{ kind: 'page', state: 'resolved', gone: 1 }]);
});

it('a month and type whose last notice moved to another type is believed to be empty after a fortnight', async () => {
  await open(FOLDER, [makeScottish(1, { day: '2026-11-03' }), makeScottish(2, { day: '2026-11-03', type: '12' })]);
  const turn = () => runCells(world.context, publicContractsScotland);
  await turn();
  world.upstream.setFaults([{ path: /dateFrom=11-2026&noticeType=12&/, fault: { kind: 'body', of: withoutFirst } }]);
  expect(await turn()).toMatchObject({ state: 'failed', error: expect.stringContaining('had 1 releases before') });
  await world.catalogue.write([{ sql: 'UPDATE cell SET failures = 14 WHERE failures > 0' }]);
  await world.clock.sleep(86_400_000);
  expect(await turn()).toMatchObject({ state: 'succeeded', warning: null });
  expect(await world.count('notice WHERE gone = 0')).toBe(2);
});

it('a Welsh notice in both languages is one notice, and rows do not change as the two change places', async () => {
  await open('sell2wales', [makeWelsh('Grass cutting'), makeWelsh('Torri gwair')]);
  const turn = () => runCells(world.context, sell2wales);
  expect(await turn()).toMatchObject({ state: 'succeeded', quarantined: 0 });
  expect(await world.rows('SELECT notice_id FROM notice WHERE gone = 0')).toEqual([{ notice_id: 'S2W-NOV500001' }]);
  const rows = () => world.rows('SELECT title, seq FROM notice');
  const before = await rows();
  world.upstream.setFaults([{ path: /noticeType=2&/, fault: { kind: 'body', of: turnedRound } }]);
  for (let time = 0; time < 3; time++) expect(await turn()).toMatchObject({ state: 'succeeded', stored: 0 });
  expect(await rows()).toEqual(before);
  expect(world.upstream.requests.every(({ query }) => query.locale === '2057')).toBe(true);
});

interface Package {
  releases?: Json[];
}
function change(body: Buffer, of: (releases: Json[]) => Json[]): Buffer {
  const answer = JSON.parse(body.toString()) as Package;
  return Buffer.from(JSON.stringify(answer.releases ? { ...answer, releases: of(answer.releases) } : answer));
}
const withoutFirst = (body: Buffer) => change(body, (releases) => releases.slice(1));
const turnedRound = (body: Buffer) => change(body, (releases) => releases.toReversed());

/** A notice of the Welsh service in the recorded shape, with its title in one language. */
function makeWelsh(title: string): TypedRelease {
  const ocid = 'ocds-kuma6s-150001';
  const url = 'https://www.sell2wales.gov.wales/search/show/search_view.aspx?ID=NOV500001';
  const { release, ...rest } = makeScottish(1, { day: '2026-11-03', title });
  const tender = { ...(release.tender as Json), id: `${ocid}-tender-150001`, documents: [{ id: 'NOV500001', url }] };
  return {
    ...rest,
    release: { ...release, id: `${ocid}-release-150001`, ocid, tender, description: '(WA Ref:150001)' },
  };
}
