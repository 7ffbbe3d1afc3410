import { chargeKey, REVENUE } from '../../schema/accounts/ledger/transfers.ts';
import type { Outcome, Statement } from '../../schema/db/interface.ts';
import type { Committer, Gathering } from '../concurrency/group-commit.ts';
import type { Caller } from '../contract/operation.ts';

/** What an account and a key may spend, as one snapshot. */
export interface AccountState {
  balance: number;
  state: string;
  revoked_at: string | null;
  monthly_cap: number | null;
  /** Credits that the key spent this month; 0 where it has no cap. */
  spent: number;
  /** 1 where the charge in question is in the ledger. */
  charged: number;
}

/** The columns of an account state of `a` (account) and `k` (its key), in a month and with respect to a charge: both SQL expressions. */
function stateColumns({ month, charge }: { month: string; charge: string }): string {
  return `a.balance, a.state, k.revoked_at, k.monthly_cap,
    CASE WHEN k.monthly_cap IS NULL THEN 0
      ELSE coalesce((SELECT credits FROM key_month WHERE key_id = k.id AND month = ${month}), 0) END AS spent,
    EXISTS (SELECT 1 FROM transfer WHERE key = ${charge}) AS charged`;
}

const ACCOUNT_STATE = `
  SELECT ${stateColumns({ month: '?1', charge: '?2' })}
  FROM account a JOIN api_key k ON k.id = ?3 WHERE a.id = ?4`;

/** Reads the account state at `at`, and whether a charge is in the ledger. Inside a batch it sees the statements before it. */
export function accountStateStatement(caller: Caller, at: string, chargeId = ''): Statement {
  return { sql: ACCOUNT_STATE, args: [at.slice(0, 7), chargeKey(chargeId), caller.keyId, caller.accountId] };
}

/** @throws Error where the account or key is missing: neither is ever deleted. */
export function toAccountState(rows: readonly unknown[] | Outcome['rows']): AccountState {
  const [row] = rows as AccountState[];
  if (!row) throw new Error('a known caller has no account row');
  return row;
}

/** Why an account state does not allow a price, or null where it does. */
export function findShortfall(state: AccountState, credits: number): 'stopped' | 'balance' | 'cap' | null {
  if (state.state !== 'active' || state.revoked_at !== null) return 'stopped';
  if (state.balance < credits) return 'balance';
  const capped = state.monthly_cap !== null && credits > 0 && state.spent + credits > state.monthly_cap;
  return capped ? 'cap' : null;
}

/**
 * Debits with which nothing else is written: those of concurrent calls are one statement. That costs about half the processor
 * time of one each, and on a server, which prepares every statement again, a fraction.
 */

/** One debit, its fields in the order in which the statements below read them. */
export type DebitRow = [
  charge: string,
  credits: number,
  action: string,
  requestId: string,
  at: string,
  keyId: string,
  accountId: string,
];

/** The account after a debit of a group. `balance` is that after the whole group. */
interface Debited extends AccountState {
  /** What this debit left, before those after it. */
  remaining: number;
}

/**
 * SQLite selects all rows before it inserts the first. So each is judged as if every one before it were charged, those of its
 * account against the balance and those of its key against the cap: at worst it is refused although one before it was too.
 */
const CHARGE = `
  WITH asked AS (
    SELECT key AS position, value ->> 0 AS charge, value ->> 1 AS credits, value ->> 2 AS action, value ->> 3 AS request_id,
      value ->> 4 AS at, value ->> 5 AS key_id, value ->> 6 AS account_id FROM json_each(?1)),
  summed AS (
    SELECT *, sum(credits) OVER (PARTITION BY account_id ORDER BY position) AS of_account,
      sum(credits) OVER (PARTITION BY key_id ORDER BY position) AS of_key FROM asked)
  INSERT INTO transfer (key, kind, from_account, to_account, credits, action, request_id, key_id, created_at)
  SELECT s.charge, 'charge', a.id, '${REVENUE}', s.credits, s.action, s.request_id, k.id, s.at
  FROM summed s JOIN account a ON a.id = s.account_id JOIN api_key k ON k.id = s.key_id AND k.account_id = a.id
  WHERE a.state = 'active' AND k.revoked_at IS NULL AND a.balance >= s.of_account
    AND (k.monthly_cap IS NULL
      OR s.of_key + coalesce((SELECT credits FROM key_month WHERE key_id = k.id AND month = substr(s.at, 1, 7)), 0) <= k.monthly_cap)
    AND NOT EXISTS (SELECT 1 FROM transfer WHERE key = s.charge)
  ORDER BY s.position`;

const STATES = `
  SELECT ${stateColumns({ month: 'substr(j.value ->> 4, 1, 7)', charge: 'j.value ->> 0' })}
  FROM json_each(?1) j JOIN account a ON a.id = j.value ->> 6 JOIN api_key k ON k.id = j.value ->> 5 ORDER BY j.key`;

const DEBITS: Gathering<DebitRow, Debited> = {
  statements(rows) {
    const args = [JSON.stringify(rows)];
    return [
      { sql: CHARGE, args },
      { sql: STATES, args },
    ];
  },
  results(rows, outcomes) {
    const states = (outcomes.at(-1)?.rows ?? []) as unknown as AccountState[];
    if (states.length !== rows.length) throw new Error('a known caller has no account row');
    const later = new Map<string, number>();
    const debited = rows.toReversed().map(([, credits, , , , , accountId], index): Debited => {
      const state = states[rows.length - 1 - index] as AccountState;
      const since = later.get(accountId) ?? 0;
      if (state.charged === 1) later.set(accountId, since + credits);
      return { ...state, remaining: state.balance + since };
    });
    return debited.reverse();
  },
};

/** Makes a debit together with those of other calls. Answers with the account after it: `charged` says whether it was made. */
export async function debitTogether(committer: Committer, row: DebitRow): Promise<Debited> {
  const state = await committer.commitRow(DEBITS, row);
  const [, credits] = row;
  if (state.charged === 1 || findShortfall(state, credits)) return state;
  // The account can pay it after all: one before it in the group was refused. Alone it is judged by the account as it is.
  const [alone] = DEBITS.results([row], await committer.commit(DEBITS.statements([row])));
  return alone ?? state;
}
