import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../../../api/server.ts';
import type { Account } from '../../../../schema/accounts/customer/account.ts';
import { closeAccount } from '../../../../schema/accounts/customer/erase.ts';
import { verifyLedger } from '../../../../schema/accounts/ledger/verify.ts';
import { isoInstant } from '../../../../schema/config/clocks.ts';
import type { Database, Statement } from '../../../../schema/db/interface.ts';
import { type BuiltServer, buildServer } from '../../../support/services.ts';
import { makeOperator } from '../operator.ts';
import { follow, makeVisitor, PASSWORD, signUp, type Visitor } from '../visitor.ts';

const EMAIL = 'ada.private@example.org';
const PLACE = '/dashboard/settings/delete';
const operator = makeOperator();
let built: BuiltServer;
beforeAll(async () => {
  built = await buildServer({ web: operator.web });
});
afterAll(() => built?.close());

async function addPerson(email: string, name = 'Somebody'): Promise<{ visitor: Visitor; key: string }> {
  const visitor = makeVisitor(built.url);
  await signUp(visitor, operator, { name, email });
  const created = await visitor.post('/dashboard/keys', { name: `laptop of ${name}` });
  return { visitor, key: /id="new-key">([^<]+)</.exec(created.html)?.[1] ?? '' };
}

const call = async (key: string, url = built.url) =>
  (await fetch(`${url}/v1/balance`, { headers: { authorization: `Bearer ${key}` } })).status;

/** Every value of every row of the accounts database, as one text. */
async function readEverything(): Promise<string> {
  const named = "SELECT name FROM sqlite_master WHERE type = 'table'";
  const tables = await built.accounts.read<{ name: string }>({ sql: named });
  const rows = await Promise.all(tables.map(({ name }) => built.accounts.read({ sql: `SELECT * FROM "${name}"` })));
  return JSON.stringify(rows);
}

/** Deletes a person's account, as another machine does, right before the next statement of a kind. */
function deleteBefore(kind: RegExp, email: string): void {
  const { accounts, secret } = built.services;
  const { read, write } = accounts;
  const follow = async (statements: readonly Statement[]) => {
    if (!statements.some(({ sql }) => kind.test(sql))) return;
    Object.assign(accounts, { read, write });
    const sql = 'SELECT a.* FROM account a JOIN auth_user u ON u.id = a.user_id WHERE u.email = ?';
    const [account] = await read<Account>({ sql, args: [email] });
    if (account) await closeAccount(accounts, account, { at: isoInstant(new Date()), secret });
  };
  Object.assign(accounts, {
    read: (statement: Statement) => follow([statement]).then(() => read(statement)),
    write: (statements: readonly Statement[]) => follow(statements).then(() => write(statements)),
  } satisfies Partial<Database>);
}

describe('deleting one’s account', () => {
  it('says what goes and what stays, and asks the password and a word', async () => {
    const { visitor, key } = await addPerson('bo@example.org');
    const page = await visitor.get(PLACE);
    for (const gone of ['the 250 credits you have left: they are lost', 'your watches, and what they delivered'])
      expect(page.html).toContain(gone);
    for (const [fields, why] of [
      [{ password: PASSWORD, word: 'delete' }, 'Type DELETE in capital letters'],
      [{ password: 'not the password', word: 'DELETE' }, 'The password is not right'],
    ] as const) {
      const refused = await visitor.post(PLACE, fields);
      expect([refused.status, refused.html]).toEqual([422, expect.stringContaining(why)]);
    }
    // Somebody at a browser that was left signed in has no more guesses than at sign-in.
    const guesses: number[] = [];
    for (let tries = 0; tries < 10; tries++)
      guesses.push((await visitor.post(PLACE, { password: 'not the password', word: 'DELETE' })).status);
    expect(new Set(guesses)).toEqual(new Set([422, 429]));
    expect((await visitor.post(PLACE, { password: PASSWORD, word: 'DELETE' })).status).toBe(429);
    expect(await call(key)).toBe(200);
  });

  it('erases the person, stops keys and sessions, and leaves a ledger that adds up', async () => {
    const { visitor, key } = await addPerson(EMAIL, 'Ada Private');
    expect(await call(key)).toBe(200);
    expect((await visitor.post(PLACE, { password: PASSWORD, word: 'DELETE' })).location).toBe('/sign-in?said=deleted');
    const left = await readEverything();
    for (const trace of ['Ada Private', 'ada.private']) expect(left).not.toContain(trace);
    expect((await verifyLedger(built.accounts)).faults).toEqual([]);
    await expect.poll(() => call(key), { interval: 250 }).toBe(401);
  });

  it('leaves the links of others, also where their address ends like this one', async () => {
    const { visitor } = await addPerson('bo.ann@example.org');
    const other = makeVisitor(built.url);
    await other.get('/sign-up');
    const person = { name: 'Jo', email: 'jo.bo.ann@example.org', password: PASSWORD };
    const link = await operator.readLink(() => other.post('/sign-up', person));
    expect((await visitor.post(PLACE, { password: PASSWORD, word: 'DELETE' })).location).toBe('/sign-in?said=deleted');
    expect((await follow(other, link)).location).toBe('/dashboard');
  });

  it('stops its keys at once on the process that deleted it, as revoking a key does', async () => {
    const whole = await startServer(built.services);
    try {
      const { key } = await addPerson('eve@example.org');
      const visitor = makeVisitor(whole.url);
      await visitor.get('/sign-in');
      await visitor.post('/sign-in', { email: 'eve@example.org', password: PASSWORD });
      const { html } = await visitor.get('/dashboard');
      const id = /keys\/(key_\w+)\/revoke/.exec(html)?.[1] ?? '';
      expect(await call(key, whole.url)).toBe(200);
      await visitor.post('/dashboard/keys/revoke', { key: id });
      expect(await call(key, whole.url)).toBe(401);
      const second = await visitor.post('/dashboard/keys', { name: 'second' });
      const left = /id="new-key">([^<]+)</.exec(second.html)?.[1] ?? '';
      expect(await call(left, whole.url)).toBe(200);
      await visitor.get(PLACE);
      await visitor.post(PLACE, { password: PASSWORD, word: 'DELETE' });
      expect(await call(left, whole.url)).toBe(401);
    } finally {
      await whole.close();
    }
  });

  it('leads the cookies of a deleted account to sign-in, for looking and for forms', async () => {
    const { visitor } = await addPerson('cy@example.org');
    const cookies = new Map(visitor.cookies);
    await visitor.get('/dashboard');
    await visitor.post(PLACE, { password: PASSWORD, word: 'DELETE' });
    const former = makeVisitor(built.url);
    for (const [name, value] of cookies) former.cookies.set(name, value);
    for (const path of ['/dashboard', '/dashboard/settings/data'])
      expect((await former.get(path)).location).toMatch(/^\/sign-in/);
    expect((await former.post('/dashboard/keys', { name: 'again' })).location).toBe(
      '/sign-in?next=keys%3Fname%3Dagain',
    );
    await former.get('/sign-in');
    expect((await former.post('/sign-in', { email: 'cy@example.org', password: PASSWORD })).status).toBe(422);
  });

  it.each([
    ['opens a page', /FROM account WHERE user_id/, '/dashboard', null],
    [
      'saves a name',
      /UPDATE account SET name/,
      '/dashboard/settings',
      { name: 'Cleo Private', low_balance_mail: 'on' },
    ],
    ['makes a key', /INSERT INTO api_key/, '/dashboard/keys', { name: 'of Cleo Private' }],
  ])('leaves nothing of a person who %s on another machine meanwhile', async (_what, statement, path, fields) => {
    const { visitor } = await addPerson('cleo.private@example.org', 'Cleo Private');
    deleteBefore(statement, 'cleo.private@example.org');
    const answer = await (fields ? visitor.post(path, fields) : visitor.get(path));
    expect(answer.status).toBe(303);
    expect(await readEverything()).not.toContain('Cleo Private');
    expect((await visitor.get('/dashboard')).location).toBe('/sign-in');
  });

  it('lets the address sign up again, without free credits a second time', async () => {
    const { visitor } = await addPerson(EMAIL.toUpperCase().replace('@', '+again@'));
    expect((await visitor.get('/dashboard/ledger')).html).not.toContain('+250');
    const [row] = await built.accounts.read<{ balance: number }>({
      sql: 'SELECT balance FROM account a JOIN auth_user u ON u.id = a.user_id WHERE u.email = ?',
      args: [EMAIL.replace('@', '+again@')],
    });
    expect(row?.balance).toBe(0);
  });

  it('waits for a payment that is on its way', async () => {
    const { visitor } = await addPerson('di@example.org');
    await built.accounts.write([
      {
        sql: `INSERT INTO payment (id, account_id, credits, amount, vat, vat_percent, currency, live, state, created_at)
              SELECT 'pay_1', a.id, 100, 120, 20, 20, 'gbp', 0, 'pending', '2026-11-21T12:00:00Z'
              FROM account a JOIN auth_user u ON u.id = a.user_id WHERE u.email = 'di@example.org'`,
      },
    ]);
    expect((await visitor.get(PLACE)).html).toContain('A payment of yours is on its way');
    expect((await visitor.post(PLACE, { password: PASSWORD, word: 'DELETE' })).status).toBe(422);
    expect((await visitor.get('/dashboard')).status).toBe(200);
  });
});
