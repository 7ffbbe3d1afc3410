import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { getNotice } from '../../api/operations/notices/get.ts';
import { getStatus } from '../../api/operations/status/get.ts';
import { runSource } from '../../ingest/run.ts';
import { registerSources } from '../../ingest/runs/record.ts';
import type { WindowsSource } from '../../ingest/source.ts';
import { contractsFinder } from '../../ingest/sources/contracts-finder.ts';
import { findATender } from '../../ingest/sources/find-a-tender.ts';
import { sources } from '../../ingest/sources/index.ts';
import { storePage } from '../../ingest/store/page.ts';
import type { JsonObject } from '../../schema/text/json-values.ts';
import { ask, openRoom, type Room } from '../support/catalogue-services.ts';
import { addSource, madeUpSource as madeUp } from '../support/made-up-source.ts';
import { packageOf, read } from './compile/releases.ts';
import { AS_OF, makeData, makeNotice, makeWorld, type World } from './small-world.ts';
import { countedOf, onFinder, onTender } from './store/relations/both-services.ts';

let removeSource: () => void;
beforeAll(() => {
  removeSource = addSource(madeUp);
});
afterAll(() => removeSource());

let room: Room;
let world: World | undefined;
beforeAll(async () => {
  room = await openRoom();
});
afterEach(() => world?.close());
afterAll(() => room.close());

describe('a source that is one row of the table', () => {
  it('is read, and its notices are served with its address and its title', async () => {
    const id = 'mer000001';
    const notice = makeNotice(1, new Date(AS_OF.getTime() - 3_600_000), {
      id,
      ocid: 'ocds-merc01-000001',
      planning: { documents: [{ id, documentType: 'plannedProcurementNotice', noticeType: 'UK3' }] },
    });
    world = await makeWorld(makeData({ findATender: [notice] }));
    const context = { ...world.context, catalogue: room.services.catalogue };
    await registerSources(context.catalogue, sources);
    expect(await runSource(context, madeUp.id)).toMatchObject({ state: 'succeeded', stored: 1 });

    const { body } = await ask(room, getNotice, { notice_id: id, detail: 'full' });
    const url = `${madeUp.notices.pageBase}${id}`;
    expect(body).toMatchObject({ notice_id: id, source: madeUp.id, url });
    expect(body.documents?.[0]).toMatchObject({ url, name: expect.stringMatching(/ on Sell to Mercia$/) });
    const status = (await ask(room, getStatus, {})).body.sources.find(({ source }) => source === madeUp.id);
    expect(status).toMatchObject({ title: madeUp.title, homepage: madeUp.homepage });
  });

  it('answers a span by a list of requests, none shorter than it states', async () => {
    const byMonth: WindowsSource = {
      ...madeUp,
      id: 'month_by_month',
      listRequests: (base, span) => [findATender, contractsFinder].flatMap((one) => one.listRequests(base, span)),
      shortestSpanSeconds: 31 * 86_400,
    };
    const remove = addSource(byMonth);
    const at = new Date(AS_OF.getTime() - 3_600_000);
    const ofOneKind = Array.from({ length: 120 }, (_, index) =>
      makeNotice(index + 1, at, { id: `mer${index}`, ocid: `ocds-merc01-${index}` }),
    );
    const ofAnother = [makeNotice(1, at, { id: 'mer500', ocid: 'ocds-merc01-500' })];
    world = await makeWorld(makeData({ findATender: ofOneKind, contractsFinder: ofAnother }));
    await registerSources(world.catalogue, sources);
    const asked = world.upstream.requests;
    expect(await runSource(world.context, byMonth.id)).toMatchObject({ state: 'succeeded' });
    remove();
    expect(await world.count("release WHERE release_id = 'mer500'")).toBe(1);
    expect(await world.count('release')).toBeGreaterThan(100);
    // A span that is full is not cut: each of its requests is followed to its last page.
    expect(await world.count("window WHERE state = 'split'")).toBe(0);
    expect(await world.count("window WHERE state = 'unproved'")).toBe(1);
    expect(asked.filter(({ query }) => query.cursor !== undefined).length).toBe(1);
  });

  it('keeps its cursor where one of the requests of a span is refused', async () => {
    const broken: WindowsSource = {
      ...madeUp,
      id: 'half_broken',
      listRequests: (base, span) => [...findATender.listRequests(base, span), `${base}/no-such-address`],
    };
    const remove = addSource(broken);
    world = await makeWorld(makeData({ findATender: [makeNotice(1, new Date(AS_OF.getTime() - 3_600_000))] }));
    await registerSources(world.catalogue, sources);
    const report = await runSource(world.context, broken.id);
    remove();
    expect(report.state).toBe('failed');
    expect(await world.count('cursor')).toBe(0);
  });

  it('is found where another service names its notice, and counts first by its rank', async () => {
    const store = async (source: string, release: JsonObject) => {
      const page = read(packageOf([release]), source);
      const batch = { source, fetchedAt: '2026-11-20T00:00:00Z', ...page, before: [], after: [] };
      await storePage(room.services.catalogue, batch);
    };
    const own = { id: 'mer000002', ocid: 'ocds-merc01-000002' };
    await store(madeUp.id, onTender('000002', '2024-03-01T00:00:00Z', own));
    const described = { tender: { description: `See ${madeUp.notices.pageBase}${own.id}.` } };
    await store('contracts_finder', onFinder(1, '2024-03-10T00:00:00Z', described));
    expect(await countedOf(room.services.catalogue)).toMatchObject({
      count: 1,
      sum: { GBP: { count: 1, value: 5000 } },
    });
  });
});
