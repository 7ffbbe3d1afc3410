import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOwnMachine } from '../../../../api/concurrency/machine.ts';
import { connect, makeLibrary } from '../../../../api/web/auth/library.ts';
import { makeUsers } from '../../../../api/web/auth/users.ts';
import { readSettings } from '../../../../schema/config/settings.ts';
import { makeDatabase, makeFolder } from '../../../support/databases.ts';
import { type Mailbox, startMailbox } from '../mailbox.ts';
import { type Site, startSite } from '../site.ts';
import { follow, PASSWORD } from '../visitor.ts';

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
      expect(await site.services.accounts.read({ sql })).toEqual([{ balance: 250, grants: 1 }]);
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

describe('links for new passwords, to many addresses', () => {
  it('are bounded for a network', async () => {
    await withSite({ TRUST_PROXY: '1' }, async (site) => {
      const forget = async (name: string, from: string) => {
        const visitor = site.visitor();
        await visitor.get('/forgotten');
        const sent = { ...headers, 'x-forwarded-for': from };
        return visitor.post('/forgotten', { email: `${name}@example.org` }, sent);
      };
      const statuses = [];
      for (let at = 0; at < 30; at += 1) statuses.push((await forget(`many${at}`, `203.0.113.${at}`)).status);
      expect(statuses).toEqual(Array(30).fill(303));
      const refused = await forget('more', '203.0.113.99');
      expect([refused.status, refused.html]).toEqual([429, expect.stringContaining('from your network')]);
      expect((await forget('more', '203.0.114.1')).status).toBe(303);
    });
  });
});

it('too many passwords are refused in the same words with and without an account', async () => {
  await withSite({}, async (site) => {
    await follow(site.visitor(), (await ask(site, 'known@example.org')).link, { headers });
    const answersOf = async (email: string) => {
      const answers = [];
      for (let tries = 0; tries < 11; tries += 1) {
        const visitor = site.visitor();
        await visitor.get('/sign-in');
        const { status, html } = await visitor.post('/sign-in', { email, password: 'a wrong password' }, headers);
        answers.push([status, /<main[\s\S]*?<\/main>/.exec(html)?.[0].replace(/value="[^"]*"/g, '')]);
      }
      return answers;
    };
    const known = await answersOf('known@example.org');
    expect(known.at(-1)).toEqual([429, expect.stringContaining('Too many passwords were tried')]);
    expect(await answersOf('unknown@example.org')).toEqual(known);
  });
});

describe('a name', () => {
  const NAMES = [
    ['http://evil.example/win', 'without a web address'],
    ['Win £500 at //evil.example', 'without a web address'],
    ['WWW.evil.example', 'without a web address'],
    ['.,-', 'without a web address'],
    ['a'.repeat(81), 'at most 80 characters'],
    ['都'.repeat(81), 'at most 80 characters'],
    ['You won! Call 0800 000', 'letters, digits, spaces'],
    ['Pay: me', 'letters, digits, spaces'],
    ['a@example.org', 'letters, digits, spaces'],
    ['Ada\u200fadA', 'letters, digits, spaces'],
    ['Ada\u061cadA', 'letters, digits, spaces'],
    ['A\u200b\u200bda', 'letters, digits, spaces'],
    ['Ada \u200d', 'letters, digits, spaces'],
    ['Ada 😀', 'letters, digits, spaces'],
  ] as const;

  it('holds no message to somebody else: it is refused, not cut, and shown in the form again', async () => {
    await withSite({}, async (site) => {
      const visitor = site.visitor();
      for (const [name, why] of NAMES) {
        await visitor.get('/sign-up');
        const person = { name, email: 'n@example.org', password: PASSWORD };
        const { status, html } = await visitor.post('/sign-up', person, headers);
        expect([name, status, html.replaceAll('&#39;', "'").includes(why)]).toEqual([name, 422, true]);
        expect(html).toContain(`value="${name}"`);
      }
    });
  });

  it('is of any script, with the signs that names have', async () => {
    const names = [
      'Ada Lovelace',
      'O’Brien & Sons (Leeds) Ltd.',
      'Jürgen Müller-Lüdenscheid',
      "A/B & C, 日本, D'Arcy",
      '한국전력공사 3',
      'علی‌رضا',
      'क्‍ष',
      '都'.repeat(80),
    ];
    await withSite({}, async (site) => {
      for (const [at, name] of names.entries()) {
        const visitor = site.visitor();
        await visitor.get('/sign-up');
        const person = { name, email: `good${at}@example.org`, password: PASSWORD };
        expect([name, (await visitor.post('/sign-up', person, headers)).status]).toEqual([name, 303]);
      }
    });
  });

  it('is in no mail, and nothing else that was typed but the address it goes to', async () => {
    await withSite({}, async (site) => {
      const bare = (mail: string) =>
        mail.replace(/^(?:To|Message-ID|Date):.*$/gim, '').replace(/link=(?:=\r\n|\w)+/g, 'link=');
      const mails = [];
      for (const [at, name] of ['Ada', 'Call 0800 000 000 now'].entries()) {
        const visitor = site.visitor();
        await visitor.get('/sign-up');
        const sent = mailbox.mails.length;
        const person = { name, email: `bare${at}@example.org`, password: `${name} as a password` };
        await visitor.post('/sign-up', person, headers);
        await expect.poll(() => mailbox.mails.length).toBe(sent + 1);
        mails.push(bare(mailbox.mails.at(-1) ?? ''));
      }
      expect(mails[0]).toBe(mails[1]);
      expect(mails[1]).not.toContain('0800');
      const words = `${'words-to-a-stranger-'.repeat(4)}@example.org`;
      const visitor = site.visitor();
      await visitor.get('/sign-up');
      const { status } = await visitor.post('/sign-up', { name: 'Ada', email: words, password: PASSWORD }, headers);
      expect(status).toBe(422);
    });
  });
});

describe('sign-ups of a day', () => {
  it('are bounded for a network, and say until when; another network signs up', async () => {
    await withSite({ SIGN_UPS_PER_NETWORK_DAY: '2', TRUST_PROXY: '1' }, async (site) => {
      const status = async (name: string, from: string) => (await signUp(site, `${name}@example.org`, from)).status;
      expect(await status('a', '203.0.113.7')).toBe(303);
      expect(await status('b', '203.0.113.200')).toBe(303);
      const refused = await signUp(site, 'c@example.org', '203.0.113.9');
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused.html).toMatch(/from your network. Sign up again from \d+ [A-Z][a-z]+ \d{4} at 0[01]:00/);
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
      const rows = await site.services.accounts.read<{ hash: string }>({ sql: 'SELECT hash FROM sign_up_day' });
      expect(rows.map(({ hash }) => hash)).toEqual(rows.map(() => expect.stringMatching(/^[0-9a-f]{64}$/)));
    });
  });
});

it('sign-ups at once with one address each have a link, and replace no confirmed password', async () => {
  const folder = await makeFolder();
  const accounts = await makeDatabase(folder.path, 'accounts');
  const client = await connect(readSettings({ DATA_DIR: folder.path }), accounts);
  const parts = { client, accounts, machine: makeOwnMachine() };
  const library = makeLibrary(readSettings({ DATA_DIR: folder.path }), 'a secret of the service', parts);
  const links: string[] = [];
  const users = await makeUsers(library, accounts, async (_to, token) => void links.push(token));
  // Both processes looked for the address before either had stored it.
  for (const hash of ['one', 'other']) await users.invite({ name: 'Ada', email: 'ada@example.org', hash }, null);
  expect(new Set(links).size).toBe(2);
  expect(await accounts.read({ sql: 'SELECT email FROM auth_user' })).toEqual([{ email: 'ada@example.org' }]);
  // Its owner confirms the address while a stranger's sign-up with it is being stored.
  const known = await users.readUser('ada@example.org');
  await accounts.write([{ sql: 'UPDATE auth_user SET email_verified = 1' }]);
  await users.invite({ name: 'Eve', email: 'ada@example.org', hash: 'of a stranger' }, known);
  expect(await accounts.read({ sql: 'SELECT password FROM auth_account' })).toEqual([{ password: 'other' }]);
  client.close();
  await accounts.close();
  await folder.remove();
});
