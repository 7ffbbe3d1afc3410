import type { Stage } from '../schema/catalogue/details.ts';
import type { Nation, Region } from '../schema/reference/regions.ts';
import type { FacetName } from './filters/facets.ts';
import type { SearchFilters } from './filters/index.ts';

/** What is searched: `tenders` are processes that are, or were, open for bids; contracts have an index of their own. */
export type Scope = 'notices' | 'tenders' | 'frameworks' | 'contracts';

/** What every search asks for. Parsed and bounded by the API; no text is ever a syntax error. */
export interface SearchQuery {
  scope: Scope;
  /** Plain words, quoted phrases, a trailing partial word. Absent, blank or `*`: everything. */
  text?: string;
  /** `all` (taken where it is absent): every word that matters must be found. `any`: one of them is enough; more come first. */
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
type SortField = 'published' | 'deadline' | 'value' | 'awarded' | 'ends';
export type SearchSort = 'relevance' | SortField | `-${SortField}`;

/** What every indexed document has, of a notice or of a contract. The first of `sources` is `source`; a notice may set up a framework. */
interface CommonDocument {
  /** The id of its row. */
  id: string;
  notice_id: string;
  ocid: string;
  title: string;
  description: string;
  buyer: string | null;
  buyer_id: string | null;
  /** Names of suppliers, searchable; never part of a hit. */
  suppliers: string[];
  /** Companies House numbers of suppliers: found exactly. */
  company_numbers: string[];
  /** What it is about in the words of others: CPV descriptions, lot titles and references of its framework, searchable. */
  subjects: string[];
  value: number | null;
  currency: string | null;
  cpvs: string[];
  regions: Region[];
  nation: Nation | null;
  source: string;
  sources: string[];
  framework_id: string | null;
}

/** One indexed notice: what a search can find, filter, sort and show without asking the catalogue. */
export interface SearchDocument extends CommonDocument {
  process_id: string;
  published: string;
  published_at: string;
  deadline: string | null;
  deadline_at: string | null;
  /** What may be spent under the framework whose own notice this is, in pounds: the value by which frameworks are sought; never part of a hit. */
  ceiling: number | null;
  stage: Stage;
  notice_type: string;
  status: string;
  url: string | null;
  is_tender: boolean;
  /** Instant until which bids may come in for its process, where that is another than its own deadline. */
  bids_until?: string | null;
}

/** One indexed contract: what a search can find, filter and sort. What is shown of it is its row. */
export interface ContractDocument extends CommonDocument {
  /** London calendar dates: the day by which it sorts, its first and its last day. */
  dated: string;
  starts: string | null;
  ends: string | null;
  is_terminated: boolean;
  /** Ids of its suppliers. */
  company_ids: string[];
  procedure: string | null;
  bids: number | null;
  sme: boolean | null;
}

/** A document of any collection. */
export type AnyDocument = SearchDocument | ContractDocument;

/** What is shown of every hit. */
export interface AnyHit {
  id: string;
  notice_id: string;
  title: string;
  /** A short extract, never the whole text. */
  extract: string;
  /** On request: HTML-escaped text around the hits, each inside `<mark>`. */
  highlight?: string;
}

export interface SearchHit
  extends AnyHit,
    Omit<SearchDocument, 'description' | 'suppliers' | 'company_numbers' | 'subjects' | 'ceiling'> {}

export type MatchLevel = 'all' | 'prefix' | 'any';

export interface SearchAnswer<Hit extends AnyHit = SearchHit> {
  hits: Hit[];
  total: number;
  /** True while `total` is exact; past 10,000 it is "at least". */
  exact: boolean;
  nextCursor: string | null;
  facets?: Partial<Record<FacetName, Record<string, number>>>;
  meta: {
    engine: 'embedded' | 'meilisearch';
    /** Whether only the newest hits of a very common query were looked at, ranked or counted by facet, or its commonest words not weighed. */
    bounded: boolean;
    corrections: { from: string; to: string }[];
    /** Words of the query that were looked for in other wordings too; absent where there were none. */
    synonyms?: { from: string; to: string[] }[];
    /** `all`: every word; `prefix`: every word, the last as a beginning; `any`: one of them, as was asked. */
    matched: MatchLevel;
    /** Words past the 64th distinct one, which were not looked for. */
    ignoredWords: number;
    /** Set where the engine that was meant to answer did not. */
    failover?: Failover;
  };
}

/** Everything that a query matches, however deep its pages go. */
export interface Matches {
  /** How many: exact. */
  total: number;
  /** Of each the beginning of the print of its id (`MATCH_CHARS` characters), one after another in no order. */
  prints: string;
  /** Where the list of them begins. */
  start: MatchPlace;
  meta: SearchAnswer['meta'];
}

/** Where a list of all matches continues: before a document, or at the newest where that is null. */
export interface MatchPlace {
  engine: SearchEngine['name'];
  level: MatchLevel;
  before: number | null;
}

/** Some of all matches, the newest first, and where the next begin; null after the last. */
export interface MatchList<Hit extends AnyHit = SearchHit> {
  hits: Hit[];
  next: MatchPlace | null;
}

/**
 * Why another engine answered: `down` (out of reach), `slow` (not within its deadline), `failing` (an error or nonsense),
 * `behind` (its index lacks too much), `long` (the query has more words than it reads), `any` (it cannot ask for any of several words),
 * `few` (it finds few, and the other engine more), `continued` (an earlier page was answered so, or lies too deep for it),
 * `many` (it cannot list so many).
 */
export type FailoverReason = 'down' | 'slow' | 'failing' | 'behind' | 'long' | 'any' | 'few' | 'continued' | 'many';

export interface Failover {
  /** The engine that was meant to answer. */
  engine: 'embedded' | 'meilisearch';
  reason: FailoverReason;
}

/** A cursor that does not belong to this query, or is not one. The API answers 422. */
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

/** Documents that changed, ids that are gone, and where an index stands once it has them. */
export interface IndexBatch {
  documents: AnyDocument[];
  gone: string[];
  cursor: IndexCursor;
}

/** What can be filled: the index that answers, or one that is built next to it. */
export interface FillableIndex {
  /** Where it stands: the catalogue generation and the last `(seq, id)` it holds; null while it holds nothing. */
  readCursor(): Promise<IndexCursor | null>;
  /** Stores and removes documents, then moves the cursor: awaited, all or an error. */
  store(batch: IndexBatch): Promise<void>;
  /** How many batches may be under way at once; they are stored in their order all the same. One where it is absent. */
  readonly batchesAtOnce?: number;
}

/** An index next to the one that answers. */
export interface IndexBuild extends FillableIndex {
  /** Empties it, creating what it needs with its settings. From then until it is opened again, each document may be stored once. */
  clear(): Promise<void>;
  countDocuments(): Promise<number>;
  /** Puts it in the place of the one that answers, cursor and all, at one instant. */
  goLive(): Promise<void>;
}

/** The port, to one collection. Two engines stand behind it and one contract suite judges both. */
export interface SearchEngine<Hit extends AnyHit = SearchHit> extends FillableIndex {
  readonly name: 'embedded' | 'meilisearch';
  readonly collection: CollectionName;
  /** Version of the document shape and of this engine's settings. Another one in the index means a rebuild. */
  readonly version: string;
  /** The engine that answers while this one cannot; sync fills it too. */
  readonly fallback?: SearchEngine<Hit>;
  /** Why it cannot answer the query as it was asked, or null; absent where it always can. */
  declines?(query: SearchQuery): FailoverReason | null;
  /** @throws BadCursor, SearchUnavailable */
  find(query: SearchQuery): Promise<SearchAnswer<Hit>>;
  /** Everything that `find` would page through had it no end, for sums and files. @throws SearchUnavailable */
  matchAll(query: SearchQuery): Promise<Matches>;
  /** So many matches of a query from a place on, `Matches.start` or `MatchList.next`. @throws SearchUnavailable */
  listMatches(query: SearchQuery, from: MatchPlace, most: number): Promise<MatchList<Hit>>;
  /** The unfinished index, as it was left where a build was broken off. Nobody sees it until it goes live. */
  openBuild(): Promise<IndexBuild>;
  /** Removes everything but the index that answers: what it succeeded, and builds that were given up. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

/** What is indexed together: notices, which are tenders and frameworks too, or contracts. */
export type CollectionName = 'notices' | 'contracts';

/** The engine of notices, with that of contracts next to it: one sync fills both. */
export interface Searches extends SearchEngine {
  readonly contracts: SearchEngine<AnyHit>;
}

export interface IndexCursor {
  generation: string;
  /** `SearchEngine.version` of what stored it. */
  version: string;
  seq: number;
  id: string;
  /** The catalogue's last batch then, and its instant in seconds since 1970: by it one that was restored since is known. */
  head?: { seq: number; at: number | null } | undefined;
}
