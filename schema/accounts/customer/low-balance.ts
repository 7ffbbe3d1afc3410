import type { Database, Statement } from '../../db/interface.ts';

/** An account that fell low, and where its holder is told. */
export interface LowAccount {
  id: string;
  balance: number;
  email: string;
}

const LOW = `
  SELECT a.id, a.balance, u.email FROM account a JOIN auth_user u ON u.id = a.user_id
  WHERE a.balance < ? AND a.low_balance_told IS NULL AND a.low_balance_mail = 1 AND a.state = 'active'
    AND EXISTS (SELECT 1 FROM transfer t WHERE t.from_account = a.id AND t.kind = 'charge') ORDER BY a.id LIMIT ?`;

/** Accounts that spent credits, fell below `credits`, want to be told and were not since. */
export function readLowAccounts(accounts: Database, credits: number, most: number): Promise<LowAccount[]> {
  return accounts.read<LowAccount>({ sql: LOW, args: [credits, most] });
}

/** Notes that a holder is told; changes nothing where that is so already or no more called for. A trigger empties it once the balance is back. */
export function toldStatement(accountId: string, credits: number): Statement {
  return {
    sql: `UPDATE account SET low_balance_told = ?1
          WHERE id = ?2 AND low_balance_told IS NULL AND balance < ?1 AND low_balance_mail = 1 AND state = 'active' RETURNING id`,
    args: [credits, accountId],
  };
}

/** Takes the note back: the mail did not leave. */
export function untoldStatement(accountId: string): Statement {
  return { sql: 'UPDATE account SET low_balance_told = NULL WHERE id = ?', args: [accountId] };
}
