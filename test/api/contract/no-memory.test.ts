import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { scriptArguments } from '../../support/compiled.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

it('what a database has no memory for can be tried again later, and the next question is answered', async () => {
  const folder = await makeFolder();
  const accounts = await makeDatabase(folder.path, 'accounts');
  const words = [...scriptArguments('test/api/contract/without-memory.ts'), accounts.url];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  expect(JSON.parse(stdout)).toEqual([503, 503, 200]);
  await accounts.close();
  await folder.remove();
});
