import { NAMERS_MOST } from '../../../schema/catalogue/related-processes.ts';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import type { CompiledProcess } from '../../compile/types.ts';
import { namesItself } from './cross-source-duplicates.ts';

/** Processes of the other service that these name, named when they were last stored, or are named by. */
const NAMED = `SELECT p.id FROM process p WHERE p.ocid IN (SELECT value FROM json_each(?1))
UNION SELECT n.process_id FROM notice n WHERE n.notice_id IN (SELECT value FROM json_each(?1))`;
const HELD = 'SELECT DISTINCT mention FROM process_mention WHERE process_id IN (SELECT value FROM json_each(?))';
const NAMERS = `SELECT mention, group_concat(process_id, ' ') AS namers FROM process_mention
WHERE mention IN (SELECT value FROM json_each(?)) GROUP BY mention`;

/** What more processes than these name affects no count. */
const NAMERS_READ = NAMERS_MOST + 12;

/**
 * Ids of the stored processes whose awards may have to be counted again with these: both processes of a pair decide what
 * counts once, in any order of arrival. Those among `known` are left out.
 */
export async function readCrossReferenced(
  catalogue: Database,
  processes: readonly CompiledProcess[],
  known: ReadonlySet<string>,
): Promise<string[]> {
  const ids = [...new Set([...known, ...processes.map(({ id }) => id)])];
  const held = await catalogue.read<{ mention: string }>({ sql: HELD, args: [JSON.stringify(ids)] });
  const mentions = [...held.map(({ mention }) => mention), ...processes.flatMap(({ related }) => related.mentions)];
  const named =
    mentions.length === 0
      ? []
      : await catalogue.read<{ id: string }>({ sql: NAMED, args: [JSON.stringify([...new Set(mentions)])] });
  const own = [...new Set([...known, ...processes.flatMap(namesItself)])];
  const namers = await catalogue.read<{ namers: string }>({ sql: NAMERS, args: [JSON.stringify(own)] });
  const naming = namers.map((row) => row.namers.split(' ')).filter((one) => one.length <= NAMERS_READ);
  return [...new Set([...named.map(({ id }) => id), ...naming.flat()])];
}

const DROP = 'DELETE FROM process_mention WHERE process_id IN (SELECT value FROM json_each(?))';
const KEEP = 'INSERT INTO process_mention (mention, process_id) SELECT value ->> 0, value ->> 1 FROM json_each(?)';

/** Stores what these processes name, and removes what lost processes named. */
export function crossReferenceStatements(processes: readonly CompiledProcess[], lost: readonly string[]): Statement[] {
  const ids = [...processes.map(({ id }) => id), ...lost];
  const rows = processes.flatMap(({ id, related }) => related.mentions.map((mention) => [mention, id]));
  return [
    { sql: DROP, args: [JSON.stringify(ids)] },
    ...(rows.length === 0 ? [] : [{ sql: KEEP, args: [JSON.stringify(rows)] }]),
  ];
}
