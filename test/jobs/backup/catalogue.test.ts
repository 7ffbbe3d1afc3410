import { statSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { digestOfAll, readDigests } from '../../../ingest/rebuild/digests.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { makeFolder } from '../../support/databases.ts';
import { runCli, runHere } from '../../support/run-command.ts';
import { copyJobs, type FilledJobs, findTemplate, rebuild } from '../tasks/rebuild/filled-services.ts';

let template: string;
let filled: FilledJobs;
let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeAll(async () => {
  template = await findTemplate();
  filled = await copyJobs(template);
  folder = await makeFolder();
});
afterAll(async () => {
  await filled?.close();
  await folder?.remove();
});

/** Writes to the catalogue, one commit after another, until the signal. */
async function write(signal: AbortSignal): Promise<void> {
  for (let turn = 0; !signal.aborted; turn++) {
    const args = [`turn ${turn}`, 'x'.repeat(100)];
    await filled.jobs.catalogue.write([{ sql: 'INSERT INTO meta (name, value) VALUES (?, ?)', args }]);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function readOne(file: string, sql: string): Promise<unknown> {
  const database = await openDatabase({ url: `file:${file}`, durability: 'normal', readOnly: true });
  const [row] = await database.read({ sql });
  await database.close();
  return row;
}

const GENERATION = "SELECT value FROM meta WHERE name = 'generation'";

it('is of one instant while ingest continues, says what the catalogue said, and is one usable file', async () => {
  const stop = new AbortController();
  const writing = write(stop.signal);
  const copy = join(folder.path, 'copy.db');
  const copied = await runCli({ DATA_DIR: filled.folder }, 'backup', '--catalogue', copy);
  stop.abort();
  await writing;
  expect(copied).toMatchObject({ code: 0, stderr: '' });
  const [, releases, digest] = /proved: (\d+) releases, digest ([0-9a-f]{16}) as/.exec(copied.stdout) ?? [];
  expect(releases).toBe('70');
  expect(digest).toBe(digestOfAll(await readDigests(filled.jobs.catalogue)));
  expect(await readdir(folder.path)).toEqual(['copy.db']);
  const used = await makeFolder();
  await writeFile(join(used.path, 'catalogue.db'), await readFile(copy));
  const again = await runHere({ DATA_DIR: used.path }, 'backup', '--catalogue', join(used.path, 'again'));
  expect(again.stdout).toContain(`${releases} releases, digest ${digest} as`);
  await used.remove();
});

it('is its owner’s alone while it is copied and proved', async () => {
  const file = join(folder.path, 'private.db');
  const seen = new Set<number>();
  let isDone = false;
  const backup = runCli({ DATA_DIR: filled.folder }, 'backup', '--catalogue', file).finally(() => {
    isDone = true;
  });
  for (; !isDone; await setImmediate()) {
    const part = statSync(`${file}.part`, { throwIfNoEntry: false });
    if (part && part.size > 0) seen.add(part.mode & 0o777);
  }
  expect(await backup).toMatchObject({ code: 0 });
  expect([...seen]).toEqual([0o600]);
});

it('is of the generation that a rebuild moved to', async () => {
  await rebuild(filled.jobs);
  const copy = join(folder.path, 'rebuilt.db');
  expect(await runHere({ DATA_DIR: filled.folder }, 'backup', '--catalogue', copy)).toMatchObject({ code: 0 });
  const generation = await readOne(copy, GENERATION);
  expect(generation).toEqual(await readOne(join(filled.folder, 'catalogue-2.db'), GENERATION));
  expect(generation).not.toEqual(await readOne(join(filled.folder, 'catalogue.db'), GENERATION));
});

it('is refused with what to do where the catalogue is of an older or a newer program', async () => {
  const other = await makeFolder();
  const file = join(other.path, 'catalogue.db');
  await writeFile(file, await readFile(join(folder.path, 'copy.db')));
  const backUpWith = async (sql: string) => {
    const catalogue = await openDatabase({ url: `file:${file}`, durability: 'normal' });
    await catalogue.write([{ sql }]);
    await catalogue.close();
    const { code, stderr } = await runHere({ DATA_DIR: other.path }, 'backup', '--catalogue', `${file}.copy`);
    return [code, stderr];
  };
  const older = await backUpWith('DELETE FROM migration WHERE tag = (SELECT max(tag) FROM migration)');
  expect(older).toEqual([1, `${file} is not at this program's version: run \`migrate\` first\n`]);
  const newer = await backUpWith("INSERT INTO migration VALUES ('9999_newer', '2026-11-21T12:00:00Z')");
  expect(newer).toEqual([
    1,
    expect.stringMatching(/^the catalogue database is of a newer program \(9999_newer\): start/),
  ]);
  expect(await readdir(other.path)).toEqual(['catalogue.db']);
  await other.remove();
});

it('is refused in words where there is none, on a server, over a file, and with what is of accounts alone', async () => {
  const copy = (settings: Record<string, string>, to: string) =>
    runHere(settings, 'backup', '--catalogue', join(folder.path, to));
  const none = await copy({ DATA_DIR: join(folder.path, 'nowhere') }, 'none');
  expect(none.stderr).toMatch(/^there is no catalogue at .*nowhere\/catalogue\.db\n$/);
  const remote = await copy({ CATALOGUE_URL: 'libsql://catalogue.example' }, 'none');
  expect(remote.stderr).toMatch(/^CATALOGUE_URL names a server, which is backed up where it runs/);
  expect((await copy({ DATA_DIR: filled.folder }, 'copy.db')).stderr).toMatch(/exists: a backup is never overwritten/);
  const both = await runCli({ DATA_DIR: filled.folder }, 'backup', '--catalogue', '--answers', 'x');
  expect(both.stderr).toMatch(/'--catalogue' cannot be used with option '--answers'/);
  expect(await readdir(folder.path)).not.toContain('none');
});
