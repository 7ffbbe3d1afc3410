import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { domainOf, oneAddress } from '../../../schema/text/email-addresses.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

it.each([
  ['Ada@Example.org', 'ada@example.org'],
  ['ada+1@example.org', 'ada@example.org'],
  ['ada+a+b@example.org', 'ada@example.org'],
  ['+ada@example.org', '+ada@example.org'],
  ['a.da@example.org', 'a.da@example.org'],
  ['A.D.A+x@gmail.com', 'ada@gmail.com'],
  ['ada@googlemail.com', 'ada@gmail.com'],
  ['a_d-a@pm.me', 'ada@proton.me'],
  ['ada@protonmail.com', 'ada@proton.me'],
  ['nothing', 'nothing'],
])('%s leads to %s', (email, address) => {
  expect(oneAddress(email)).toBe(address);
});

it('a domain is that of the address it leads to', () => {
  expect(domainOf('Ada+x@GoogleMail.com')).toBe('gmail.com');
});

it('those who were there before are known by the same rule; of two alike the confirmed and older one has the address', async () => {
  const folder = await makeFolder();
  const accounts = await makeDatabase(folder.path, 'accounts');
  const emails = ['a.b+x@gmail.com', 'ab@googlemail.com', 'c_d@pm.me', 'e.f+1@example.org', '+g@example.org'];
  const sql =
    'INSERT INTO auth_user (id, name, email, email_verified, created_at, updated_at) VALUES (?1, ?1, ?1, 1, ?2, 0)';
  const file = new URL('../../../schema/migrations/accounts/0012_one_address_and_sign_up_days.sql', import.meta.url);
  const fill = (await readFile(file, 'utf8')).split('--> statement-breakpoint').filter((one) => /^\s*UPDATE/.test(one));
  await accounts.write([
    { sql: 'DROP INDEX auth_user_address_unique' },
    ...emails.map((email, at) => ({ sql, args: [email, 100 - at] })),
    ...fill.map((one) => ({ sql: one })),
  ]);
  const rows = await accounts.read<{ email: string; address: string | null }>({
    sql: 'SELECT email, address FROM auth_user ORDER BY created_at DESC',
  });
  expect(rows).toEqual(emails.map((email, at) => ({ email, address: at === 0 ? null : oneAddress(email) })));
  await accounts.close();
  await folder.remove();
});
