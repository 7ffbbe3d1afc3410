import { CP1252, dropInvisible, isPlain } from '../../schema/text/invisible.ts';
import { type JsonObject, objectOf } from '../../schema/text/json-values.ts';
import { isPersonal, type LeftOut } from '../contacts/personal-details.ts';
import { countRepair, type Repairs } from './repair.ts';

const BYTE = new Map([...CP1252].map((character, index) => [character, 0x80 + index]));
const CONTINUATION = `[\u0080-\u00bf${CP1252}]`;
/**
 * What Latin letters and signs, punctuation and pictures come to when they are encoded twice: all that was ever seen. Other
 * beginnings are left alone, as they are how real text ends: `“CAFÉ”` holds É and a closing quote, which would decode as well.
 */
const DOUBLE = new RegExp(
  `\u00c2[\u00a0-\u00bf]|\u00c3${CONTINUATION}|[\u00e2\u00ef]${CONTINUATION}{2}|\u00f0${CONTINUATION}{3}`,
  'g',
);
const STRICT = new TextDecoder('utf-8', { fatal: true });

/** Undoes UTF-8 that was read as windows-1252 and encoded again (`Â£`, `â€¢`); real accented text does not decode and stays. */
export function undoDoubleEncoding(text: string, repairs: Repairs): string {
  if (!/[\u00c2\u00c3\u00e2\u00ef\u00f0]/.test(text)) return text;
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

/** A copy of a release without personal details and characters that show nothing, with double-encoded text mended. What was left out is collected. */
export function cleanRelease(value: unknown, repairs: Repairs, leftOut: LeftOut[] = []): unknown {
  if (typeof value === 'string') return isPlain(value) ? value : dropInvisible(undoDoubleEncoding(value, repairs));
  if (Array.isArray(value)) return value.map((member) => cleanRelease(member, repairs, leftOut));
  const object = objectOf(value);
  if (!object) return value;
  const keys = Object.keys(object);
  if (isListLike(keys)) {
    countRepair(repairs, 'object_for_array');
    return keys.map((key) => cleanRelease(object[key], repairs, leftOut));
  }
  const cleaned: JsonObject = {};
  for (const key of keys) {
    const member = object[key];
    if (isPersonal(key)) leftOut.push({ owner: object.id, key, value: member });
    // Assigned, a member of this name would become the object's prototype and be lost.
    else if (key !== '__proto__') cleaned[key] = cleanRelease(member, repairs, leftOut);
    else countRepair(repairs, 'forbidden_member');
  }
  return cleaned;
}

/** Whether these are the names of an array's members that came as an object keyed "1", "2"… (FTS 002109-2021). */
export function isListLike(keys: readonly string[]): boolean {
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key));
}
