import type { Database } from '../../schema/db/interface.ts';
import type { ShownDocument } from '../collections/shape.ts';
import { markPossessives, markPronouns, unmarkPronouns } from '../query/pronouns.ts';
import { CLOSE_MARK, OPEN_MARK, renderHighlight } from '../results/highlight.ts';

/** The texts of a document in which matches are highlighted. */
export type MarkedText = Pick<ShownDocument, 'title' | 'description'>;

const SNIPPET_WORDS = 32;

/** A table for the few texts of one page, with the words of the index, so that FTS5 finds what to highlight. */
export const CREATE_SCRATCH = `CREATE VIRTUAL TABLE IF NOT EXISTS page USING fts5(title, buyer, supplier, subject, description,
  tokens, tokenize='porter unicode61 remove_diacritics 2')`;
const STORE_TEXT = 'INSERT INTO page (rowid, title, description) VALUES (?, ?, ?)';
const READ_SNIPPETS = `SELECT rowid AS place, snippet(page, 4, ?, ?, '…', ${SNIPPET_WORDS}) AS description,
  highlight(page, 0, ?, ?) AS title FROM page WHERE page MATCH ?`;

/**
 * The matches of an expression in some texts, as HTML-escaped text with each inside `<mark>`; null for a text without any.
 * @param scratch a database with `CREATE_SCRATCH`
 */
export async function markTexts(
  scratch: Database,
  texts: MarkedText[],
  expression: string,
): Promise<(string | null)[]> {
  await scratch.write([
    { sql: 'DELETE FROM page' },
    ...texts.map(({ title, description }, place) => ({
      sql: STORE_TEXT,
      args: [place, markPossessives(title), markPronouns(description)],
    })),
  ]);
  const tags = [OPEN_MARK, CLOSE_MARK];
  const rows = await scratch.read<{ place: number; title: string; description: string }>({
    sql: READ_SNIPPETS,
    args: [...tags, ...tags, expression],
  });
  const marked = new Map(
    rows.map(({ place, title, description }) => [place, description.includes(OPEN_MARK) ? description : title]),
  );
  return texts.map((_text, place) => {
    const text = marked.get(place);
    return text === undefined ? null : renderHighlight(unmarkPronouns(text));
  });
}
