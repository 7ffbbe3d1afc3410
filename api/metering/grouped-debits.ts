import { chargeKey, LINES_MAX, REVENUE, toChargeId } from '../../schema/accounts/ledger/transfers.ts';
import { isPassing, type Outcome, OutcomeUnknown, type Statement } from '../../schema/db/interface.ts';
import type { Committer, Grouping } from '../concurrency/group-commit.ts';
import type { Caller } from '../contract/operation.ts';

/**
 * The debits of concurrent calls are one statement, and those of one key for one action at one price are one row of the ledger.
 * With 25 calls at once, a debit takes two thirds of the processor time of a row of its own. On a server, which prepares every
 * statement again, one statement takes a fraction of many.
 */

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

/** The columns of an `AccountState`, except `charged`, from `a` (account) and `k` (its key). @param month - SQL for `YYYY-MM` */
function stateColumns(month: string): string {
  return `coalesce(a.balance, 0) AS balance, iif(k.id IS NULL, 'missing', coalesce(a.state, 'missing')) AS state, k.revoked_at, k.monthly_cap,
    CASE WHEN k.monthly_cap IS NULL THEN 0
      ELSE coalesce((SELECT credits FROM key_month WHERE key_id = k.id AND month = ${month}), 0) END AS spent`;
}

const ACCOUNT_STATE = `
  SELECT ${stateColumns('?1')}, EXISTS (SELECT 1 FROM transfer WHERE key = ?2) AS charged
  FROM account a JOIN api_key k ON k.id = ?3 WHERE a.id = ?4`;

/** Reads the account state at `at`, and whether a charge is in the ledger. Inside a batch it sees the statements before it. */
export function accountStateStatement(caller: Caller, at: string, chargeId = ''): Statement {
  return { sql: ACCOUNT_STATE, args: [at.slice(0, 7), chargeKey(chargeId), caller.keyId, caller.accountId] };
}

/** The account state in the rows of `accountStateStatement`. @throws Error where there is none: no account or key is ever deleted. */
export function toAccountState(rows: readonly unknown[]): AccountState {
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

/** One debit. */
export type DebitRow = [
  charge: string,
  credits: number,
  action: string,
  requestId: string,
  at: string,
  keyId: string,
  accountId: string,
];

/** Debits that are written as one row. */
interface Run {
  accountId: string;
  keyId: string;
  /** Of each debit. */
  credits: number;
  action: string;
  /** ISO 8601 instant, UTC. */
  at: string;
  /** The sums of the debits before these, for the same account and the same key. */
  ofAccount: number;
  ofKey: number;
  /** The ledger's key of the first, which is that of the row. */
  charge: string;
  requestId: string;
  /** The charge and request of each, as the row's `charges` names them. */
  charges: [chargeId: string, requestId: string][];
  /** The place of each in the group. */
  places: number[];
}

/** The account after a debit of a group. `balance` is that after the whole group. */
interface Debited extends AccountState {
  /** The balance after this debit, before later ones, where it was made. */
  remaining: number;
}

/** The debits of a group as runs. */
export function toRuns(rows: readonly DebitRow[]): Run[] {
  const open = new Map<string, Run>();
  const runs: Run[] = [];
  for (const [place, [charge, credits, action, requestId, at, keyId, accountId]] of rows.entries()) {
    const alike = `${keyId} ${action} ${credits} ${at}`;
    let run = open.get(alike);
    if (!run || run.charges.length === LINES_MAX) {
      const first = { charge, requestId, charges: [], places: [] };
      run = { accountId, keyId, credits, action, at, ofAccount: 0, ofKey: 0, ...first };
      open.set(alike, run);
      runs.push(run);
    }
    run.charges.push([toChargeId(charge), requestId]);
    run.places.push(place);
  }
  const sums = new Map<string, number>();
  for (const run of runs) {
    const credits = run.credits * run.charges.length;
    run.ofAccount = sums.get(run.accountId) ?? 0;
    run.ofKey = sums.get(run.keyId) ?? 0;
    sums.set(run.accountId, run.ofAccount + credits);
    sums.set(run.keyId, run.ofKey + credits);
  }
  return runs;
}

/** Runs as the statements read them, without their charges: SQLite reads a run's text for each of its fields. */
export function toText(runs: readonly Run[]): string {
  return JSON.stringify(
    runs.map((run) => {
      const { accountId, keyId, credits, action, at, ofAccount, ofKey, charge, requestId, charges } = run;
      return [accountId, keyId, credits, action, at, ofAccount, ofKey, charge, charges.length, requestId];
    }),
  );
}

/**
 * The runs of `?1`, and how many `lines` of each can be paid, from the first on. Each debit is judged as if every one before it
 * were charged, in its run and in those before: they count against the balance of their account and the cap of their key. At
 * worst, one is refused although the credits of an earlier one that was refused too would have paid for it.
 */
export const RUNS = `
  WITH run AS MATERIALIZED (
    SELECT r.key AS place, a.id AS account_id, k.id AS key_id, r.value ->> 2 AS credits, r.value ->> 3 AS action, r.value ->> 4 AS at,
      r.value ->> 7 AS charge, r.value ->> 8 AS wanted, r.value ->> 9 AS request_id,
      min(r.value ->> 8, (a.balance - (r.value ->> 5)) / (r.value ->> 2), CASE WHEN k.monthly_cap IS NULL THEN r.value ->> 8 ELSE
        (k.monthly_cap - (r.value ->> 6) - coalesce((SELECT credits FROM key_month
          WHERE key_id = k.id AND month = substr(r.value ->> 4, 1, 7)), 0)) / (r.value ->> 2) END) AS lines
    FROM json_each(?1) r CROSS JOIN account a ON a.id = r.value ->> 0
      CROSS JOIN api_key k ON k.id = r.value ->> 1 AND k.account_id = a.id
    WHERE a.state = 'active' AND k.revoked_at IS NULL)`;

/** Inserts runs, each as one row. @param runs - a query of them: `charge` of the first line, all `charges`, and the columns of `run` */
export const insertRuns = (runs: string) => `
  INSERT INTO transfer (id, key, kind, from_account, to_account, credits, action, request_id, key_id, created_at, lines, charges)
  SELECT (SELECT seq FROM sqlite_sequence WHERE name = 'transfer') + sum(lines) OVER (ORDER BY place), charge, 'charge', account_id,
    '${REVENUE}', lines * credits, action, iif(lines = 1, request_id, NULL), key_id, at, lines, iif(lines = 1, NULL, charges)
  FROM (${runs}) ORDER BY place`;

/** Charges runs. `?2`: the charges of each. */
const CHARGE = `${RUNS}${insertRuns(`
    SELECT *, CASE lines WHEN wanted THEN ?2 -> place
      ELSE (SELECT json_group_array(json(value)) FROM json_each(?2 -> place) WHERE key < lines) END AS charges
    FROM run WHERE lines > 0 AND NOT EXISTS (SELECT 1 FROM transfer WHERE key = charge)`)}`;

const RUN_STATES = `
  SELECT ${stateColumns('substr(r.value ->> 4, 1, 7)')},
    coalesce((SELECT lines FROM transfer WHERE key = r.value ->> 7), 0) AS charged
  FROM json_each(?1) r LEFT JOIN account a ON a.id = r.value ->> 0 LEFT JOIN api_key k ON k.id = r.value ->> 1 ORDER BY r.key`;

/**
 * Reads the account of each run after the whole group. Its rows go to `readDebited`. A server that was restored to an earlier
 * state lacks accounts and keys that this process still knows: their calls are refused, not those of others.
 */
export function runStatesStatement(runs: string): Statement {
  return { sql: RUN_STATES, args: [runs] };
}

/** The account after each debit of the runs, by its place. */
export function readDebited(runs: readonly Run[], outcome: Outcome | undefined): Debited[] {
  const states = (outcome?.rows ?? []) as unknown as AccountState[];
  const debited: Debited[] = [];
  /** What later runs took from each account. */
  const taken = new Map<string, number>();
  for (let index = runs.length - 1; index >= 0; index--) {
    const { accountId, credits, places } = runs[index] as Run;
    // Field by field: to copy the rest of a row took a microsecond for each debit.
    const { balance, state, revoked_at, monthly_cap, spent, charged: lines } = states[index] as AccountState;
    const later = taken.get(accountId) ?? 0;
    for (const [line, place] of places.entries()) {
      const charged = line < lines ? 1 : 0;
      const remaining = balance + later + (lines - 1 - line) * credits;
      debited[place] = { balance, state, revoked_at, monthly_cap, spent, charged, remaining };
    }
    taken.set(accountId, later + lines * credits);
  }
  return debited;
}

/** The charges of a run of several calls; one call needs no list. */
const toCharges = ({ charges }: Run) => (charges.length === 1 ? null : charges);

/** How debits of concurrent calls become statements, and their outcomes results. */
export const groupDebits: Grouping<DebitRow, Debited> = (rows) => {
  const runs = toRuns(rows);
  const text = toText(runs);
  return {
    statements: [{ sql: CHARGE, args: [text, JSON.stringify(runs.map(toCharges))] }, runStatesStatement(text)],
    results: (outcomes) => readDebited(runs, outcomes.at(-1)),
  };
};

/** Makes a debit together with those of other calls. Answers with the account after it: `charged` says whether it was made. */
export async function debitTogether(committer: Committer, row: DebitRow): Promise<Debited> {
  const state = await committer.commitRow(groupDebits, row);
  const [, credits] = row;
  if (state.charged === 1 || findShortfall(state, credits)) return state;
  // The account can pay it after all, as an earlier one in the group was refused.
  return commitAlone(committer, groupDebits, row);
}

/** Reads what became of a debit that may have been written. @throws OutcomeUnknown where that cannot be read just now */
export function readOutcome<T>(reading: Promise<T>): Promise<T> {
  return reading.catch((cause: unknown) => {
    throw isPassing(cause) ? new OutcomeUnknown('nobody can read whether a debit was made', { cause }) : cause;
  });
}

/** Writes a row alone, so that its debit is judged by the account as it is. */
export async function commitAlone<Row, Result>(
  committer: Committer,
  grouping: Grouping<Row, Result>,
  row: Row,
): Promise<Result> {
  const { statements, results } = grouping([row]);
  const [result] = results(await committer.commit(statements));
  return result as Result;
}
