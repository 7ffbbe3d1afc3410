import { outwardOf } from './names.ts';

const CONSONANTS = 3;

/**
 * The key under which names that may be misspellings of each other meet: the first consonants of the cleaned name as
 * they sound, and the outward half of the postcode (`fnk LS1` for "Phoenix Cars" in LS1). The name comes first, as
 * editions of the register are in the order of names: rows that follow each other lie together in the index.
 */
export function blockOf(nameKey: string, postcode: string | null | undefined): string | null {
  const outward = outwardOf(postcode);
  const sound = outward && soundOf(nameKey);
  return sound ? `${sound.slice(0, CONSONANTS)} ${outward}` : null;
}

/** The block of a name, then those where it belongs if one of its first consonants is too many, or swapped with the next. */
export function blocksOf(nameKey: string, postcode: string | null | undefined): string[] {
  const outward = outwardOf(postcode);
  const sound = soundOf(nameKey);
  if (!outward || !sound) return [];
  const [a = '', b = '', c = '', d = ''] = sound;
  const sounds = [a + b + c, a + c + d, a + b + d, a + c + b, b + c + d, b + a + c];
  return [...new Set(sounds.map((some) => `${some} ${outward}`))];
}

/** The first consonants of a cleaned name; more of it than this is never needed for them. */
function soundOf(nameKey: string): string {
  const plain = nameKey
    .slice(0, 24)
    .replace(/\b(?:and|the)\b|[^a-z0-9]+/g, '')
    .replace(/ph/g, 'f')
    .replace(/[cq]/g, 'k')
    .replace(/z/g, 's');
  const rest = plain.slice(1).replace(/[aeiouyhw]+/g, '');
  return `${plain.slice(0, 1)}${rest}`.replace(/(.)\1+/g, '$1').slice(0, CONSONANTS + 1);
}
