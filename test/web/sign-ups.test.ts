import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Mailbox, startMailbox } from './mailbox.ts';
import { type Site, startSite } from './site.ts';
import { follow, PASSWORD } from './visitor.ts';

const headers = { origin: 'http://data.example' };
let mailbox: Mailbox;
const mailed = () => ({ SMTP_URL: mailbox.url, MAIL_FROM: 'data@example.org', APP_URL: 'http://data.example' });
beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox?.close());

async function withSite(settings: Record<string, string>, work: (site: Site) => Promise<void>): Promise<void> {
  const site = await startSite({ ...mailed(), ...settings });
  try {
    await work(site);
  } finally {
    await site.close();
  }
}

async function signUp(site: Site, email: string, from = '203.0.113.7') {
  const visitor = site.visitor();
  await visitor.get('/sign-up');
  const person = { name: 'Ada', email, password: PASSWORD };
  return visitor.post('/sign-up', person, { ...headers, 'x-forwarded-for': from });
}

/** The mail that a sign-up brings, and the path of its link. */
async function ask(site: Site, email: string): Promise<{ mail: string; link: string }> {
  const sent = mailbox.mails.length;
  expect((await signUp(site, email)).location).toBe('/sign-up/sent');
  await expect.poll(() => mailbox.mails.length).toBe(sent + 1);
  const mail = mailbox.mails.at(-1) ?? '';
  return { mail, link: /http:\/\/data\.example(\/confirm\?link=\w+)/.exec(mail)?.[1] ?? '' };
}

describe('one mailbox', () => {
  it('opens one account, however its address is spelt, and has its free credits once', async () => {
    await withSite({}, async (site) => {
      const visitor = site.visitor();
      await follow(visitor, (await ask(site, 'ada.b@gmail.com')).link, { headers });
      await visitor.get('/dashboard');
      for (const other of ['adab@gmail.com', 'Ada.B+2@gmail.com', 'a.d.a.b@googlemail.com']) {
        const { mail, link } = await ask(site, other);
        expect([other, link, /^To: (.*)\r$/m.exec(mail)?.[1]]).toEqual([other, '', 'ada.b@gmail.com']);
      }
      const sql = `SELECT a.balance, (SELECT count(*) FROM transfer WHERE to_account = a.id AND kind = 'grant') AS grants
        FROM account a WHERE substr(a.id, 1, 1) <> '@'`;
      expect(await site.house.accounts.read({ sql })).toEqual([{ balance: 250, grants: 1 }]);
    });
  });

  it('is confirmed and signed in as it was spelt last, where an earlier spelling was never confirmed', async () => {
    await withSite({}, async (site) => {
      await ask(site, 'bo+first@example.org');
      const { link } = await ask(site, 'bo@example.org');
      const visitor = site.visitor();
      expect((await follow(visitor, link, { headers })).location).toBe('/dashboard');
      const again = site.visitor();
      await again.get('/sign-in');
      const answer = await again.post('/sign-in', { email: 'bo@example.org', password: PASSWORD }, headers);
      expect(answer.location).toBe('/dashboard');
    });
  });

  it('is sent five links an hour in all, whatever tags it is given', async () => {
    await withSite({}, async (site) => {
      const statuses = [];
      for (let tag = 0; tag < 6; tag += 1) statuses.push((await signUp(site, `cy+${tag}@example.org`)).status);
      expect(statuses).toEqual([303, 303, 303, 303, 303, 429]);
    });
  });
});

it('a name holds no address that a mail could repeat', async () => {
  await withSite({}, async (site) => {
    const visitor = site.visitor();
    const names = ['http://evil.example/win', 'Win £500 at //evil.example', 'WWW.evil.example'];
    for (const [at, name] of names.entries()) {
      await visitor.get('/sign-up');
      const person = { name, email: `n${at}@example.org`, password: PASSWORD };
      const { status, html } = await visitor.post('/sign-up', person, headers);
      expect([name, status]).toEqual([name, 422]);
      expect(html).toContain('without a web address');
    }
    for (const [at, name] of [
      'Ada Lovelace',
      'O’Brien & Sons (Leeds) Ltd.',
      'Jürgen Müller-Lüdenscheid',
      'A/B + C, 日本',
    ].entries()) {
      await visitor.get('/sign-up');
      const person = { name, email: `good${at}@example.org`, password: PASSWORD };
      expect([name, (await visitor.post('/sign-up', person, headers)).status]).toEqual([name, 303]);
    }
  });
});

describe('sign-ups of a day', () => {
  it('are bounded for a network, which is told until when; another network signs up', async () => {
    await withSite({ SIGN_UPS_PER_NETWORK_DAY: '2', TRUST_PROXY: '1' }, async (site) => {
      const status = async (name: string, from: string) => (await signUp(site, `${name}@example.org`, from)).status;
      expect(await status('a', '203.0.113.7')).toBe(303);
      expect(await status('b', '203.0.113.200')).toBe(303);
      const refused = await signUp(site, 'c@example.org', '203.0.113.9');
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused.html).toMatch(/from your network. Sign up again from \d{4}-\d\d-\d\d 00:00 UTC/);
      expect(await status('c', '203.0.114.9')).toBe(303);
      for (const [name, from] of [
        ['d', '2001:db8:1:200::1'],
        ['e', '2001:db8:1:2ff::1'],
      ] as const)
        expect(await status(name, from)).toBe(303);
      expect(await status('f', '2001:db8:1:2aa::1')).toBe(429);
      expect(await status('f', '2001:db8:1:300::1')).toBe(303);
    });
  });

  it('are bounded for a domain, over processes, and kept without anybody’s address', async () => {
    await withSite({ SIGN_UPS_PER_DOMAIN_DAY: '1' }, async (site) => {
      expect((await signUp(site, 'a@farm.example')).status).toBe(303);
      const refused = await signUp(site, 'b@Farm.example');
      expect([refused.status, refused.html]).toEqual([429, expect.stringContaining('addresses of this domain')]);
      expect((await signUp(site, 'b@other.example')).status).toBe(303);
      const rows = await site.house.accounts.read<{ hash: string }>({ sql: 'SELECT hash FROM sign_up_day' });
      expect(rows.map(({ hash }) => hash)).toEqual(rows.map(() => expect.stringMatching(/^[0-9a-f]{64}$/)));
    });
  });
});
