import { expect, it } from 'vitest';
import { domainOf, oneAddress } from '../../../schema/text/email-addresses.ts';

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
