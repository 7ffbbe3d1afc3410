import type { contract, process } from '../../schema/catalogue/tables/procurement.ts';
import type { succession } from '../../schema/catalogue/tables/successions.ts';
import type { Database } from '../../schema/db/interface.ts';

/** The most rows in one answer: a purchase may succeed the contracts of many lots. */
const READ_MAX = 200;

type Succession = Pick<typeof succession.$inferSelect, 'method' | 'score' | 'evidence' | 'contract_id'>;
type Contract = typeof contract.$inferSelect;
type Process = typeof process.$inferSelect;

type IncumbentRow = Succession &
  Pick<Contract, 'notice_id' | 'title' | 'suppliers' | 'supplier' | 'ends' | 'ends_latest'>;
export type SuccessorRow = Succession & Pick<Process, 'title' | 'ocid' | 'notices' | 'first_published'>;

const FOUND = 's.method, s.score, s.evidence, s.contract_id';
const INCUMBENTS = `SELECT ${FOUND}, c.notice_id, c.title, c.suppliers, c.supplier, c.ends, c.ends_latest
  FROM succession s CROSS JOIN contract c ON c.id = s.contract_id
  WHERE s.process_id = ? AND c.gone = 0 LIMIT ${READ_MAX}`;
const SUCCESSORS = `SELECT ${FOUND}, p.title, p.ocid, p.notices, p.first_published
  FROM succession s CROSS JOIN process p ON p.id = s.process_id
  WHERE s.contract_id IN (SELECT value FROM json_each(?)) AND p.gone = 0 LIMIT ${READ_MAX}`;

/** Contracts that a process may succeed, in no order. */
export function readIncumbents(catalogue: Database, processId: string): Promise<IncumbentRow[]> {
  return catalogue.read({ sql: INCUMBENTS, args: [processId] });
}

/** What may succeed any of these contracts, in no order. */
export function readSuccessors(catalogue: Database, contractIds: readonly string[]): Promise<SuccessorRow[]> {
  return catalogue.read({ sql: SUCCESSORS, args: [JSON.stringify(contractIds)] });
}
