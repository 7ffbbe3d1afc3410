import { expect, it } from 'vitest';
import { postcodeOf } from '../../../ingest/compile/regions.ts';

it('a postcode is read from its own field, else out of an address in one line', () => {
  expect(postcodeOf({ postalCode: 'ls14dy', streetAddress: '1 High Street, M1 1AA' })).toBe('LS1 4DY');
  expect(postcodeOf({ streetAddress: '1 High Street\n   Leeds\n   LS1 4DY' })).toBe('LS1 4DY');
  expect(postcodeOf({ streetAddress: 'Unit 4, Mill Lane, Exmouth, EX8 2BB, UK' })).toBe('EX8 2BB');
  expect(postcodeOf({ streetAddress: '1 Mill Lane, Exmouth' })).toBeNull();
  expect(postcodeOf(undefined)).toBeNull();
});

it('at the end of an address the letter O stands for a nought', () => {
  expect(postcodeOf({ streetAddress: '26 Mill Gardens Romford RM7 OEJ' })).toBe('RM7 0EJ');
  expect(postcodeOf({ postalCode: 'BD12ORY' })).toBe('BD12 0RY');
  expect(postcodeOf({ streetAddress: 'Unit B2 Old Road, Leeds' })).toBeNull();
  expect(postcodeOf({ streetAddress: 'Unit B2 Oak' })).toBeNull();
});
