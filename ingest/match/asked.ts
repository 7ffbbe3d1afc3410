import { keyOf, type LegalForm, legalForm, outwardOf, splitName } from './names.ts';
import { waysFor } from './other-kinds.ts';
import type { Wanted } from './types.ts';

/** A supplier's name and place, read for looking it up. */
export interface Asked {
  /** Cleaned name to look for. */
  key: string;
  /** Cleaned name that it says it had before. */
  formerKey: string | null;
  form: LegalForm;
  postcode: string | undefined;
  outward: string | null;
  town: string | null;
  published: string;
  /** Whether it may be looked for in every way, or by name and postcode only. */
  ways: 'every' | 'name_postcode';
  /** What was read, as evidence says it. */
  notes: string[];
}

/** Reads what is asked for; null where it is no single company, or has no name. */
export function readAsked({ name, nameKey, postcode, locality, ids, published }: Wanted): Asked | null {
  const parts = splitName(name);
  const ways = waysFor(parts, ids);
  const key = keyOf(parts.legal);
  if (nameKey === '' || key === '' || ways === 'none') return null;
  const notes = [`cleaned name: ${key}`];
  if (parts.trading) notes.push(`trading as: ${parts.trading}`);
  if (parts.former) notes.push(`formerly: ${parts.former}`);
  return {
    key,
    formerKey: parts.former ? keyOf(parts.former) : null,
    form: legalForm(parts.legal),
    postcode,
    outward: outwardOf(postcode),
    town: townOf(locality),
    published,
    ways,
    notes,
  };
}

/** A town as it compares: capitals and single spaces; null where there is none. */
export function townOf(locality: string | null | undefined): string | null {
  const letters = (locality ?? '').toUpperCase().replace(/[^A-Z ]+/g, '');
  return letters.replace(/\s+/g, ' ').trim() || null;
}
