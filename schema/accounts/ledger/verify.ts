import type { Database } from '../../db/interface.ts';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { LEDGER_FAULTS, type LedgerFault } from './laws.ts';
import { findSealFaults, readHead, type Seal } from './seal.ts';

const TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name";

type Triggers = ReadonlyMap<string, string>;

/** The triggers of a database by name; spaces in their text do not count. */
async function readTriggers(database: Database): Promise<Triggers> {
  const rows = await database.read<{ name: string; sql: string }>({ sql: TRIGGERS });
  return new Map(rows.map(({ name, sql }) => [name, sql.replaceAll(/\s+/g, ' ').replace(/[; ]+$/, '')]));
}

let written: Promise<Triggers> | undefined;

/** The triggers that the migrations create, in an in-memory database. */
async function makeTriggers(): Promise<Triggers> {
  const fresh = await openDatabase({ url: 'file::memory:', durability: 'normal' });
  try {
    await migrate(fresh, 'accounts');
    return await readTriggers(fresh);
  } finally {
    await fresh.close();
  }
}

/** Triggers protect the ledger: lists each that is missing, differs, or was not created by a migration. */
async function findGuardFaults(accounts: Database): Promise<LedgerFault[]> {
  written ??= makeTriggers();
  const due = await written;
  const stored = await readTriggers(accounts);
  const lacking = [...due].flatMap(([subject, text]) => {
    const found = stored.get(subject);
    if (found === undefined) return [{ fault: 'a guard of the ledger is missing', subject, detail: 'a trigger' }];
    return found === text ? [] : [{ fault: 'a guard of the ledger differs', subject, detail: 'not as it was written' }];
  });
  const foreign = [...stored.keys()].filter((name) => !due.has(name));
  return [
    ...lacking,
    ...foreign.map((subject) => ({ fault: 'a trigger that no migration wrote', subject, detail: '' })),
  ];
}

export interface LedgerReport {
  accounts: number;
  lines: number;
  charges: number;
  /** Credits that customers hold. */
  credits: number;
  /** The newest seal; null where nothing is sealed yet. */
  head: Seal | null;
  /** Empty where everything is right. */
  faults: LedgerFault[];
}

const COUNTS = `
  SELECT (SELECT count(*) FROM account WHERE substr(id, 1, 1) <> '@') AS accounts,
    (SELECT coalesce(sum(balance), 0) FROM account WHERE substr(id, 1, 1) <> '@') AS credits,
    coalesce(sum(lines), 0) AS lines, coalesce(sum(lines) FILTER (WHERE kind = 'charge'), 0) AS charges FROM transfer`;

/**
 * Proves the ledger. Every balance is the sum of its lines, all balances sum to zero, and no line is missing. Every request and
 * key is charged once; every refund corrects a charge of the same account and does not exceed it. Every remembered answer and every
 * export has its charge, every payment has its top-up, and reversals do not exceed what was given. Every trigger is as the
 * migrations created it, and every line as it was sealed; `externalHead`, stored elsewhere, must match too.
 */
export async function verifyLedger(accounts: Database, externalHead?: Seal): Promise<LedgerReport> {
  const head = await readHead(accounts);
  const wrong = await accounts.read<LedgerFault>({ sql: LEDGER_FAULTS });
  const [counts] = await accounts.read<Omit<LedgerReport, 'faults' | 'head'>>({ sql: COUNTS });
  const faults = [...wrong, ...(await findGuardFaults(accounts)), ...(await findSealFaults(accounts, externalHead))];
  return { accounts: 0, lines: 0, charges: 0, credits: 0, ...counts, head, faults };
}
