import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseSettings } from '../../../schema/config/env-file.ts';
import { scriptArguments } from '../../support/compiled.ts';
import { makeFolder } from '../../support/databases.ts';
import { makeEnvironment } from '../../support/environment.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

/** Starts a front door in the folder, and returns what it says on its way out. */
async function start(...args: string[]): Promise<{ code: number; stderr: string }> {
  const [script = '', ...words] = args;
  const env = makeEnvironment({});
  const run = promisify(execFile)(process.execPath, [...scriptArguments(script), ...words], { cwd: folder.path, env });
  return run.then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  );
}

const DOORS = [['jobs/cli/main.ts', 'status'], ['jobs/main.ts'], ['jobs/start.ts'], ['api/main.ts']];

it('the settings of a .env file count at every front door', async () => {
  // As an editor on Windows saves it.
  await writeFile(join(folder.path, '.env'), '\ufeff# Kept for\r\nEXPORT_DAYS=none\r\n');
  for (const door of DOORS)
    expect(await start(...door)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('EXPORT_DAYS: expected a whole number from 1 to 365, got "none"'),
    });
});

it('a .env that cannot be read is named in one sentence at every front door', async () => {
  await rm(join(folder.path, '.env'), { force: true });
  await mkdir(join(folder.path, '.env'));
  for (const door of DOORS)
    expect(await start(...door)).toEqual({
      code: 1,
      stderr: '.env: expected a file of UTF-8 text that this user may read (EISDIR)\n',
    });
});

it('a line of a .env that sets nothing is named, without its text, at every front door', async () => {
  await rm(join(folder.path, '.env'), { recursive: true, force: true });
  await writeFile(join(folder.path, '.env'), 'OPERATOR="Data\nLtd"\n\n # Ours\nMEILI_KEY: hidden-key\n');
  for (const door of DOORS)
    expect(await start(...door)).toEqual({ code: 1, stderr: '.env: expected NAME=value in line 5\n' });
});

it.each([
  'MEILI_KEY: aGlkZGVu==',
  'PORT: 80 # for pages',
  'BASE_URL: https://a/?b=c',
  'PORT',
  '"PORT"',
  'set PORT=80',
  '\tPORT=80',
  '=80',
])('a line of a .env that sets nothing is named, whatever else it holds: %j', (line) => {
  expect(() => parseSettings(`OPERATOR=Ours: PORT\n${line}\nHOST=::1\n`)).toThrow(
    '.env: expected NAME=value in line 2',
  );
});

it('every form of a setting that Node reads in a .env counts', () => {
  const multiline = ['A="a\\n # b', '', 'c: d" # A', "B='e: f", "g'", 'A=again'];
  const lines = ['# A: b', '', 'export C=1', ' D = 2 # two', 'E=`h', 'F=', "G=it's", ...multiline];
  for (const end of ['\n', '\r\n'])
    expect(parseSettings(lines.join(end))).toEqual({
      A: 'again',
      B: 'e: f\ng',
      C: '1',
      D: '2',
      E: '`h',
      F: '',
      G: "it's",
    });
});

it('a .env in another encoding is named, rather than read as one without settings', async () => {
  await rm(join(folder.path, '.env'), { recursive: true, force: true });
  await writeFile(join(folder.path, '.env'), Buffer.from('\ufeffEXPORT_DAYS=none\n', 'utf16le'));
  const { stderr } = await start('jobs/cli/main.ts', 'status');
  expect(stderr).toMatch(/^\.env: expected a file of UTF-8 text .*\n$/);
});
