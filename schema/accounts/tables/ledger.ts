import { sql } from 'drizzle-orm';
import { blob, check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** Who holds credits. Internal accounts start with `@` (`@mint`, `@revenue`) and alone may go below zero. */
export const account = sqliteTable(
  'account',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /** The auth library's user, where a person signed up. */
    user_id: text('user_id').unique(),
    /** Projection of the ledger, updated only by its insert trigger. Whole credits. */
    balance: integer('balance').notNull().default(0),
    /** `active`, `frozen` or `closed`. */
    state: text('state').notNull().default('active'),
    created_at: text('created_at').notNull(),
    /** Whether the holder wants a mail when the balance is low. */
    low_balance_mail: integer('low_balance_mail', { mode: 'boolean' }).notNull().default(true),
    /** The limit below which the holder was warned of a low balance; a trigger clears it once the balance has recovered. */
    low_balance_told: integer('low_balance_told'),
  },
  (t) => [check('account_balance_not_negative', sql`${t.balance} >= 0 OR substr(${t.id}, 1, 1) = '@'`)],
);

/**
 * The ledger: append-only transfers that sum to zero by construction. Triggers refuse update, delete and a second row for a key.
 * A row is one line of the ledger, or the lines of several charges that were committed together: those of one key for one
 * action at one price. Lines are numbered without gaps.
 */
export const transfer = sqliteTable(
  'transfer',
  {
    /** The number of its line; of several, that of the last. */
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** The key that makes the transfer happen once: `charge:<id>`, `grant:<account>:signup`, `refund:<charge>`… Of several charges, that of the first. */
    key: text('key').notNull(),
    /** `charge`, `refund`, `grant` or `top_up`. */
    kind: text('kind').notNull(),
    from_account: text('from_account').notNull(),
    to_account: text('to_account').notNull(),
    /** Of all its lines. */
    credits: integer('credits').notNull(),
    /** The operation's name for a charge. */
    action: text('action'),
    /** Null where there are several lines. */
    request_id: text('request_id'),
    key_id: text('key_id'),
    /** The line that this one corrects. */
    corrects: integer('corrects'),
    note: text('note'),
    created_at: text('created_at').notNull(),
    /** How many lines it has. */
    lines: integer('lines').notNull().default(1),
    /** The charge and request id of each of several lines, in order: JSON, `[["ch_…","req_…"],…]`. */
    charges: text('charges'),
  },
  (t) => [
    uniqueIndex('transfer_by_key').on(t.key),
    index('transfer_by_from').on(t.from_account, t.id),
    // Nearly all lines go to `@revenue`: its own are found without an index (`receivedLines`).
    index('transfer_by_to').on(t.to_account, t.id).where(sql`to_account <> '@revenue'`),
    // Nearly all lines are charges, which correct none.
    index('transfer_by_corrects').on(t.corrects).where(sql`${t.corrects} IS NOT NULL`),
    check('transfer_credits_positive', sql`${t.credits} > 0`),
    check('transfer_kind_known', sql`${t.kind} IN ('charge', 'refund', 'grant', 'top_up')`),
    check('transfer_between_two', sql`${t.from_account} <> ${t.to_account}`),
  ],
);

/** An API key: only its SHA-256 (hex) is kept. */
export const apiKey = sqliteTable(
  'api_key',
  {
    id: text('id').primaryKey(),
    account_id: text('account_id')
      .notNull()
      .references(() => account.id),
    name: text('name').notNull(),
    hash: text('hash').notNull().unique(),
    /** Prefix and last four characters, for recognising it in a list. */
    hint: text('hint').notNull(),
    created_at: text('created_at').notNull(),
    last_used_at: text('last_used_at'),
    expires_at: text('expires_at'),
    revoked_at: text('revoked_at'),
    /** Most credits it may spend in a calendar month (UTC), or null. */
    monthly_cap: integer('monthly_cap'),
    /** When it was last rolled: the key stays, its text is new. */
    rolled_at: text('rolled_at'),
    /** SHA-256 (hex) of the text before, which works until `former_until`. */
    former_hash: text('former_hash').unique(),
    former_until: text('former_until'),
  },
  (t) => [index('api_key_by_account').on(t.account_id)],
);

/** What each key spent in each calendar month (UTC): a projection of the ledger, updated only by its insert trigger. */
export const keyMonth = sqliteTable(
  'key_month',
  {
    key_id: text('key_id').notNull(),
    /** `YYYY-MM`. */
    month: text('month').notNull(),
    /** Charges less refunds, in whole credits. */
    credits: integer('credits').notNull(),
  },
  (t) => [primaryKey({ columns: [t.key_id, t.month] })],
);

/** What each key spent on each operation each day (UTC): a projection of the ledger, updated only by its insert trigger. */
export const usageDay = sqliteTable(
  'usage_day',
  {
    account_id: text('account_id').notNull(),
    /** `YYYY-MM-DD`; a refund counts on the day of its charge. */
    day: text('day').notNull(),
    /** Blank where no key was used. */
    key_id: text('key_id').notNull(),
    action: text('action').notNull(),
    /** Charges. */
    calls: integer('calls').notNull(),
    /** Charges less refunds, in whole credits. */
    credits: integer('credits').notNull(),
    /** The lines between which all these charges stand. */
    first_line: integer('first_line').notNull(),
    last_line: integer('last_line').notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_id, t.day, t.key_id, t.action] })],
);

/** One remembered call per account and `Idempotency-Key`. */
export const idempotency = sqliteTable(
  'idempotency',
  {
    account_id: text('account_id').notNull(),
    key: text('key').notNull(),
    /** sha256 (hex) of the operation and its canonical input. */
    fingerprint: text('fingerprint').notNull(),
    /** `running`, `done`, or `free`: the key of a call that costs nothing, bound to that request until it expires. */
    state: text('state').notNull(),
    /** The process that claimed it. An abandoned claim is released at `claim_expires_at` (ms since the epoch). */
    claim_token: text('claim_token').notNull(),
    claim_expires_at: integer('claim_expires_at').notNull(),
    /** The answer, where an older program wrote it; now it is a `remembered_answer`. */
    body: blob('body', { mode: 'buffer' }),
    charge_id: text('charge_id'),
    credits_charged: integer('credits_charged'),
    credits_remaining: integer('credits_remaining'),
    created_at: text('created_at').notNull(),
    /** When the answer is dropped, in milliseconds since the epoch. After that a charged key is refused for ever, and a free one forgotten. */
    expires_at: integer('expires_at').notNull(),
    /** The ledger line of its charge; null while nothing is charged, and where an older program wrote the row. */
    line: integer('line'),
  },
  (t) => [
    primaryKey({ columns: [t.account_id, t.key] }),
    index('idempotency_with_body').on(t.expires_at).where(sql`body IS NOT NULL`),
    index('idempotency_free').on(t.expires_at).where(sql`state = 'free'`),
  ],
);

/** The answer of a keyed call, stored for a day in the commit of its debit. */
export const storedAnswer = sqliteTable(
  'remembered_answer',
  {
    /** The ledger line of its charge. */
    line: integer('line').primaryKey(),
    /** Milliseconds since the epoch. */
    expires_at: integer('expires_at').notNull(),
    /** Length of `body`, so that the total is known without reading the bodies. */
    bytes: integer('bytes').notNull(),
    /** The answer without its credit fields, packed. The fields are inserted again, so that a replay equals the first answer byte for byte. */
    body: blob('body', { mode: 'buffer' }).notNull(),
  },
  (t) => [index('remembered_answer_by_expiry').on(t.expires_at, t.bytes)],
);

/** Seals of the ledger: each is a digest of the lines since the previous seal, and of that seal. Triggers refuse update and delete. */
export const ledgerSeal = sqliteTable('ledger_seal', {
  last_line: integer('last_line').primaryKey(),
  /** SHA-256, hex. */
  digest: text('digest').notNull(),
  sealed_at: text('sealed_at').notNull(),
});
