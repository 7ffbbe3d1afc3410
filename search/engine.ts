import type { NoticeTerms } from '../schema/catalogue/bids.ts';
import type { ContractTerms } from '../schema/catalogue/contract-details.ts';
import type { Stage } from '../schema/catalogue/details.ts';
import type { Nation, Region } from '../schema/reference/regions.ts';
import type { FacetName } from './filters/facets.ts';
import type { SearchFilters } from './filters/index.ts';
import type { SearchedTexts } from './query/parse.ts';

/** What is searched: `tenders` are processes that are, or were, open for bids; contracts have an index of their own. */
export type Scope = 'notices' | 'tenders' | 'frameworks' | 'contracts';

/** The parameters common to all searches. Parsed and bounded by the API; no text is ever a syntax error. */
export interface SearchQuery {
  scope: Scope;
  /** Plain words, quoted phrases, a trailing partial word. Absent, blank or `*`: everything. */
  text?: string;
  /** `all` (the default): every word that matters must be found. `any`: one of them is enough; documents with more come first. */
  match?: Match;
  filters: SearchFilters;
  sort?: SearchSort;
  limit: number;
  /** Opaque, from an earlier answer with the same query, filters and sort. */
  cursor?: string;
  facets?: FacetName[];
  highlight?: boolean;
  /** The catalogue's now: tenders are live against this instant. */
  now: Date;
}

export type Match = 'all' | 'any';
export type MatchLevel = 'all' | 'prefix' | 'any';
type SortField = 'published' | 'deadline' | 'tender_expected' | 'value' | 'awarded' | 'ends';
export type SearchSort = 'relevance' | SortField | `-${SortField}`;

/** The fields of every indexed document, of a notice or of a contract. The first of `sources` is `source`; a notice may set up a framework. */
interface CommonDocument extends SearchedTexts {
  /** The id of its row. */
  id: string;
  notice_id: string;
  ocid: string;
  title: string;
  buyer: string | null;
  buyer_id: string | null;
  buyer_kind: string | null;
  value: number | null;
  currency: string | null;
  cpvs: string[];
  regions: Region[];
  nation: Nation | null;
  source: string;
  sources: string[];
  framework_id: string | null;
}

/** One indexed notice: everything that a search finds, filters, sorts and shows. */
export interface SearchDocument extends CommonDocument, NoticeTerms {
  published: string;
  published_at: string;
  deadline: string | null;
  deadline_at: string | null;
  /** Of the framework for which this is the main notice: its ceiling in pounds, its last day. Framework searches use them. */
  ceiling: number | null;
  ends: string | null;
  stage: Stage;
  notice_type: string;
  status: string;
  url: string | null;
  is_tender: boolean;
  /** Instant until which its process takes bids, where that differs from its own deadline. */
  bids_until?: string | null;
  /** The framework that its process sets up or calls off from, whichever notice is that framework's main one. */
  within_framework?: string | null;
}

/** One indexed contract: everything that a search finds, filters and sorts. */
export interface ContractDocument extends CommonDocument, ContractTerms {
  /** London calendar dates: the day by which it sorts, its first and its last day. */
  dated: string;
  starts: string | null;
  ends: string | null;
  is_terminated: boolean;
  company_ids: string[];
  procedure: string | null;
  bids: number | null;
}

/** A document of any collection. */
export type AnyDocument = SearchDocument | ContractDocument;

/** The fields of every hit. */
export interface AnyHit extends Pick<CommonDocument, 'id' | 'notice_id' | 'title'> {
  /** A short extract, never the whole text. */
  extract: string;
  /** On request: HTML-escaped text around the hits, each inside `<mark>`. */
  highlight?: string;
}

type Unshown = keyof SearchedTexts | 'buyer_kind' | 'ceiling' | 'ends' | keyof NoticeTerms;
export interface SearchHit extends AnyHit, Omit<SearchDocument, Unshown>, Pick<NoticeTerms, 'tender_expected'> {}

export interface SearchAnswer<Hit extends AnyHit = SearchHit> {
  hits: Hit[];
  total: number;
  /** True while `total` is exact; past 10,000 it is "at least". */
  exact: boolean;
  nextCursor: string | null;
  facets?: Partial<Record<FacetName, Record<string, number>>>;
  meta: {
    engine: 'embedded' | 'meilisearch';
    /** Whether only the newest hits of a very common query were searched, ranked or counted by facet, or its commonest words were not weighed. */
    bounded: boolean;
    corrections: { from: string; to: string }[];
    /** Words of the query that were also searched in other wordings; absent where there were none. */
    synonyms?: { from: string; to: string[] }[];
    /** `all`: every word; `prefix`: every word, the last as a beginning; `any`: one of them, as requested. */
    matched: MatchLevel;
    /** Words that were not searched: past the 64th distinct one, or past the tenth by Meilisearch alone. */
    ignoredWords: number;
    /** Set where the intended engine did not answer. */
    failover?: { engine: SearchEngine['name']; reason: FailoverReason };
  };
}

/** Everything that a query matches, beyond what its pages can reach. */
export interface Matches {
  /** The exact number of matches. */
  total: number;
  /** The beginning of the print of each id (`MATCH_CHARS` characters), concatenated in no order. */
  prints: string;
  /** Where the list of them begins. */
  start: MatchPlace;
  meta: SearchAnswer['meta'];
}

/** Where a list of all matches continues: before a document, or at the newest if that is null. */
export interface MatchPlace {
  engine: SearchEngine['name'];
  level: MatchLevel;
  before: number | null;
}

/** The ids of some of all matches, the newest first, and where the next begin; null after the last. */
export interface MatchList {
  ids: string[];
  next: MatchPlace | null;
}

/**
 * Why another engine answered. `down`: out of reach; `slow`: past its deadline; `failing`: an error, or an answer that cannot be read.
 * `behind`: its index lacks too much. `long`: the query has more words than it reads. `any`: any of several words is enough.
 * `few`: it finds few, the other more. `many`: it cannot list so many. `continued`: the other answered a page before, or it is too deep.
 */
export type FailoverReason = 'down' | 'slow' | 'failing' | 'behind' | 'long' | 'any' | 'few' | 'continued' | 'many';

/** A cursor of another query, or a text that is not a cursor. The API answers 422. */
export class BadCursor extends Error {
  override name = 'BadCursor';
}

/** The engine cannot answer now (down, past its deadline). The API answers 503 and bills nothing. */
export class SearchUnavailable extends Error {
  override name = 'SearchUnavailable';
  readonly reason: FailoverReason;
  constructor(message: string, { reason = 'down', ...options }: ErrorOptions & { reason?: FailoverReason } = {}) {
    super(message, options);
    this.reason = reason;
  }
}

/** The index is of an older version, without what the query asks for, until the one that is being built replaces it. The API answers 503 and says so. */
export class IndexOutdated extends SearchUnavailable {}

/** Changed documents, ids of removed ones, and the position of the index once it has them. */
export interface IndexBatch {
  documents: AnyDocument[];
  gone: string[];
  cursor: IndexCursor;
}

/** Something that can be filled: the live index, or a build next to it. */
export interface FillableIndex {
  /** Its position: the catalogue generation and the last `(seq, id)` it holds; null while it holds nothing. */
  readCursor(): Promise<IndexCursor | null>;
  /** Stores and removes documents, then moves the cursor: awaited, all or an error. */
  store(batch: IndexBatch): Promise<void>;
}

/** An index next to the live one. */
export interface IndexBuild extends FillableIndex {
  /** Empties it, creating what it needs with its settings. Until it is opened again, each document may be stored once. */
  clear(): Promise<void>;
  countDocuments(): Promise<number>;
  /** Replaces the live index with it, cursor included, at one instant. */
  goLive(): Promise<void>;
}

/** The port, to one collection. Two engines implement it, and one contract suite tests both. */
export interface SearchEngine<Hit extends AnyHit = SearchHit> extends FillableIndex {
  readonly name: 'embedded' | 'meilisearch';
  readonly collection: CollectionName;
  /** Version of the document shape and of this engine's settings. If the index has another one, it is rebuilt. */
  readonly version: string;
  /** How many changed rows it takes at once, if it has a preference. */
  readonly batchRows?: number;
  /** Waits for a build of an interrupted run that is still to go live; absent where nothing outlives its process. */
  settle?(): Promise<void>;
  /** The engine that answers while this one cannot; sync fills it too. */
  readonly fallback?: SearchEngine<Hit>;
  /** Why it cannot answer the query as asked, or null; absent where it always can. */
  declines?(query: SearchQuery): FailoverReason | null;
  /** @throws BadCursor, SearchUnavailable */
  find(query: SearchQuery): Promise<SearchAnswer<Hit>>;
  /** All results that `find` could page through without a depth limit, however many where no other engine can list them (`isAlone`). @throws SearchUnavailable */
  matchAll(query: SearchQuery, isAlone?: boolean): Promise<Matches>;
  /** Matches of a query from a position on: `Matches.start` or `MatchList.next`. @throws SearchUnavailable */
  listMatches(query: SearchQuery, from: MatchPlace, most: number): Promise<MatchList>;
  /** The unfinished index, as an interrupted build left it. Not visible until it goes live. */
  openBuild(): Promise<IndexBuild>;
  /** Removes everything except the live index: its predecessors and abandoned builds. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

/** What is indexed together: notices, which are tenders and frameworks too, or contracts. */
export type CollectionName = 'notices' | 'contracts';

/** The engine of notices, with that of contracts: one sync fills both. */
export interface Searches extends SearchEngine {
  readonly contracts: SearchEngine<AnyHit>;
}

export interface IndexCursor {
  generation: string;
  /** The `SearchEngine.version` that stored it. */
  version: string;
  seq: number;
  id: string;
  /** The catalogue's last batch at that time, and its instant in seconds since 1970, which reveal a later restore. */
  head?: { seq: number; at: number | null } | undefined;
}
