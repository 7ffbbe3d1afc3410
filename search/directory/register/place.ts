/** Where a company number is stored: numbers with the same first four characters are together, ordered by the rest. */
export interface Place {
  key: string;
  low: number;
}

/** The characters of a number that are the key of its chunk. */
export const KEY_CHARS = 4;
const DIGITS = 10_000;
const LETTERS = 26;
const CODE_OF_A = 65;

/** The place of a number in its 8-character form. The rest is four digits, or three and a letter; any other number is stored alone. */
export function placeOf(number: string): Place {
  const found = /^(?:(\d{4})|(\d{3})([A-Z]))$/.exec(number.slice(KEY_CHARS));
  if (!found) return { key: number, low: 0 };
  const [, digits, tens = '', letter = ''] = found;
  const low = digits ? Number(digits) : DIGITS + Number(tens) * LETTERS + letter.charCodeAt(0) - CODE_OF_A;
  return { key: number.slice(0, KEY_CHARS), low };
}

/** The number at a place. */
export function numberAt(key: string, low: number): string {
  if (key.length > KEY_CHARS) return key;
  if (low < DIGITS) return key + String(low).padStart(4, '0');
  const [tens, letter] = [Math.floor((low - DIGITS) / LETTERS), (low - DIGITS) % LETTERS];
  return key + String(tens).padStart(3, '0') + String.fromCharCode(CODE_OF_A + letter);
}

/** Whether places of this kind are in the order of their numbers: those with a letter, or of another length, may not be. */
export function isByDigits({ key, low }: Place): boolean {
  return key.length === KEY_CHARS && low < DIGITS;
}

/** Whether a place comes after another. */
export function isAfter(one: Place, other: Place): boolean {
  return one.key === other.key ? one.low > other.low : one.key > other.key;
}
