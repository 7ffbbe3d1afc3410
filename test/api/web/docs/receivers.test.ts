import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { deliverWebhooks } from '../../../../jobs/tasks/watches.ts';
import { openWebhookClient } from '../../../../jobs/watches/webhook.ts';
import type { DeliveryRow } from '../../../../schema/accounts/watches/deliveries.ts';
import { makeWatchSecret } from '../../../../schema/accounts/watches/secret.ts';
import { addWatch, openAccount, SERVICE_SECRET } from '../../../jobs/watches/seed.ts';
import { findFreePort } from '../../../support/free-port.ts';
import { makeJobServices } from '../../../support/job-services.ts';
import { ROOT } from '../../../support/source-files.ts';
import { type Site, startSite } from '../site.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.warn('skipped: no python3; install it to run the receiver of the manual in Python');

const LANGUAGES = [
  { path: 'typescript', file: 'receiver.mts', command: [process.execPath, '--import', 'tsx'], has: true },
  { path: 'python', file: 'receiver.py', command: ['python3'], has: hasPython },
];

let site: Site;
let jobs: Awaited<ReturnType<typeof makeJobServices>>;
let folder: string;
const processes: ChildProcess[] = [];
beforeAll(async () => {
  site = await startSite();
  jobs = await makeJobServices({ AUTH_SECRET: SERVICE_SECRET, WATCH_ADDRESSES: 'any' });
  folder = await mkdtemp(join(tmpdir(), 'receivers-'));
});
afterAll(async () => {
  for (const process of processes) process.kill();
  await rm(folder, { recursive: true, force: true });
  await jobs?.close();
  await site?.close();
});

/** The text of the receiver as its page shows it. */
async function readReceiver(path: string): Promise<string> {
  const { html } = await site.visitor().get(`/docs/webhooks/${path}`);
  const [, shown = ''] = /<pre id="receiver"><code>([\s\S]*?)<\/code><\/pre>/.exec(html) ?? [];
  const signs: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };
  return shown.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => signs[name] ?? '');
}

interface Running {
  url: string;
  /** What it printed. */
  printed(): string;
}

/** Runs the receiver of a page until the tests end. */
async function start(
  { path, file, command: [program = '', ...options] }: (typeof LANGUAGES)[number],
  secret: string,
): Promise<Running> {
  const script = join(folder, file);
  await writeFile(script, await readReceiver(path));
  const port = await findFreePort();
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) };
  const child = spawn(program, [...options, script], { cwd: ROOT, env, stdio: 'pipe' });
  processes.push(child);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  let fault = '';
  child.stderr.on('data', (chunk: Buffer) => {
    fault += chunk;
  });
  child.on('exit', (code) => code && console.error(fault));
  await expect.poll(() => isListening(port)).toBe(true);
  return { url: `http://127.0.0.1:${port}/hook`, printed: () => text };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

const BODY = JSON.stringify({
  type: 'watch.delivery',
  data: { items: [{ change: 'new', kind: 'notice', id: '000001-2026', item: { title: 'Brücken – “repairs”' } }] },
});

describe.each(LANGUAGES)('the receiver of the manual in $path', (language) => {
  it.skipIf(!language.has)(
    'takes what the service sends, and refuses what is not signed, is old, or was changed',
    async () => {
      const { accounts } = jobs.services;
      const { id, secret } = await addWatch(accounts, { account_id: await openAccount(accounts) });
      const { url, printed } = await start(language, secret);
      const insert = `INSERT INTO watch_delivery (id, watch_id, account_id, kind, items, credits, body, created_at, next_attempt_at)
      SELECT 'wd_' || id, id, account_id, 'test', 0, 0, ?, created_at, 0 FROM watch WHERE id = ?`;
      await accounts.write([
        { sql: 'UPDATE watch SET webhook = ? WHERE id = ?', args: [url, id] },
        { sql: insert, args: [BODY, id] },
      ]);
      await deliverWebhooks(jobs.services);
      const sql = 'SELECT * FROM watch_delivery WHERE watch_id = ?';
      expect(await accounts.read<DeliveryRow>({ sql, args: [id] })).toMatchObject([
        { status: 'delivered', answer_status: 204 },
      ]);
      await expect.poll(printed).toBe('new notice 000001-2026\n');

      const client = openWebhookClient({ addresses: 'any' });
      const send = async (more: object) => {
        const webhook = { url, id: 'wd_again', body: BODY, secrets: [secret], now: new Date(), ...more };
        return (await client.send(webhook)).status;
      };
      const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);
      // The same delivery again is taken, and nothing is done twice.
      expect(await send({ id: `wd_${id}` })).toBe(204);
      expect(await send({ secrets: [makeWatchSecret(), secret] })).toBe(204);
      expect(await send({ secrets: [makeWatchSecret()] })).toBe(401);
      expect(await send({ now: ago(290) })).toBe(204);
      expect(await send({ now: ago(330) })).toBe(401);
      expect(await send({ now: ago(-330) })).toBe(401);
      client.close();
      expect(printed()).toBe('new notice 000001-2026\nnew notice 000001-2026\n');
      await sendHalf(url);
      expect(await sendChanged(url, secret)).toEqual([204, 401, 401, 401, 401]);
    },
  );
});

it('the page about webhooks says what ends repeats, and for how long what failed is kept', async () => {
  const { html } = await site.visitor().get('/docs/webhooks');
  expect(html).toContain('at once after a 410');
  expect(html).toContain('What failed is kept for 7 days.');
});

it.each(['/docs', '/docs/webhooks'])('%s promises mail of watches only where the service sends any', async (path) => {
  expect((await site.visitor().get(path)).html).not.toMatch(/by e-mail|get a mail/);
  const mailing = await startSite({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'data@example.org' });
  onTestFinished(() => mailing.close());
  expect((await mailing.visitor().get(path)).html).toMatch(/by e-mail|get a mail/);
});

/** A webhook whose connection is cut before its body is whole. */
async function sendHalf(url: string): Promise<void> {
  const { port } = new URL(url);
  const socket = createConnection(Number(port), '127.0.0.1');
  socket.end('POST /hook HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{');
  await once(socket.resume(), 'close');
}

/** The answers to a webhook as the service signs it, with each part of it changed, and to one without any header. */
async function sendChanged(url: string, secret: string): Promise<number[]> {
  const { Webhook } = await import('standardwebhooks');
  const now = new Date();
  const headers = {
    'webhook-id': 'wd_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('wd_1', now, BODY),
  };
  const post = async (more: Record<string, string>, body = BODY) =>
    (await fetch(url, { method: 'POST', headers: { ...headers, ...more }, body })).status;
  return [
    await post({}),
    await post({}, BODY.replace('000001', '000002')),
    await post({ 'webhook-id': 'wd_2' }),
    await post({ 'webhook-signature': `v2,${headers['webhook-signature'].slice(3)}` }),
    (await fetch(url, { method: 'POST', body: BODY })).status,
  ];
}
