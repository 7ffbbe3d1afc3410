import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyLedger } from '../../../../schema/accounts/ledger/verify.ts';
import { type Mailbox, startMailbox } from '../mailbox.ts';
import { type Site, startSite } from '../site.ts';
import { follow, PASSWORD, type Visitor } from '../visitor.ts';

let site: Site;
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
  site = await startSite({ SMTP_URL: mailbox.url, MAIL_FROM: 'data@example.org', APP_URL: 'http://data.example' });
});
afterAll(async () => {
  await site?.close();
  await mailbox?.close();
});

const headers = { origin: 'http://data.example' };

async function send(path: string, fields: Record<string, string>, visitor = site.visitor()) {
  await visitor.get(path);
  const answer = await visitor.post(path, fields, headers);
  return [answer.status, answer.location] as const;
}

/** Signs up and answers the mail that follows. */
async function ask(email: string, password = PASSWORD): Promise<string> {
  const sent = mailbox.mails.length;
  expect(await send('/sign-up', { name: 'Ada', email, password })).toEqual([303, '/sign-up/sent']);
  await expect.poll(() => mailbox.mails.length).toBe(sent + 1);
  return mailbox.mails.at(-1) ?? '';
}

/** The path that a mail leads to. */
const linkOf = (mail: string) => /http:\/\/data\.example(\/(?:confirm|reset)\?link=\w+)/.exec(mail)?.[1] ?? '';
const signIn = (email: string, password = PASSWORD) => send('/sign-in', { email, password });
const isIn = async (visitor: Visitor) => (await visitor.get('/dashboard')).status === 200;

describe('where mail can be sent', () => {
  it('nobody is signed in before the address is confirmed; the link does both, once, and the free credits come', async () => {
    const mail = await ask('ada@example.org');
    expect(mail).toMatch(/^From: data@example.org\r$/m);
    expect(mail).toMatch(/^To: ada@example.org\r$/m);
    const link = linkOf(mail);
    expect(link).not.toContain('ada');
    // Somebody who reads the database could confirm with it.
    const stored = await site.services.accounts.read({ sql: 'SELECT * FROM auth_verification' });
    expect(JSON.stringify(stored)).not.toContain(link.slice('/confirm?link='.length));
    // A mail server that follows links before anybody reads the mail.
    for (const times of [1, 2])
      expect((await site.visitor().get(link)).html, String(times)).toContain('as <strong>Ada');
    const visitor = site.visitor();
    expect((await follow(visitor, link, { headers })).location).toBe('/dashboard');
    const pages = await Promise.all([visitor.get('/dashboard'), visitor.get('/dashboard'), visitor.get('/dashboard')]);
    expect(pages.at(-1)?.html).toContain('<strong>250</strong>');
    expect((await visitor.get('/dashboard/ledger')).html.match(/\+250/g)).toHaveLength(1);
    expect((await verifyLedger(site.services.accounts)).faults).toEqual([]);
    const again = site.visitor();
    expect((await follow(again, link, { headers })).location).toBe('/confirm');
    expect(await isIn(again)).toBe(false);
  });

  it.each(['/confirm', '/confirm?link=', '/confirm?link=forged', '/confirm?link=a&link=b', '/confirm?token=e30.e30.x'])(
    'a link that is no longer good (%s) leads on: to sign in, or to another link',
    async (wrong) => {
      const { status, html } = await site.visitor().get(wrong);
      expect([status, html]).toEqual([200, expect.stringContaining('This link no longer works')]);
      expect(html).toContain('action="/sign-in"');
    },
  );

  it('a link to confirm ends after a day, one to reset after an hour', async () => {
    const passSeconds = (seconds: number) =>
      site.services.accounts.write([
        { sql: `UPDATE auth_verification SET expires_at = expires_at - ${seconds * 1_000}` },
      ]);
    const visitor = site.visitor();
    const confirm = linkOf(await ask('slow@example.org'));
    await passSeconds(86_340);
    expect((await visitor.get(confirm)).html).toContain('as <strong>Ada');
    await passSeconds(60);
    expect((await visitor.get(confirm)).html).toContain('This link no longer works');
    expect((await follow(visitor, confirm, { headers })).location).toBe('/confirm');
    expect(await isIn(visitor)).toBe(false);
    await follow(visitor, linkOf(await ask('slow@example.org')), { headers });
    const sent = mailbox.mails.length;
    await send('/forgotten', { email: 'slow@example.org' });
    await expect.poll(() => mailbox.mails.length).toBe(sent + 1);
    const reset = linkOf(mailbox.mails.at(-1) ?? '');
    await passSeconds(3_540);
    expect((await visitor.get(reset)).html).toContain('New password');
    await passSeconds(60);
    expect((await visitor.get(reset)).html).toContain('This link no longer works');
    const fields = { link: reset.slice('/reset?link='.length), password: 'another long password' };
    expect((await visitor.post('/reset', fields, headers)).location).toBe('/reset');
    expect(await signIn('slow@example.org')).toEqual([303, '/dashboard']);
  });

  it('a sign-up says the same of an address that has an account; only its mail knows', async () => {
    const link = linkOf(await ask('known@example.org'));
    await follow(site.visitor(), link, { headers });
    const mail = await ask('Known@example.org', 'another long password');
    expect(mail).toContain('tried to sign up');
    expect(mail).toContain('http://data.example/forgotten');
    expect(linkOf(mail)).toBe('');
    expect((await signIn('known@example.org', 'another long password'))[0]).toBe(422);
    expect(await signIn('known@example.org')).toEqual([303, '/dashboard']);
  });

  it('the right password of an unconfirmed address brings another link, a wrong one the usual answer', async () => {
    await ask('eve@example.org');
    const sent = mailbox.mails.length;
    expect((await signIn('eve@example.org', 'a wrong password'))[0]).toBe(422);
    expect(await signIn('eve@example.org')).toEqual([303, '/confirm/sent']);
    await expect.poll(() => mailbox.mails.length).toBe(sent + 1);
    expect((await follow(site.visitor(), linkOf(mailbox.mails.at(-1) ?? ''), { headers })).location).toBe('/dashboard');
  });

  it('a link confirms the very sign-up it was sent for: a stranger who was there before knows no password', async () => {
    const strangers = linkOf(await ask('late@example.org', 'the password of a stranger'));
    const own = linkOf(await ask('late@example.org'));
    expect((await follow(site.visitor(), own, { headers })).location).toBe('/dashboard');
    expect((await follow(site.visitor(), strangers, { headers })).location).toBe('/confirm');
    expect((await signIn('late@example.org', 'the password of a stranger'))[0]).toBe(422);
    expect(await signIn('late@example.org')).toEqual([303, '/dashboard']);
  });

  it('of several sign-ups that are confirmed at once one is, and signs in', async () => {
    const email = 'many@example.org';
    const passwords = ['the first long password', 'the second long password', 'the third long password'];
    const mails: string[] = [];
    for (const password of passwords) mails.push(await ask(email, password));
    const visitors = passwords.map(() => site.visitor());
    const entered = await Promise.all(
      visitors.map((visitor, at) =>
        follow(visitor, linkOf(mails[at] ?? ''), { password: passwords[at] ?? '', headers }),
      ),
    );
    expect(entered.map(({ location }) => location).sort()).toEqual(['/confirm', '/confirm', '/dashboard']);
    const isOwner = entered.map(({ location }) => location === '/dashboard');
    expect(await Promise.all(visitors.map(isIn))).toEqual(isOwner);
    const signedIn = [];
    for (const password of passwords) signedIn.push((await signIn(email, password))[0] === 303);
    expect(signedIn).toEqual(isOwner);
  });

  it('a link asks for the password of its sign-up, so that a stranger confirms nothing', async () => {
    const email = 'mine@example.org';
    const link = linkOf(await ask(email, 'the password of a stranger'));
    const owner = site.visitor();
    const refused = await follow(owner, link, { headers });
    expect([refused.status, refused.html]).toEqual([422, expect.stringContaining('not the password that was chosen')]);
    expect(await isIn(owner)).toBe(false);
    await send('/forgotten', { email }, owner);
    const reset = () => linkOf(mailbox.mails.at(-1) ?? '');
    await expect.poll(reset).toMatch(/^\/reset/);
    await owner.get(reset());
    await owner.post('/reset', { link: reset().slice('/reset?link='.length), password: PASSWORD }, headers);
    expect((await follow(owner, link, { password: 'the password of a stranger', headers })).location).toBe('/confirm');
    expect((await signIn(email, 'the password of a stranger'))[0]).toBe(422);
    expect(await signIn(email)).toEqual([303, '/dashboard']);
  });

  it('a sign-up whose password could not be stored is sent no link; the next one is, and can sign in', async () => {
    const { accounts } = site.services;
    const refuse = `CREATE TRIGGER no_password BEFORE INSERT ON auth_account BEGIN SELECT raise(ABORT, 'no room'); END`;
    await accounts.write([{ sql: refuse }]);
    const email = 'half@example.org';
    const sent = mailbox.mails.length;
    await send('/sign-up', { name: 'Ada', email, password: PASSWORD });
    await expect.poll(() => site.operator.lines.at(-1)?.msg).toBe('what was to follow a form failed');
    expect(mailbox.mails).toHaveLength(sent);
    await accounts.write([{ sql: 'DROP TRIGGER no_password' }]);
    expect((await follow(site.visitor(), linkOf(await ask(email)), { headers })).location).toBe('/dashboard');
    expect(await signIn(email)).toEqual([303, '/dashboard']);
  });

  it('one address is sent five links an hour, whether or not it has an account', async () => {
    const sent = mailbox.mails.length;
    await ask('unconfirmed@example.org');
    // Who signs in before the address is confirmed is sent another.
    const again = [];
    for (let times = 0; times < 5; times++) again.push((await signIn('unconfirmed@example.org'))[0]);
    expect(again).toEqual([303, 303, 303, 303, 429]);
    await expect.poll(() => mailbox.mails.length).toBe(sent + 5);
    for (const email of ['nobody@example.org', 'ada@example.org']) {
      const asked = [];
      for (let times = 0; times < 6; times++) asked.push((await send('/forgotten', { email }))[0]);
      expect(asked.slice(-2)).toEqual([expect.any(Number), 429]);
    }
  });
});

it('somebody can sign up although the mail server is out, and be mailed later', async () => {
  const out = await startSite({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'data@example.org' });
  try {
    const visitor = out.visitor();
    await visitor.get('/sign-up');
    const person = { name: 'Bo', email: 'bo@example.org', password: PASSWORD };
    expect((await visitor.post('/sign-up', person)).location).toBe('/sign-up/sent');
    await expect.poll(() => out.operator.lines).toMatchObject([{ msg: 'a mail was not sent' }]);
  } finally {
    await out.close();
  }
});

it('where no mail can be sent, the operator finds the link in the log, which names nobody', async () => {
  const plain = await startSite();
  try {
    await plain.addPerson({ email: 'cy@example.org' });
    expect(plain.operator.lines).toMatchObject([{ msg: 'no mail server is set: this link is to confirm an account' }]);
    expect(JSON.stringify(plain.operator.lines)).not.toContain('cy@');
    for (const path of ['/sign-up/sent', '/confirm/sent', '/forgotten/sent']) {
      const { html } = await plain.visitor().get(path);
      expect(html).toContain('its operator finds the link in the log');
      expect(html, 'no mail is announced').not.toMatch(/on its way|spam folder|Check your e-mail/);
    }
  } finally {
    await plain.close();
  }
});
