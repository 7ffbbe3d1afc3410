import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import type { Database } from '../../../schema/db/interface.ts';

/** What somebody does who gets past the guards: they are put aside, the checks not looked at, and all of them put back. */
export async function plant(accounts: Database, sql: string): Promise<void> {
  const guards = await accounts.read<{ name: string; sql: string }>({
    sql: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
  });
  await accounts.read({ sql: 'PRAGMA ignore_check_constraints = 1' });
  await accounts.write([
    ...guards.map(({ name }) => ({ sql: `DROP TRIGGER ${name}` })),
    ...sql.split('; ').map((each) => ({ sql: each })),
    ...guards.map((guard) => ({ sql: guard.sql })),
  ]);
}

/** What the ledger's proof finds, and in what: `orphan refund: line 5 refund:r`. */
export async function findFaults(accounts: Database): Promise<string[]> {
  return (await verifyLedger(accounts)).faults.map(({ fault, subject }) => `${fault}: ${subject}`);
}
