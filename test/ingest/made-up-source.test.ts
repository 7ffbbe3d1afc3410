import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { getNotice } from '../../api/operations/notices/get.ts';
import { getStatus } from '../../api/operations/status/get.ts';
import { runSource } from '../../ingest/run.ts';
import { registerSources } from '../../ingest/runs/record.ts';
import type { Source, WindowsSource } from '../../ingest/source.ts';
import { findATender } from '../../ingest/sources/find-a-tender.ts';
import { sources } from '../../ingest/sources/index.ts';
import { storePage } from '../../ingest/store/page.ts';
import type { JsonObject } from '../../schema/text/json-values.ts';
import { ask, openRoom, type Room } from '../support/catalogue-services.ts';
import { packageOf, read } from './compile/releases.ts';
import { AS_OF, makeData, makeNotice, makeWorld, type World } from './small-world.ts';
import { countedOf, onFinder, onTender } from './store/relations/both-services.ts';

/** A service that does not exist, in one row. It answers the way Find a Tender does. */
const madeUp: WindowsSource = {
  ...findATender,
  id: 'sell_to_mercia',
  cliName: 'sell-to-mercia',
  title: 'Sell to Mercia',
  homepage: 'https://mercia.example',
  notices: {
    id: /^mer\d{6}$/,
    pageBase: 'https://mercia.example/notice/',
    ocid: /^ocds-merc01-/,
    recordBase: 'https://mercia.example/record/',
    naming: {
      address: String.raw`mercia\.example/notice/(mer\d{6})`,
      quote: String.raw`\b(ocds-merc01-[0-9a-f]{6})`,
    },
    rank: 0,
    nullDeletes: true,
  },
};

const table = sources as Source[];
beforeAll(() => table.push(madeUp));
afterAll(() => table.splice(table.indexOf(madeUp), 1));

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
    const context = { ...world.context, catalogue: room.house.catalogue };
    await registerSources(context.catalogue, sources);
    expect(await runSource(context, madeUp.id)).toMatchObject({ state: 'succeeded', stored: 1 });

    const { body } = await ask(room, getNotice, { notice_id: id, detail: 'full' });
    const url = `${madeUp.notices.pageBase}${id}`;
    expect(body).toMatchObject({ notice_id: id, source: madeUp.id, url });
    expect(body.documents?.[0]).toMatchObject({ url, name: expect.stringMatching(/ on Sell to Mercia$/) });
    const status = (await ask(room, getStatus, {})).body.sources.find(({ source }) => source === madeUp.id);
    expect(status).toMatchObject({ title: madeUp.title, homepage: madeUp.homepage });
  });

  it('is found where another service names its notice, and counts first by its rank', async () => {
    const store = async (source: string, release: JsonObject) => {
      const page = read(packageOf([release]), source);
      const batch = { source, fetchedAt: '2026-11-20T00:00:00Z', ...page, before: [], after: [] };
      await storePage(room.house.catalogue, batch);
    };
    const own = { id: 'mer000002', ocid: 'ocds-merc01-000002' };
    await store(madeUp.id, onTender('000002', '2024-03-01T00:00:00Z', own));
    const described = { tender: { description: `See ${madeUp.notices.pageBase}${own.id}.` } };
    await store('contracts_finder', onFinder(1, '2024-03-10T00:00:00Z', described));
    expect(await countedOf(room.house.catalogue)).toMatchObject({ count: 1, sum: { GBP: { count: 1, value: 5000 } } });
  });
});
