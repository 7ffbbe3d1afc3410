import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bumpSeq } from '../../../ingest/rows/versioned.ts';
import { storePage } from '../../../ingest/store/page.ts';
import type { ChangeKind } from '../../../schema/catalogue/changes/kinds.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import type { ChangeFilters } from '../../../search/changes/match.ts';
import { READER_START, type ReaderPosition, readChangesPage } from '../../../search/changes/page.ts';
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
  supplier?: JsonObject;
  cpv?: string;
  amount?: number;
  date?: string;
  status?: string;
}

let serial = 0;
/** Another release of a process, which replaces what the one before said. */
async function store(process: number, { supplier = BRIGHT, cpv = '45440000', ...more }: Award): Promise<void> {
  const { amount = 1_000, date = '2026-02-01', status = 'active' } = more;
  serial++;
  const release = actRelease(
    `${String(serial).padStart(6, '0')}-2026`,
    new Date(Date.UTC(2026, 1, 1, serial)).toISOString(),
    {
      ocid: `ocds-h6vhtk-00000${process}`,
      tag: ['award', 'contract'],
      parties: [COUNCIL, supplier],
      tender: { items: [{ id: '1', classification: { scheme: 'CPV', id: cpv } }] },
      awards: [
        {
          id: '1',
          status,
          date: `${date}T00:00:00Z`,
          suppliers: [reference(supplier)],
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

/** All changes after a position, page by page, and the position after them. */
async function readChanges({ kinds, filters }: Asked, from: ReaderPosition, limit = 100) {
  const described: string[] = [];
  for (let position = from; ; ) {
    const { changes, next, isDone } = await readChangesPage(catalogue, { position, kinds, filters, limit });
    for (const { change, id, changed } of changes)
      described.push([change, id, ...(changed?.length ? [changed.join()] : [])].join(' '));
    if (isDone) return { described, next };
    position = next;
  }
}

describe('changes of companies and buyers by their contracts', () => {
  it('tells a company that comes to match, changes and leaves by a correction of codes alone', async () => {
    const start = (await readChanges(PAINTING, READER_START)).next;
    await store(1, {});
    await store(2, { supplier: OAKES, cpv: '90910000' });
    expect((await readChanges(PAINTING, start)).described).toEqual([`new ${BRIGHT_ID}`]);
    const { next } = await readChanges(PAINTING, start);
    await store(1, { cpv: '90910000' });
    const [left, come] = [await readChanges(PAINTING, next), await readChanges(CLEANING, next)];
    expect(left.described).toEqual([`left ${BRIGHT_ID}`]);
    expect(come.described).toEqual([`new ${BRIGHT_ID} detail`]);
    // Every entry is judged as things were then: within one page that it came and left is no news.
    expect((await readChanges(PAINTING, start)).described).toEqual([]);
    expect((await readChanges(PAINTING, start, 1)).described).toEqual([`new ${BRIGHT_ID}`, `left ${BRIGHT_ID}`]);
    expect((await readChanges({ ...PAINTING, kinds: ['buyer'] }, next)).described).toEqual([
      expect.stringMatching(/^left GB-PPON-/),
    ]);
  });

  it('names contracts where they alone changed', async () => {
    const asked: Asked = { kinds: ['company', 'buyer'], filters: {} };
    const { next } = await readChanges(asked, READER_START);
    const { next: cleaning } = await readChanges(CLEANING, READER_START);
    await catalogue.write([
      bumpSeq,
      {
        sql: `UPDATE contract SET detail = json_set(detail, '$.cpvs', json('["45440000"]')),
          seq = (SELECT value FROM counter WHERE name = 'seq') WHERE ocid = 'ocds-h6vhtk-000001'`,
      },
    ]);
    expect((await readChanges(asked, next)).described).toEqual([
      expect.stringMatching(/^updated GB-PPON-\S+ contracts$/),
      `updated ${BRIGHT_ID} contracts`,
    ]);
    expect((await readChanges(CLEANING, cleaning)).described).toEqual([`left ${BRIGHT_ID}`]);
    await store(1, { cpv: '90910000' });
  });

  it('tells who loses a contract to another, by whichever page', async () => {
    const { next } = await readChanges(CLEANING, READER_START);
    await store(2, { supplier: BRIGHT, cpv: '90910000' });
    const expected = [`left ${OAKES_ID}`, expect.stringMatching(`^updated ${BRIGHT_ID}`)];
    for (const limit of [100, 1])
      expect((await readChanges(CLEANING, next, limit)).described.toSorted()).toEqual(expected);
  });

  it('judges days of the same contract as the codes', async () => {
    const asked: Asked = {
      kinds: ['company'],
      filters: { cpv: ['9091'], won_from: '2026-02-01', won_to: '2026-02-28' },
    };
    const { next } = await readChanges(asked, READER_START);
    await store(3, { supplier: OAKES, cpv: '90910000', date: '2026-03-01' });
    await store(4, { supplier: OAKES, cpv: '45440000', date: '2026-02-02' });
    expect((await readChanges(asked, next)).described).toEqual([]);
    await store(3, { supplier: OAKES, cpv: '90910000', date: '2026-02-28' });
    expect((await readChanges(asked, next)).described).toEqual([expect.stringMatching(`^new ${OAKES_ID}`)]);
  });

  it('tells whose sum falls below the least, and whose contract is withdrawn', async () => {
    const asked: Asked = { kinds: ['company'], filters: { won_value_min: 2_500 } };
    await store(3, { supplier: OAKES, amount: 2_000 });
    const { next, described } = await readChanges(asked, READER_START);
    expect(described).toEqual([`new ${OAKES_ID}`]);
    await store(3, { supplier: OAKES, amount: 1_400 });
    const fallen = await readChanges(asked, next);
    expect(fallen.described).toEqual([`left ${OAKES_ID}`]);
    await store(3, { supplier: OAKES, amount: 9_000 });
    const again = await readChanges(asked, fallen.next);
    expect(again.described).toEqual([expect.stringMatching(`^new ${OAKES_ID}`)]);
    await store(3, { supplier: OAKES, amount: 9_000, status: 'cancelled' });
    expect((await readChanges(asked, again.next)).described).toEqual([`left ${OAKES_ID}`]);
    // Both went and came within what is read here: what it has at the end is what counts.
    expect((await readChanges(asked, next)).described).toEqual([`left ${OAKES_ID}`]);
  });
});
