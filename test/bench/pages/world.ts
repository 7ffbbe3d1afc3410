import type { Database, Statement } from '../../../schema/db/interface.ts';
import type { SearchDocument } from '../../../search/engine.ts';
import { fillNames, setPragmas } from '../../generated/names/fill.ts';
import type { NamedCompany } from '../../generated/names/make.ts';
import { makeNotices, WORLD_NOW } from '../../generated/notices/make.ts';
import { buyerRows, companyRows, countParties, makeParties, type Parties } from './parties.ts';
import {
  contractId,
  contractRow,
  type FrameworkLink,
  frameworkRow,
  noticeRow,
  processRow,
  type Row,
  type Supplier,
  suppliersOf,
} from './rows.ts';

const BATCH_ROWS = 2_000;
const DAY_MS = 86_400_000;
const DAYS = 3_650;
/** Every so many awards sets up a framework, and some of those after it are called off from it. */
const FRAMEWORK_EVERY = 400;
const CALL_OFF_EVERY = 5;
const NAMES_ASKED = 2_000;

/**
 * Fills an empty catalogue with as many notices and as many registered companies, and everything that pages show of
 * them: contracts, buyers, suppliers, frameworks, ten years of days. Gives companies whose names may be asked.
 */
export async function fillWeb(catalogue: Database, notices: number): Promise<NamedCompany[]> {
  const named = await fillNames(catalogue, notices, NAMES_ASKED);
  await setPragmas(catalogue, ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -400000']);
  await storeControl(catalogue, notices, await fillProcurement(catalogue, notices));
  await setPragmas(catalogue, ['journal_mode = WAL', 'synchronous = NORMAL', 'cache_size = -2000']);
  return named;
}

/** Notices with their contracts, frameworks, buyers and suppliers; answers the last `seq`. */
export async function fillProcurement(catalogue: Database, notices: number): Promise<number> {
  const parties = makeParties();
  const seq = await storeNotices(catalogue, notices, parties);
  const [companies, registered]: [Row[], Row[]] = [[], []];
  for (const rows of companyRows(parties)) {
    companies.push(rows.company);
    registered.push(rows.registered);
  }
  await storeAll(catalogue, 'buyer', [...buyerRows(parties)]);
  // The register first: the change log looks for the suppliers of each of its rows.
  await storeAll(catalogue, 'registered_company', registered);
  await storeAll(catalogue, 'company', companies);
  return seq;
}

async function storeNotices(catalogue: Database, notices: number, parties: Parties): Promise<number> {
  const link = makeLinks();
  let seq = 0;
  for (const documents of batches(makeNotices(notices))) {
    seq += 1;
    const rows: Record<string, Row[]> = { process: [], notice: [], contract: [], contract_supplier: [], framework: [] };
    for (const document of documents) addRows(rows, document, link, parties, seq);
    await catalogue.write(Object.entries(rows).map(([table, of]) => insert(table, of)));
  }
  return seq;
}

function addRows(
  rows: Record<string, Row[]>,
  document: SearchDocument,
  link: ReturnType<typeof makeLinks>,
  parties: Parties,
  seq: number,
): void {
  const suppliers = suppliersOf(document);
  rows.process?.push(processRow(document, seq));
  rows.notice?.push(noticeRow(document, suppliers, seq));
  const framework = suppliers.length > 0 ? link(document) : null;
  countParties(parties, document, suppliers, framework);
  if (suppliers.length === 0) return;
  rows.contract?.push(contractRow(document, suppliers, framework, seq));
  rows.contract_supplier?.push(...wonBy(document, suppliers));
  if (framework?.role === 'establishes') rows.framework?.push(frameworkRow(document, suppliers, seq));
}

function wonBy(document: SearchDocument, suppliers: readonly Supplier[]): Row[] {
  const shared = { contract_id: contractId(document), sort_date: document.published };
  return suppliers.map(({ company_id }, position) => ({ ...shared, company_id, position }));
}

/** Which awards set up a framework, and which are called off from one. */
function makeLinks(): (document: SearchDocument) => FrameworkLink | null {
  let [awards, newest] = [0, ''];
  return ({ ocid }) => {
    awards += 1;
    if (awards % FRAMEWORK_EVERY === 1) {
      newest = ocid;
      return { id: newest, role: 'establishes' };
    }
    return awards % CALL_OFF_EVERY === 0 ? { id: newest, role: 'call_off' } : null;
  };
}

function* batches<T>(all: Iterable<T>): Generator<T[]> {
  let batch: T[] = [];
  for (const one of all) {
    batch.push(one);
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function storeAll(catalogue: Database, table: string, rows: readonly Row[]): Promise<void> {
  for (const batch of batches(rows)) await catalogue.write([insert(table, batch)]);
}

/** Many rows of the same columns as one statement. */
function insert(table: string, rows: readonly Row[]): Statement {
  const [first] = rows;
  if (!first) return { sql: 'SELECT 1' };
  const names = Object.keys(first);
  const values = names.map((_, index) => `value ->> ${index}`).join(', ');
  const sql = `INSERT OR REPLACE INTO ${table} (${names.join(', ')}) SELECT ${values} FROM json_each(?1)`;
  return { sql, args: [JSON.stringify(rows.map((row) => names.map((name) => row[name] ?? null)))] };
}

/** What status and search ask: sources with a day each for ten years, and where the catalogue stands. */
async function storeControl(catalogue: Database, notices: number, seq: number): Promise<void> {
  const sources = ['find_a_tender', 'contracts_finder', 'companies_house'];
  const as_of = WORLD_NOW.toISOString();
  const said = { homepage: 'https://example.org/', licence: 'OGL v3.0', licence_url: 'https://example.org/', as_of };
  const shared = { ...said, attribution: '', timetable: '0 * * * *', releases: Math.round(notices / 2) };
  const days = Array.from({ length: DAYS }, (_, ago) =>
    new Date(WORLD_NOW.getTime() - ago * DAY_MS).toISOString().slice(0, 10),
  );
  await storeAll(
    catalogue,
    'source',
    sources.map((id) => ({ id, title: id.replaceAll('_', ' '), ...shared })),
  );
  for (const source of sources) {
    const releases = Math.round(notices / DAYS / 2);
    await storeAll(
      catalogue,
      'coverage_day',
      days.map((day) => ({ source, day, releases })),
    );
  }
  await catalogue.write([{ sql: "INSERT OR REPLACE INTO counter (name, value) VALUES ('seq', ?)", args: [seq] }]);
}
