import { type Database, readFirst, type Statement } from '../db/interface.ts';
import { companyAnswer, toCompanyAnswer } from './company.ts';
import type { KnownCompany } from './known-company.ts';
import { bareSicCodes } from './register/record.ts';

/**
 * The text of a supplier's look-up by its number, as it is served: compiled and checked by ingest after the supplier or its
 * register row was written. Triggers (migrations) take a text away in the same commit that changes what it was made from, so
 * a text that is there is the one that would be made now.
 */

/** Rises with every change to the texts of the same rows: older texts are no longer served, and are compiled again. */
export const TEXT_EDITION = 1;

const READ = "SELECT text FROM company_answer WHERE company_number = ? AND edition = ? AND text <> ''";

/** The text for a number in its 8-character form, without credit fields; undefined where it has none, or none yet. */
export async function readCompanyText(catalogue: Database, number: string): Promise<string | undefined> {
  const row = await readFirst<{ text: string }>(catalogue, { sql: READ, args: [number, TEXT_EDITION] });
  return row?.text;
}

/** A supplier whose text is to be compiled. */
export interface PendingText {
  company_number: string;
  /** How often what it is made from was written: a text of an earlier state is not stored. */
  changed: number;
}

/** Some suppliers without a text of this edition, in the order of their numbers. */
export function readPendingTexts(catalogue: Database, most: number): Promise<PendingText[]> {
  const sql = 'SELECT company_number, changed FROM company_answer WHERE edition < ? LIMIT ?';
  return catalogue.read({ sql, args: [TEXT_EDITION, most] });
}

const STORE = 'UPDATE company_answer SET text = ?, edition = ? WHERE company_number = ? AND changed = ?';

/** Stores a text, unless what it was made from was written since. An empty one says that the answer is made when it is asked for. */
export function storeTextStatement({ company_number, changed }: PendingText, text: string): Statement {
  return { sql: STORE, args: [text, TEXT_EDITION, company_number, changed] };
}

/**
 * The checked text of a supplier; empty for a company that won nothing, and for one whose answer depends on more than its
 * own rows. @throws ZodError where what is stored breaks the shape.
 */
export function compileCompanyText(known: KnownCompany | undefined): string {
  if (!known?.company || (known.registered && bareSicCodes(known.registered).length > 0)) return '';
  return JSON.stringify(companyAnswer.parse(toCompanyAnswer(known, new Map())));
}
