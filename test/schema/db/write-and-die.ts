import { openDatabase } from '../../../schema/db/open.ts';

/** Writes a row to the file of its argument, says what became of it, and is killed. */
const database = await openDatabase({ url: `file:${process.argv[2]}`, durability: 'full' });
const error = await database.write([{ sql: 'INSERT INTO paid VALUES (1)' }]).catch((error: Error) => error);
console.log(error instanceof Error ? `${error.name}: ${error.message}` : 'written');
process.kill(process.pid, 'SIGKILL');
