import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { SourceKind } from '../enums.ts';

/** What the API needs to know about a source, written by jobs from the sources table. `releases` and `last_success_at` are updated by ingest. */
export const source = sqliteTable('source', {
  id: text('id').primaryKey(),
  title: text('title').notNull(),
  homepage: text('homepage').notNull(),
  licence: text('licence').notNull(),
  licence_url: text('licence_url').notNull(),
  attribution: text('attribution').notNull(),
  timetable: text('timetable').notNull(),
  releases: integer('releases').notNull().default(0),
  quarantined: integer('quarantined').notNull().default(0),
  /** Everything published before this catalogue instant is stored. */
  as_of: text('as_of'),
  last_success_at: text('last_success_at'),
  last_attempt_at: text('last_attempt_at'),
  last_error: text('last_error'),
  kind: text('kind').$type<SourceKind>().notNull().default('notices'),
  /** JSON: other words that callers use for its id, in lower case and without spaces. */
  aliases: text('aliases').notNull().default('[]'),
  /** JSON: the `OfficialPages` of its notices. */
  notice_pages: text('notice_pages').notNull().default('[]'),
});

/** The position of a source's ingest. Moved last in the batch that stored what it covers. */
export const cursor = sqliteTable('cursor', {
  source: text('source').primaryKey(),
  value: text('value').notNull(),
  updated_at: text('updated_at').notNull(),
});

/** A span of one source that was requested at once (or was split). */
export const window = sqliteTable(
  'window',
  {
    source: text('source').notNull(),
    /** Instants, ISO 8601 UTC, both inclusive. */
    from: text('from').notNull(),
    until: text('until').notNull(),
    run_id: text('run_id').notNull(),
    /** `complete`, `split`, `unproved`, `proved` (was unproved, and all its ids were resolved since). */
    state: text('state').notNull(),
    requests: integer('requests').notNull(),
    releases: integer('releases').notNull(),
    digest: text('digest').notNull(),
    completed_at: text('completed_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.source, t.from, t.until] })],
);

/** All notices of one type and London month, for a source that is asked that way. */
export const cell = sqliteTable(
  'cell',
  {
    source: text('source').notNull(),
    /** `YYYY-MM`, London. */
    month: text('month').notNull(),
    type: text('type').notNull(),
    run_id: text('run_id').notNull(),
    /** `ok`, `empty`, or `failed`: without a credible answer, so what was published is unknown. */
    state: text('state').notNull(),
    /** Releases in the last good answer, and one digest of them. */
    releases: integer('releases').notNull(),
    digest: text('digest').notNull(),
    /** Instants, ISO 8601 UTC: of the last answer, and of the last good one. */
    asked_at: text('asked_at').notNull(),
    settled_at: text('settled_at'),
    /** Bad answers in a row. */
    failures: integer('failures').notNull(),
    /** What was wrong with the last answer. */
    error: text('error'),
  },
  (t) => [primaryKey({ columns: [t.source, t.month, t.type] })],
);

export const run = sqliteTable(
  'run',
  {
    id: text('id').primaryKey(),
    job: text('job').notNull(),
    source: text('source'),
    started_at: text('started_at').notNull(),
    ended_at: text('ended_at'),
    /** `running`, `succeeded`, `empty`, `failed`, `abandoned`. */
    state: text('state').notNull(),
    requests: integer('requests').notNull().default(0),
    releases: integer('releases').notNull().default(0),
    stored: integer('stored').notNull().default(0),
    quarantined: integer('quarantined').notNull().default(0),
    /** JSON: repair name -> how often. */
    repairs: text('repairs').notNull().default('{}'),
    error: text('error'),
    /** How long the run waited for its turn, and because of refusals, in milliseconds. */
    waited_ms: integer('waited_ms').notNull().default(0),
    /** Requests of the run that were refused upstream (429, or 403 where that means too many). */
    refused: integer('refused').notNull().default(0),
    /** Anything unusual although nothing failed: a volume outside the source's expectation. */
    warning: text('warning'),
  },
  (t) => [index('run_by_source').on(t.source, t.started_at), index('run_by_state').on(t.state)],
);

/** A named lease on wall-clock time. Its token is the first statement of every batch of the job that holds it. */
export const lease = sqliteTable('lease', {
  name: text('name').primaryKey(),
  token: text('token').notNull(),
  holder: text('holder').notNull(),
  /** Milliseconds since the epoch. */
  expires_at: integer('expires_at').notNull(),
});

/** Writing a row with `ok` 0 fails the batch: this refuses a batch that lost its lease, on a file and on a server alike. */
export const fence = sqliteTable('fence', { id: integer('id').primaryKey(), ok: integer('ok').notNull() });

/** When each limiter may next start a request, shared by every process. Milliseconds since the epoch. */
export const limiter = sqliteTable('limiter', {
  name: text('name').primaryKey(),
  next_at: integer('next_at').notNull(),
  /** When `next_at` was written: if a clock shows less, it has been set back since. */
  set_at: integer('set_at').notNull().default(0),
});

/** The queue at each limiter, across processes. A waiter that does not renew its place in time counts as gone. */
export const limiterWaiter = sqliteTable(
  'limiter_waiter',
  {
    limiter: text('limiter').notNull(),
    waiter: text('waiter').notNull(),
    /** Lower goes first: nightly work 0, probes 1, backfill 2. */
    rank: integer('rank').notNull(),
    /** Milliseconds since the epoch. */
    since_at: integer('since_at').notNull(),
    until_at: integer('until_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.limiter, t.waiter] })],
);

/** `seq`: the number of the last batch that changed a versioned row. */
export const counter = sqliteTable('counter', { name: text('name').primaryKey(), value: integer('value').notNull() });

/** `generation`: which build of the catalogue this is; `as_of`: the fixed clock of a demo. */
export const meta = sqliteTable('meta', { name: text('name').primaryKey(), value: text('value').notNull() });

/** Releases stored per source and London day of publication: coverage and freshness without counting. */
export const coverageDay = sqliteTable(
  'coverage_day',
  { source: text('source').notNull(), day: text('day').notNull(), releases: integer('releases').notNull() },
  (t) => [primaryKey({ columns: [t.source, t.day] })],
);

/** Categories from a source that have no mapping yet: counted, never guessed. */
export const unknownValue = sqliteTable(
  'unknown_value',
  {
    id: integer('id').primaryKey(),
    source: text('source').notNull(),
    field: text('field').notNull(),
    value: text('value').notNull(),
    sightings: integer('sightings').notNull(),
    last_seen_at: text('last_seen_at').notNull(),
  },
  (t) => [uniqueIndex('unknown_value_identity').on(t.source, t.field, t.value)],
);

/** Notices that exist according to some evidence, but that no window contained. Each is requested by its id. */
export const probe = sqliteTable(
  'probe',
  {
    source: text('source').notNull(),
    notice_id: text('notice_id').notNull(),
    /** The evidence: `sequence_gap`, `unproved_window`, `daily_csv`. */
    reason: text('reason').notNull(),
    /** `wanted`, `fetched`, `never_published`, `failed`. */
    state: text('state').notNull(),
    attempts: integer('attempts').notNull().default(0),
    noticed_at: text('noticed_at').notNull(),
    asked_at: text('asked_at'),
    /** Why the last attempt failed. */
    error: text('error'),
    /** The London day whose daily listing names them. */
    day: text('day'),
  },
  (t) => [primaryKey({ columns: [t.source, t.notice_id] }), index('probe_by_state').on(t.source, t.state, t.notice_id)],
);

/** What a source's own daily file lists for a day, and how much of it is stored. */
export const witnessDay = sqliteTable(
  'witness_day',
  {
    source: text('source').notNull(),
    /** `YYYY-MM-DD`, London. */
    day: text('day').notNull(),
    witness: text('witness').notNull(),
    counted: integer('counted').notNull(),
    /** How many of those are stored or known not to be served any more. */
    held: integer('held').notNull(),
    checked_at: text('checked_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.source, t.day, t.witness] })],
);

/** The completeness of a source, calculated by jobs when something changed: status reads it and never counts. */
export const coverageSummary = sqliteTable('coverage_summary', {
  source: text('source').primaryKey(),
  reckoned_at: text('reckoned_at').notNull(),
  /** JSON: `CoverageSummary` of schema/catalogue/coverage.ts. */
  summary: text('summary').notNull(),
});

/**
 * What must not be stored: a notice, or whatever identifies a person. Every release is checked before it is stored. A lifted
 * takedown stays as a record without its target.
 */
export const takedown = sqliteTable(
  'takedown',
  {
    id: text('id').primaryKey(),
    /** `notice` or `person`. */
    kind: text('kind').notNull(),
    /** JSON: the notice's id, or the texts to remove (name, e-mail, telephone). */
    target: text('target').notNull(),
    reason: text('reason').notNull(),
    taken_at: text('taken_at').notNull(),
    /** The operator's account and machine. */
    taken_by: text('taken_by').notNull().default(''),
    lifted_at: text('lifted_at'),
  },
  // Active takedowns are read completely with every batch, in this order; lifted ones are not.
  (t) => [index('takedown_standing').on(t.lifted_at, t.taken_at, t.id)],
);

/** Companies House numbers without a profile, requested again only after some time, or without a usable answer of the profile API. */
export const absentProfile = sqliteTable('absent_profile', {
  company_number: text('company_number').primaryKey(),
  /** Empty where the last answer was not usable: requested again after all others. */
  asked_at: text('asked_at').notNull(),
  attempts: integer('attempts').notNull().default(1),
});
