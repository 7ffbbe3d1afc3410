import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { NATIONS } from '../../reference/regions.ts';
import { BUYER_KINDS } from '../enums.ts';
import { versioned } from './procurement.ts';

/** A buyer or supplier as named in one process, and the identity it was resolved to. */
export const party = sqliteTable(
  'party',
  {
    process_id: text('process_id').notNull(),
    /** The party's id inside the compiled process. */
    party_id: text('party_id').notNull(),
    /** `buyer` or `supplier`. */
    role: text('role').notNull(),
    name: text('name').notNull(),
    /** JSON: identifiers as published and normalised, postcode, locality, region. */
    sighting: text('sighting').notNull(),
    identity_id: text('identity_id').notNull(),
    /** `company_number`, `identifier`, `name_postcode`, `name`, `unmatched`… */
    method: text('method').notNull(),
    score: real('score').notNull(),
    /** JSON: the evidence for the match. */
    evidence: text('evidence').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.process_id, t.party_id, t.role] }),
    index('party_by_identity').on(t.role, t.identity_id),
  ],
);

/** Every identifier ever seen for a buyer or company, in lower case, and its identity. Never deleted. */
export const alias = sqliteTable(
  'alias',
  {
    /** `buyer` or `company`. */
    kind: text('kind').notNull(),
    alias: text('alias').notNull(),
    target: text('target').notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.alias] }), index('alias_by_target').on(t.kind, t.target)],
);

/** A supplier identity. */
export const company = sqliteTable(
  'company',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /** Cleaned name, for exact look-up. */
    name_key: text('name_key').notNull(),
    company_number: text('company_number'),
    /** 1, 0 or null (unknown). */
    is_sme: integer('is_sme'),
    locality: text('locality'),
    postcode: text('postcode'),
    contract_count: integer('contract_count').notNull().default(0),
    /** Awards that set up a framework: places on it, which are not contracts. */
    framework_places: integer('framework_places').notNull().default(0),
    /** JSON: totals by year and kind, top buyers: precomputed as rows change. */
    totals: text('totals').notNull().default('{}'),
    detail: text('detail').notNull().default('{}'),
    ...versioned,
  },
  (t) => [
    index('company_by_number').on(t.company_number),
    index('company_by_name_key').on(t.name_key),
    index('company_by_seq').on(t.seq, t.id),
  ],
);

/**
 * The text of a supplier's look-up by its number, as it is served (`answers/company-text`). Triggers (migrations) empty it, and
 * set its edition to 0, in the commit that writes the supplier or its register row.
 */
export const companyAnswer = sqliteTable(
  'company_answer',
  {
    company_number: text('company_number').primaryKey(),
    /** The edition of the text; 0 where it has to be compiled. */
    edition: integer('edition').notNull().default(0),
    /** Version of the data from which the text was compiled. */
    changed: integer('changed').notNull().default(0),
    /** JSON without credit fields; empty where the answer is built on request. */
    text: text('text').notNull().default(''),
  },
  (t) => [index('company_answer_by_edition').on(t.edition)],
);

/** A buying organisation. */
export const buyer = sqliteTable(
  'buyer',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    name_key: text('name_key').notNull(),
    region: text('region'),
    region_code: text('region_code'),
    /** Where it is, `uk` for a body that acts for the whole country; null where it is not known. */
    nation: text('nation', { enum: NATIONS }),
    kind: text('kind', { enum: BUYER_KINDS }),
    contract_count: integer('contract_count').notNull().default(0),
    framework_places: integer('framework_places').notNull().default(0),
    totals: text('totals').notNull().default('{}'),
    detail: text('detail').notNull().default('{}'),
    ...versioned,
  },
  (t) => [index('buyer_by_name_key').on(t.name_key), index('buyer_by_seq').on(t.seq, t.id)],
);

/**
 * The totals of one buyer's contracts with one supplier, updated by difference with each batch, so that they are not summed over
 * all contracts. A pair without contracts has no row.
 */
export const buyerSupplier = sqliteTable(
  'buyer_supplier',
  {
    buyer_id: text('buyer_id').notNull(),
    company_id: text('company_id').notNull(),
    contracts: integer('contracts').notNull(),
    /** Awards that set up a framework, which are not contracts. */
    places: integer('places').notNull(),
    /** The sum of its values of class `sum` in pounds, in pence. */
    pence: integer('pence').notNull(),
    /** JSON: the same in other currencies, by currency. */
    other_pence: text('other_pence').notNull(),
    /** The greatest id of its contracts: that contract's spelling of a name is used in the other party's totals. */
    last_contract: text('last_contract').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.buyer_id, t.company_id] }),
    // In the order in which totals list counterparties.
    index('buyer_supplier_top').on(t.buyer_id, sql`contracts DESC`, sql`pence DESC`, sql`places DESC`, t.company_id),
    index('buyer_supplier_top_of_company').on(
      t.company_id,
      sql`contracts DESC`,
      sql`pence DESC`,
      sql`places DESC`,
      t.buyer_id,
    ),
  ],
);

/** The words of buyers' cleaned names, maintained by triggers (migrations), for finding a buyer by part of its name. */
export const buyerWord = sqliteTable(
  'buyer_word',
  { word: text('word').notNull(), buyer_id: text('buyer_id').notNull() },
  (t) => [primaryKey({ columns: [t.word, t.buyer_id] }), index('buyer_word_by_buyer').on(t.buyer_id)],
);

/** What SIC codes mean, learned from the register's own rows, which write `70229 - Management consultancy`. */
export const sicCode = sqliteTable('sic_code', {
  code: text('code').primaryKey(),
  description: text('description').notNull(),
});

/** The Companies House register: one row per company number, the published row or API profile as JSON. */
export const registeredCompany = sqliteTable(
  'registered_company',
  {
    company_number: text('company_number').primaryKey(),
    name: text('name').notNull(),
    name_key: text('name_key').notNull(),
    /** Where names meet that may be misspellings of each other, in one postcode district; null without a postcode. */
    block: text('block'),
    status: text('status').notNull(),
    category: text('category').notNull(),
    locality: text('locality'),
    postcode: text('postcode'),
    incorporated: text('incorporated'),
    /** JSON of the whole bulk row in our names. */
    record: text('record').notNull(),
    /** JSON of the API profile where fetched, and when. */
    profile: text('profile'),
    profile_fetched_at: text('profile_fetched_at'),
    /** The bulk edition that last listed it (`YYYY-MM-DD`). */
    edition: text('edition'),
    digest: text('digest').notNull(),
    seq: integer('seq').notNull(),
    /** The `seq` of the last change to what distinguishes suppliers: names, place, dates, size, whether it is listed. */
    match_seq: integer('match_seq').notNull().default(0),
    gone: integer('gone').notNull().default(0),
  },
  (t) => [
    // Includes the number, so that thousands of names with one beginning are read without their rows.
    index('registered_company_by_name_key').on(t.name_key, t.company_number),
    index('registered_company_by_block').on(t.block),
    index('registered_company_by_seq').on(t.seq, t.company_number),
  ],
);

/** Former names of registered companies, cleaned. */
export const previousName = sqliteTable(
  'previous_name',
  {
    name_key: text('name_key').notNull(),
    company_number: text('company_number').notNull(),
    name: text('name').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.name_key, t.company_number] }),
    index('previous_name_by_number').on(t.company_number),
  ],
);

/**
 * What releases have said about each identifier: names, addresses, sizes, and the cleaned names it was seen under. Append only
 * and keyed by identifier, so that an identity follows from the set of releases, not their order.
 */
export const identityFact = sqliteTable(
  'identity_fact',
  {
    /** `buyer` or `company`. */
    kind: text('kind').notNull(),
    /** An identifier or name id, in lower case. */
    token: text('token').notNull(),
    /** Ties: `same_as`, `name_id`, `plain_name_id`, `register_name_id`, `register_likely_id`, `within`, `formerly`. The rest: `register_match`, `sighted`, `name`, `name_key`, `leads_to`, `identifier`, `address`, `url`, `sme`, `organisation_kind`. */
    field: text('field').notNull(),
    value: text('value').notNull(),
    /** Date of the latest release that said so. */
    last_seen: text('last_seen').notNull(),
    /** The notice of that release; null where the register is the source. */
    notice_id: text('notice_id'),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.token, t.field, t.value] }),
    index('identity_fact_by_value').on(t.kind, t.field, t.value),
  ],
);

/** References (`RM3764`, an ocid) by which call-offs name their framework: those processes are compiled again when it arrives. */
export const processReference = sqliteTable(
  'process_reference',
  { reference: text('reference').notNull(), process_id: text('process_id').notNull() },
  (t) => [primaryKey({ columns: [t.reference, t.process_id] }), index('process_reference_by_process').on(t.process_id)],
);
