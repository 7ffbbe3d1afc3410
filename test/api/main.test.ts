import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openServices } from '../../api/process/open.ts';
import { createAccount, createKey } from '../../schema/accounts/customer/account.ts';
import { readSettings } from '../../schema/config/settings.ts';
import { ask } from '../support/client.ts';
import { scriptArguments } from '../support/compiled.ts';
import { makeDatabase, makeFolder } from '../support/databases.ts';
import { makeEnvironment } from '../support/environment.ts';
import { findFreePort } from '../support/free-port.ts';
import { ROOT } from '../support/source-files.ts';
import { LIMITS_MS } from '../support/time-limits.ts';
import { startMailbox } from './web/mailbox.ts';
import { makeVisitor, PASSWORD } from './web/visitor.ts';

const AT = '2026-11-21T12:00:00Z';
/** A folder for a test, and processes of the API on it, which end with the test. */
async function openPlace({ onTestFinished }: { onTestFinished(end: () => Promise<void>): void }) {
  const folder = await makeFolder();
  const started: ChildProcess[] = [];
  onTestFinished(async () => {
    for (const child of started) if (child.exitCode === null) child.kill('SIGKILL');
    await folder.remove();
  });
  const start = (settings: Record<string, string>): { child: ChildProcess; output: () => string } => {
    const env = makeEnvironment({
      DATA_DIR: folder.path,
      PORT: '0',
      PRIVATE_PORT: '0',
      DRAIN_SECONDS: '0',
      ...settings,
    });
    const child = spawn(process.execPath, scriptArguments('api/main.ts'), { cwd: ROOT, env });
    started.push(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk));
    return { child, output: () => text };
  };
  const migrate = async () => {
    for (const name of ['accounts', 'catalogue'] as const) await (await makeDatabase(folder.path, name)).close();
  };
  return { path: folder.path, start, migrate };
}

async function until<T>(find: () => T | undefined): Promise<T> {
  const untilMs = performance.now() + LIMITS_MS.wait;
  while (performance.now() < untilMs) {
    const found = find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('waited in vain');
}

// The mail server that never answers is waited for while the others run, one after the other: a busy machine starts no more.
describe.concurrent('the API process', () => {
  it('does not wait at its end for a mail server that never answers, whether it is one process or several', async (test) => {
    const { start, migrate } = await openPlace(test);
    await migrate();
    const mailbox = await startMailbox();
    mailbox.checksForMs = LIMITS_MS.long;
    const mailed = { SMTP_URL: mailbox.url, MAIL_FROM: 'data@example.org', APP_URL: 'http://data.example' };
    // Both at once: each gives the mail server some seconds.
    const ends = ['1', '2'].map(async (API_PROCESSES) => {
      const { child, output } = start({ ...mailed, API_PROCESSES });
      const visitor = makeVisitor(await until(() => /"public":"([^"]+)"/.exec(output())?.[1]));
      await visitor.get('/sign-up');
      const email = `ada.${API_PROCESSES}@example.org`;
      await visitor.post('/sign-up', { name: 'Ada', email, password: PASSWORD }, { origin: mailed.APP_URL });
      await until(() => mailbox.mails.find((mail) => mail.includes(`To: ${email}`)));
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      return [API_PROCESSES, code, output().includes('"msg":"stopped"')];
    });
    expect(await Promise.all(ends)).toEqual([
      ['1', 0, true],
      ['2', 0, true],
    ]);
    await mailbox.close();
  });

  describe('that has no mail server', inTurn);
});

function inTurn() {
  it.sequential('waits for its databases, answers, and ends cleanly on SIGTERM without a word about keys', async (test) => {
    const { path, start } = await openPlace(test);
    const port = await findFreePort();
    const { child, output } = start({ PRIVATE_PORT: String(port) });
    const look = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    await vi.waitFor(async () => expect(await look('/healthz')).toBe('ok\n'), LIMITS_MS.wait);
    expect(await look('/readyz')).toBe(
      'not ready\nwaiting until both databases answer and are at this version; the log says why\n',
    );
    expect(await look('/metrics')).toContain('process_start_time_seconds');
    const accounts = await makeDatabase(path, 'accounts');
    await (await makeDatabase(path, 'catalogue')).close();
    const { id } = await createAccount(accounts, { name: 'a', signupCredits: 7, at: AT });
    const { key } = await createKey(accounts, { accountId: id, name: 'k', prefix: 'svc_live_', at: AT });
    const url = await until(() => /"public":"([^"]+)"/.exec(output())?.[1]);
    expect(await look('/readyz')).not.toContain('waiting');
    expect((await ask(url, '/v1/balance', key)).body.balance).toBe(7);
    expect((await ask(url, '/')).headers.get('content-type')).toMatch(/^text\/html/);
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect([code, output().includes('stopped'), output().includes(key)]).toEqual([0, true, false]);
    await accounts.close();
  });

  it.sequential.for(['1', '2'])(
    'ends cleanly on SIGTERM while it waits for its databases (API_PROCESSES=%s)',
    async (processes, test) => {
      const { start } = await openPlace(test);
      const port = await findFreePort();
      const { child, output } = start({ PRIVATE_PORT: String(port), API_PROCESSES: processes });
      const look = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
      await vi.waitFor(async () => expect(await look('/healthz')).toBe('ok\n'), LIMITS_MS.wait);
      child.kill('SIGTERM');
      expect(await once(child, 'close')).toEqual([0, null]);
      expect(output()).toBe('');
    },
  );

  it.sequential('is not ready from SIGTERM on, answers new connections all the same, and ends at once on SIGINT', async (test) => {
    const { start, migrate } = await openPlace(test);
    await migrate();
    const { child, output } = start({ DRAIN_SECONDS: '600' });
    const url = await until(() => /"public":"([^"]+)"/.exec(output())?.[1]);
    const privateUrl = await until(() => /"private":"([^"]+)"/.exec(output())?.[1]);
    child.kill('SIGTERM');
    await until(() => (output().includes('stopping') ? true : undefined));
    const look = await fetch(`${privateUrl}/readyz`);
    expect([look.status, await look.text()]).toEqual([503, 'draining\n']);
    const fresh = await Promise.all(
      Array.from({ length: 60 }, () => fetch(`${url}/openapi.json`, { headers: { connection: 'close' } })),
    );
    expect(new Set(fresh.map(({ status }) => status))).toEqual(new Set([200]));
    child.kill('SIGTERM');
    expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
    child.kill('SIGINT');
    expect((await once(child, 'exit'))[0]).toBe(0);
    expect(output()).toContain('stopped');
  });

  describe.sequential('that is left to its log', readLog);

  it.sequential('stops at the door on a bad setting, naming it, what was expected and what came', async (test) => {
    const { start } = await openPlace(test);
    const { child, output } = start({ KEY_REQUESTS_PER_MINUTE: 'many' });
    const [code] = await once(child, 'exit');
    expect(code).toBe(1);
    expect(output()).toMatch(/KEY_REQUESTS_PER_MINUTE: expected a whole number from 1 to \d+, got "many"/);
  });

  it.sequential('ends where one of its two ports is taken, rather than answer on the other alone', async (test) => {
    const { start, migrate } = await openPlace(test);
    await migrate();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { child, output } = start({ PRIVATE_PORT: String(port) });
    const [code] = await once(child, 'exit');
    taken.close();
    expect(code).toBe(1);
    expect(output()).toContain(`PRIVATE_PORT: expected a free port, ${port} is taken`);
  });
}

/** Neither disturbs what the other reads: they share one process. */
function readLog() {
  let running: ReturnType<Awaited<ReturnType<typeof openPlace>>['start']>;
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const { start, migrate } = await openPlace({ onTestFinished: (end) => ends.push(end) });
    await migrate();
    running = start({ OPERATOR: 'Data Ltd' });
    await until(() => /"public":"([^"]+)"/.exec(running.output())?.[1]);
  });
  afterAll(async () => {
    running.child.kill('SIGTERM');
    await once(running.child, 'exit');
    for (const end of ends) await end();
  });

  it('says at its start what the privacy notice lacks', async () => {
    const line = await until(() => running.output().match(/.*the privacy notice.*/)?.[0]);
    expect(JSON.parse(line)).toMatchObject({
      settings: ['PRIVACY_CONTACT'],
      msg: 'the privacy notice and the terms lack what these settings would say',
    });
  });

  it('says in its log that a reader died, which another replaces', async () => {
    const { child, output } = running;
    const task = `/proc/${child.pid}/task/${child.pid}/children`;
    const pids = readFileSync(task, 'utf8').trim().split(' ').map(Number);
    const reader = pids.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('search/embedded/reader'));
    process.kill(reader ?? expect.fail(String(pids)), 'SIGKILL');
    const line = await until(() =>
      output()
        .split('\n')
        .find((each) => each.includes('WorkerEnded')),
    );
    expect(JSON.parse(line)).toMatchObject({
      level: 40,
      name: 'api',
      warning: 'WorkerEnded',
      msg: expect.stringMatching(/^the process of search\/embedded\/reader\.[jt]s ended by itself: SIGKILL$/),
    });
  });
}

describe('the services of the API', () => {
  it('cannot write the catalogue', async (test) => {
    const { path, migrate } = await openPlace(test);
    await migrate();
    const settings = readSettings({ DATA_DIR: path, LOG_LEVEL: 'silent' });
    const services = await openServices(settings, pino({ level: 'silent' }));
    await expect(services.catalogue.write([{ sql: "DELETE FROM meta WHERE name = 'x'" }])).rejects.toThrow(/readonly/);
    expect(services.secret.length).toBeGreaterThanOrEqual(32);
    await services.close();
  });
});
