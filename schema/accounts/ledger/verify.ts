import type { Database } from '../../db/interface.ts';
import { LEDGER_FAULTS, type LedgerFault } from './laws.ts';
import { findSealFaults, readHead, type Seal } from './seal.ts';
import { findGuardFaults } from './triggers.ts';

export interface LedgerReport {
  accounts: number;
  transfers: number;
  charges: number;
  /** Credits that customers hold. */
  held: number;
  /** The newest seal; null where nothing is sealed yet. */
  head: Seal | null;
  /** Empty where everything is right. */
  faults: LedgerFault[];
}

const COUNTS = `
  SELECT (SELECT count(*) FROM account WHERE substr(id, 1, 1) <> '@') AS accounts,
    (SELECT coalesce(sum(balance), 0) FROM account WHERE substr(id, 1, 1) <> '@') AS held,
    count(*) AS transfers, count(CASE kind WHEN 'charge' THEN 1 END) AS charges FROM transfer`;

/**
 * Proves the ledger: every balance is the sum of its lines, all balances sum to zero, no line is missing, a request and a key
 * are charged once, every refund corrects a charge of the same account and no more than it, every remembered answer and
 * every export has its charge, every payment its top-up, and of what was given no more is taken back than there was. Every
 * trigger is as the migrations wrote it and every line as it was sealed, under `kept` too: a head that lies elsewhere.
 */
export async function verifyLedger(accounts: Database, kept?: Seal): Promise<LedgerReport> {
  const head = await readHead(accounts);
  const wrong = await accounts.read<LedgerFault>({ sql: LEDGER_FAULTS });
  const [counts] = await accounts.read<Omit<LedgerReport, 'faults' | 'head'>>({ sql: COUNTS });
  const faults = [...wrong, ...(await findGuardFaults(accounts)), ...(await findSealFaults(accounts, kept))];
  return { accounts: 0, transfers: 0, charges: 0, held: 0, ...counts, head, faults };
}
