import { openDatabase } from '../../../schema/db/open.ts';

/** Reads the file of its first argument twice, or writes to it, says how that went, and is killed. */
const [, , path, use] = process.argv;
const database = await openDatabase({ url: `file:${path}`, durability: 'full' });
const write = () => database.write([{ sql: 'INSERT INTO paid VALUES (2)' }]);
const read = () => database.read({ sql: 'SELECT value FROM paid' });
for (const work of use === 'write' ? [write] : [read, read]) {
  console.log(await work().then(JSON.stringify, (error: Error) => `${error.name}: ${error.message}`));
}
process.kill(process.pid, 'SIGKILL');
