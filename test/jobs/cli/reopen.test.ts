import { afterAll, beforeAll, expect, it } from 'vitest';
import { acquireLease } from '../../../jobs/process/lease.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { runHere } from '../../support/run-command.ts';
import { upstreamSettings } from '../../upstream/settings.ts';

const LOOPBACK = 'http://127.0.0.1:9';
let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
beforeAll(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  await (await makeDatabase(folder.path, 'accounts')).close();
});
afterAll(async () => {
  await catalogue.close();
  await folder.remove();
});
const cli = (...args: string[]) =>
  runHere(
    {
      DATA_DIR: folder.path,
      ...upstreamSettings(LOOPBACK),
      LOG_LEVEL: 'silent',
      CONTACT: 'test@example.org',
    },
    ...args,
  );

it('status says until when a source is closed, and reopen opens it', async () => {
  const untilMs = Math.ceil(Date.now() / 1_000) * 1_000 + 3_600_000;
  const until = new Date(untilMs).toISOString().replace('.000', '');
  await catalogue.write([
    {
      sql: "INSERT INTO limiter (name, set_at, next_at) VALUES ('closed:find_a_tender', ?, ?)",
      args: [Date.now() - 1, untilMs],
    },
  ]);
  expect((await cli('status')).stdout).toContain(
    `closed until ${until}: find_a_tender (\`reopen find-a-tender\` opens it before)\n`,
  );
  expect((await cli('reopen', 'find-a-tender')).stdout).toBe(
    `find-a-tender is open again; it was closed until ${until}\n`,
  );
  expect((await cli('reopen', 'find_a_tender')).stdout).toBe('find-a-tender is open\n');
  expect((await cli('status')).stdout).not.toContain('closed');
  expect((await cli('reopen', 'ted')).code).toBe(2);
});

it.each([
  ['ingest', 'find-a-tender', '2020-12-31', '2021-01-01'],
  ['ingest', 'contracts-finder', '2013-12-31T23:59:59Z', '2014-01-01'],
  ['witness', 'contracts-finder', '1914-08-04', '2014-01-01'],
])('%s %s --since %s is refused with the source’s first day', async (command, source, since, first) => {
  expect(await cli(command, source, '--since', since)).toMatchObject({
    code: 2,
    stderr: `${source} begins on ${first}: --since must not lie before that day\n`,
  });
});

it('who is kept off by a lease hears when it ends', async () => {
  await acquireLease(catalogue, 'ingest:find_a_tender', { holder: 'process 1 on elsewhere' });
  const said = /process 1 on elsewhere, whose lease ends at 2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\dZ unless it is renewed/;
  expect(await cli('ingest', 'find-a-tender')).toMatchObject({ code: 1, stderr: expect.stringMatching(said) });
  expect((await cli('status')).stdout).toMatch(new RegExp(`^at work: ingest:find_a_tender \\(${said.source}\\)$`, 'm'));
});
