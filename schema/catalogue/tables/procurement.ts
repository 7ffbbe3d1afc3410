import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { NATIONS } from '../../reference/regions.ts';
import { CONTRACT_STATUSES, ENDS_BASES, FRAMEWORK_KINDS, FRAMEWORK_ROLES, PROCEDURES, VALUE_BASES } from '../enums.ts';

/**
 * Columns of every row that search drains or a reader may have cached. `seq` rises by one per batch and is set only where
 * `digest` changed; `gone` is 1 for a removed row.
 */
export const versioned = {
  digest: text('digest').notNull(),
  seq: integer('seq').notNull(),
  gone: integer('gone').notNull().default(0),
};

/** The main buyer, with its kind as in the buyer's row: triggers (migrations) keep it so, whichever of the two changes. */
const bought = { buyer_id: text('buyer_id'), buyer: text('buyer'), buyer_kind: text('buyer_kind') };

/** One contracting process, compiled from its releases. `id` is the ocid, or `<ocid>~<n>` where an ocid is reused by several buyer sets. */
export const process = sqliteTable(
  'process',
  {
    id: text('id').primaryKey(),
    ocid: text('ocid').notNull(),
    source: text('source').notNull(),
    title: text('title').notNull(),
    buyer_id: text('buyer_id'),
    stage: text('stage').notNull(),
    /** `planned`, `open`, `closed`, `awarded`, `cancelled`, `withdrawn`, `unsuccessful`, `complete`. Whether it is *live* is decided at read time. */
    status: text('status').notNull(),
    /** JSON: [{name, url, type, published, language, notice_id}] of every notice of the process. */
    documents: text('documents').notNull(),
    /** JSON: [{notice_id, notice_type, stage, published, title, url}] oldest first. */
    notices: text('notices').notNull(),
    /** Keys for finding the same procurement on the other service, where there can be one: cleaned title, the buyer's own reference. */
    title_key: text('title_key'),
    reference: text('reference'),
    /** London calendar dates: of its first and last notice, the latest deadline for bids, the first award. */
    first_published: text('first_published'),
    last_published: text('last_published'),
    deadline: text('deadline'),
    awarded: text('awarded'),
    /** JSON: {contract_id: [contract_id]}, its awards that are counted as contracts of the other service's process; null where there are none. */
    counted_as: text('counted_as'),
    ...versioned,
  },
  (t) => [
    index('process_by_ocid').on(t.ocid),
    index('process_by_seq').on(t.seq, t.id),
    index('process_by_title').on(t.buyer_id, t.title_key).where(sql`title_key IS NOT NULL`),
    index('process_by_reference').on(t.buyer_id, t.reference).where(sql`reference IS NOT NULL`),
  ],
);

/** One published notice of one process. Eleven Find a Tender ids name two processes, so `notice_id` alone is not a key. */
export const notice = sqliteTable(
  'notice',
  {
    /** `<notice_id>_<process_id>` with every other character than letters, digits, `-` and `_` replaced: safe as a search document id. */
    id: text('id').primaryKey(),
    notice_id: text('notice_id').notNull(),
    process_id: text('process_id').notNull(),
    ocid: text('ocid').notNull(),
    source: text('source').notNull(),
    stage: text('stage').notNull(),
    /** `UK1`…`UK17`, or the old form's tag. */
    notice_type: text('notice_type').notNull(),
    title: text('title').notNull(),
    description: text('description').notNull().default(''),
    ...bought,
    /** London calendar date, and the instant, ISO 8601 UTC. */
    published: text('published').notNull(),
    published_at: text('published_at').notNull(),
    deadline: text('deadline'),
    deadline_at: text('deadline_at'),
    value: real('value'),
    currency: text('currency'),
    value_basis: text('value_basis', { enum: VALUE_BASES }),
    /** Main CPV code, and JSON of all, 8 digits each. */
    cpv: text('cpv'),
    cpvs: text('cpvs').notNull().default('[]'),
    /** First ITL code (or null), and JSON of all: [{code, name}]. */
    region: text('region'),
    regions: text('regions').notNull().default('[]'),
    /** Where its buyer is, otherwise where it is performed; null where neither is known. */
    nation: text('nation', { enum: NATIONS }),
    status: text('status').notNull(),
    url: text('url'),
    /** 1 where a tender search returns this notice for its process; for a copy, that is the original. */
    is_tender: integer('is_tender').notNull().default(0),
    /** The notice id of the original on another service, if this is a copy: searches only have the original. */
    copy_of: text('copy_of'),
    /** JSON: [source] of the other services that published a copy of it; null where there are none. */
    also_on: text('also_on'),
    /** JSON: the ids of the buyers besides that of `buyer_id`; null where there are none. */
    joint_buyer_ids: text('joint_buyer_ids'),
    /** JSON, whole: lots, dates, how_to_apply, documents, suppliers, procedure, warnings… as `svc_get_notice` serves them. */
    detail: text('detail').notNull(),
    ...versioned,
  },
  (t) => [
    index('notice_by_notice_id').on(t.notice_id, t.process_id),
    index('notice_by_process').on(t.process_id, t.published_at),
    index('notice_by_seq').on(t.seq, t.id),
    index('notice_by_published').on(t.published_at, t.id),
    index('notice_by_buyer').on(t.buyer_id, t.published_at),
    index('notice_by_cpv').on(t.cpv).where(sql`gone = 0 AND copy_of IS NULL`),
    index('notice_by_region').on(t.region).where(sql`gone = 0 AND copy_of IS NULL`),
    // So that a buyer's live tenders are counted without reading their rows.
    index('notice_tender').on(t.buyer_id, t.deadline, t.deadline_at, t.status).where(sql`is_tender = 1 AND gone = 0`),
    index('notice_joint')
      .on(t.is_tender, t.gone, t.deadline, t.deadline_at, t.status, t.joint_buyer_ids)
      .where(sql`joint_buyer_ids IS NOT NULL`),
    // The number that remain is calculated from those that went, without reading the table.
    index('notice_gone').on(t.seq).where(sql`gone = 1`),
    index('notice_copy').on(t.seq).where(sql`copy_of IS NOT NULL AND gone = 0`),
  ],
);

/** One award of one process, once, however many notices mention it. */
export const contract = sqliteTable(
  'contract',
  {
    id: text('id').primaryKey(),
    process_id: text('process_id').notNull(),
    ocid: text('ocid').notNull(),
    source: text('source').notNull(),
    /** The last notice about the award. */
    notice_id: text('notice_id').notNull(),
    award_id: text('award_id').notNull(),
    title: text('title').notNull(),
    ...bought,
    /** First-named supplier, and JSON of all: [{company_id, name, companies_house_number?, match: {method, score, evidence}}]. */
    supplier: text('supplier'),
    suppliers: text('suppliers').notNull(),
    value: real('value'),
    currency: text('currency'),
    /** `net`, `gross`, `estimate` or null where no value is stated. */
    value_basis: text('value_basis', { enum: VALUE_BASES }),
    /** How totals treat the value: `sum`, `shared`, `framework_ceiling`, `estimate`, `absurd`, `unstated`. */
    value_class: text('value_class').notNull(),
    awarded: text('awarded'),
    signed: text('signed'),
    starts: text('starts'),
    ends: text('ends'),
    status: text('status', { enum: CONTRACT_STATUSES }).notNull(),
    /** The date for sorting: awarded, otherwise signed, otherwise published. */
    sort_date: text('sort_date').notNull(),
    cpv: text('cpv'),
    region: text('region'),
    nation: text('nation', { enum: NATIONS }),
    url: text('url'),
    /** JSON: [source] of the other services with a copy that counts as it; null where there are none. */
    also_on: text('also_on'),
    /** The framework of this award: the award sets it up (`establishes`) or is called off from it (`call_off`). */
    framework_id: text('framework_id'),
    framework_role: text('framework_role', { enum: FRAMEWORK_ROLES }),
    /** Last day if every published option to extend is used; null where none is published. */
    ends_latest: text('ends_latest'),
    /** The source of `ends`; null where no end is known. */
    ends_basis: text('ends_basis', { enum: ENDS_BASES }),
    procedure: text('procedure', { enum: PROCEDURES }),
    bids_received: integer('bids_received'),
    bids_from_smes: integer('bids_from_smes'),
    /** 1 where a supplier is a small or medium-sized enterprise, 0 where none is, otherwise null. */
    sme: integer('sme'),
    /** JSON: lots [{id, title}], warnings [string], and further fields served as they are. */
    detail: text('detail').notNull(),
    ...versioned,
  },
  (t) => [
    uniqueIndex('contract_by_process').on(t.process_id, t.award_id),
    index('contract_by_ocid').on(t.ocid),
    index('contract_by_buyer').on(t.buyer_id, t.sort_date, t.id),
    index('contract_by_framework').on(t.framework_id, t.framework_role, t.sort_date, t.id),
    // Only call-offs, so that those of one framework are listed and counted without reading their rows.
    index('contract_call_off')
      .on(t.framework_id, t.sort_date, t.id)
      .where(sql`framework_role = 'call_off' AND gone = 0`),
    index('contract_by_seq').on(t.seq, t.id),
    index('contract_by_date').on(t.sort_date, t.id),
    // Who buys what.
    index('contract_by_cpv').on(t.cpv, t.buyer_id).where(sql`gone = 0`),
  ],
);

/** Which company won which contract: the list for "contracts won". */
export const contractSupplier = sqliteTable(
  'contract_supplier',
  {
    contract_id: text('contract_id').notNull(),
    company_id: text('company_id').notNull(),
    position: integer('position').notNull(),
    sort_date: text('sort_date').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.contract_id, t.company_id] }),
    index('contract_supplier_by_company').on(t.company_id, t.sort_date, t.contract_id),
  ],
);

/** A framework or dynamic market. `id` is its process's id. */
export const framework = sqliteTable(
  'framework',
  {
    id: text('id').primaryKey(),
    process_id: text('process_id').notNull(),
    ocid: text('ocid').notNull(),
    source: text('source').notNull(),
    notice_id: text('notice_id').notNull(),
    title: text('title').notNull(),
    kind: text('kind', { enum: FRAMEWORK_KINDS }).notNull(),
    ...bought,
    starts: text('starts'),
    ends: text('ends'),
    ceiling: real('ceiling'),
    currency: text('currency'),
    cpv: text('cpv'),
    region: text('region'),
    nation: text('nation', { enum: NATIONS }),
    url: text('url'),
    published: text('published').notNull(),
    /** The id of the original on another service, if this is a copy: searches, exports and changes only have the original. */
    copy_of: text('copy_of'),
    /** JSON: [source] of the other services that published a copy of its own notice; null where there are none. */
    also_on: text('also_on'),
    /** JSON: [{lot_id, title, suppliers: [{company_id, name, companies_house_number?}]}]. */
    lots: text('lots').notNull(),
    /** JSON: how it was recognised, who may use it, references such as `RM3764`. */
    detail: text('detail').notNull(),
    ...versioned,
  },
  (t) => [
    index('framework_by_seq').on(t.seq, t.id),
    index('framework_by_buyer').on(t.buyer_id),
    index('framework_by_published').on(t.published, t.id),
  ],
);

/** A framework's own references (`RM3764`, its ocid, its notices' numbers), with which a call-off's text is compared. */
export const frameworkReference = sqliteTable(
  'framework_reference',
  { reference: text('reference').notNull(), framework_id: text('framework_id').notNull() },
  (t) => [
    primaryKey({ columns: [t.reference, t.framework_id] }),
    index('framework_reference_by_framework').on(t.framework_id),
  ],
);
