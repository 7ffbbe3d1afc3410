import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReleaseToStore, storePage } from '../../../ingest/store/page.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { COUNCIL } from '../compile/releases.ts';
import { makeCatalogues, market, shuffle, storeBatches } from './any-order.ts';
import {
  AT,
  beforeWrite,
  breakProcess,
  killedAt,
  NAMED,
  NOTICES,
  NUMBERED,
  noticeBy,
  readAll,
  store,
} from './moving.ts';

/** The processes of an organisation whose id changes follow it a bounded number a batch, and come to what one batch makes of them. */
let catalogues: Awaited<ReturnType<typeof makeCatalogues>>;
beforeAll(async () => {
  catalogues = await makeCatalogues();
});
afterAll(() => catalogues.remove());

async function storeIn(batches: readonly ReleaseToStore[][], movedMost?: number) {
  const catalogue = await catalogues.make();
  await storeBatches(catalogue, batches, movedMost ? { movedMost } : {});
  const all = await readAll(catalogue);
  await catalogue.close();
  return all;
}

const KNOWN_BY_NAME = Array.from({ length: NOTICES }, (_, at) => noticeBy(at + 1, NAMED));
const FIRST_NUMBER = noticeBy(8, NUMBERED);

async function makeNamed(): Promise<Database> {
  const catalogue = await catalogues.make();
  for (const releases of KNOWN_BY_NAME) await store(catalogue, releases);
  return catalogue;
}

const countOwn = (catalogue: Database) =>
  catalogue.read<{ buyer_id: string; contracts: number }>({
    sql: 'SELECT buyer_id, count(*) AS contracts FROM contract WHERE gone = 0 GROUP BY 1 ORDER BY 1',
  });
const readBuyers = (catalogue: Database) =>
  catalogue.read({ sql: 'SELECT id, contract_count FROM buyer WHERE gone = 0 ORDER BY 1' });

describe('processes of organisations whose ids changed', () => {
  it('follow them one a batch, and come to the same as in one batch', async () => {
    await fc.assert(
      fc.asyncProperty(market.chain(shuffle), async (batches) => {
        expect(await storeIn(batches, 1)).toEqual(await storeIn(batches));
      }),
      { numRuns: 15, seed: 4 },
    );
  });

  it('follow after a kill between any two batches, with the next page that anybody stores', async () => {
    const other = noticeBy(9, COUNCIL);
    const due = await makeNamed();
    await store(due, FIRST_NUMBER);
    await store(due, other);
    // The first batch moves two; three more have the other five.
    for (const at of [0, 1, 2, 3]) {
      const catalogue = await makeNamed();
      await expect(store(killedAt(catalogue, at), FIRST_NUMBER, 2)).rejects.toThrow('killed');
      // What was moved is counted, and the rest is where it was.
      const contracts = await countOwn(catalogue);
      if (at > 0) expect(await readBuyers(catalogue)).toEqual([{ id: NUMBERED.id, contract_count: 1 + 2 * at }]);
      expect(contracts).toHaveLength(at === 0 ? 1 : 2);
      if (at === 0) await store(catalogue, FIRST_NUMBER, 2);
      await store(catalogue, other, 2);
      expect(await readAll(catalogue)).toEqual(await readAll(due));
      await catalogue.close();
    }
    await due.close();
  });

  it.each([
    ['with what moves them', 500],
    ['later', 2],
  ])('stay as they are where they can no longer be compiled %s, and stop nothing', async (_when, movedMost) => {
    const catalogue = await makeNamed();
    await breakProcess(catalogue, 'ocds-h6vhtk-000005');
    expect(await store(catalogue, FIRST_NUMBER, movedMost)).toMatchObject({ stored: 1, refused: 0 });
    expect(await countOwn(catalogue)).toMatchObject([{ contracts: NOTICES }, { contracts: 1 }]);
    await catalogue.close();
  });

  it('stay for the next page where the run is stopped after a batch of them', async () => {
    const catalogue = await makeNamed();
    const stop = new AbortController();
    const stopped = beforeWrite(catalogue, 1, () => stop.abort());
    const page = { ...AT, releases: FIRST_NUMBER, movedMost: 2, signal: stop.signal };
    expect(await storePage(stopped, page)).toMatchObject({ stored: 1 });
    expect(await countOwn(catalogue)).toMatchObject([{ contracts: 5 }, { contracts: 3 }]);
    await store(catalogue, noticeBy(9, COUNCIL), 2);
    expect(await countOwn(catalogue)).toMatchObject([{ contracts: 1 }, { contracts: NOTICES + 1 }]);
    await catalogue.close();
  });

  it('lose none where another run passes one that can no longer be compiled at the same time', async () => {
    const catalogue = await makeNamed();
    await expect(store(killedAt(catalogue, 1), FIRST_NUMBER, 1)).rejects.toThrow('killed');
    const broken = 'ocds-h6vhtk-000003';
    await breakProcess(catalogue, broken);
    let isOvertaken = false;
    const overtaken: Database = {
      ...catalogue,
      write: (statements) => catalogue.write(statements),
      async read(statement) {
        const rows = await catalogue.read(statement);
        if (!isOvertaken && JSON.stringify(rows) === JSON.stringify([{ process_id: broken }])) {
          isOvertaken = true;
          await expect(store(killedAt(catalogue, 2), FIRST_NUMBER, 1)).rejects.toThrow('killed');
        }
        return rows as never;
      },
    };
    await store(overtaken, FIRST_NUMBER, 1);
    expect(isOvertaken).toBe(true);
    expect(await countOwn(catalogue)).toMatchObject([{ contracts: NOTICES }, { contracts: 1 }]);
    await catalogue.close();
  });
});
