import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { type Database, DatabaseAway, DatabaseFault, OutcomeUnknown } from '../../../../schema/db/interface.ts';
import { openDatabase } from '../../../../schema/db/open.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

/** Where a batch of one statement fails, with which code. */
interface Failing {
  step: 'statement' | 'commit';
  code: string;
}

/** A server that answers each batch by the script (whole where it has ended), and counts them. */
async function serve(script: (Failing | string)[]): Promise<{ database: Database; asked: { batches: number } }> {
  const asked = { batches: 0 };
  const server = createServer(async (request, response) => {
    const { requests } = JSON.parse(await text(request)) as { requests: { type: string }[] };
    const isBatch = requests.some(({ type }) => type === 'batch' || type === 'execute');
    const next = isBatch ? script[asked.batches] : undefined;
    if (isBatch) asked.batches += 1;
    const results = requests.map(({ type }) => ({ type: 'ok', response: { type, result: toResult(next) } }));
    response.end(typeof next === 'string' ? next : JSON.stringify({ baton: 'b', base_url: null, results }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const database = await openDatabase({ url, durability: 'full' });
  open.push(
    () => server.close(),
    () => server.closeAllConnections(),
    () => database.close(),
  );
  return { database, asked };
}

/** What a server answers to `BEGIN`, one statement, `COMMIT`, and `ROLLBACK` unless that was done. */
function toResult(failing: Failing | string | undefined): object {
  const done = { cols: [], rows: [], affected_row_count: 1 };
  if (typeof failing !== 'object') return { step_results: [done, done, done, null], step_errors: Array(4).fill(null) };
  const error = { message: 'refused', code: failing.code };
  const isCommit = failing.step === 'commit';
  return {
    step_results: [done, isCommit ? done : null, null, done],
    step_errors: [null, isCommit ? null : error, isCommit ? error : null, null],
  };
}

const PAY = [{ sql: 'INSERT INTO paid VALUES (1)' }];

describe('a batch that a server refused', () => {
  it.each(['SQLITE_BUSY', 'SQLITE_LOCKED', 'TRANSACTION_TIMEOUT', 'TRANSACTION_BUSY'])(
    'with %s was rolled back, and is written as soon as the server is free',
    async (code) => {
      const { database, asked } = await serve([
        { step: 'statement', code },
        { step: 'commit', code },
      ]);
      expect(await database.write(PAY)).toMatchObject([{ changes: 1 }]);
      expect(asked.batches).toBe(3);
    },
  );

  it.each(['SQLITE_IOERR', 'SQLITE_IOERR_FSYNC', 'SQLITE_NOMEM'])(
    'with %s at its commit may be whole in the log, and is not sent again; before that nothing was written',
    async (code) => {
      const { database, asked } = await serve([
        { step: 'commit', code },
        { step: 'statement', code },
      ]);
      await expect(database.write(PAY)).rejects.toThrow(OutcomeUnknown);
      const unwritten = await database.write(PAY).catch((error: unknown) => error);
      expect([unwritten instanceof DatabaseFault, asked.batches]).toEqual([true, 2]);
    },
  );

  it('for the write of its log that failed is said to be unwritten', async () => {
    const { database } = await serve([{ step: 'commit', code: 'SQLITE_IOERR_WRITE' }]);
    await expect(database.write(PAY)).rejects.toThrow(/nothing of this was written/);
  });
});

describe('an answer that is none of a database', () => {
  it.each([
    ['without results', '{"baton":"b","base_url":null,"results":[]}'],
    ['that is no JSON', '<html>'],
    ['that ends early', '{"baton":"b","results":[{"ty'],
  ])('%s says nothing of what was written, and is no row of a read', async (_what, answer) => {
    const { database, asked } = await serve([answer, answer]);
    await expect(database.write(PAY)).rejects.toThrow(OutcomeUnknown);
    await expect(database.read({ sql: 'SELECT 1' })).rejects.toThrow(DatabaseAway);
    expect(asked.batches).toBe(2);
  });
});

it('what is said of a server that is away names its address without the user and the password in it', async () => {
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const address = `127.0.0.1:${(gone.address() as AddressInfo).port}`;
  gone.close();
  const database = await openDatabase({ url: `http://reader:hunter2@${address}/?tls=0`, durability: 'full' });
  open.push(() => database.close());
  for (const ask of [() => database.read({ sql: 'SELECT 1' }), () => database.write(PAY)]) {
    const { message } = (await ask().catch((error: unknown) => error)) as Error;
    expect(message).toMatch(`the database at http://${address} cannot be used: `);
    expect(message).not.toMatch(/reader|hunter2/);
  }
});
