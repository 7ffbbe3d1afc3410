import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bumpSeq } from '../../../ingest/rows/versioned.ts';
import { storePage } from '../../../ingest/store/page.ts';
import type { ChangeKind } from '../../../schema/catalogue/changes/kinds.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import type { ChangeFilters } from '../../../search/changes/match.ts';
import { WALK_START, type WalkPosition, walkChanges } from '../../../search/changes/page.ts';
import { actRelease, BRIGHT, COUNCIL, OAKES, packageOf, read, reference } from '../../ingest/compile/releases.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

const BRIGHT_ID = 'GB-COH-01234567';
const OAKES_ID = 'GB-COH-07654321';
const PAINTING = { kinds: ['company'] as const, filters: { cpv: ['4544'] } };
const CLEANING = { kinds: ['company'] as const, filters: { cpv: ['9091'] } };

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
beforeAll(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
});
afterAll(async () => {
  await catalogue.close();
  await folder.remove();
});

interface Award {
  winner?: JsonObject;
  cpv?: string;
  amount?: number;
  date?: string;
  status?: string;
}

let serial = 0;
/** Another release of a process, which replaces what the one before said. */
async function store(process: number, { winner = BRIGHT, cpv = '45440000', ...more }: Award): Promise<void> {
  const { amount = 1_000, date = '2026-02-01', status = 'active' } = more;
  serial++;
  const release = actRelease(
    `${String(serial).padStart(6, '0')}-2026`,
    new Date(Date.UTC(2026, 1, 1, serial)).toISOString(),
    {
      ocid: `ocds-h6vhtk-00000${process}`,
      tag: ['award', 'contract'],
      parties: [COUNCIL, winner],
      tender: { items: [{ id: '1', classification: { scheme: 'CPV', id: cpv } }] },
      awards: [
        {
          ...{ id: '1', status, date: `${date}T00:00:00Z`, suppliers: [reference(winner)] },
          value: { amount, currency: 'GBP' },
        },
      ],
    },
  );
  const page = read(packageOf([release]), 'find_a_tender');
  const fetchedAt = '2026-11-20T00:00:00Z';
  await storePage(catalogue, { source: 'find_a_tender', fetchedAt, ...page, before: [], after: [] });
}

type Asked = { kinds: readonly ChangeKind[]; filters: ChangeFilters };

/** All that is told behind a position, page by page, and where it ends. */
async function walk({ kinds, filters }: Asked, from: WalkPosition, limit = 100) {
  const told: string[] = [];
  for (let position = from; ; ) {
    const { changes, next, isDone } = await walkChanges(catalogue, { position, kinds, filters, limit });
    for (const { change, id, changed } of changes)
      told.push([change, id, ...(changed?.length ? [changed.join()] : [])].join(' '));
    if (isDone) return { told, next };
    position = next;
  }
}

describe('changes of companies and buyers by their contracts', () => {
  it('tells a company that comes to match, changes and leaves, though of its row nothing changed but by a correction of codes', async () => {
    const start = (await walk(PAINTING, WALK_START)).next;
    await store(1, {});
    await store(2, { winner: OAKES, cpv: '90910000' });
    expect((await walk(PAINTING, start)).told).toEqual([`new ${BRIGHT_ID}`]);
    const { next } = await walk(PAINTING, start);
    await store(1, { cpv: '90910000' });
    const [left, come] = [await walk(PAINTING, next), await walk(CLEANING, next)];
    expect(left.told).toEqual([`left ${BRIGHT_ID}`]);
    expect(come.told).toEqual([`new ${BRIGHT_ID} detail`]);
    // Every entry is judged as things were then: within one page that it came and left is no news.
    expect((await walk(PAINTING, start)).told).toEqual([]);
    expect((await walk(PAINTING, start, 1)).told).toEqual([`new ${BRIGHT_ID}`, `left ${BRIGHT_ID}`]);
    expect((await walk({ ...PAINTING, kinds: ['buyer'] }, next)).told).toEqual([
      expect.stringMatching(/^left GB-PPON-/),
    ]);
  });

  it('names contracts where they alone changed', async () => {
    const asked: Asked = { kinds: ['company', 'buyer'], filters: {} };
    const { next } = await walk(asked, WALK_START);
    const { next: cleaning } = await walk(CLEANING, WALK_START);
    await catalogue.write([
      bumpSeq,
      {
        sql: `UPDATE contract SET detail = json_set(detail, '$.cpvs', json('["45440000"]')),
          seq = (SELECT value FROM counter WHERE name = 'seq') WHERE ocid = 'ocds-h6vhtk-000001'`,
      },
    ]);
    expect((await walk(asked, next)).told).toEqual([
      expect.stringMatching(/^updated GB-PPON-\S+ contracts$/),
      `updated ${BRIGHT_ID} contracts`,
    ]);
    expect((await walk(CLEANING, cleaning)).told).toEqual([`left ${BRIGHT_ID}`]);
    await store(1, { cpv: '90910000' });
  });

  it('tells who loses a contract to another, by whichever page', async () => {
    const { next } = await walk(CLEANING, WALK_START);
    await store(2, { winner: BRIGHT, cpv: '90910000' });
    const expected = [`left ${OAKES_ID}`, expect.stringMatching(`^updated ${BRIGHT_ID}`)];
    for (const limit of [100, 1]) expect((await walk(CLEANING, next, limit)).told.toSorted()).toEqual(expected);
  });

  it('judges days of the same contract as the codes', async () => {
    const asked: Asked = {
      kinds: ['company'],
      filters: { cpv: ['9091'], won_from: '2026-02-01', won_to: '2026-02-28' },
    };
    const { next } = await walk(asked, WALK_START);
    await store(3, { winner: OAKES, cpv: '90910000', date: '2026-03-01' });
    await store(4, { winner: OAKES, cpv: '45440000', date: '2026-02-02' });
    expect((await walk(asked, next)).told).toEqual([]);
    await store(3, { winner: OAKES, cpv: '90910000', date: '2026-02-28' });
    expect((await walk(asked, next)).told).toEqual([expect.stringMatching(`^new ${OAKES_ID}`)]);
  });

  it('tells whose sum falls below the least, and whose contract is withdrawn', async () => {
    const asked: Asked = { kinds: ['company'], filters: { won_value_min: 2_500 } };
    await store(3, { winner: OAKES, amount: 2_000 });
    const { next, told } = await walk(asked, WALK_START);
    expect(told).toEqual([`new ${OAKES_ID}`]);
    await store(3, { winner: OAKES, amount: 1_400 });
    const fallen = await walk(asked, next);
    expect(fallen.told).toEqual([`left ${OAKES_ID}`]);
    await store(3, { winner: OAKES, amount: 9_000 });
    const again = await walk(asked, fallen.next);
    expect(again.told).toEqual([expect.stringMatching(`^new ${OAKES_ID}`)]);
    await store(3, { winner: OAKES, amount: 9_000, status: 'cancelled' });
    expect((await walk(asked, again.next)).told).toEqual([`left ${OAKES_ID}`]);
    // Both went and came within what is read here: what it has at the end is what counts.
    expect((await walk(asked, next)).told).toEqual([`left ${OAKES_ID}`]);
  });
});
