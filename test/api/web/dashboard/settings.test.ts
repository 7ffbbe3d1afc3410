import { join } from 'node:path';
import Sqlite from 'libsql';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Mailbox, startMailbox } from '../mailbox.ts';
import { type Site, startSite } from '../site.ts';
import { follow, PASSWORD, type Visitor } from '../visitor.ts';

const NEXT = 'another long password';
let site: Site;
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
  site = await startSite({ SMTP_URL: mailbox.url, MAIL_FROM: 'data@example.org' });
});
afterAll(async () => {
  await site?.close();
  await mailbox?.close();
});

/** The mail that comes of it. */
async function readMail(act: () => Promise<unknown>): Promise<string> {
  const sent = mailbox.mails.length;
  await act();
  await expect.poll(() => mailbox.mails.length).toBe(sent + 1);
  return mailbox.mails.at(-1) ?? '';
}
const linkOf = (mail: string) => /(\/(?:confirm|reset)\?link=\w+)/.exec(mail)?.[1] ?? '';

async function addPerson(email: string): Promise<Visitor> {
  const visitor = site.visitor();
  await visitor.get('/sign-up');
  const mail = await readMail(() => visitor.post('/sign-up', { name: 'Ada', email, password: PASSWORD }));
  await follow(visitor, linkOf(mail));
  await visitor.get('/dashboard');
  return visitor;
}

async function signIn(email: string, password = PASSWORD): Promise<{ visitor: Visitor; status: number }> {
  const visitor = site.visitor();
  await visitor.get('/sign-in');
  const { status } = await visitor.post('/sign-in', { email, password });
  return { visitor, status };
}
const isIn = async (visitor: Visitor) => (await visitor.get('/dashboard/settings')).status === 200;

describe('a forgotten password', () => {
  it('is reset by a link that works once, which signs out everywhere and sends a mail', async () => {
    const before = await addPerson('ada@example.org');
    const visitor = site.visitor();
    await visitor.get('/forgotten');
    const asked = () => visitor.post('/forgotten', { email: 'ADA@example.org' });
    const link = linkOf(await readMail(asked));
    const other = linkOf(await readMail(asked));
    expect((await visitor.get(link)).html).toContain('Set a new password');
    const field = { link: link.slice('/reset?link='.length) };
    expect((await visitor.post('/reset', { ...field, password: 'short' })).status).toBe(422);
    const mail = await readMail(async () => {
      expect((await visitor.post('/reset', { ...field, password: NEXT })).location).toBe('/sign-in?said=password');
    });
    expect(mail).toContain('Your password was changed');
    expect(await isIn(before)).toBe(false);
    expect((await signIn('ada@example.org')).status).toBe(422);
    expect((await signIn('ada@example.org', NEXT)).status).toBe(303);
    expect((await visitor.post('/reset', { ...field, password: PASSWORD })).location).toBe('/reset');
    for (const used of [link, other, '/reset', '/reset?link=forged'])
      expect((await visitor.get(used)).html).toContain('This link no longer works');
  });

  it('answers the same for an address without an account, and sends nothing', async () => {
    const visitor = site.visitor();
    await visitor.get('/forgotten');
    const sent = mailbox.mails.length;
    for (const email of ['nobody@example.org', 'no address'])
      expect((await visitor.post('/forgotten', { email })).location).toBe('/forgotten/sent');
    expect(mailbox.mails.length).toBe(sent);
  });
});

describe('the settings', () => {
  it('change the password against the present one, and renew the session', async () => {
    const here = await addPerson('cy@example.org');
    const { visitor: there } = await signIn('cy@example.org');
    await here.get('/dashboard/settings');
    const before = [...here.cookies.values()];
    const wrong = await here.post('/dashboard/settings/password', { present: 'not the one', password: NEXT });
    expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining('The current password is not right')]);
    await readMail(() => here.post('/dashboard/settings/password', { present: PASSWORD, password: NEXT }));
    expect([...here.cookies.values()]).not.toEqual(before);
    expect([await isIn(here), await isIn(there)]).toEqual([true, false]);
    expect((await signIn('cy@example.org', NEXT)).status).toBe(303);
    const guesses: number[] = [];
    for (let tries = 0; tries < 11; tries++) {
      const guess = { present: 'not the one', password: 'some other password' };
      guesses.push((await here.post('/dashboard/settings/password', guess)).status);
    }
    expect(guesses.at(-1)).toBe(429);
  });

  it('change the name and whether a low balance is mailed, escaped and for this account alone', async () => {
    const visitor = await addPerson('di@example.org');
    expect((await visitor.get('/dashboard/settings')).html).toMatch(/name="low_balance_mail" value="yes" checked/);
    await visitor.post('/dashboard/settings', { name: 'Di & Co' });
    const { html } = await visitor.get('/dashboard/settings');
    expect(html).toContain('Signed in as Di &amp; Co');
    expect(html).not.toMatch(/name="low_balance_mail" value="yes" checked/);
    const sql = 'SELECT name, low_balance_mail AS mail FROM account WHERE user_id IS NOT NULL ORDER BY mail LIMIT 2';
    expect(await site.services.accounts.read({ sql })).toEqual([
      { name: 'Di & Co', mail: 0 },
      { name: 'Ada', mail: 1 },
    ]);
  });

  it('give out all that is stored of somebody, and no secret', async () => {
    const visitor = await addPerson('ed@example.org');
    const created = await visitor.post('/dashboard/keys', { name: 'mine' });
    const key = /id="new-key">([^<]+)</.exec(created.html)?.[1] ?? 'none';
    const settings = (await visitor.get('/dashboard/settings')).html;
    expect(settings).toContain('payments, exports, watches and the whole ledger');
    const { headers, html } = await visitor.get('/dashboard/settings/data');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="?account-.*\.json/);
    expect(JSON.parse(html)).toMatchObject({
      user: { email: 'ed@example.org' },
      sessions: [{}],
      keys: [{ name: 'mine' }],
      ledger: [{ kind: 'grant', credits: 250, balance: 250 }],
    });
    expect(html).not.toContain(key);
    expect(html).not.toMatch(/hash|password|token/);
  });

  it('give out a long account in pages, one at a time, and that of another meanwhile', async () => {
    const another = await addPerson('another@example.org');
    const visitor = await addPerson('long@example.org');
    const { accounts } = site.services;
    const ids = await accounts.read<{ id: string }>({ sql: 'SELECT id FROM account ORDER BY rowid DESC LIMIT 2' });
    // Of every list one row of somebody else, and then more than are read at once.
    const rows = `WITH RECURSIVE n (i, of) AS (SELECT 0, ?2 UNION ALL SELECT i + 1, ?1 FROM n WHERE i < 1201)
      SELECT of, printf('no-%05d', i), '2026-11-22T00:00:00Z'`;
    const lists = [
      `idempotency (account_id, key, created_at, fingerprint, state, claim_token, claim_expires_at, expires_at)
        ${rows}, 'f', 'done', 't', 0, 9e15 FROM n`,
      `payment (account_id, id, created_at, credits, amount, vat, vat_percent, currency, live, state)
        ${rows}, 1000, 1200, 200, 20, 'gbp', 0, iif(i % 2, 'failed', 'paid') FROM n`,
      `export (account_id, id, created_at, dataset, format, filters, status, rows, matched, credits_charged, charge_id)
        ${rows}, 'buyers', 'csv', '{}', 'staged', 1, 1, 100, 'ch_' || i FROM n`,
    ];
    await accounts.write(lists.map((list) => ({ sql: `INSERT INTO ${list}`, args: ids.map(({ id }) => id) })));
    const read = accounts.read.bind(accounts);
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const reading = vi.spyOn(accounts, 'read').mockImplementation(async (statement) => {
      if (statement.sql.includes('FROM idempotency')) await held;
      return read(statement);
    });
    const first = visitor.get('/dashboard/settings/data');
    await expect.poll(() => reading.mock.calls.some(([{ sql }]) => sql.includes('FROM idempotency'))).toBe(true);
    expect((await another.get('/dashboard/ledger.csv')).status).toBe(200);
    const again = ['/dashboard/settings/data', '/dashboard/settings/data', '/dashboard/ledger.csv'];
    for (const other of await Promise.all(again.map((path) => visitor.get(path)))) {
      expect([other.status, other.headers.get('retry-after')]).toEqual([429, '10']);
    }
    goOn();
    const { status, html } = await first;
    reading.mockRestore();
    expect(status).toBe(200);
    const exported = JSON.parse(html);
    expect(Object.keys(exported)).toEqual([
      ...['exported_at', 'account', 'user', 'sessions', 'keys', 'payments', 'exports', 'remembered_calls'],
      ...['watches', 'watch_deliveries', 'ledger'],
    ]);
    for (const [list, name] of [
      ['remembered_calls', 'key'],
      ['payments', 'id'],
      ['exports', 'id'],
    ] as const) {
      const all: string[] = exported[list].map((row: Record<string, string>) => row[name]);
      expect([list, all.length, new Set(all).size, all[0], all.at(-1)]).toEqual([
        list,
        1_201,
        1_201,
        'no-00001',
        'no-01201',
      ]);
    }
    expect((await visitor.get('/dashboard/settings/data')).status).toBe(200);
  });

  it('are read while another writer holds the accounts: others are answered meanwhile', async () => {
    const visitor = await addPerson('held@example.org');
    const holder = new Sqlite(join(site.services.settings.DATA_DIR, 'accounts.db'));
    holder.exec('BEGIN IMMEDIATE');
    const entered = signIn('held@example.org');
    // Few pages, as a write waits for two seconds at most: on a loaded machine twenty took longer.
    for (let asked = 0; asked < 4; asked += 1) expect((await site.visitor().get('/pricing')).status).toBe(200);
    holder.exec('ROLLBACK');
    holder.close();
    expect((await entered).status).toBe(303);
    expect(await isIn(visitor)).toBe(true);
  });

  it('are written where another writer comes first after the wait for it', async () => {
    await addPerson('overtaken@example.org');
    const holder = new Sqlite(join(site.services.settings.DATA_DIR, 'accounts.db'));
    const write = site.services.accounts.write.bind(site.services.accounts);
    let waits = 0;
    const writing = vi.spyOn(site.services.accounts, 'write').mockImplementation(async (statements) => {
      if (statements.length > 0) return write(statements);
      waits += 1;
      if (waits === 2) holder.exec('ROLLBACK');
      const written = await write(statements);
      if (waits === 1) holder.exec('BEGIN IMMEDIATE');
      return written;
    });
    const entered = await signIn('overtaken@example.org');
    writing.mockRestore();
    holder.close();
    expect(entered.status).toBe(303);
    expect(waits).toBeGreaterThan(1);
  });

  it('need a signed-in user, and take forms of our own alone', async () => {
    const visitor = await addPerson('fe@example.org');
    for (const path of ['', '/password', '/sessions', '/delete']) {
      const answer = await visitor.post(`/dashboard/settings${path}`, {}, { origin: 'https://evil.example' });
      expect({ path, status: answer.status }).toEqual({ path, status: 403 });
      const stranger = await site.visitor().post(`/dashboard/settings${path}`, {});
      expect(stranger.location).toBe(`/sign-in?next=${path === '/delete' ? 'delete' : 'settings'}`);
    }
    expect((await site.visitor().get('/dashboard/settings/data')).location).toBe('/sign-in?next=settings');
    // A form from before somebody signed in is none of this session.
    await visitor.get('/sign-in');
    expect((await visitor.post('/dashboard/settings', { name: 'Countess' })).status).toBe(403);
  });
});
