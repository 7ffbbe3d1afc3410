import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../schema/db/interface.ts';
import { scriptArguments } from '../../support/compiled.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { makeEnvironment } from '../../support/environment.ts';
import { ROOT } from '../../support/source-files.ts';
import { follow, makeVisitor } from './visitor.ts';

const EMAIL = 'somebody.private@example.org';
const PASSWORD = 'a password of one test';
const NEXT_PASSWORD = 'another of the same test';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let accounts: Database;
let api: ChildProcess;
let output = '';
beforeAll(async () => {
  folder = await makeFolder();
  accounts = await makeDatabase(folder.path, 'accounts');
  await (await makeDatabase(folder.path, 'catalogue')).close();
  const env = makeEnvironment({ DATA_DIR: folder.path, PORT: '0', PRIVATE_PORT: '0', LOG_LEVEL: 'debug' });
  api = spawn(process.execPath, scriptArguments('api/main.ts'), { cwd: ROOT, env });
  for (const stream of [api.stdout, api.stderr]) stream?.on('data', (chunk) => (output += chunk));
});
afterAll(async () => {
  api.kill('SIGKILL');
  await accounts.close();
  await folder.remove();
});

it('even at its most talkative the log holds no e-mail address, password, key, cookie or query', async () => {
  const readUrl = () => /"public":"([^"]+)"/.exec(output)?.[1] ?? '';
  await expect.poll(readUrl).not.toBe('');
  const url = readUrl();
  const visitor = makeVisitor(url);
  const places: (string | null)[] = [];
  await visitor.get('/sign-up');
  places.push((await visitor.post('/sign-up', { name: 'A', email: EMAIL, password: PASSWORD })).location);
  const readLink = (path: string) => output.split('"link":"').at(-1)?.match(`${path}\\?link=\\w+`)?.[0] ?? '';
  // What the operator alone is told, as no mail server is set.
  await expect.poll(() => readLink('/confirm')).not.toBe('');
  places.push((await follow(visitor, readLink('/confirm'), { password: PASSWORD })).location);
  await visitor.get('/forgotten');
  places.push((await visitor.post('/forgotten', { email: EMAIL })).location);
  await expect.poll(() => readLink('/reset')).not.toBe('');
  await visitor.get(readLink('/reset'));
  await visitor.get('/dashboard');
  const created = await visitor.post('/dashboard/keys', { name: 'one' });
  const key = /id="new-key">([^<]+)</.exec(created.html)?.[1] ?? '';
  expect(key).toMatch(/^svc_live_/);
  const call = (path: string) => fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
  expect((await call('/v1/balance')).status).toBe(200);
  // No index has been made: a fault of ours too.
  expect((await call('/v1/notices/search?query=secret-question')).status).toBe(503);
  expect((await fetch(`${url}/mcp/`, { method: 'POST', headers: { authorization: `Bearer ${key}` } })).ok).toBe(false);
  await visitor.get('/nowhere?email=secret-question');
  const other = makeVisitor(url);
  await other.get('/sign-in');
  places.push((await other.post('/sign-in', { email: EMAIL, password: 'wrong password' })).location);
  await other.get('/sign-up');
  places.push((await other.post('/sign-up', { name: 'B', email: EMAIL, password: PASSWORD })).location);
  await expect.poll(() => output).toContain('for somebody who signed up again');
  await visitor.get('/dashboard/settings');
  const change = { present: PASSWORD, password: NEXT_PASSWORD };
  places.push((await visitor.post('/dashboard/settings/password', change)).location);
  await visitor.get('/dashboard/settings/delete');
  const goodbye = { password: NEXT_PASSWORD, word: 'DELETE' };
  places.push((await visitor.post('/dashboard/settings/delete', goodbye)).location);
  expect(places.at(-1)).toBe('/sign-in?said=deleted');
  await other.get('/sign-in');
  // A fault of ours, with the address among the parameters of the query that fails.
  await accounts.write([{ sql: 'ALTER TABLE auth_user RENAME TO auth_gone' }]);
  expect((await other.post('/sign-in', { email: EMAIL, password: PASSWORD })).status).toBe(500);

  await expect.poll(() => output).toContain('a page failed');
  const cookies = [...visitor.cookies.values()];
  for (const secret of [
    EMAIL,
    'somebody.private',
    PASSWORD,
    NEXT_PASSWORD,
    'wrong password',
    key,
    'secret-question',
    ...cookies,
  ]) {
    expect(output).not.toContain(secret);
    expect(places.join(' ')).not.toContain(secret);
  }
});
