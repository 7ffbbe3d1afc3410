import type { Database, Statement } from '../../db/interface.ts';
import { MINT } from './transfers.ts';

/** A grant and what can still be taken back of it. */
export interface Grant {
  /** Its line in the ledger. */
  id: number;
  credits: number;
  /** Credits of it that were not taken back yet. */
  left: number;
}

const GRANT = `
  SELECT g.id, g.credits, g.credits - coalesce((SELECT sum(credits) FROM transfer WHERE corrects = g.id), 0) AS "left"
  FROM transfer g WHERE g.id = ? AND g.to_account = ? AND g.kind = 'grant' AND g.corrects IS NULL`;

/** A grant by its line; null where that line of the account is none. */
export async function readGrant(accounts: Database, accountId: string, line: number): Promise<Grant | null> {
  const [grant] = await accounts.read<Grant>({ sql: GRANT, args: [line, accountId] });
  return grant ?? null;
}

export interface TakeBack {
  accountId: string;
  /** The grant's line in the ledger. */
  line: number;
  /** Whole, above zero. */
  credits: number;
  /** What was still left of the grant: where another took back of it meanwhile, nothing happens. */
  left: number;
  /** Why; the customer reads it. */
  note: string;
  /** ISO 8601 instant, UTC. */
  at: string;
}

/** Takes back a grant or a part of it, as a line that corrects it. Nothing happens where more is asked than is left of it or of the balance. */
export function takeBackStatement({ accountId, line, credits, left, note, at }: TakeBack): Statement {
  return {
    sql: `INSERT INTO transfer (key, kind, from_account, to_account, credits, corrects, note, created_at)
          SELECT g.key || ':back:' || (1 + (SELECT count(*) FROM transfer WHERE corrects = g.id)), 'grant', a.id, '${MINT}', ?1, g.id, ?2, ?3
          FROM transfer g JOIN account a ON a.id = g.to_account
          WHERE g.id = ?4 AND a.id = ?5 AND g.kind = 'grant' AND g.corrects IS NULL AND a.balance >= ?1 AND ?1 <= ?6
            AND ?6 = g.credits - coalesce((SELECT sum(credits) FROM transfer WHERE corrects = g.id), 0) RETURNING id`,
    args: [credits, note, at, line, accountId, left],
  };
}
