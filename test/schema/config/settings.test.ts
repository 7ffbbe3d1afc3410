import { describe, expect, it } from 'vitest';
import { requireContact } from '../../../jobs/process/require-contact.ts';
import { BadSettings, readSettings, SETTINGS } from '../../../schema/config/settings.ts';

type Name = keyof typeof SETTINGS;

/** A right value of each setting whose default is not enough to mistype. */
const RIGHT: Partial<Record<Name, string>> = {
  CATALOGUE_URL: 'libsql://data.example.org',
  ACCOUNTS_URL: 'http://accounts.example.org:8080',
  MEILI_URL: 'http://meili.example.org:7700',
  BASE_URL: 'https://api.example.org',
  APP_URL: 'https://app.example.org',
  AS_OF: '2026-11-20T09:00:00Z',
  CORS_ORIGINS: 'https://app.example.org, https://b.example.org',
  MCP_ORIGINS: 'https://app.example.org',
  SMTP_URL: 'smtps://user:password@mail.example.org',
  MAIL_FROM: 'Data <data@example.org>',
  TOP_UP_CONTACT: 'sales@example.org',
  PRIVACY_CONTACT: 'https://example.org/privacy',
  STRIPE_SECRET_KEY: 'sk_live_abc',
  STRIPE_WEBHOOK_SECRET: 'whsec_abc',
  EXPORTS_URL: 's3://data-exports/of/us',
  EXPORTS_ENDPOINT: 'https://s3.example.org',
  EXPORTS_PATH_STYLE: 'true',
};

/** What one of the others asks for. */
const TOGETHER = {
  CATALOGUE_URL: 'libsql://data.example.org',
  ACCOUNTS_URL: 'libsql://accounts.example.org',
  MEILI_URL: 'http://meili.example.org',
  OPERATOR: 'Data Ltd',
  SMTP_URL: 'smtp://mail.example.org',
  MAIL_FROM: 'a@b',
  STRIPE_SECRET_KEY: 'sk_live_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
  EXPORTS_URL: 's3://bucket',
  EXPORTS_ACCESS_KEY_ID: 'id',
  EXPORTS_SECRET_ACCESS_KEY: 'secret',
};

const withoutUser = (url: string) => url.replace(/:\/\/.*@/, '://[hidden]@');

function catchFault(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  return expect.fail('nothing was refused');
}

/** What one slip makes of a value: a letter left out, doubled, swapped with the next, or another key hit beside it. */
function slips(value: string): string[] {
  const made = [...value].flatMap((letter, at) => [
    value.slice(0, at) + value.slice(at + 1),
    value.slice(0, at) + letter + value.slice(at),
    value.slice(0, at) + (value[at + 1] ?? '') + letter + value.slice(at + 2),
    ...[...'x;1- '].map((other) => value.slice(0, at) + other + value.slice(at + 1)),
  ]);
  return [...new Set(made)].filter((one) => one.trim() !== '');
}

describe('a mistyped value', () => {
  it('of any setting is the value it then has, or is refused with its name and what it may be', () => {
    let refused = 0;
    for (const [name, { fallback, schema }] of Object.entries(SETTINGS)) {
      for (const value of slips(RIGHT[name as Name] ?? fallback ?? 'some text')) {
        try {
          const settings = readSettings({ ...TOGETHER, [name]: value });
          const own = (settings as Record<string, unknown>)[name];
          expect(own, `${name}=${value}`).toEqual(schema.parse(value.trim()));
        } catch (error) {
          if (!(error instanceof BadSettings)) throw error;
          refused += 1;
          expect(error.message).toMatch(
            new RegExp(
              `^bad settings:\\n {2}${name}: expected (an? |at least|true|off|all|none|some|public|trace|lower|origins)`,
            ),
          );
          expect(error.message).toMatch(/, got (".*"|\(a secret\))$/s);
        }
      }
    }
    expect(refused).toBeGreaterThan(500);
  });

  it.each([
    ['DRAIN_SECONDS', '99999999999', 'a number of seconds from 0 to 3600'],
    ['REQUEST_TIMEOUT_SECONDS', '0', 'a number of seconds from 0.1 to 3600'],
    ['OVERLAP_HOURS', '99999999', 'a number of hours from 0 to 8760'],
    ['AS_OF', '0001-01-01T00:00:00Z', 'an ISO 8601 instant from 2000 to 2099'],
    ['AS_OF', '9999-12-31T23:59:59-14:00', 'an ISO 8601 instant from 2000 to 2099'],
    ['CORS_ORIGINS', 'htps://app.example.org', 'origins such as https://app.example.org, separated by commas'],
    ['CORS_ORIGINS', 'https://app.example.org/path', 'origins such as https://app.example.org, separated by commas'],
    ['MCP_ORIGINS', 'app.example.org', 'origins such as https://app.example.org, separated by commas'],
    [
      'CATALOGUE_URL',
      'libsql:data',
      'a file: address with a path, or a libsql:, http(s): or ws(s): address with a host',
    ],
    [
      'ACCOUNTS_URL',
      'libsql://me:secret@data.example.org',
      'a file: address with a path, or a libsql:, http(s): or ws(s): address with a host, without user or password: its token is a setting of its own',
    ],
    ...['http://data.example.org/accounts', 'ws://data.example.org/dev'].map((url) => [
      'ACCOUNTS_URL',
      url,
      'a file: address with a path, or a libsql:, http(s): or ws(s): address with a host, which names a namespace as NAME.host or as host/dev/NAME',
    ]),
    [
      'BASE_URL',
      'https://api.example.org/?from=here',
      'an http or https address without ? or #, as paths are added to it',
    ],
    ['LOG_LEVEL', 'inof', 'trace, debug, info, warn, error or silent'],
    ['PRIVACY_CONTACT', 'privacy.example.org', 'an e-mail or web address'],
    ['MAIL_FROM', 'data', 'an e-mail address, also with a name: Data <data@example.org>'],
  ])('%s=%s is refused with what it may be', (name, value, words) => {
    expect(() => readSettings({ [name]: value })).toThrow(`${name}: expected ${words}, got "${withoutUser(value)}"`);
  });

  it.each(['smpt://u:p@h', 'smtp:mail.example.org', 'smtp://u:50%off@mail.example.org'])(
    'of the address of mail is refused without it, and with words that hide nothing: %s',
    (SMTP_URL) => {
      expect(() => readSettings({ SMTP_URL })).toThrow(
        'SMTP_URL: expected an smtp: or smtps: address with a host, and with user and password (% as %25) where it asks for them, got (a secret)',
      );
    },
  );

  it.each([
    ['https://s3.example.org/bucket', 'another scheme'],
    ['s3://Bucket', 'capitals in a bucket'],
    ['s3://bucket//exports', 'an empty part'],
    ['s3://bucket/../exports', 'a way up'],
    ['s3://me:hidden@bucket/exports', 'a user'],
  ])('of the bucket of exports is refused: %s', (EXPORTS_URL) => {
    const words = 'an address such as s3://bucket/prefix, with letters, digits and . _ - in its names';
    expect(() => readSettings({ EXPORTS_URL })).toThrow(
      `EXPORTS_URL: expected ${words}, got "${withoutUser(EXPORTS_URL)}"`,
    );
  });

  it.each([
    ['MEILI_URL', 'http://me@meili.example.org', '://[hidden]@meili.example.org"'],
    ['MEILI_URL', 'http://me:pass/word@meili.example.org', '://[hidden]@meili.example.org"'],
    ['CATALOGUE_URL', 'libsql://me:p@ss "word"@data.example.org', '://[hidden]@data.example.org"'],
    ['EXPORTS_ENDPOINT', 'https://me:pa?ss#word@s3.example.org', '://[hidden]@s3.example.org"'],
  ])('of %s is repeated without a user and a password, whatever these are made of: %s', (name, value, shown) => {
    const { message } = catchFault(() => readSettings({ [name]: value }));
    expect(message).toContain(shown);
    expect(message).not.toMatch(/me[:@]|word"?@/);
  });

  it.each(['?authToken=abc', '/dev/accounts?tls=0&authToken=abc', '#abc', '?tls=2'])(
    'of a database may not carry its token, which would be shown and not be sent: %s',
    (end) => {
      for (const name of ['CATALOGUE_URL', 'CATALOGUE_NEXT_URL', 'ACCOUNTS_URL'])
        expect(() => readSettings({ [name]: `libsql://data.example.org${end}` })).toThrow(
          'with a host, without ? or #: its token is a setting of its own, got "libsql://data.example.org',
        );
      expect(readSettings({ ACCOUNTS_URL: 'libsql://db:8080?tls=0' }).ACCOUNTS_URL).toBe('libsql://db:8080?tls=0');
    },
  );

  it.each(['CATALOGUE_AUTH_TOKEN', 'ACCOUNTS_AUTH_TOKEN', 'MEILI_KEY', 'EXPORTS_ACCESS_KEY_ID', 'CONTACT'])(
    'of %s is refused where no header of a request can hold it',
    (name) => {
      for (const value of ['ключ', 'to\nken', 'a “quoted” key'])
        expect(() => readSettings({ ...TOGETHER, [name]: value })).toThrow(
          `${name}: expected some text of ASCII characters, on one line, got `,
        );
    },
  );

  it('of any setting is refused with the quotes that an env-file left around it', () => {
    for (const name of Object.keys(SETTINGS))
      for (const value of ['"5 Data Ltd"', "'on'", '""'])
        expect(() => readSettings({ ...TOGETHER, [name]: value })).toThrow(
          `${name}: expected a value without quotes around it, got `,
        );
    expect(readSettings({ ...TOGETHER, MAIL_FROM: '"Data, Ltd" <a@b>' }).MAIL_FROM).toBe('"Data, Ltd" <a@b>');
  });

  it('that would be sent to a live service as our address is refused first', () => {
    expect(() => requireContact(readSettings({ CONTACT: 'someone' }))).toThrow(
      'CONTACT: expected an e-mail or web address, got "someone".',
    );
    for (const CONTACT of ['you@example.org', 'https://example.org/about'])
      expect(() => requireContact(readSettings({ CONTACT }))).not.toThrow();
  });
});

it('blanks around a value are none of it, and origins are as browsers write them', () => {
  const { PORT, DATA_DIR, CORS_ORIGINS } = readSettings({
    PORT: ' 81 ',
    DATA_DIR: '  ',
    CORS_ORIGINS: 'https://App.example.org:443/, *,vscode-webview://abc',
  });
  expect({ PORT, DATA_DIR, CORS_ORIGINS }).toEqual({
    PORT: 81,
    DATA_DIR: 'data',
    CORS_ORIGINS: ['https://app.example.org', '*', 'vscode-webview://abc'],
  });
});

it('an address has no slash at its end, as paths are added to it', () => {
  for (const end of ['', '/', '//'])
    expect(readSettings({ BASE_URL: `https://data.example.org/api${end}` }).BASE_URL).toBe(
      'https://data.example.org/api',
    );
});

it('catalogue and accounts in one database are refused', () => {
  const same = 'ACCOUNTS_URL: expected another database than that of CATALOGUE_URL, got the same';
  for (const [CATALOGUE_URL, ACCOUNTS_URL] of [
    ['file:data/one.db', 'file:data/one.db'],
    ['file:data/one.db', 'file:./data//one.db'],
    [undefined, 'file:data/catalogue.db'],
    ['https://one.example.org', 'https://one.example.org'],
    ['libsql://one.example.org', 'wss://one.example.org/'],
    ['libsql://one.example.org:8080/dev/a?tls=0', 'ws://one.example.org:8080/dev/a'],
  ])
    expect(() => readSettings({ CATALOGUE_URL, ACCOUNTS_URL }), ACCOUNTS_URL).toThrow(same);
  const two = { CATALOGUE_URL: 'http://db:8080/dev/catalogue', ACCOUNTS_URL: 'http://db:8080/dev/accounts' };
  expect(readSettings(two)).toMatchObject(two);
});
