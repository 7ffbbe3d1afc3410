import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashKey, isKeyShaped } from '../../../../schema/accounts/customer/api-key.ts';
import { refundStatement } from '../../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../../schema/accounts/ledger/verify.ts';
import { type Site, startSite } from '../site.ts';
import { PASSWORD } from '../visitor.ts';

let site: Site;

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.close());

const addPerson = (email: string) => site.addPerson({ name: 'Ada & Buyer', email });

async function isWorking(key: string): Promise<boolean> {
  const rows = await site.services.accounts.read<{ revoked_at: string | null }>({
    sql: 'SELECT revoked_at FROM api_key WHERE hash = ?',
    args: [hashKey(key)],
  });
  return rows[0]?.revoked_at === null;
}

/** A charge of the newest account, and a part of it given back. */
async function refundOne(): Promise<void> {
  const at = '2026-11-21T12:00:00Z';
  const charge = {
    sql: `INSERT INTO transfer (key, kind, from_account, to_account, credits, action, request_id, created_at)
          SELECT 'charge:ch_one', 'charge', id, '@revenue', 100, 'bulk_export', 'req_one', ? FROM account ORDER BY rowid DESC LIMIT 1`,
    args: [at],
  };
  const refund = { key: 'ch_one:export', chargeId: 'ch_one', credits: 3, note: '30 rows withdrawn', at };
  await site.services.accounts.write([charge, refundStatement(refund)]);
}

describe('the dashboard', () => {
  it('leads a new person from sign-up to a working key, and on to its end', async () => {
    const visitor = await addPerson('ada@example.org');
    const first = await visitor.get('/dashboard');
    expect(first.status).toBe(200);
    expect(first.html).toContain('<strong>250</strong>');
    expect(first.html).toContain('Ada &amp; Buyer');
    expect(first.headers.get('cache-control')).toBe('private, no-store');

    const created = await visitor.post('/dashboard/keys', { name: 'reporting' });
    const key = /id="new-key">([^<]+)</.exec(created.html)?.[1] ?? '';
    expect(isKeyShaped(key)).toBe(true);
    expect(created.html).toContain(`Authorization: Bearer ${key}`);
    expect(await isWorking(key)).toBe(true);

    const list = await visitor.get('/dashboard');
    expect(list.html).not.toContain(key);
    expect(list.html).toContain(key.slice(-4));

    const id = /name="key" value="([^"]+)"/.exec(list.html)?.[1] ?? '';
    const revoked = await visitor.post('/dashboard/keys/revoke', { key: id });
    expect(revoked.location).toBe('/dashboard#keys');
    expect(await isWorking(key)).toBe(false);
    expect((await visitor.get('/dashboard')).html).toContain('revoked');
  });

  it('gives the free credits once, however often it is opened; its ledger says why credits came back', async () => {
    const visitor = await addPerson('once@example.org');
    await Promise.all([visitor.get('/dashboard'), visitor.get('/dashboard'), visitor.get('/dashboard')]);
    expect((await visitor.get('/dashboard/ledger')).html.match(/\+250/g)).toHaveLength(1);
    await refundOne();
    expect((await visitor.get('/dashboard/ledger')).html).toMatch(
      /Refund.*bulk_export.*30 rows withdrawn.*\+3.*Charge.*−100/s,
    );
    expect((await verifyLedger(site.services.accounts)).faults).toEqual([]);
  });

  it('signs out and in again', async () => {
    const visitor = await addPerson('again@example.org');
    await visitor.get('/dashboard');
    expect((await visitor.post('/sign-out', {})).location).toBe('/');
    expect((await visitor.get('/dashboard')).location).toBe('/sign-in');
    await visitor.get('/sign-in');
    const wrong = await visitor.post('/sign-in', { email: 'again@example.org', password: 'not the password' });
    expect(wrong.status).toBe(422);
    expect(wrong.html).not.toContain('not the password');
    const right = await visitor.post('/sign-in', { email: 'AGAIN@example.org', password: PASSWORD });
    expect(right.location).toBe('/dashboard');
  });

  it('sends somebody from the billing page through sign-in and back, and nowhere else', async () => {
    await addPerson('bill@example.org');
    const visitor = site.visitor();
    expect((await visitor.get('/dashboard/billing')).location).toBe('/sign-in?next=billing');
    await visitor.get('/sign-in?next=billing');
    const person = { email: 'bill@example.org', password: PASSWORD };
    expect((await visitor.post('/sign-in', { ...person, next: 'billing' })).location).toBe('/dashboard/billing');
    for (const next of ['https://evil.example', '//evil.example', '__proto__', 'constructor']) {
      const other = site.visitor();
      expect((await other.get(`/sign-in?next=${encodeURIComponent(next)}`)).html).not.toContain('name="next"');
      expect((await other.post('/sign-in', { ...person, next })).location).toBe('/dashboard');
    }
  });

  it('refuses weak passwords, broken addresses and no name, and keeps what was typed but the password', async () => {
    for (const fields of [
      { name: 'A', email: 'weak@example.org', password: 'short' },
      { name: 'A', email: 'no address', password: PASSWORD },
      { name: '', email: 'noname@example.org', password: PASSWORD },
    ]) {
      const visitor = site.visitor();
      await visitor.get('/sign-up');
      const { status, html } = await visitor.post('/sign-up', fields);
      expect([status, html]).toEqual([422, expect.stringContaining(`value="${fields.email}"`)]);
      expect(html).not.toContain(fields.password);
    }
  });

  it('touches only the keys of its own account', async () => {
    const owner = await addPerson('owner@example.org');
    await owner.get('/dashboard');
    const created = await owner.post('/dashboard/keys', { name: 'mine' });
    const key = /id="new-key">([^<]+)</.exec(created.html)?.[1] ?? '';
    const id = /name="key" value="([^"]+)"/.exec((await owner.get('/dashboard')).html)?.[1] ?? '';
    const other = await addPerson('other@example.org');
    await other.get('/dashboard');
    await other.post('/dashboard/keys/revoke', { key: id });
    expect(await isWorking(key)).toBe(true);
  });
});

describe('forms from elsewhere', () => {
  const person = { name: 'C', email: 'csrf@example.org', password: PASSWORD };

  it('are refused without our token, from another origin, without any origin, or with another browser’s token', async () => {
    const visitor = site.visitor();
    const mine = /name="form_token" value="([^"]+)"/.exec((await visitor.get('/sign-up')).html)?.[1] ?? '';
    const stale = await visitor.post('/sign-up', { ...person, form_token: '' });
    expect([stale.status, stale.html]).toEqual([403, expect.stringContaining('open for too long')]);
    // What was typed stands there again, but for the password.
    expect(stale.html).toContain(`value="${person.email}"`);
    expect(stale.html).not.toContain(PASSWORD);
    expect((await visitor.post('/sign-up', person, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await visitor.post('/sign-up', person, { origin: 'null' })).status).toBe(403);
    expect((await visitor.post('/sign-up', person, {})).status).toBe(403);
    const other = site.visitor();
    await other.get('/sign-up');
    expect((await other.post('/sign-up', { ...person, form_token: mine })).status).toBe(403);
    expect((await visitor.post('/sign-up', { ...person, form_token: mine })).status).toBe(303);
  });

  it('cannot make a key for somebody who is signed in', async () => {
    const visitor = await addPerson('victim@example.org');
    await visitor.get('/dashboard');
    expect((await visitor.post('/dashboard/keys', { name: 'x' }, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await visitor.post('/dashboard/keys', { name: 'x', form_token: 'stale' })).status).toBe(403);
    expect((await visitor.get('/dashboard')).html).toContain('No key yet');
  });

  it('are refused with the token that the same browser had in another session', async () => {
    const visitor = await addPerson('before@example.org');
    const tokenOf = ({ html }: { html: string }) => /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const before = tokenOf(await visitor.get('/dashboard/settings'));
    await visitor.post('/sign-out', {});
    await visitor.get('/sign-in');
    await visitor.post('/sign-in', { email: 'before@example.org', password: PASSWORD });
    expect((await visitor.post('/dashboard/keys', { name: 'x', form_token: before })).status).toBe(403);
    expect(
      (await visitor.post('/dashboard/keys', { name: 'x', form_token: tokenOf(await visitor.get('/dashboard')) }))
        .status,
    ).not.toBe(403);
  });
});

describe('guessing passwords', () => {
  const email = 'guess@example.org';
  const tryOnce = async (visitor = site.visitor(), password = 'a wrong password') => {
    await visitor.get('/sign-in');
    return visitor.post('/sign-in', { email, password });
  };

  it('is throttled per e-mail address, whatever the browser, and keeps nobody out of their own', async () => {
    const owner = await addPerson(email);
    const statuses: number[] = [];
    for (let tries = 0; tries < 11; tries++) {
      const { status, headers } = await tryOnce();
      statuses.push(status);
      expect(Number(headers.get('retry-after')) > 0).toBe(status === 429);
    }
    expect(statuses).toEqual([...Array(10).fill(422), 429]);
    const kept = await tryOnce(site.visitor(), PASSWORD);
    expect(kept.status).toBe(429);
    expect(kept.html).not.toContain('network address');
    expect(kept.html).toMatch(/Too many passwords were tried with this e-mail address.*Try again in 1\d minutes/);
    expect(kept.html).toContain('A browser in which you have signed in before can still sign in');
    await owner.post('/sign-out', {});
    expect((await tryOnce(owner, PASSWORD)).location).toBe('/dashboard');
    const stolen = site.visitor();
    stolen.cookies.set(
      'known',
      (owner.cookies.get('known') ?? '').replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
    );
    expect((await tryOnce(stolen, PASSWORD)).status).toBe(429);
    const other = await addPerson('other-guess@example.org');
    await other.post('/sign-out', {});
    expect((await tryOnce(other, PASSWORD)).status).toBe(429);
  });

  it('leaves the way of a mailed link to a new browser', async () => {
    const visitor = site.visitor();
    await visitor.get('/forgotten');
    const path = await site.operator.readLink(() => visitor.post('/forgotten', { email }));
    await visitor.get(path);
    await visitor.post('/reset', { link: path.slice('/reset?link='.length), password: 'another long password' });
    expect((await tryOnce(visitor, 'another long password')).location).toBe('/dashboard');
  });
});
