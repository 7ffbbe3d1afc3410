import { createHash } from 'node:crypto';
import { facetValues } from '../documents/facets.ts';
import { mayBeOpen, SHOWN_FIELDS, shorten, valueInPounds } from '../documents/from-row.ts';
import type { SearchDocument, SearchHit } from '../engine.ts';
import { FACETS, type FacetName } from '../filters/facets.ts';
import { TOKEN_ROWS } from '../filters/read.ts';
import type { PrefixRow } from '../filters/row.ts';
import { foldText, splitWords } from '../query/pieces.ts';
import { markPronouns, saysTechnology } from '../query/pronouns.ts';

const PREFIX_ROWS = TOKEN_ROWS.filter((row) => row.kind === 'prefix');
const DAY_SECONDS = 86_400;

/** A document as Meilisearch holds it: ours and what filters, sorts and facets need. What a document lacks is absent, so that it sorts last. */
export type IndexedDocument = SearchDocument & {
  extract: string;
  scopes: string[];
  open_until?: number;
  deadline_seconds?: number;
  /** Midnight (UTC) of the London date, as `published_seconds` is. */
  deadline_day?: number;
  published_seconds: number;
  /** Rises with the day of publication and is another for every document: the order of what is otherwise equal. */
  place: number;
  pounds?: number;
  ceiling_pounds?: number;
  /** Of equal matches the shortest title says least besides what was asked. */
  title_words: number;
  /** What stands in the texts and reads like a CPV code or a company number. */
  said_codes: string[];
  /** Whether they speak of IT: the server cannot tell it from the pronoun. */
  says_technology: boolean;
} & { [K in FacetName as `facet_${K}`]?: string[] } & { [part: `${string}_parts`]: string[] };

/** Eight digits, or two letters and six: a word that would be recognised where it is asked for. */
const CODES = /(?<![a-z0-9])(?:\d{8}|(?:[a-z]{2}|r0)\d{6})(?![a-z0-9])/g;

/** What may be shown: everything but whole texts. */
export const SHOWN = [...SHOWN_FIELDS, 'extract'] as const satisfies readonly (keyof SearchHit)[];

/** Makes the document that Meilisearch stores. */
export function toIndexed(document: SearchDocument): IndexedDocument {
  const deadline = document.deadline_at ? secondsOf(document.deadline_at) : undefined;
  const pounds = valueInPounds(document);
  const facets = facetValues(document);
  return {
    ...document,
    extract: shorten(document.description),
    scopes: ['notices', ...(document.is_tender ? ['tenders'] : []), ...(document.framework_id ? ['frameworks'] : [])],
    ...(deadline === undefined ? {} : { deadline_seconds: deadline }),
    ...(document.deadline ? { deadline_day: secondsOf(`${document.deadline}T00:00:00Z`) } : {}),
    ...(deadline !== undefined && mayBeOpen(document) ? { open_until: deadline } : {}),
    published_seconds: secondsOf(`${document.published}T00:00:00Z`),
    place: placeOf(document),
    ...(pounds === null ? {} : { pounds }),
    ...(document.ceiling === null ? {} : { ceiling_pounds: document.ceiling }),
    ...Object.fromEntries(PREFIX_ROWS.map((row) => [`${row.name}_parts`, partsOf(row, document)])),
    title_words: splitWords(document.title).length,
    says_technology: saysTechnology(foldText(textOf({ ...document, description: markPronouns(document.description) }))),
    said_codes: unique(foldText(textOf(document)).match(CODES) ?? []),
    ...(Object.fromEntries(FACETS.map((name) => [`facet_${name}`, facets[name]])) as Pick<
      IndexedDocument,
      `facet_${FacetName}`
    >),
  };
}

/** The codes of a prefix filter and every beginning of them, from two characters on; and the names, if it has any. */
function partsOf({ codes, names }: PrefixRow, document: SearchDocument): string[] {
  const parts = codes(document).flatMap((code) =>
    code ? Array.from({ length: Math.max(0, code.length - 1) }, (_, at) => code.slice(0, at + 2)) : [],
  );
  return unique([...parts, ...(names?.of(document) ?? [])]);
}

function textOf({ title, buyer, suppliers, subjects, description }: SearchDocument): string {
  return [title, buyer ?? '', ...suppliers, ...subjects, description].join(' ');
}

/** The day, then a number of the document's own; the server's numbers are exact up to 2^53. */
function placeOf({ id, published }: SearchDocument): number {
  const own = Number.parseInt(createHash('sha256').update(id).digest('hex').slice(0, 9), 16);
  return Math.max(0, secondsOf(`${published}T00:00:00Z`) / DAY_SECONDS) * 2 ** 36 + own;
}

/** Seconds since 1970 of an instant; 0 for what is none. */
export function secondsOf(instant: string): number {
  const milliseconds = Date.parse(instant);
  return Number.isFinite(milliseconds) ? Math.floor(milliseconds / 1_000) : 0;
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}
