import { toRefusal } from '../../../api/contract/errors.ts';
import type { Statement } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';

/** A process with so little memory for its database that large questions fail: prints what it answers to them, and to a small one. */
const [, , url = ''] = process.argv;
const database = await openDatabase({ url, durability: 'full', mustExist: true });
// It cannot be raised again, so it needs a process of its own.
await database.read({ sql: 'PRAGMA hard_heap_limit=4000000' });
const large = 'zeroblob(8000000)';
const statusOf = (work: Promise<unknown>) =>
  work.then(
    () => 200,
    (error: unknown) => toRefusal(error).status,
  );
const ask = (statement: Statement) => statusOf(database.read(statement));
const statuses = [
  await ask({ sql: `SELECT length(hex(${large})) AS length` }),
  await statusOf(
    database.write([{ sql: `INSERT INTO account (id, name, created_at) VALUES ('a', hex(${large}), '')` }]),
  ),
  await ask({ sql: 'SELECT count(*) AS accounts FROM account' }),
];
console.log(JSON.stringify(statuses));
await database.close();
