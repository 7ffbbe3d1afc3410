import type { Database } from '../../db/interface.ts';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import type { LedgerFault } from './laws.ts';

const TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name";

type Triggers = ReadonlyMap<string, string>;

/** The triggers of a database: name to text, in which spaces tell nothing. */
async function readTriggers(database: Database): Promise<Triggers> {
  const rows = await database.read<{ name: string; sql: string }>({ sql: TRIGGERS });
  return new Map(rows.map(({ name, sql }) => [name, sql.replaceAll(/\s+/g, ' ').replace(/[; ]+$/, '')]));
}

let written: Promise<Triggers> | undefined;

/** What the migrations write, into a database of its own in memory. */
async function makeTriggers(): Promise<Triggers> {
  const fresh = await openDatabase({ url: 'file::memory:', durability: 'normal' });
  try {
    await migrate(fresh, 'accounts');
    return await readTriggers(fresh);
  } finally {
    await fresh.close();
  }
}

/** Triggers keep the ledger as it is: each that is missing, that says something else, or that no migration wrote. */
export async function findGuardFaults(accounts: Database): Promise<LedgerFault[]> {
  written ??= makeTriggers();
  const due = await written;
  const stored = await readTriggers(accounts);
  const lacking = [...due].flatMap(([subject, text]) => {
    const found = stored.get(subject);
    if (found === undefined) return [{ fault: 'a guard of the ledger is missing', subject, detail: 'a trigger' }];
    return found === text
      ? []
      : [{ fault: 'a guard of the ledger is another', subject, detail: 'not as it was written' }];
  });
  const foreign = [...stored.keys()].filter((name) => !due.has(name));
  return [
    ...lacking,
    ...foreign.map((subject) => ({ fault: 'a trigger that no migration wrote', subject, detail: '' })),
  ];
}
