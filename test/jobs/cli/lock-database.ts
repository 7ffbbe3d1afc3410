import { openDatabase } from '../../../schema/db/open.ts';

/** Another process that writes for a long time: `locker.ts <database url>` holds the write lock until its input ends. */
const [url = ''] = process.argv.slice(2);
const database = await openDatabase({ url, durability: 'normal' });
await database.read({ sql: 'BEGIN IMMEDIATE' });
console.log('locked');
for await (const _bytes of process.stdin);
await database.read({ sql: 'ROLLBACK' });
await database.close();
