import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sources } from '../../../ingest/sources/index.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { runCli, runHere } from '../../support/run-command.ts';

let built: Awaited<ReturnType<typeof makeJobServices>>;
const cli = (...args: string[]) => runHere({ DATA_DIR: built.folder }, ...args);
const idIn = (text: string, prefix: string) =>
  new RegExp(`${prefix}_[0-9A-Za-z]+`).exec(text)?.[0] ?? expect.fail(text);

beforeAll(async () => {
  built = await makeJobServices();
});
afterAll(() => built.close());

describe('the command line', () => {
  it('lists its commands without any settings', async () => {
    const { code, stdout } = await runCli({ PORT: 'nonsense' }, '--help');
    expect(code).toBe(0);
    for (const word of [
      'status',
      'ingest',
      'runs',
      'quarantine',
      'search',
      'ledger',
      'account',
      'credits',
      'key',
      'migrate',
    ])
      expect(stdout).toMatch(new RegExp(`^  ${word}\\b`, 'm'));
  });

  it('answers a bad setting with a clear line and exit code 1, as a process', async () => {
    const answer = await runCli({ DATA_DIR: built.folder, PORT: 'eighty' }, 'status');
    expect(answer).toMatchObject({
      code: 1,
      stderr: 'bad settings:\n  PORT: expected a whole number from 0 to 65535, got "eighty"\n',
    });
  });

  it.each([
    ['an unknown source', 2, {}, ['ingest', 'ted'], /'ted' is invalid.*find-a-tender/],
    ['a date that is none', 2, {}, ['ingest', 'find-a-tender', '--since', '2026-02-30'], /Expected a date/],
    [
      'live ingest without a contact',
      1,
      { CONTACT: '' },
      ['ingest', 'find-a-tender'],
      /^CONTACT: expected an e-mail or web address/,
    ],
    ['an unknown account', 1, {}, ['ledger', 'acc_nobody'], /^no account acc_nobody: see `account list`\n$/],
    ['a grant of nothing', 2, {}, ['credits', 'grant', 'acc_nobody', '0'], /Expected a whole number from 1 to/],
    ['an unknown command', 2, {}, ['dance'], /unknown command 'dance'/],
  ])('answers %s with a clear line and exit code %i', async (_name, code, environment, args, message) => {
    const answer = await runHere({ DATA_DIR: built.folder, ...environment }, ...args);
    expect(answer.stderr).toMatch(message);
    expect(answer.stderr).not.toMatch(/^\s+at /m);
    expect(answer.code).toBe(code);
  });

  it('opens an account, makes and revokes its key, grants credits, and proves the ledger', async () => {
    const account = idIn((await cli('account', 'create', 'Invented Ltd')).stdout, 'acc');
    const made = await cli('key', 'create', account, '--name', 'first', '--cap', '100');
    const key = idIn(made.stdout, 'key');
    expect(made.stdout).toMatch(/^svc_live_[0-9A-Za-z]{38}$/m);
    const [granted, listed, unknown] = await Promise.all([
      cli('credits', 'grant', account, '40', '--note', 'a gift', '--once', 'gift'),
      cli('key', 'list', account),
      cli('key', 'revoke', account, 'key_none'),
    ]);
    expect(granted.stdout).toBe('40 credits granted; balance 290\n');
    expect(listed.stdout).toContain('svc_live_…');
    const dead = await cli('key', 'create', account, '--expires', '2020-01-01');
    expect(dead).toMatchObject({ code: 2, stderr: 'the last day of a key must be in the future\n' });
    expect(unknown).toMatchObject({
      code: 1,
      stderr: `account ${account} has no working key key_none: see \`key list ${account}\`\n`,
    });
    const [again, revoked] = await Promise.all([
      cli('credits', 'grant', account, '40', '--once', 'gift'),
      cli('key', 'revoke', account, key),
    ]);
    expect(again.stdout).toBe('granted before; balance 290\n');
    expect(revoked.stdout).toBe(`key ${key} revoked\n`);
    const [lines, balances, proof] = await Promise.all([
      cli('ledger', account),
      cli('ledger'),
      cli('ledger', 'verify'),
    ]);
    expect(lines.stdout).toMatch(/grant .* 40 .* a gift\n.*grant .* 250 .*\nbalance 290\n$/s);
    expect(balances.stdout).toMatch(new RegExp(`^${account} +Invented Ltd +active +290`, 'm'));
    expect(proof).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('the ledger is right: 1 account holds 290'),
    });
  });

  it('shows quarantine, runs and status, with foreign bytes made harmless', async () => {
    await built.services.catalogue.write([
      {
        sql: `INSERT INTO quarantine (source, kind, reason, url, sha256, bytes, first_seen_at, last_seen_at)
          VALUES ('find_a_tender', 'page', 'HTML where JSON was due', 'http://127.0.0.1/x', 'ab', ?, '2026-11-20', '2026-11-21')`,
        args: [new TextEncoder().encode('<html>\x1b[2J')],
      },
      {
        sql: "INSERT INTO run (id, job, source, started_at, state, error) VALUES ('r', 'ingest', 'find_a_tender', '2026-11-21', 'failed', 'no answer')",
      },
    ]);
    const [list, show, none, runs, status] = await Promise.all([
      cli('quarantine', 'list', '--source', 'find_a_tender'),
      cli('quarantine', 'show', '1'),
      cli('quarantine', 'show', '99'),
      cli('runs'),
      cli('status'),
    ]);
    expect(list.stdout).toMatch(/1 +find_a_tender +page +held +1 +2026-11-21 +- +HTML where JSON was due/);
    expect(show.stdout).toContain('<html>\\x1b[2J');
    expect(none).toMatchObject({
      code: 1,
      stderr: 'nothing in quarantine has the number 99: see `quarantine list --all`\n',
    });
    expect(runs.stdout).toMatch(/find_a_tender +failed .*\n {2}why: no answer\n/);
    await built.services.catalogue.write([
      { sql: "UPDATE source SET last_error = ? WHERE id = 'find_a_tender'", args: ['no JSON: \x1b[2J\u009b2J'] },
    ]);
    for (const args of [['coverage', 'find-a-tender'], ['coverage', 'find-a-tender', '--json'], ['status']]) {
      const { stdout } = await cli(...args);
      expect(stdout).toContain('no JSON: ');
      expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
    }
    for (const { id } of sources) expect(status.stdout).toMatch(new RegExp(`^${id} `, 'm'));
    expect(status.stdout).toMatch(/^exports waiting +0$/m);
  });
});
