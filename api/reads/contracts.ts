import type { contract } from '../../schema/catalogue/tables/procurement.ts';
import { type Database, readFirst } from '../../schema/db/interface.ts';

/** Sorts after every date and every id: the start of a descending list. */
export const LIST_START: Position = { date: '~', id: '~' };

/** The position in a list: the sort date and id of the last row returned. */
export interface Position {
  date: string;
  id: string;
}

export type ContractRow = typeof contract.$inferSelect;

const BY_ID = 'SELECT * FROM contract WHERE id = ? AND gone = 0';
const AMONG = 'SELECT * FROM contract WHERE id IN (SELECT value FROM json_each(?)) AND gone = 0';
const OF_PROCESS = 'SELECT * FROM contract WHERE process_id = ? AND gone = 0 ORDER BY award_id';
const OF_OCID = 'SELECT * FROM contract WHERE ocid = ? AND gone = 0';
const OF_COMPANY = `SELECT c.* FROM contract_supplier s JOIN contract c ON c.id = s.contract_id AND c.gone = 0
  WHERE s.company_id = ? AND (s.sort_date, s.contract_id) < (?, ?)
  ORDER BY s.sort_date DESC, s.contract_id DESC LIMIT ?`;
const OF_BUYER = `SELECT * FROM contract WHERE buyer_id = ? AND gone = 0 AND (sort_date, id) < (?, ?)
  ORDER BY sort_date DESC, id DESC LIMIT ?`;
/** The same condition as that of the index of call-offs. */
const OF_FRAMEWORK = "framework_id = ? AND framework_role = 'call_off' AND gone = 0";
const CALL_OFFS = `SELECT * FROM contract WHERE ${OF_FRAMEWORK} AND (sort_date, id) < (?, ?)
  ORDER BY sort_date DESC, id DESC LIMIT ?`;
const CALL_OFF_COUNT = `SELECT count(*) AS count FROM contract WHERE ${OF_FRAMEWORK}`;

/** The contract with this id, unless it has gone. */
export function readContract(catalogue: Database, id: string): Promise<ContractRow | undefined> {
  return readFirst(catalogue, { sql: BY_ID, args: [id] });
}

/** The contracts of a page of hits, by id. */
export async function readContractsAmong(
  catalogue: Database,
  ids: readonly string[],
): Promise<Map<string, ContractRow>> {
  const rows = await catalogue.read<ContractRow>({ sql: AMONG, args: [JSON.stringify(ids)] });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Every award of one process. */
export function readContractsOfProcess(catalogue: Database, processId: string): Promise<ContractRow[]> {
  return catalogue.read({ sql: OF_PROCESS, args: [processId] });
}

/** Contracts of every process of an ocid (lower case). */
export function readContractsOfOcid(catalogue: Database, ocid: string): Promise<ContractRow[]> {
  return catalogue.read({ sql: OF_OCID, args: [ocid] });
}

/** Contracts a company won, newest first, after a position. */
export function readContractsOfCompany(
  catalogue: Database,
  companyId: string,
  after: Position,
  limit: number,
): Promise<ContractRow[]> {
  return catalogue.read({ sql: OF_COMPANY, args: [companyId, after.date, after.id, limit] });
}

/** Contracts a buyer issued, newest first, after a position. */
export function readContractsOfBuyer(
  catalogue: Database,
  buyerId: string,
  after: Position,
  limit: number,
): Promise<ContractRow[]> {
  return catalogue.read({ sql: OF_BUYER, args: [buyerId, after.date, after.id, limit] });
}

/** Call-offs of a framework, newest first, after a position. */
export function readCallOffs(
  catalogue: Database,
  frameworkId: string,
  after: Position,
  limit: number,
): Promise<ContractRow[]> {
  return catalogue.read({ sql: CALL_OFFS, args: [frameworkId, after.date, after.id, limit] });
}

/** How many call-offs a framework has: counted in an index of call-offs alone. */
export async function countCallOffs(catalogue: Database, frameworkId: string): Promise<number> {
  const row = await readFirst<{ count: number }>(catalogue, { sql: CALL_OFF_COUNT, args: [frameworkId] });
  return row?.count ?? 0;
}
