import { withLease } from '../../../jobs/process/lease.ts';
import { openDatabase } from '../../../schema/db/open.ts';

/**
 * A job process of the lease tests: `lease-holder.ts <database url> <ttl ms>`.
 * It says `holding` or `refused <holder>`, works until its input ends, writes one row under its fence, and says how that went.
 */
const [url = '', ttlMs = '0'] = process.argv.slice(2);
const database = await openDatabase({ url, durability: 'normal' });
const done = await withLease(
  database,
  'ingest:test',
  { holder: `process ${process.pid}`, ttlMs: Number(ttlMs) },
  async ({ fence, signal }) => {
    console.log('holding');
    for await (const _bytes of process.stdin);
    const row = { sql: 'INSERT INTO meta (name, value) VALUES (?, ?)', args: [`job-${process.pid}`, 'done'] };
    return database.write([fence, row]).then(
      () => 'written',
      (error: Error) => `not written: ${error.message}, stopped: ${signal.aborted}`,
    );
  },
);
console.log(done.acquired ? done.result : `refused: ${done.holder}`);
await database.close();
