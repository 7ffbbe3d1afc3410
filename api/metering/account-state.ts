import { chargeKey, REVENUE } from '../../schema/accounts/ledger/transfers.ts';
import type { Outcome, SqlValue, Statement } from '../../schema/db/interface.ts';
import type { Caller } from '../contract/operation.ts';
import type { Claim } from './claim.ts';

/** What an account and a key may spend, as one snapshot. */
export interface Standing {
  balance: number;
  state: string;
  revoked_at: string | null;
  monthly_cap: number | null;
  /** What the key spent this month; 0 where it has no cap. */
  spent: number;
  /** 1 where the asked charge is in the ledger. */
  charged: number;
}

export interface Debit {
  caller: Caller;
  /** `ch_…`: the ledger holds it at most once. */
  chargeId: string;
  /** Whole, above zero. */
  credits: number;
  action: string;
  requestId: string;
  /** ISO 8601 instant, UTC. */
  at: string;
}

const CHARGE = `
  INSERT INTO transfer (key, kind, from_account, to_account, credits, action, request_id, key_id, created_at)
  SELECT ?1, 'charge', a.id, '${REVENUE}', ?2, ?3, ?4, k.id, ?5
  FROM account a JOIN api_key k ON k.id = ?6 AND k.account_id = a.id
  WHERE a.id = ?7 AND a.state = 'active' AND k.revoked_at IS NULL AND a.balance >= ?2
    AND (k.monthly_cap IS NULL
      OR ?2 + coalesce((SELECT credits FROM key_month WHERE key_id = k.id AND month = substr(?5, 1, 7)), 0) <= k.monthly_cap)
    AND NOT EXISTS (SELECT 1 FROM transfer WHERE key = ?1)`;

const UNDER_CLAIM = `
    AND EXISTS (SELECT 1 FROM idempotency WHERE account_id = ?7 AND key = ?8 AND claim_token = ?9 AND state = 'running')`;

const CHARGE_UNDER_CLAIM = CHARGE + UNDER_CLAIM;

const STANDING = `
  SELECT a.balance, a.state, k.revoked_at, k.monthly_cap,
    CASE WHEN k.monthly_cap IS NULL THEN 0
      ELSE coalesce((SELECT credits FROM key_month WHERE key_id = k.id AND month = ?1), 0) END AS spent,
    EXISTS (SELECT 1 FROM transfer WHERE key = ?2) AS charged
  FROM account a JOIN api_key k ON k.id = ?3 WHERE a.id = ?4`;

/** One debit, conditional on its own account's state and balance, its key's cap and, where given, its claim. Twice is once. */
export function chargeStatement(debit: Debit, claim?: Claim): Statement {
  const { caller, chargeId, credits, action, requestId, at } = debit;
  const args: SqlValue[] = [chargeKey(chargeId), credits, action, requestId, at, caller.keyId, caller.accountId];
  return claim ? { sql: CHARGE_UNDER_CLAIM, args: [...args, claim.key, claim.token] } : { sql: CHARGE, args };
}

/** The standing of a caller at `at`, and whether a charge is in the ledger. Inside a batch: as of the statements before it. */
export function standingStatement(caller: Caller, at: string, chargeId = ''): Statement {
  return { sql: STANDING, args: [at.slice(0, 7), chargeKey(chargeId), caller.keyId, caller.accountId] };
}

/** The row of a standing statement. @throws Error where the account or key is gone, which neither ever is. */
export function toStanding(rows: readonly unknown[] | Outcome['rows']): Standing {
  const [row] = rows as Standing[];
  if (!row) throw new Error('a known caller has no account row');
  return row;
}

/** Why a standing does not allow a price, or null where it does. */
export function findShortfall(standing: Standing, credits: number): 'stopped' | 'balance' | 'cap' | null {
  if (standing.state !== 'active' || standing.revoked_at !== null) return 'stopped';
  if (standing.balance < credits) return 'balance';
  const capped = standing.monthly_cap !== null && credits > 0 && standing.spent + credits > standing.monthly_cap;
  return capped ? 'cap' : null;
}
