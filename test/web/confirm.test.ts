import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyLedger } from '../../schema/ledger.ts';
import { type Mailbox, startMailbox } from './mailbox.ts';
import { type Site, startSite } from './site.ts';

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

async function signUp(email: string) {
  const visitor = site.visitor();
  await visitor.get('/sign-up');
  const headers = { origin: 'http://data.example' };
  await visitor.post('/sign-up', { name: 'Ada', email, password: 'a long enough password' }, headers);
  return { visitor, dashboard: await visitor.get('/dashboard'), headers };
}

/** The path that the last mail leads to. */
const linkOf = (mail = '') => /http:\/\/data\.example(\/confirm\?token=[\w.%-]+)/.exec(mail)?.[1] ?? '';

describe('where mail can be sent', () => {
  it('the free credits come with the confirmed address, once however often it is confirmed and looked at', async () => {
    const { visitor, dashboard } = await signUp('ada@example.org');
    expect(dashboard.html).toContain('<strong>0</strong>');
    expect(dashboard.html).toContain('Confirm your e-mail address');
    const mail = mailbox.mails.at(-1) ?? '';
    expect(mail).toMatch(/^From: data@example.org\r$/m);
    expect(mail).toMatch(/^To: ada@example.org\r$/m);
    // Whoever opens the link is believed, in whatever browser.
    for (const person of [site.visitor(), visitor])
      expect((await person.get(linkOf(mail))).location).toBe('/dashboard');
    const pages = await Promise.all([visitor.get('/dashboard'), visitor.get('/dashboard'), visitor.get('/dashboard')]);
    expect(pages.at(-1)?.html).toContain('<strong>250</strong>');
    expect(pages.at(-1)?.html).not.toContain('Confirm your e-mail address');
    expect((await visitor.get('/dashboard/ledger')).html.match(/\+250/g)).toHaveLength(1);
    expect((await verifyLedger(site.house.accounts)).faults).toEqual([]);
  });

  it('no click gives credits: neither signing up again, nor a forged or altered token, nor asking for more mail', async () => {
    const { visitor, headers } = await signUp('eve@example.org');
    const sent = mailbox.mails.length;
    const link = linkOf(mailbox.mails.at(-1));
    for (const wrong of ['/confirm', '/confirm?token=', '/confirm?token=e30.e30.x', `${link.slice(0, -4)}AAAA`]) {
      expect((await visitor.get(wrong)).location).toBe('/dashboard?confirm=stale');
    }
    expect((await visitor.get('/dashboard?confirm=stale')).html).toContain('no longer good');
    await signUp('eve@example.org');
    const asked = [];
    for (let times = 0; times < 6; times++) asked.push((await visitor.post('/confirm', {}, headers)).status);
    expect(asked).toEqual([200, 200, 200, 200, 200, 429]);
    expect(mailbox.mails.length).toBe(sent + 5);
    expect((await visitor.get('/dashboard')).html).toContain('<strong>0</strong>');
  });

  it('somebody can sign up although the mail server is out, and be mailed later', async () => {
    const out = await startSite({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'data@example.org' });
    try {
      const visitor = out.visitor();
      await visitor.get('/sign-up');
      const person = { name: 'Bo', email: 'bo@example.org', password: 'a long enough password' };
      expect((await visitor.post('/sign-up', person)).location).toBe('/dashboard');
      expect((await visitor.get('/dashboard')).html).toContain('<strong>0</strong>');
    } finally {
      await out.close();
    }
  });
});

describe('where no mail can be sent', () => {
  it('an account is verified when it is made', async () => {
    const plain = await startSite();
    try {
      const visitor = plain.visitor();
      await visitor.get('/sign-up');
      await visitor.post('/sign-up', { name: 'Cy', email: 'cy@example.org', password: 'a long enough password' });
      expect((await visitor.get('/dashboard')).html).toContain('<strong>250</strong>');
      expect(await plain.house.accounts.read({ sql: 'SELECT email_verified FROM auth_user' })).toEqual([
        { email_verified: 1 },
      ]);
    } finally {
      await plain.close();
    }
  });
});
