import type { Settings } from '../schema/config/settings.ts';
import type { OcdsDocument, OcdsRelease } from '../schema/ocds/types.ts';
import type { JsonObject } from '../schema/text/json-values.ts';

/** What one budget of requests allows. */
export interface Budget {
  name: string;
  /** Milliseconds between two starts; 0: no limit. */
  gapMs: number;
  /** The same after a refusal. */
  slowGapMs: number;
  /** A wider budget in which each of its starts counts as one. */
  countedIn?: { name: string; gapMs: number };
  /** Narrower budgets that a refusal of this one also stops. */
  alsoHolds?: readonly string[];
}

/** A budget according to the operator's settings. Requests with the same budget name share it, whichever source sends them. */
export type BudgetOf = (settings: Settings) => Budget;

/** A stretch of time, both ends inclusive to the second. */
export interface Span {
  from: Date;
  until: Date;
}

export type SpanClock = 'london' | 'utc';

interface SourceFacts {
  id: string;
  /** Its name on the command line. */
  cliName: string;
  /** Its name, as pages and documents show it. */
  title: string;
  /** Other words that callers use for its id, in lower case and without spaces: a refusal suggests the id. */
  aliases?: readonly string[];
  homepage: string;
  licence: string;
  licenceUrl: string;
  attribution: string;
  /** Cron expression, in London time. */
  timetable: string;
  budget: BudgetOf;
  /** The normal range: releases per day of a span (`windows`), rows per edition (`register`). A run outside it is reported. */
  expected: { least: number; most: number };
  /** The waiting time after a 403 that means throttling; absent: a 403 is final. */
  forbiddenWaitSeconds?: number;
  /** After this many 403 in a row nothing more is requested that day; absent: only the run fails. */
  forbiddenTimes?: number;
  /** Certificates (PEM) to trust for this service in addition to the usual roots: intermediates that its chain lacks. */
  certificates?: readonly string[];
}

/** The facts about every service that publishes notices as OCDS releases, however it is asked. */
interface NoticesFacts extends SourceFacts {
  kind: 'notices';
  baseUrl(settings: Settings): string;
  /** The London day, `YYYY-MM-DD`, before which nothing was published. */
  firstDay: string;
  /** Fewer releases than this on a covered working day are reported as unusual. */
  leastOnWorkingDay: number;
  notices: NoticeFacts;
  /**
   * Converts a release to the shape that all services share: an id that stays, times with their zone. Pure; the result is what
   * is stored. Absent where nothing has to be done. @param url - the address that it came from
   */
  adapt?(release: JsonObject, url: string): JsonObject;
}

/** A service that is asked span by span and answers with OCDS release packages. */
export interface WindowsSource extends NoticesFacts {
  asked: 'by_window';
  /** The addresses that together request one span, both ends inclusive to the second. Never `stages`, never a cursor. */
  listRequests(base: string, span: Span): string[];
  /** The span in one of these addresses; null for any other address. */
  readSpan(url: string): Span | null;
  /** Seconds between the two ends of the shortest part that a span is cut into; a shorter gap is requested as it is. */
  shortestSpanSeconds: number;
  /** The clock in which the service reads the two ends: decides where a span may be cut. */
  clock: SpanClock;
  /** An answer with this many releases is full: something may be missing from it. */
  pageRows: number;
  firstWindowHours: number;
  longestWindowHours: number;
  /** How one notice is fetched by itself, if a gap or the daily listing names its id. */
  byId: { budget: BudgetOf; url(base: string, id: string): string };
  /** Present where the notice numbers of a year are one rising sequence, so that missing ones can be named. */
  sequence?: { parse(id: string): NoticeNumber | null; format(number: NoticeNumber): string };
  /** A list of a day's publications, which the service keeps separately from its search. */
  dailyListing?: DailyListing;
}

/** One answer of a service that is asked by month and type: all notices of a type that were published in a London month. */
export interface Cell {
  /** `YYYY-MM`. */
  month: string;
  type: string;
}

/** A service that answers with a whole month of one notice type at once, and cannot be asked for a day. */
export interface CellsSource extends NoticesFacts {
  asked: 'by_cell';
  /** Its notice types, those that are never empty first; a title names each to people. */
  types: readonly { type: string; title: string }[];
  cellUrl(base: string, cell: Cell): string;
  /** The cell in one of these addresses; null for any other address. */
  readCell(url: string): Cell | null;
}

/** A service that publishes notices. */
export type NoticesSource = WindowsSource | CellsSource;

/** Facts about the notices of one service only. */
interface NoticeFacts {
  /** The numbers that have their own page, in lower case, as texts are compared that way. The address is `pageBase` plus the number. */
  id: RegExp;
  pageBase: string;
  /** Precedes each of those numbers but is not part of its address, where another service has numbers of the same form. */
  prefix?: string;
  /**
   * The notice number that a release states, in its stored form; undefined where it states none. Absent where `adapt` makes it
   * the release's id. Pure.
   */
  numberOf?(release: StatedNumbers): string | undefined;
  /**
   * The number of a notice, from its release's id and its other names, where the service counts notices in the order in which
   * they come. Of one date, the notice with the higher number is the later one. Pure.
   */
  countedNumber?(names: readonly string[]): number | undefined;
  /** The ocids of the service. Its record of a whole procurement is at `recordBase` plus the ocid. */
  ocid: RegExp;
  recordBase: string;
  naming: NoticeNaming;
  /** Where two services publish one contract, the contract of the service with the lower rank counts. */
  rank: number;
  /** Whether a null in a later release deletes a field, as OCDS defines. False: the service writes null for "not said". */
  nullDeletes: boolean;
  /** The London day since which deadlines have a time. Before it, midnight means the whole day. */
  deadlineTimesSince?: string;
}

/** Where a release may state its notice number: its id, its documents, the address of its package. */
type StatedNumbers = Pick<OcdsRelease, 'id' | 'packageUri'> & { documents: readonly OcdsDocument[] };

/**
 * How texts on other services name a notice of this one, as sources of regular expressions. An alternative has one group for the
 * number or ocid, or two: year and number.
 */
interface NoticeNaming {
  /** Addresses of a notice's page or data. */
  address: string;
  /** Its ocid, or its number as texts quote it. */
  quote: string;
}

export interface NoticeNumber {
  year: number;
  number: number;
}

export interface DailyListing {
  name: string;
  budget: BudgetOf;
  /** The address of one London day, `YYYY-MM-DD`. */
  dayUrl(base: string, day: string): string;
  /** The entries of a day's file. @throws UnreadablePage for any other file. */
  read(bytes: Uint8Array): ListedRelease[];
}

/** One release in a daily listing. */
export interface ListedRelease {
  /** The id to fetch it by. */
  id: string;
  /** Release ids under which it may be stored, or their beginnings: a listing may use an older form. */
  storedAs: string[];
}

/** A register with a bulk file in editions and a profile API. */
export interface RegisterSource extends SourceFacts {
  kind: 'register';
  bulkUrl(settings: Settings): string;
  apiUrl(settings: Settings): string;
  /** The key of the profile API and the setting with it; without a key only the bulk file is read. */
  apiKey(settings: Settings): { setting: string; value: string | undefined };
  /** The page that links to the newest edition. */
  editionsPath: string;
  profilePath(companyNumber: string): string;
  /** Most profiles requested in one run. */
  profilesPerRun: number;
}

export type Source = NoticesSource | RegisterSource;
