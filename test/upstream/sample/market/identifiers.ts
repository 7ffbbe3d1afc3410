import type { Random } from '../random.ts';

const LETTERS = [...'BCDGHJLMNPQRTVWXYZ'];
const DIGITS = [...'123456789'];

/** A procurement organisation number in the platform's format: `PAAA-9999-AAAA`, vowels and zero unused. */
export function makePpon(random: Random): string {
  const run = (from: readonly string[], count: number) =>
    Array.from({ length: count }, () => random.pick(from)).join('');
  return `P${run(LETTERS, 3)}-${run(DIGITS, 4)}-${run(LETTERS, 4)}`;
}

/** A postcode in a district that does not exist. */
export function makePostcode(random: Random, district: string): string {
  return `${district} ${random.int(1, 9)}${random.pick(LETTERS)}${random.pick(LETTERS)}`;
}

/** A telephone number from the range that Ofcom keeps for drama. */
export function makeTelephone(random: Random): string {
  return `01632 960${String(random.int(0, 999)).padStart(3, '0')}`;
}

/** Name parts of invented people: notices carry contact points. */
const FIRST = [
  'Amara',
  'Bethan',
  'Callum',
  'Deepa',
  'Ewan',
  'Farah',
  'Gareth',
  'Hollie',
  'Imran',
  'Joanna',
  'Kofi',
  'Leanne',
];
const LAST = [
  'Ashdene',
  'Brockhurst',
  'Carwyn',
  'Dunmere',
  'Eastlake',
  'Farrowby',
  'Garside',
  'Holbeck',
  'Inchcape',
  'Kestle',
];

export function makePerson(random: Random): string {
  return `${random.pick(FIRST)} ${random.pick(LAST)}`;
}

/** A name as part of an address: `Wexmoor Council` -> `wexmoor-council`. */
export function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);
}
