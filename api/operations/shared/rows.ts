import type { z } from 'zod';
import { fromJson, omitEmpty } from '../../../schema/answers/omit-empty.ts';
import type { DocumentDetail, NoticeReference } from '../../../schema/catalogue/details.ts';
import { type LikenedProcess, readRelated } from '../../../schema/catalogue/related-processes.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { type Link, readLink } from '../../../schema/text/document-links.ts';
import type { document, related } from './notice-shapes.ts';

/** The same procurement on the other service, as answers show it; empty where there is none. */
export async function toRelated(catalogue: Database, own: LikenedProcess): Promise<z.input<typeof related>[]> {
  const found = await readRelated(catalogue, own);
  return found.flatMap(({ process, likeness }) => {
    const newest = fromJson<NoticeReference[]>(process.notices).at(-1);
    if (!newest) return [];
    return {
      notice_id: newest.notice_id,
      title: process.title,
      source: process.source,
      ocid: process.ocid,
      match: likeness,
      counted_once: isCountedIn(own, process) || isCountedIn(process, own),
      ...omitEmpty({ published: process.first_published, url: newest.url }),
    };
  });
}

/** Whether awards of one process are counted as contracts of the other. */
function isCountedIn(one: LikenedProcess, other: LikenedProcess): boolean {
  return countedElsewhere(one).some((id) => id.startsWith(`${other.id}-a-`));
}

/** Ids of the other service's contracts under which awards of this process are counted. */
export function countedElsewhere({ counted_as }: Pick<LikenedProcess, 'counted_as'>): string[] {
  return counted_as === null ? [] : [...new Set(Object.values(fromJson<Record<string, string[]>>(counted_as)).flat())];
}

/** A document as it is served: its type in words, and the kind of its address. */
export function toDocument(detail: DocumentDetail, isOfficial: (address: string) => boolean): z.input<typeof document> {
  const { kind, junk }: Link = isOfficial(detail.url) ? { kind: 'notice' } : readLink(detail.url);
  return {
    ...detail,
    ...(detail.type && { type_label: sayPlainly(detail.type) }),
    link_kind: kind,
    ...omitEmpty({ junk: junk ? true : null, junk_reason: junk }),
  };
}

/** The most entries of each kind that one answer lists: no known contract has as many, and a longer answer would overwhelm its reader. */
export const AWARDS_MAX = 1_000;
export const SUPPLIERS_MAX = 1_000;
export const CHANGES_MAX = 1_000;
/** What each notice said about one award. */
export const HISTORY_MAX = 1_000;
export const KPIS_MAX = 100;
/** Documents of a process. */
export const DOCUMENTS_MAX = 1_000;
/** Documents and contracts of one notice. */
export const NOTICE_LISTS_MAX = 1_000;
/** Suppliers of one line of a list. */
export const ITEM_SUPPLIERS_MAX = 100;
/** Lots that one line of a list names. */
export const ITEM_LOTS_MAX = 10;
/** Suppliers of all lots of a framework together. */
export const LOT_SUPPLIERS_MAX = 5_000;

/** The first entries of a list, and what to say about the rest. */
export function truncate<T>(members: readonly T[], most: number, what: string): { listed: T[]; warnings: string[] } {
  const listed = members.slice(0, most);
  const isCut = listed.length < members.length;
  return { listed, warnings: isCut ? [`only the first ${most} of ${members.length} ${what} are listed`] : [] };
}

/** A code in plain words: `tenderUpdate`, `dynamic_market` -> `Tender update`, `Dynamic market`. */
export function sayPlainly(code: string): string {
  const words = code
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}
