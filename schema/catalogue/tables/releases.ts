import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** What a source published, as received, without contact points. Append only: a changed body is a new row. */
export const release = sqliteTable(
  'release',
  {
    id: integer('id').primaryKey(),
    source: text('source').notNull(),
    ocid: text('ocid').notNull(),
    release_id: text('release_id').notNull(),
    /** sha256 (hex) of the repaired release's JSON, object keys sorted, contacts dropped: the same publication, the same digest. */
    digest: text('digest').notNull(),
    /** sha256 (hex) of the bytes of the page it came in. */
    page_sha256: text('page_sha256').notNull(),
    /** The release's own `date`, as published. */
    date: text('date').notNull(),
    /** Instant of fetch, ISO 8601 UTC; after that of an earlier version, also of one that a clock which was ahead fetched. */
    fetched_at: text('fetched_at').notNull(),
    /** gzip of the release's JSON (UTF-8), contact points removed; no bytes at all where its notice was taken down. */
    body: blob('body', { mode: 'buffer' }).notNull(),
  },
  (t) => [
    uniqueIndex('release_identity').on(t.ocid, t.release_id, t.digest),
    index('release_by_source_date').on(t.source, t.date),
    // Stored releases are compared with a sequence or a daily file by this index alone.
    index('release_by_number').on(t.source, t.release_id, t.date),
  ],
);

/** When a stored release was last fetched again, word for word: of two versions, the last fetched is current. */
export const fetched_again = sqliteTable(
  'fetched_again',
  {
    ocid: text('ocid').notNull(),
    release_id: text('release_id').notNull(),
    digest: text('digest').notNull(),
    /** Instant of the last fetch, ISO 8601 UTC; always later than that of the release's own row. */
    fetched_at: text('fetched_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.ocid, t.release_id, t.digest] }),
    // So that a rebuild catches up with what was fetched again meanwhile.
    index('fetched_again_by_instant').on(t.fetched_at),
  ],
);

/** Bytes that could not be read, with the reason. They expire after 30 days. */
export const quarantine = sqliteTable(
  'quarantine',
  {
    id: integer('id').primaryKey(),
    source: text('source').notNull(),
    /** `page` (a whole answer), `release` or `row`. */
    kind: text('kind').notNull(),
    reason: text('reason').notNull(),
    /** The address asked, without credentials; the ocid of a release that could not be compiled. */
    url: text('url').notNull(),
    record_id: text('record_id'),
    sha256: text('sha256').notNull(),
    bytes: blob('bytes', { mode: 'buffer' }),
    first_seen_at: text('first_seen_at').notNull(),
    last_seen_at: text('last_seen_at').notNull(),
    sightings: integer('sightings').notNull().default(1),
    /** `held`, `resolved` or `expired`. */
    state: text('state').notNull().default('held'),
  },
  (t) => [
    uniqueIndex('quarantine_identity').on(t.source, t.sha256, t.reason),
    index('quarantine_by_state').on(t.state, t.source),
  ],
);

/** Contact points of open tenders, if a setting allows them at all; each is deleted when its tender closes. */
export const contact = sqliteTable(
  'contact',
  {
    ocid: text('ocid').notNull(),
    release_id: text('release_id').notNull(),
    party_id: text('party_id').notNull(),
    name: text('name'),
    email: text('email'),
    telephone: text('telephone'),
    /** Instant, ISO 8601 UTC: the deadline of the tender. */
    expires_at: text('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.ocid, t.release_id, t.party_id] }), index('contact_by_expiry').on(t.expires_at)],
);
