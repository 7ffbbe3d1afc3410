import { type Ending, endingOf } from '../../../schema/names/legal-forms.ts';
import { keyOf, outwardOf, spellingsOf, splitName } from './names.ts';
import { isAbroad, waysFor } from './other-kinds.ts';
import type { Wanted } from './types.ts';

/** A supplier's name and place, read for looking it up. */
export interface LookUp {
  /** Cleaned name to look for. */
  key: string;
  /** It, and other spellings that are the same name. */
  keys: readonly string[];
  /** Cleaned name that it says it had before. */
  formerKey: string | null;
  form: Ending;
  postcode: string | undefined;
  outward: string | null;
  published: string;
  /** Whether it may be looked for in every way, or by name and postcode only. */
  ways: 'every' | 'name_postcode';
  /** What was read, as evidence says it. */
  notes: string[];
}

/** Reads what is asked for; null where it is no single company, or has no name. */
export function readLookUp({ name, nameKey, postcode, country, ids, published }: Wanted): LookUp | null {
  const parts = splitName(name);
  const ways = waysFor(parts, ids);
  const [key = '', ...others] = spellingsOf(parts.legal);
  if (nameKey === '' || key === '' || ways === 'none') return null;
  const notes = [`cleaned name: ${key}`];
  if (parts.trading) notes.push(`trading as: ${parts.trading}`);
  if (parts.former) notes.push(`formerly: ${parts.former}`);
  return {
    key,
    keys: [key, ...others],
    formerKey: parts.former ? keyOf(parts.former) : null,
    form: endingOf(parts.legal),
    postcode,
    outward: outwardOf(postcode),
    published,
    ways: isAbroad(country) ? 'name_postcode' : ways,
    notes,
  };
}
