import type { ExportDataset, ExportFormat } from '../../schema/accounts/exports/datasets.ts';
import { stageKeysStatement, stageStatement, startStatements } from '../../schema/accounts/exports/states.ts';
import { chargeKey, REVENUE } from '../../schema/accounts/ledger/transfers.ts';
import type { Database } from '../../schema/db/interface.ts';

/** The tables with the rows of each dataset. */
export const EXPORT_TABLES: Readonly<Record<ExportDataset, string>> = {
  notices: 'notice',
  tenders: 'notice',
  contracts: 'contract',
  companies: 'company',
  buyers: 'buyer',
  frameworks: 'framework',
};

/** Invented buyers with names that a spreadsheet would execute; returns their ids in order. */
export async function insertBuyers(catalogue: Database, count: number): Promise<string[]> {
  const [, outcome] = await catalogue.write([
    {
      sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
        INSERT INTO buyer (id, name, name_key, digest, seq)
        SELECT printf('buyer-%06d', i), '=SUM(' || i || ')', 'sum ' || i, '', 1 FROM n`,
      args: [count],
    },
    { sql: 'SELECT id FROM buyer ORDER BY id' },
  ]);
  return (outcome?.rows ?? []).map(({ id }) => String(id));
}

interface PaidExport {
  id: string;
  accountId: string;
  /** Default: buyers. */
  dataset?: ExportDataset;
  format: ExportFormat;
  keys: string[];
  credits: number;
}

/** An export that is staged and paid for as in the API: waiting to be written. */
export async function chargeExport(accounts: Database, paid: PaidExport): Promise<void> {
  const { id, accountId, dataset = 'buyers', format, keys, credits } = paid;
  const counted = { rows: keys.length, matched: keys.length };
  const staged = { id, accountId, dataset, format, filters: {}, ...counted, at: `2026-11-21T00:00:00Z` };
  await accounts.write([stageStatement(staged), stageKeysStatement(id, 0, keys)]);
  const chargeId = `ch_${id}`;
  const charge = {
    sql: `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, request_id, created_at)
      VALUES (?, 'charge', ?, ?, ?, 'bulk_export', ?, '2026-11-21T00:00:00Z')`,
    args: [chargeKey(chargeId), accountId, REVENUE, credits, `req_${id}`],
  };
  await accounts.write([charge, ...startStatements(id, { chargeId, creditsCharged: credits })]);
}
