import { type Database, readFirst, type Statement } from '../db/interface.ts';
import { companyAnswer, toCompanyAnswer } from './company.ts';
import type { KnownCompany } from './known-company.ts';
import { bareSicCodes } from './register/record.ts';

/**
 * The text of a supplier's look-up by number, as it is served. Ingest compiles and checks it after writing the supplier or its
 * register row. When either changes, triggers (migrations) empty the text in the same commit, so a stored text is always
 * current.
 */

/** Raised with every change to how these texts are compiled: texts of older editions are not served, and are compiled again. */
export const TEXT_EDITION = 4;

const READ = "SELECT text FROM company_answer WHERE company_number = ? AND edition = ? AND text <> ''";

/** The text for a number in its 8-character form, without credit fields; undefined where there is none, or none yet. */
export async function readCompanyText(catalogue: Database, number: string): Promise<string | undefined> {
  const row = await readFirst<{ text: string }>(catalogue, { sql: READ, args: [number, TEXT_EDITION] });
  return row?.text;
}

/** A supplier whose text has to be compiled. */
interface PendingText {
  company_number: string;
  /** Version of the data from which the text was compiled: a text of an older version is not stored. */
  changed: number;
}

/** At most `most` suppliers without a text of this edition, in no order. */
export function readPendingTexts(catalogue: Database, most: number): Promise<PendingText[]> {
  const sql = 'SELECT company_number, changed FROM company_answer WHERE edition < ? LIMIT ?';
  return catalogue.read({ sql, args: [TEXT_EDITION, most] });
}

const STORE = 'UPDATE company_answer SET text = ?, edition = ? WHERE company_number = ? AND changed = ?';

/** Stores a text, unless its data has changed since. An empty text means that the answer is built on request. */
export function storeTextStatement({ company_number, changed }: PendingText, text: string): Statement {
  return { sql: STORE, args: [text, TEXT_EDITION, company_number, changed] };
}

/**
 * The checked text of a supplier. Empty for a company that won nothing, and for one whose answer depends on more than its own
 * rows. @throws ZodError where what is stored breaks the shape.
 */
export function compileCompanyText(known: KnownCompany | undefined): string {
  if (!known?.company || (known.registered && bareSicCodes(known.registered).length > 0)) return '';
  return JSON.stringify(companyAnswer.parse(toCompanyAnswer(known, new Map())));
}
