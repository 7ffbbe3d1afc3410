import { linesOf, toChargeId } from '../../schema/accounts/ledger/transfers.ts';
import { isClaimedAt } from '../../schema/accounts/remembered-answers.ts';
import type { Database, Statement } from '../../schema/db/interface.ts';
import type { Committer, Grouping } from '../concurrency/group-commit.ts';
import { type Answer, KeyReused } from '../contract/errors.ts';
import type { Caller, Operation } from '../contract/operation.ts';
import type { Context } from '../process/context.ts';
import {
  type AccountState,
  commitAlone,
  type DebitRow,
  findShortfall,
  insertRuns,
  RUNS,
  readDebited,
  readOutcome,
  runStatesStatement,
  toRuns,
  toText,
} from './grouped-debits.ts';
import {
  CLAIM_MS,
  type Claim,
  type ClaimedCall,
  type IdempotencyKey,
  makeClaim,
  makeFingerprint,
  REPLAY_MS,
  readStored,
  releaseStatement,
  replayOf,
} from './idempotency.ts';

/**
 * A keyed call whose answer is known before its debit needs no claim while it works. Its debit, key and remembered answer are
 * one batch with those of other calls, so it waits for the disk once instead of twice. A row of `idempotency`, written in the
 * commit of the debit, says that its key was used. So the debit can share a row of the ledger with others. A free call needs
 * no claim either: its key is one write.
 */

/** A keyed debit and the answer that is stored with it. */
export interface KeyedDebit {
  row: DebitRow;
  claimed: ClaimedCall;
  now: Date;
  /** As `packAnswer` makes it. */
  answer: Uint8Array;
}

/**
 * Charges runs (`?1`), except lines whose key is taken: done, or claimed at `?3`, now. `?2`: the calls, see `toCalls`. Of those
 * whose keys are free the first that can be paid are charged.
 */
const CHARGE = `${RUNS}, line AS MATERIALIZED (
    SELECT run.place, c.value ->> 1 AS charge_id, c.value ->> 2 AS request_id, row_number() OVER (PARTITION BY run.place ORDER BY c.key) AS number
    FROM json_each(?2) c CROSS JOIN run ON run.place = c.value ->> 0
    WHERE NOT EXISTS (SELECT 1 FROM idempotency WHERE account_id = run.account_id AND key = c.value ->> 3
      AND (state <> 'running' OR ${isClaimedAt('?3')}))),
  paid AS (
    SELECT place, count(*) AS lines, json_group_array(json_array(line.charge_id, line.request_id)) AS charges
    FROM line JOIN run USING (place) WHERE number <= run.lines GROUP BY place)${insertRuns(`
    SELECT place, account_id, key_id, credits, action, at, paid.lines, 'charge:' || (charges ->> '$[0][0]') AS charge,
      charges ->> '$[0][1]' AS request_id, charges
    FROM paid JOIN run USING (place)`)}`;

/**
 * Stores the keys of the charged calls as done, in the batch of their debits: their lines are those of the rows that the
 * previous statement added to the ledger. What a debit left is the balance before the lines after it. Takes over claims that
 * have run out.
 */
const RECORD = `
  WITH line AS MATERIALIZED (${linesOf('(SELECT * FROM transfer ORDER BY id DESC LIMIT changes())')})
  INSERT INTO idempotency (account_id, key, fingerprint, state, claim_token, claim_expires_at, created_at, expires_at,
    line, charge_id, credits_charged, credits_remaining)
  SELECT a.id, c.value ->> 3, c.value ->> 4, 'done', c.value ->> 5, ?2 + ${CLAIM_MS}, ?3, ?2 + ${REPLAY_MS},
    line.id, c.value ->> 1, line.credits, a.balance + coalesce(sum(line.credits) OVER (
      PARTITION BY a.id ORDER BY line.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
  FROM json_each(?1) c CROSS JOIN line ON line.key = 'charge:' || (c.value ->> 1) CROSS JOIN account a ON a.id = line.from_account
  WHERE true
  ON CONFLICT (account_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, state = 'done',
    claim_token = excluded.claim_token, claim_expires_at = excluded.claim_expires_at, created_at = excluded.created_at,
    expires_at = excluded.expires_at, line = excluded.line, charge_id = excluded.charge_id,
    credits_charged = excluded.credits_charged, credits_remaining = excluded.credits_remaining
  WHERE idempotency.state = 'running' AND NOT (idempotency.${isClaimedAt('?2')})
  RETURNING claim_token, credits_remaining`;

/** Stores the answers of the calls that were written down, which are parts of `?2`. */
const STORE = `
  INSERT INTO remembered_answer (line, expires_at, bytes, body)
  SELECT i.line, i.expires_at, c.value ->> 8, substr(?2, c.value ->> 7, c.value ->> 8)
  FROM json_each(?1) c CROSS JOIN idempotency i ON i.account_id = c.value ->> 6 AND i.key = c.value ->> 3
  WHERE i.claim_token = c.value ->> 5 AND i.line IS NOT NULL
  ON CONFLICT (line) DO NOTHING`;

/**
 * The account after a keyed debit. `remaining`: what it left; absent where it was not charged. `isOwn`: false where the state is
 * that of another API key of the account, which sent the same Idempotency-Key first.
 */
type KeyedOutcome = AccountState & { remaining?: number | undefined; isOwn: boolean };

/** How keyed debits of concurrent calls become statements, and their outcomes results. */
export const groupKeyed: Grouping<KeyedDebit, KeyedOutcome> = (debits) => {
  // Of calls that came at once with one key the first is charged, and its answer is that of the others.
  const firsts = [...new Map(debits.toReversed().map((debit) => [debit.row[0], debit])).values()].reverse();
  const runs = toRuns(firsts.map(({ row }) => row));
  const [text, calls] = [toText(runs), toCalls(firsts, runs)];
  const nowMs = Math.min(...firsts.map(({ now }) => now.getTime()));
  return {
    statements: [
      { sql: CHARGE, args: [text, calls.text, nowMs] },
      { sql: RECORD, args: [calls.text, nowMs, new Date(nowMs).toISOString()] },
      { sql: STORE, args: [calls.text, calls.answers] },
      runStatesStatement(text),
    ],
    results(outcomes) {
      const rows = (outcomes[1]?.rows ?? []) as { claim_token: string; credits_remaining: number }[];
      const left = new Map(rows.map((row) => [row.claim_token, row.credits_remaining]));
      const states = readDebited(runs, outcomes.at(-1));
      const places = new Map(firsts.map(({ row: [charge] }, place) => [charge, place]));
      return debits.map(({ row, claimed }) => {
        const remaining = left.get(claimed.claim.token);
        const place = places.get(row[0]) as number;
        const isOwn = apiKeyOf(firsts[place] as KeyedDebit) === apiKeyOf({ row });
        const charged = remaining === undefined ? 0 : 1;
        return { ...(states[place] as AccountState), charged, remaining, isOwn };
      });
    },
  };
};

const apiKeyOf = ({ row: [, , , , , keyId] }: Pick<KeyedDebit, 'row'>) => keyId;

/** What the statements read of each call, in the order of runs: the place of its run first. All answers are one value. */
function toCalls(debits: readonly KeyedDebit[], runs: ReturnType<typeof toRuns>) {
  const answers: Uint8Array[] = [];
  let from = 1;
  const calls = runs.flatMap(({ places }, run) =>
    places.map((place) => {
      const { row, claimed, answer } = debits[place] as KeyedDebit;
      const { claim, keyed } = claimed;
      answers.push(answer);
      const [begins, charge, request] = [from, row[0], row[3]];
      from += answer.length;
      const owner = [claim.key, keyed.fingerprint, claim.token, claim.accountId];
      return [run, toChargeId(charge), request, ...owner, begins, answer.length];
    }),
  );
  return { text: JSON.stringify(calls), answers: Buffer.concat(answers) };
}

/**
 * Makes a keyed debit in one batch with those of other calls, unless it is refused or another call has the key: then that
 * call's answer. @throws as `replayOf`
 */
export async function debitKeyed(
  { accounts, committer }: { accounts: Database; committer: Committer },
  debit: KeyedDebit,
): Promise<KeyedOutcome | Answer> {
  const together = await debitOnce(accounts, debit, () => committer.commitRow(groupKeyed, debit, debit.answer.length));
  if ('status' in together || together.charged === 1) return together;
  if (together.isOwn && findShortfall(together, debit.row[1])) return together;
  // It can be paid after all, as an earlier one in the group was refused, for its price or for its API key.
  return debitOnce(accounts, debit, () => commitAlone(committer, groupKeyed, debit));
}

async function debitOnce(
  accounts: Database,
  { claimed: { keyed, claim }, now }: KeyedDebit,
  write: () => Promise<KeyedOutcome>,
): Promise<KeyedOutcome | Answer> {
  const outcome = await write();
  if (outcome.charged === 1) return outcome;
  const row = await readOutcome(readStored(accounts, keyed));
  // Ours already: the database did not confirm the first commit, so the batch was repeated.
  if (row?.claim_token === claim.token) return { ...outcome, charged: 1, remaining: row.credits_remaining ?? 0 };
  return replayOf(row, keyed, now.getTime()) ?? outcome;
}

/** While the row is there, no other call, paid or free, can claim its key. */
const FOR_GOOD = Number.MAX_SAFE_INTEGER;

const TAKE = `
  INSERT INTO idempotency (account_id, key, fingerprint, state, claim_token, claim_expires_at, created_at, expires_at)
  VALUES (?1, ?2, ?3, 'free', ?4, ?5, ?6, ?8)
  ON CONFLICT (account_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, state = 'free',
    claim_token = excluded.claim_token, claim_expires_at = excluded.claim_expires_at, created_at = excluded.created_at,
    expires_at = excluded.expires_at
  WHERE state = 'running' AND NOT (${isClaimedAt('?7')}) RETURNING claim_token`;

/** A free call, parsed. */
interface FreeCall {
  context: Context;
  caller: Caller;
  operation: Operation;
  asked: Record<string, unknown>;
}

/**
 * Runs a free call. If it creates something under an Idempotency-Key, the request that the key stands for is stored first,
 * and removed at once if the call is refused. It stays for a day only, because nobody pays for the row. The operation
 * itself decides how to answer a repeat.
 * @throws KeyReused if the key stands for another request, free or paid; as `work`
 */
export async function underFreeKey<C extends FreeCall, T>(
  call: C,
  sent: IdempotencyKey | undefined,
  work: (call: C) => Promise<T>,
): Promise<T> {
  const { context, caller, operation, asked } = call;
  const made = operation.madeAs ? operation.madeAs(asked) : { name: operation.name, input: asked };
  if (!sent || !operation.makesOnce || !made) return work(call);
  const { services, committer } = context;
  const keyed = { ...sent, accountId: caller.accountId, fingerprint: makeFingerprint(made.name, made.input) };
  const claim = makeClaim(keyed);
  const [taken] = await committer.commit([takeStatement(claim, keyed.fingerprint, services.clocks.wallNow())]);
  const isFirst = taken?.changes === 1;
  const known = isFirst ? undefined : await readStored(services.accounts, keyed);
  if (known && known.fingerprint !== keyed.fingerprint) throw new KeyReused();
  // The refusal stands; the key expires by itself.
  const warn = (err: unknown) => context.log.warn({ err }, 'the key of a refused free call was left to expire');
  try {
    return await work(call);
  } catch (error) {
    if (isFirst) await committer.commit([releaseStatement(claim, 'free')]).catch(warn);
    throw error;
  }
}

function takeStatement({ accountId, key, token }: Claim, fingerprint: string, now: Date): Statement {
  const nowMs = now.getTime();
  const times = [FOR_GOOD, now.toISOString(), nowMs, nowMs + REPLAY_MS];
  return { sql: TAKE, args: [accountId, key, fingerprint, token, ...times] };
}
