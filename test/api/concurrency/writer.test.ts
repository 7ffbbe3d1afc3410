import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startWriter } from '../../../api/concurrency/writer.ts';
import {
  BatchRefused,
  type Database,
  DatabaseAway,
  DatabaseBusy,
  DatabaseFault,
  OutcomeUnknown,
} from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { startThread } from '../../../schema/process/child.ts';
import { needCompiled } from '../../support/compiled.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

const THREAD = pathToFileURL(needCompiled('api/concurrency/writer-thread.ts'));

let folder: Awaited<ReturnType<typeof makeFolder>>;
let accounts: Database;
beforeEach(async () => {
  folder = await makeFolder();
  accounts = await makeDatabase(folder.path, 'accounts');
});
afterEach(async () => {
  await accounts.close();
  await folder.remove();
});

const take = (name: string) => ({
  sql: "INSERT INTO lease (name, token, holder, expires_at) VALUES (?, '', '', 0)",
  args: [name],
});
const readNames = async () =>
  (await accounts.read<{ name: string }>({ sql: 'SELECT name FROM lease ORDER BY name' })).map(({ name }) => name);

it('writes what other connections then read, and closes the file as a whole', async () => {
  const writer = await startWriter(accounts.url);
  const [outcome] = await writer.write([take('a'), take('b')]);
  expect([outcome, await readNames()]).toEqual([{ rows: [], changes: 1 }, ['a', 'b']]);
  await writer.close();
});

it('refuses as the database does, and writes the next batch', async () => {
  const writer = await startWriter(accounts.url);
  await writer.write([take('a')]);
  await expect(writer.write([take('b'), { ...take('a'), guard: true }])).rejects.toThrow(BatchRefused);
  await expect(writer.write([take('a')])).rejects.toMatchObject({ code: expect.stringMatching(/^SQLITE_CONSTRAINT/) });
  await writer.write([take('c')]);
  expect(await readNames()).toEqual(['a', 'c']);
  await writer.close();
});

it('waits for another writer, and says where it waited too long', async () => {
  const writer = await startWriter(accounts.url);
  const other = await openDatabase({ url: accounts.url, durability: 'full' });
  await other.read({ sql: 'BEGIN IMMEDIATE' });
  await expect(writer.write([take('a')])).rejects.toThrow(DatabaseBusy);
  await other.read({ sql: 'COMMIT' });
  await writer.write([take('b')]);
  expect(await readNames()).toEqual(['b']);
  await other.close();
  await writer.close();
});

/** A thread that opens the file, and ends at its first write. */
const DYING = `const { parentPort } = require('node:worker_threads');
  parentPort.on('message', ({ id, question }) => question === 'write' ? process.exit() : parentPort.postMessage({ id, answered: null }))`;

it('says that it does not know what became of a batch where its thread ends, and starts another', async () => {
  let started = 0;
  const writer = await startWriter(accounts.url, () => {
    started += 1;
    return started === 1 ? new Worker(DYING, { eval: true }) : startThread(THREAD);
  });
  await expect(writer.write([take('a')])).rejects.toThrow(OutcomeUnknown);
  await writer.write([take('b')]);
  expect([started, await readNames()]).toEqual([2, ['b']]);
  await writer.close();
  await writer.close();
});

it('is away where no other thread can be started, and writes again once one can', async () => {
  // As Node refuses where the system has no thread left.
  const refuse = () => {
    throw Object.assign(new Error('EAGAIN'), { code: 'ERR_WORKER_INIT_FAILED' });
  };
  const starts = [() => new Worker(DYING, { eval: true }), refuse, () => startThread(THREAD)];
  const writer = await startWriter(accounts.url, () => (starts.shift() ?? refuse)());
  await expect(writer.write([take('a')])).rejects.toThrow(OutcomeUnknown);
  await expect(writer.write([take('b')])).rejects.toThrow(DatabaseAway);
  await writer.write([take('c')]);
  expect(await readNames()).toEqual(['c']);
  await writer.close();
});

it('lets a process that ends at once finish the write that it has begun, and no other', async () => {
  const from = (path: string) => pathToFileURL(needCompiled(path));
  const script = `
    import { writeSync } from 'node:fs';
    import { startWriter } from '${from('api/concurrency/writer.ts')}';
    import { openDatabase } from '${from('schema/db/open.ts')}';
    const [url, writer] = ['${accounts.url}', await startWriter('${accounts.url}')];
    const slow = "INSERT INTO lease (name, token, holder, expires_at) WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 1000000) SELECT ?, '', '', max(i) FROM c";
    const write = (name) => writer.write([{ sql: slow, args: [name] }]);
    let begun = 0;
    const begin = () => write(String(++begun)).then(begin);
    begin();
    const other = await openDatabase({ url, durability: 'full', busyWaitMs: 0 });
    for (;;) {
      const before = begun;
      await other.write([]).catch(() => {
        // The file is held, by the last write that was sent.
        if (begun !== before) return;
        write('other');
        writeSync(1, String(begun));
        process.exit(3);
      });
    }`;
  await writeFile(join(folder.path, 'ends.mjs'), script);
  const child = spawn(process.execPath, [join(folder.path, 'ends.mjs')], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [begun, said, [code]] = await Promise.all([
    readText(child.stdout),
    readText(child.stderr),
    once(child, 'exit'),
  ]);
  expect([said, code]).toEqual(['', 3]);
  expect(new Set(await readNames())).toEqual(new Set(Array.from({ length: Number(begun) }, (_, at) => String(at + 1))));
});

it('does not start where there is no file, and leaves no thread', async () => {
  const threads: Worker[] = [];
  const start = () => {
    const thread = startThread(THREAD);
    threads.push(thread);
    return thread;
  };
  await expect(startWriter(`file:${folder.path}/none.db`, start)).rejects.toThrow(DatabaseFault);
  // A thread that has ended has no number.
  expect(threads.map(({ threadId }) => threadId)).toEqual([-1]);
});
