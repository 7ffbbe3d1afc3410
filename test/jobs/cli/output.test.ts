import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scriptArguments } from '../../support/compiled.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { makeEnvironment } from '../../support/environment.ts';

/** Every write to it fails, as on a disk without room. Linux has it. */
const FULL = '/dev/full';

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeAll(async () => {
  folder = await makeFolder();
  for (const name of ['catalogue', 'accounts'] as const) await (await makeDatabase(folder.path, name)).close();
});
afterAll(() => folder.remove());

function start(args: string[], stdio: StdioOptions, settings: Record<string, string> = {}) {
  const env = makeEnvironment({ DATA_DIR: folder.path, ...settings });
  return spawn(process.execPath, [...scriptArguments('jobs/cli/main.ts'), ...args], { env, stdio });
}

it('a reader of warnings that leaves early changes no exit code', async () => {
  const child = start(['dance'], ['ignore', 'ignore', 'pipe']);
  child.stderr?.destroy();
  expect(await once(child, 'close')).toEqual([2, null]);
});

it.each(['info', 'warn'])('nor does it end the work that warned (LOG_LEVEL=%s)', async (level) => {
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  await catalogue.write([
    {
      sql: `INSERT OR REPLACE INTO registered_company (company_number, name, name_key, status, category, record, digest, seq)
            VALUES ('00000001', 'A', 'a', 'active', 'ltd', '{}', 'd', 1)`,
    },
    { sql: "UPDATE meta SET value = 'another' WHERE name = 'cleaning'" },
  ]);
  await catalogue.close();
  const child = start(['search', 'sync'], ['ignore', 'pipe', 'pipe'], { LOG_LEVEL: level });
  child.stderr?.destroy();
  const ended = once(child, 'close');
  expect(child.stdout && (await text(child.stdout))).toMatch(/^search \(embedded\): 0 documents stored/);
  expect(await ended).toEqual([0, null]);
});

it.runIf(process.platform === 'linux')('an answer that finds no room is a sentence and exit code 1', async () => {
  const full = await open(FULL, 'w');
  const child = start(['account', 'create', 'Invented Ltd'], ['ignore', full.fd, 'pipe']);
  const ended = once(child, 'close');
  const said = child.stderr ? await text(child.stderr) : '';
  await full.close();
  expect(said).toMatch(
    /^not all of the answer could be written: ENOSPC: .*; see what was done before you repeat the command\n$/,
  );
  expect(await ended).toEqual([1, null]);
});

it.runIf(process.platform === 'linux').each([
  ['an answer', ['status'], 1],
  ['a refusal', ['dance'], 1],
] as const)('%s of a command ends where neither output has room', async (_what, args, code) => {
  const full = await open(FULL, 'w');
  const child = start([...args], ['ignore', full.fd, full.fd]);
  expect(await once(child, 'close')).toEqual([code, null]);
  await full.close();
});
