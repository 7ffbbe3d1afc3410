import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFolder } from '../../support/databases.ts';
import { runHere } from '../../support/run-command.ts';
import { type BuiltServer, buildServer } from '../../support/services.ts';

const ANSWER = 'what somebody was answered yesterday';
let folder: Awaited<ReturnType<typeof makeFolder>>;
let built: BuiltServer;
beforeAll(async () => {
  folder = await makeFolder();
  built = await buildServer({ credits: 10 });
  const remember = 'INSERT INTO remembered_answer (line, expires_at, bytes, body) VALUES (1, 9e12, 1, cast(? AS blob))';
  await built.accounts.write([{ sql: remember, args: [ANSWER] }]);
});
afterAll(async () => {
  await built?.close();
  await folder?.remove();
});

it.each([
  ['has no remembered answers, not even in its free pages', [], false],
  ['has them where they are asked for', ['--answers'], true],
])('a backup %s', async (name, options, has) => {
  const file = join(folder.path, name);
  expect(await runHere({ DATA_DIR: built.folder }, 'backup', file, ...options)).toMatchObject({ code: 0, stderr: '' });
  expect((await readFile(file)).includes(ANSWER)).toBe(has);
  expect(await built.accounts.read({ sql: 'SELECT line FROM remembered_answer' })).toEqual([{ line: 1 }]);
});
