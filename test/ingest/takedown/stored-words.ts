import { gunzipSync } from 'node:zlib';
import type { Database } from '../../../schema/db/interface.ts';

/** Only seconds, in which a part of a telephone number may be found. */
const TIMES = 'change_instant';

/** Everything a database holds as text, table by table: JSON, unpacked bodies and bytes included. */
export async function readEverything(database: Database): Promise<Map<string, string>> {
  const tables = await database.read<{ name: string }>({
    sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'libsql%'",
  });
  const texts = new Map<string, string>();
  for (const { name } of tables.filter((table) => table.name !== TIMES)) {
    const rows = await database.read<Record<string, unknown>>({ sql: `SELECT * FROM "${name}"` });
    texts.set(name, rows.map((row) => Object.values(row).map(toText).join('\n')).join('\n\n'));
  }
  return texts;
}

function toText(value: unknown): string {
  if (!(value instanceof Uint8Array)) return String(value);
  const isPacked = value[0] === 0x1f && value[1] === 0x8b;
  return Buffer.from(isPacked ? gunzipSync(value) : value).toString('utf8');
}

/** Names of the tables in which a pattern is found. */
export async function tablesWith(database: Database, pattern: RegExp): Promise<string[]> {
  const texts = await readEverything(database);
  return [...texts].filter(([, text]) => pattern.test(text)).map(([name]) => name);
}
