import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storePage } from '../../../ingest/store/page.ts';
import { readChangeBounds } from '../../../schema/catalogue/changes/read.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { migrate } from '../../../schema/db/migrate.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import type { ChangeFilters } from '../../../search/changes/match.ts';
import { READER_START, type ReaderPosition, readChangesPage } from '../../../search/changes/page.ts';
import { actRelease, packageOf, read } from '../../ingest/compile/releases.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { frameworkRow, noticeRow, seed } from '../../support/seed.ts';
import { ROOT } from '../../support/source-files.ts';

const CLEANING = '90910000';
const PAINTING = '45440000';
const PRINTING = '79800000';
const LONDON = { code: 'UKI', name: 'London' };
const WALES = { code: 'UKL', name: 'Wales' };
const LISTS = 'schema/migrations/catalogue/0019_framework_lists.sql';

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder?.remove());

/** What a reader of frameworks with these filters is told after a position, each with its fields that changed. */
async function tell(catalogue: Database, filters: ChangeFilters, position: ReaderPosition = READER_START) {
  const page = await readChangesPage(catalogue, { position, kinds: ['framework'], filters, limit: 100 });
  return { told: page.changes.map(({ id, change }) => `${id} ${change}`), ...page };
}

describe('changes of frameworks', () => {
  it('are filtered by every code and region, and say when one of them goes', async () => {
    const catalogue = await makeDatabase(folder.path, 'catalogue');
    const publish = async (number: number, codes: string[], regions: string[]) => {
      const additionalClassifications = codes.map((id) => ({ scheme: 'CPV', id }));
      const deliveryAddresses = regions.map((region) => ({ region }));
      const release = actRelease(`00000${number}-2026`, `2026-0${number}-01T00:00:00Z`, {
        tender: {
          techniques: { hasFrameworkAgreement: true },
          items: [{ id: '1', additionalClassifications, deliveryAddresses }],
        },
      });
      const page = read(packageOf([release]));
      const fetched = { source: 'find_a_tender', fetchedAt: '2026-11-20T00:00:00Z', before: [], after: [] };
      await storePage(catalogue, { ...fetched, ...page });
    };
    const filters: ChangeFilters[] = [{ cpv: ['45'] }, { region: ['Wales'] }, { cpv: ['90'] }, { region: ['UKI'] }];
    const readAll = (after: readonly ReaderPosition[] = []) =>
      Promise.all(filters.map((one, index) => tell(catalogue, one, after[index])));
    const changesOf = (pages: Awaited<ReturnType<typeof readAll>>) =>
      pages.map(({ changes }) => changes.map(({ change }) => change).join());

    await publish(1, [CLEANING, PAINTING], ['UKI', 'UKL']);
    const first = await readAll();
    expect(changesOf(first)).toEqual(['new', 'new', 'new', 'new']);
    await publish(2, [CLEANING, PRINTING], ['UKI']);
    const second = await readAll(first.map(({ next }) => next));
    expect(changesOf(second)).toEqual(['left', 'left', 'updated', 'updated']);
    await publish(3, [CLEANING, PAINTING], ['UKI', 'UKL']);
    expect(changesOf(await readAll(second.map(({ next }) => next)))).toEqual(['new', 'new', 'updated', 'updated']);
    await catalogue.close();
  });

  it('tell those who keep a copy what an older program left out of it', async () => {
    const catalogue = await openOlder();
    const [wide, moved] = ['000001-2026', '000002-2026'];
    await seed(
      catalogue,
      noticeRow(wide, 'wide', { cpvs: [CLEANING, PAINTING], regions: [LONDON, WALES] }),
      noticeRow(moved, 'moved', { cpvs: [PRINTING], regions: [LONDON] }),
      frameworkRow('wide', {
        notice_id: wide,
        cpv: CLEANING,
        region: 'UKI',
        lots: [],
        detail: { regions: [LONDON, WALES] },
      }),
      frameworkRow('moved', {
        notice_id: moved,
        cpv: PAINTING,
        region: 'UKI',
        lots: [],
        detail: { regions: [LONDON] },
      }),
    );
    // This program's readers need the tables of today.
    const next = { at: { seq: (await readChangeBounds(catalogue)).head, kind: '~', id: '' } };
    await catalogue.write([
      { sql: "UPDATE counter SET value = value + 1 WHERE name = 'seq'" },
      {
        sql: `UPDATE framework SET cpv = ?, seq = (SELECT value FROM counter WHERE name = 'seq') WHERE id = 'moved'`,
        args: [PRINTING],
      },
    ]);
    await migrate(catalogue, 'catalogue');
    const told = async (filters: ChangeFilters) => (await tell(catalogue, filters, next)).told.toSorted();
    expect(await told({ cpv: ['45'] })).toEqual(['moved left', 'wide new']);
    expect(await told({ cpv: ['79'] })).toEqual(['moved new']);
    expect(await told({ region: ['Wales'] })).toEqual(['wide new']);
    expect(await told({ cpv: ['90'], region: ['UKI'] })).toEqual(['wide updated']);
    expect(await told({})).toEqual(['moved updated', 'wide updated']);
    await catalogue.close();
  });
});

/** A catalogue of the program before frameworks had the codes and regions of their notices. */
async function openOlder(): Promise<Database> {
  const catalogue = await openDatabase({ url: `file:${join(folder.path, 'older.db')}`, durability: 'normal' });
  const journal = readFileSync(join(ROOT, 'schema/migrations/catalogue/meta/_journal.json'), 'utf8');
  const { entries } = JSON.parse(journal) as { entries: { tag: string }[] };
  const files = entries.map(({ tag }) => ({ tag, file: `schema/migrations/catalogue/${tag}.sql` }));
  const older = files.slice(
    0,
    files.findIndex(({ file }) => file === LISTS),
  );
  await catalogue.write([{ sql: 'CREATE TABLE migration (tag TEXT PRIMARY KEY, applied_at TEXT NOT NULL)' }]);
  for (const { tag, file } of older) {
    const statements = readFileSync(join(ROOT, file), 'utf8').split('--> statement-breakpoint');
    await catalogue.write([
      ...statements.map((sql) => ({ sql })),
      { sql: "INSERT INTO migration VALUES (?, '2026')", args: [tag] },
    ]);
  }
  return catalogue;
}
