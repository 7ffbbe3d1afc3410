import type { SourceKind } from '../../schema/catalogue/enums.ts';
import type { source } from '../../schema/catalogue/tables/ingest-state.ts';
import type { Database } from '../../schema/db/interface.ts';
import { makeOfficialTest, type OfficialPages } from '../../schema/text/document-links.ts';

/** A source as callers and pages see it. */
export interface KnownSource {
  id: string;
  title: string;
  kind: SourceKind;
  /** Other words for its id, in lower case and without spaces. */
  aliases: readonly string[];
  attribution: string;
}

type SourceRow = typeof source.$inferSelect;

const KNOWN = 'SELECT id, title, kind, aliases, attribution FROM source ORDER BY id';
const PAGES = 'SELECT notice_pages FROM source ORDER BY id';
const TAKEDOWNS = `SELECT coalesce((SELECT max(rowid) FROM takedown), 0) || ' ' ||
  (SELECT count(*) FROM cursor WHERE source >= 'takedown:' AND source < 'takedown;') AS state`;
const FRESHNESS = "SELECT id, as_of FROM source WHERE kind = 'notices' ORDER BY id";

/** Every source of the catalogue, by id. */
export async function readSources(catalogue: Database): Promise<KnownSource[]> {
  const rows = await catalogue.read<Pick<SourceRow, keyof KnownSource>>({ sql: KNOWN });
  return rows.map((row) => ({ ...row, aliases: JSON.parse(row.aliases) as string[] }));
}

/** The required attribution of each source. */
export async function readAttributions(catalogue: Database): Promise<string[]> {
  return (await readSources(catalogue)).map(({ attribution }) => attribution);
}

/** A text that changes when a takedown is recorded, and again when it is complete. */
export async function readTakedownState(catalogue: Database): Promise<string> {
  const [row] = await catalogue.read<{ state: string }>({ sql: TAKEDOWNS });
  return row?.state ?? '';
}

/** For each source of notices, the instant before which everything published is stored; null where there is none yet. */
export async function readFreshness(catalogue: Database): Promise<Record<string, string | null>> {
  const rows = await catalogue.read<Pick<SourceRow, 'id' | 'as_of'>>({ sql: FRESHNESS });
  return Object.fromEntries(rows.map((row) => [row.id, row.as_of]));
}

let last = { key: '', test: makeOfficialTest([]) };

/** Returns a test for whether an address is a service's own page of a notice or procurement. Rebuilt when a source changes. */
export async function readOfficialTest(catalogue: Database): Promise<(address: string) => boolean> {
  const rows = await catalogue.read<Pick<SourceRow, 'notice_pages'>>({ sql: PAGES });
  const key = rows.map(({ notice_pages }) => notice_pages).join();
  if (key !== last.key) {
    const pages = rows.flatMap(({ notice_pages }) => JSON.parse(notice_pages) as OfficialPages[]);
    last = { key, test: makeOfficialTest(pages) };
  }
  return last.test;
}
