/** The most of each that one answer lists: no contract on record has as many, and a longer answer drowns its reader. */
export const AWARDS_MOST = 1_000;
export const SUPPLIERS_MOST = 1_000;
export const CHANGES_MOST = 1_000;
/** What each notice said of one award. */
export const HISTORY_MOST = 1_000;
/** Documents of a process. */
export const DOCUMENTS_MOST = 1_000;
/** Documents and contracts of one notice. */
export const NOTICE_LISTS_MOST = 1_000;
/** Suppliers of one line of a list. */
export const ITEM_SUPPLIERS_MOST = 100;
/** Lots that one line of a list names. */
export const ITEM_LOTS_MOST = 10;
/** Suppliers of all lots of a framework together. */
export const LOT_SUPPLIERS_MOST = 5_000;

/** The first of a list, and what to say of the rest. */
export function firstOf<T>(members: readonly T[], most: number, what: string): { kept: T[]; warnings: string[] } {
  const kept = members.slice(0, most);
  const isCut = kept.length < members.length;
  return { kept, warnings: isCut ? [`only the first ${most} of ${members.length} ${what} are listed`] : [] };
}
