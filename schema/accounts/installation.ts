import { createHmac } from 'node:crypto';
import type { Database, Statement } from '../db/interface.ts';

/** What all machines of an installation must have in common, as one machine has it. */
interface Machine {
  secret: string;
  toolPrefix: string;
}

/** Why a machine does not belong to its installation, and what merely deserves a warning, in sentences for an operator. */
interface Differences {
  faults: string[];
  remarks: string[];
}

type Common = 'secret' | 'tool_prefix';

interface Row {
  name: Common | 'program';
  value: string;
  set_at: string;
}

/** Clocks of machines may be so far apart. */
const APART_MS = 5 * 60_000;
const NEWEST_LINE = 'SELECT created_at FROM transfer ORDER BY id DESC LIMIT 1';

/** A setting that all machines share, as `cli machines` lists it. */
interface Compared {
  setting: string;
  /** ISO 8601 instant at which the installation got this value; null where no machine has started yet. */
  since: string | null;
  isAlike: boolean;
}

const SETTINGS: Readonly<Record<Common, { setting: string; why: string }>> = {
  secret: {
    setting: 'AUTH_SECRET',
    why: 'sessions, cursors and download links of one machine are refused by the other',
  },
  tool_prefix: { setting: 'TOOL_PREFIX', why: 'an MCP client would find the tools under two names' },
};

const ROWS = 'SELECT name, value, set_at FROM installation';
const FIRST = 'INSERT INTO installation (name, value, set_at) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING';
const SET = `INSERT INTO installation (name, value, set_at) VALUES (?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value, set_at = excluded.set_at WHERE value <> excluded.value`;

/**
 * Registers a machine with its installation at start-up. The first machine sets what all others must have. Accounts in a file
 * mean a single machine, so changed settings are adopted by the installation. @param at ISO 8601 instant, UTC @returns what
 * changed or is wrong, in sentences
 */
export async function joinInstallation(
  accounts: Database,
  machine: Machine,
  { program, at }: { program: string; at: string },
): Promise<string[]> {
  const rows = await readRows(accounts);
  const isAlone = accounts.url.startsWith('file:');
  const common = commonOf(machine);
  const changed = common.filter(([name, value]) => rows.has(name) && rows.get(name)?.value !== value);
  const statements = [
    ...common.filter(([name]) => !rows.has(name)).map(([name, value]) => toStatement(FIRST, name, value, at)),
    ...(isAlone ? changed : []).map(([name, value]) => toStatement(SET, name, value, at)),
    ...(rows.get('program')?.value === program ? [] : [toStatement(SET, 'program', program, at)]),
  ];
  if (statements.length > 0) await accounts.write(statements);
  const [newest] = await accounts.read<{ created_at: string }>({ sql: NEWEST_LINE });
  const isBehind = newest !== undefined && Date.parse(newest.created_at) > Date.parse(at) + APART_MS;
  const changes = changed.map(([name]) => `${SETTINGS[name].setting} has changed: ${CHANGED[name]}`);
  return [
    ...(isAlone ? changes : []),
    ...(isBehind
      ? [`the clock of this machine, at ${at}, is behind the newest ledger line, of ${newest.created_at}: ${BEHIND}`]
      : []),
  ];
}

const BEHIND = 'charges get wrong dates and ended keys work again until it is set';

const CHANGED: Readonly<Record<Common, string>> = {
  secret: 'people sign in again, and earlier links and cursors no longer work; put the former one back if it was lost',
  tool_prefix: 'MCP clients find the tools under new names',
};

/** How a machine now differs from its installation. @param program what it ran when it joined */
export async function findDifferences(accounts: Database, machine: Machine, program: string): Promise<Differences> {
  const rows = await readRows(accounts);
  const faults = commonOf(machine).flatMap(([name, value]) => {
    const row = rows.get(name);
    return row && row.value !== value ? [describe(name, row)] : [];
  });
  const last = rows.get('program');
  const isOther = last !== undefined && last.value !== program;
  return {
    faults,
    remarks: isOther
      ? [`program: this machine runs ${program}, the one that started last (${last.set_at}) runs ${last.value}`]
      : [],
  };
}

function describe(name: Common, { set_at: since }: Row): string {
  const { setting, why } = SETTINGS[name];
  return `${setting} differs from the installation's (since ${since}): ${why}. Set it alike on every machine; to change it on purpose, run \`cli machines --accept\` with the new one, then restart the others with it`;
}

/** Each common setting, and whether this machine has the same value as the installation. */
export async function compareMachine(accounts: Database, machine: Machine): Promise<Compared[]> {
  const rows = await readRows(accounts);
  return commonOf(machine).map(([name, value]) => {
    const row = rows.get(name);
    return { setting: SETTINGS[name].setting, since: row?.set_at ?? null, isAlike: !row || row.value === value };
  });
}

/** Adopts this machine's values for the whole installation. Every machine that differs stops being ready. */
export async function acceptMachine(accounts: Database, machine: Machine, at: string): Promise<void> {
  await accounts.write(commonOf(machine).map(([name, value]) => toStatement(SET, name, value, at)));
}

async function readRows(accounts: Database): Promise<Map<string, Row>> {
  return new Map((await accounts.read<Row>({ sql: ROWS })).map((row) => [row.name, row]));
}

function toStatement(sql: string, name: Row['name'], value: string, at: string): Statement {
  return { sql, args: [name, value, at] };
}

/** A keyed hash of a fixed text. It reveals no more about the secret than the signatures that customers receive. */
function commonOf({ secret, toolPrefix }: Machine): [Common, string][] {
  const fingerprint = createHmac('sha256', secret).update('installation').digest('base64url');
  return [
    ['secret', fingerprint],
    ['tool_prefix', toolPrefix],
  ];
}
