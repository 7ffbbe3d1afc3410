import { describe, expect, it } from 'vitest';
import { BadSettings, readSecretValues, readSettings } from '../../../schema/config/settings.ts';

describe('a setting that means nothing without another', () => {
  it.each([
    ['MAIL_FROM', 'data@example.org', 'SMTP_URL: expected the mail server'],
    ['MAIL_BOUNCES', 'bounces@example.org', 'SMTP_URL: expected the mail server'],
    ['SMTP_URL', 'smtp://mail.example.org', 'MAIL_FROM: expected the sender of mail'],
    ['STRIPE_SECRET_KEY', 'sk_live_abc', 'STRIPE_WEBHOOK_SECRET: expected the signing secret of the webhook'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_abc', 'STRIPE_SECRET_KEY: expected the secret key of Stripe'],
    ['OPERATOR_ADDRESS', '1 High Street', 'OPERATOR: expected who runs this service'],
  ])('is refused where that is missing: %s', (name, value, words) => {
    expect(() => readSettings({ [name]: value })).toThrow(
      new BadSettings(`bad settings:\n  ${words}, as ${name} is set, got nothing`),
    );
  });

  it('may be in the file that Compose reads too', () => {
    expect(readSettings({ CONTACT: 'you@example.org', MEILI_KEY: 'a-key' })).toMatchObject({ MEILI_KEY: 'a-key' });
  });

  it.each([
    ['CATALOGUE_URL', 'CATALOGUE_REPLICA', 'on', 'on'],
    ['CATALOGUE_URL', 'JOBS_ROLES', 'index', 'index'],
    ['CATALOGUE_URL', 'CATALOGUE_AUTH_TOKEN', 'a-token', 'set'],
    ['CATALOGUE_URL', 'CATALOGUE_NEXT_URL', 'http://127.0.0.1:8080', 'set'],
    ['CATALOGUE_URL', 'CATALOGUE_NEXT_AUTH_TOKEN', 'a-token', 'set'],
    ['ACCOUNTS_URL', 'ACCOUNTS_AUTH_TOKEN', 'a-token', 'set'],
  ])('is refused where %s is a file: %s', (database, name, value, state) => {
    for (const url of [undefined, 'file:data/one.db'])
      expect(() => readSettings({ [database]: url, [name]: value })).toThrow(
        new BadSettings(`bad settings:\n  ${database}: expected a libSQL server, as ${name} is ${state}, got a file`),
      );
    expect(readSettings({ [database]: 'libsql://data.example.org', [name]: value })).toMatchObject({ [name]: value });
  });
});

describe('the settings of a bucket', () => {
  const bucket = { EXPORTS_URL: 's3://bucket/a/b/', EXPORTS_ACCESS_KEY_ID: 'id', EXPORTS_SECRET_ACCESS_KEY: 'secret' };

  it('are read together, and its key is secret', () => {
    const settings = readSettings(bucket);
    expect(settings.EXPORTS_URL).toEqual({ bucket: 'bucket', prefix: 'a/b/' });
    expect(readSecretValues(settings)).toEqual(['id', 'secret']);
  });

  it.each([
    [{ ...bucket, EXPORTS_ACCESS_KEY_ID: '' }, 'EXPORTS_ACCESS_KEY_ID: expected the access key of the bucket'],
    [{ ...bucket, EXPORTS_URL: ' ' }, 'EXPORTS_URL: expected the bucket, as EXPORTS_ACCESS_KEY_ID is set, got nothing'],
    [{ ...bucket, EXPORTS_URL: '' }, 'EXPORTS_URL: expected the bucket, as EXPORTS_ACCESS_KEY_ID is set, got nothing'],
    [{ EXPORTS_ENDPOINT: 'http://127.0.0.1' }, 'EXPORTS_URL: expected the bucket, as EXPORTS_ENDPOINT is set'],
    [{ EXPORTS_PATH_STYLE: 'false' }, 'EXPORTS_URL: expected the bucket, as EXPORTS_PATH_STYLE is set'],
    [
      { ...bucket, EXPORTS_ENDPOINT: 'http://127.0.0.1:9000', EXPORTS_PATH_STYLE: 'false' },
      'EXPORTS_PATH_STYLE: expected true, as EXPORTS_ENDPOINT has a number for a host',
    ],
  ])('are refused where they do not fit: %o', (settings, words) => {
    expect(() => readSettings(settings)).toThrow(words);
  });
});
