import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeProgram } from '../../../jobs/cli/program.ts';
import { createAccount, createKey } from '../../../schema/accounts/customer/account.ts';
import { readSettings } from '../../../schema/config/settings.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { runHere } from '../../support/run-command.ts';

const AT = '2026-11-21T12:00:00Z';
let folder: Awaited<ReturnType<typeof makeFolder>>;
let account: string;
const cli = (...args: string[]) => runHere({ DATA_DIR: folder.path }, ...args);

beforeAll(async () => {
  folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  await catalogue.write([
    {
      sql: `INSERT INTO run (id, job, source, started_at, state, repairs) VALUES ('r', 'ingest', 'find_a_tender', '${AT}', 'failed', '{"dates":2}')`,
    },
    {
      sql: `INSERT INTO quarantine (source, kind, reason, url, sha256, first_seen_at, last_seen_at)
            VALUES ('find_a_tender', 'page', 'why', 'http://127.0.0.1/x', 'ab', '${AT}', '${AT}')`,
    },
  ]);
  await catalogue.close();
  const accounts = await makeDatabase(folder.path, 'accounts');
  account = (await createAccount(accounts, { name: 'A\u009b2J', signupCredits: 250, at: AT })).id;
  await createKey(accounts, { accountId: account, name: 'k', prefix: 'svc_live_', at: AT });
  await accounts.close();
});
afterAll(() => folder?.remove());

describe('every command that lists', () => {
  it.each([
    [['status'], { sources: expect.any(Array), closed: [], held: { notices: 0 }, failed_last_day: expect.any(Number) }],
    [['runs'], { runs: [expect.objectContaining({ state: 'failed', repairs: { dates: 2 } })] }],
    [['quarantine', 'list'], { quarantine: [expect.objectContaining({ reason: 'why' })] }],
    [['takedown', 'list'], { takedowns: [] }],
    [['contacts'], { contacts: [] }],
    [['ledger', 'list'], { accounts: [expect.objectContaining({ balance: 250 })] }],
    [['ledger', 'list', 'ACCOUNT'], { balance: 250, lines: [{ kind: 'grant', credits: 250 }], older_before: null }],
    [['account', 'list'], { accounts: [expect.objectContaining({ name: 'A\u009b2J' })] }],
    [['key', 'list', 'ACCOUNT'], { keys: [expect.objectContaining({ name: 'k' })] }],
    [['payments'], { payments: [], owed_credits: 0, events: [] }],
    [['export', 'list'], { exports: [] }],
    [['watches', 'list'], { watches: [] }],
  ])('%j says the same as one JSON document', async (words, document) => {
    const { code, stdout } = await cli(...words.map((word) => (word === 'ACCOUNT' ? account : word)), '--json');
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({})]);
    expect(JSON.parse(stdout)).toMatchObject(document);
    // Nothing that a terminal obeys, and no hash of a key.
    expect(stdout).not.toMatch(/[\u007f-\u009f]|hash/);
  });

  it('says in words that there are no payments', async () =>
    expect(await cli('payments')).toMatchObject({ code: 0, stdout: 'there are no payments\n' }));

  it('has the option, and a number that is bounded says its bounds', async () => {
    const program = await makeProgram({ settings: () => readSettings({}), out: () => undefined, isTty: false });
    const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
    const listing = all(program).filter((each) =>
      /^(list|status|runs|contacts|payments|coverage|deliveries)$/.test(each.name()),
    );
    expect(listing).toHaveLength(13);
    for (const command of listing) expect(command.options.map(({ long }) => long)).toContain('--json');
    for (const words of [
      ['runs', '--limit'],
      ['contacts', '--limit'],
      ['probe', '--limit'],
    ])
      expect((await cli(...words, '1000001')).stderr).toContain('Expected a whole number from 1 to 1000000.');
    const cap = await cli('key', 'create', account, '--cap', '100000001');
    expect(cap.stderr).toContain('Expected a whole number from 1 to 100000000.');
    expect((await cli('key', 'roll', account, 'k', '--grace', '10000')).stderr).toContain('from 0 to 9999');
  });
});

describe('a name', () => {
  it.each([
    [['account', 'create', ' ']],
    [['key', 'create', 'ACCOUNT', '--name', '']],
    [['credits', 'grant', 'ACCOUNT', '5', '--note', '']],
    [['takedown', 'notice', '012345-2026', '--reason', ' ']],
    [['takedown', 'person', '--name', 'Jo Example', '--reason', '']],
    [['account', 'export', 'ACCOUNT', '']],
    [['account', 'close', 'ACCOUNT', '--export', '']],
    [['backup', '']],
    [['restore', '']],
  ])('that is empty is refused: %j', async (words) => {
    const answer = await cli(...words.map((word) => (word === 'ACCOUNT' ? account : word)));
    expect(answer).toMatchObject({ code: 2, stderr: expect.stringContaining('Expected some text, not an empty one.') });
  });
});

it('one is singular: neither 1 credits nor 1 accounts', async () => {
  expect((await cli('credits', 'grant', account, '1')).stdout).toBe('1 credit granted; balance 251\n');
  expect((await cli('backup', join(folder.path, 'copy'))).stdout).toMatch(/: 1 account holds 251 credits; 2 lines\n/);
  expect((await cli('search', 'sync')).stdout).toMatch(/0 documents stored, 0 removed, 0 rows still to come/);
});

describe('a database server', () => {
  const reach = (url: string) =>
    runHere({ DATA_DIR: folder.path, ACCOUNTS_URL: url, ACCOUNTS_AUTH_TOKEN: 'token-hush-hush' }, 'account', 'list');

  it('that cannot be reached is named by its address, and never by its token', async () => {
    const away = await reach('http://127.0.0.1:9');
    expect(away.stderr).toMatch(/^the database at http:\/\/127\.0\.0\.1:9 cannot be used: .+\n$/);
    const refused = await reach('http://127.0.0.1:9/?tls=0&authToken=token-hush-hush#hush');
    expect(refused.stderr).toMatch(
      /^bad settings:\n {2}ACCOUNTS_URL: .*, got "http:\/\/127\.0\.0\.1:9\/\?\[hidden\]"\n$/,
    );
    for (const { code, stderr } of [away, refused]) {
      expect(code).toBe(1);
      expect(stderr).not.toMatch(/hush|^\s+at /m);
    }
  });

  it('that refuses us is too', async () => {
    const server = createServer((_request, response) => response.writeHead(401).end('no'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, stderr } = await reach(`http://127.0.0.1:${port}`);
    server.close();
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^the database at http://127.0.0.1:${port} cannot be used: .*401`)),
    ]);
  });
});
