import type { Database } from '../../schema/db/interface.ts';

/** What may go: each has its row, which stays as `gone`. */
const ROWS = {
  notice: 'notice WHERE notice_id',
  contract: 'contract WHERE id',
  company: 'company WHERE id',
  buyer: 'buyer WHERE id',
  framework: 'framework WHERE id',
} as const;

/** Whether a thing was held under this id, in either case, and is not any more. */
export async function readIsGone(catalogue: Database, what: keyof typeof ROWS, id: string): Promise<boolean> {
  const sql = `SELECT 1 AS found FROM ${ROWS[what]} IN (?1, lower(?1), upper(?1)) AND gone = 1 LIMIT 1`;
  return (await catalogue.read<{ found: 1 }>({ sql, args: [id] })).length > 0;
}
