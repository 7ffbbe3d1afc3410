import type { CompanyCase, RegisterRow } from '../types.ts';

type Row = string | (Partial<RegisterRow> & { name: string });
type Published = string | CompanyCase['published'];

/** Rows get invented numbers by their place; a partnership's begins with OC, as the register's do. */
const asRow = (row: Row, at: number): RegisterRow => {
  const described = typeof row === 'string' ? { name: row } : row;
  return { number: /\bLLP$/.test(described.name) ? `OC99000${at + 1}` : `9900000${at + 1}`, ...described };
};

const asCase = (
  published: Published,
  rows: Row[],
  expect: number | null,
  why: string,
  doubtful?: string,
): CompanyCase => ({
  published: typeof published === 'string' ? { name: published } : published,
  register: rows.map(asRow),
  expect,
  why,
  ...(doubtful === undefined ? {} : { doubtful }),
});

/** The first row is the supplier; the others are there to mislead. */
export const first = (published: Published, rows: Row[], why: string, doubtful?: string) =>
  asCase(published, rows, 0, why, doubtful);

/** The second row is the supplier. */
export const second = (published: Published, rows: Row[], why: string, doubtful?: string) =>
  asCase(published, rows, 1, why, doubtful);

/** No row is the supplier, or nobody could say which. */
export const none = (published: Published, rows: Row[], why: string, doubtful?: string) =>
  asCase(published, rows, null, why, doubtful);

/** A row of a company that is no more. */
export const gone = (name: string, more: Partial<RegisterRow> = {}): Row => ({ ...more, name, status: 'dissolved' });
