import { type JsonObject, objectOf } from '../schema/tolerant.ts';
import { isPersonal, type LeftOut } from './contacts.ts';
import { countRepair, type Repairs } from './repair.ts';

/** Characters of windows-1252 that are not their own code point: what `â€¢` is spelled with. */
const CP1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const BYTE = new Map([...CP1252].map((character, index) => [character, 0x80 + index]));
const CONTINUATION = `[\u0080-\u00bf${CP1252}]`;
const DOUBLE = new RegExp(
  `[\u00c2-\u00df]${CONTINUATION}|[\u00e0-\u00ef]${CONTINUATION}{2}|[\u00f0-\u00f4]${CONTINUATION}{3}`,
  'g',
);
const STRICT = new TextDecoder('utf-8', { fatal: true });

/** Undoes UTF-8 that was read as windows-1252 and encoded again (`Â£`, `â€¢`); real accented text does not decode and stays. */
export function undoDoubleEncoding(text: string, repairs: Repairs): string {
  if (!/[\u00c2-\u00f4]/.test(text)) return text;
  return text.replace(DOUBLE, (match) => {
    const bytes = Uint8Array.from(match, (character) => BYTE.get(character) ?? character.charCodeAt(0));
    try {
      const mended = STRICT.decode(bytes);
      countRepair(repairs, 'double_encoded_text');
      return mended;
    } catch {
      return match;
    }
  });
}

/** A copy of a release without personal details and with double-encoded text mended; what was left out is put by. */
export function cleanRelease(value: unknown, repairs: Repairs, leftOut: LeftOut[] = []): unknown {
  if (typeof value === 'string') return undoDoubleEncoding(value, repairs);
  if (Array.isArray(value)) return value.map((member) => cleanRelease(member, repairs, leftOut));
  const object = objectOf(value);
  if (!object) return value;
  const cleaned: JsonObject = {};
  for (const [key, member] of Object.entries(object)) {
    if (isPersonal(key)) leftOut.push({ owner: object.id, key, value: member });
    else cleaned[key] = cleanRelease(member, repairs, leftOut);
  }
  return cleaned;
}
