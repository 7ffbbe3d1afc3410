import type { Database } from '../../schema/db/interface.ts';

const ENTITY = /&(?:amp;)*(?:#\d+|#x[0-9a-f]+|[a-z][a-z0-9]{1,14});/i;
const TAG = /<\/?[a-z!?][^<>]*>|<\/?(?:a|b|br|p|div|span)\b/i;

/** Whether a text holds an HTML tag or an entity. */
export function hasMarkup(text: string): boolean {
  return ENTITY.test(text) || TAG.test(text);
}

/** Every text in a value but addresses of pages, which may hold an ampersand. */
export function findTexts(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return name === 'url' ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => findTexts(member, Array.isArray(value) ? name : key));
}

const TABLES = ['process', 'notice', 'contract', 'framework', 'buyer', 'company'];

/** Every text that the catalogue serves: the columns of its rows, and what lies in those that are JSON. */
export async function readServedTexts(catalogue: Database): Promise<string[]> {
  const texts: string[] = [];
  for (const table of TABLES) {
    const rows = await catalogue.read<Record<string, unknown>>({ sql: `SELECT * FROM ${table} WHERE gone = 0` });
    for (const row of rows) {
      for (const [column, value] of Object.entries(row)) {
        const isJson =
          typeof value === 'string' && /^[[{]/.test(value) && column !== 'title' && column !== 'description';
        texts.push(...findTexts(isJson ? JSON.parse(value) : value, column));
      }
    }
  }
  return texts;
}
