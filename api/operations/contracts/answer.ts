import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { fromJson, omitEmpty } from '../../../schema/answers/omit-empty.ts';
import type { ContractDetail } from '../../../schema/catalogue/contract-details.ts';
import type { NoticeReference, SupplierDetail } from '../../../schema/catalogue/details.ts';
import { nameSuppliers } from '../../../schema/catalogue/supplier-names.ts';
import type { Region } from '../../../schema/reference/regions.ts';
import type { ContractRow } from '../../reads/contracts.ts';
import {
  AWARDS_MAX,
  CHANGES_MAX,
  HISTORY_MAX,
  KPIS_MAX,
  NOTICE_LISTS_MAX,
  SUPPLIERS_MAX,
  truncate,
} from '../shared/rows.ts';
import { alsoOn, regionName, standingOf, suppliersOf } from './fields.ts';
import { moneyOf, same, sumAwards, warnOfSum } from './money.ts';
import type { award, contractAnswer } from './shapes.ts';

type ContractAnswer = z.input<typeof contractAnswer>;
type Award = z.input<typeof award>;

/** The subject of the answer: the requested notice, and its process. */
interface AskedNotice {
  notice_id: string;
  title: string;
  cpv: string | null;
  url: string | null;
  notices: NoticeReference[];
  /** Decides what its contracts are today. */
  now: Date;
}

/** The contracts of one notice, at least one, as one answer. */
export function toContractAnswer(rows: readonly [ContractRow, ...ContractRow[]], asked: AskedNotice): ContractAnswer {
  const [first] = rows;
  const details = rows.map((row) => fromJson<ContractDetail>(row.detail));
  const detail = details[0] as ContractDetail;
  const awards = truncate(rows, AWARDS_MAX, 'awards');
  const awarded = distinctSuppliers(rows);
  const suppliers = truncate(awarded, SUPPLIERS_MAX, 'suppliers');
  const changed = details.flatMap((one) => one.changes ?? []);
  const changes = truncate(changed, CHANGES_MAX, 'changes');
  const common = commonOf(details);
  const life = lifeOf(common);
  const regions = distinctRegions(details);
  const description = same(details.map(({ description = null }) => description));
  const places = distinctPlaces(details);
  const warnings = [...details, awards, suppliers, changes, places, life].flatMap((one) => one.warnings);
  return {
    notice_id: asked.notice_id,
    // The title of one award, or its main code, is not that of the others.
    title: same(rows.map(({ title }) => title)) ?? asked.title,
    buyer: first.buyer,
    supplier: nameSuppliers(awarded) ?? rows.find((row) => row.supplier !== null)?.supplier ?? null,
    supplier_count: awarded.length,
    ...(rows.length === 1 ? moneyOf(first) : sumAwards(rows)),
    ocid: first.ocid,
    suppliers: suppliers.listed,
    awards: awards.listed.map((row) => toAward(row, asked.now, description === null)),
    dated: newestDay(rows),
    warnings: [...new Set([...warnings, ...warnOfSum(rows)])],
    notices: asked.notices,
    source: first.source,
    ...omitEmpty({
      contract_id: rows.length === 1 ? first.id : null,
      buyer_id: first.buyer_id,
      ...sameDates(rows),
      ...sameStanding(rows, asked.now),
      description,
      ...competitionOf(first, detail),
      bids: rows.length === 1 ? detail.bids : null,
      cpv: same(rows.map(({ cpv }) => cpv)) ?? (rows.some(({ cpv }) => cpv !== null) ? asked.cpv : null),
      cpvs: [...new Set(details.flatMap(({ cpvs }) => cpvs))].map((code) => ({ code })),
      region: regionName(first, regions),
      regions,
      nation: same(rows.map(({ nation }) => nation)),
      delivery_places: places.listed,
      framework_id: same(rows.map(({ framework_id }) => framework_id)),
      framework_role: same(rows.map(({ framework_role }) => framework_role)),
      framework_link: common.framework_link,
      changes: changes.listed,
      ...life.said,
      url: asked.url ?? first.url,
      also_on: [...new Set(rows.flatMap(alsoOn))].filter((source) => source !== first.source),
    }),
  } as ContractAnswer;
}

function newestDay(rows: readonly [ContractRow, ...ContractRow[]]): string {
  return rows.reduce((newest, { sort_date }) => (sort_date > newest ? sort_date : newest), rows[0].sort_date);
}

/** How the process was run: the same for all of its awards. */
function competitionOf({ procedure }: ContractRow, detail: ContractDetail) {
  const { justification, direct_award_grounds } = detail;
  return { procedure, procedure_details: detail.procedure, justification, direct_award_grounds };
}

/** @param isApart whether its description is not that of the whole answer */
function toAward(row: ContractRow, now: Date, isApart: boolean): Award {
  const detail = fromJson<ContractDetail>(row.detail);
  const suppliers = truncate(suppliersOf(row), SUPPLIERS_MAX, 'suppliers');
  const changes = truncate(detail.changes ?? [], CHANGES_MAX, 'changes');
  const life = lifeOf(detail);
  const warnings = [detail, suppliers, changes, life].flatMap((one) => one.warnings);
  return {
    contract_id: row.id,
    title: row.title,
    suppliers: suppliers.listed,
    ...moneyOf(row),
    lots: detail.lots,
    dated: row.sort_date,
    ...omitEmpty({
      description: isApart ? detail.description : null,
      ...datesOf(row),
      extends_to: row.ends_latest,
      bids: detail.bids,
      ...standingOf(row, now),
      ...life.said,
      notice_id: row.notice_id,
      framework_id: row.framework_id,
      framework_role: row.framework_role,
      framework_link: detail.framework_link,
      changes: changes.listed,
      warnings,
      notice_ids: detail.notice_ids,
    }),
  } as Award;
}

type LifeField =
  | 'history'
  | 'terminated'
  | 'former_suppliers'
  | 'also_published_as'
  | 'kpis'
  | 'framework_link'
  | keyof Said;
type Said = Pick<ContractDetail, 'no_kpis_reason' | 'renewal' | 'options' | 'final_value'>;
type Life = { [K in LifeField]?: ContractDetail[K] | undefined };

const COMMON = ['kpis', 'no_kpis_reason', 'renewal', 'options', 'framework_link'] as const;

/** Each of several awards runs separately, but all may be measured, extended and called off alike. */
function commonOf([detail, ...others]: readonly ContractDetail[]): Life {
  if (!detail || others.length === 0) return detail ?? {};
  const common = COMMON.filter((name) => others.every((other) => isDeepStrictEqual(other[name], detail[name])));
  return Object.fromEntries(common.map((name) => [name, detail[name]]));
}

/** How the contract's present state came about, and how its performance is measured. */
function lifeOf({ history = [], terminated, former_suppliers, also_published_as, kpis = [], ...stated }: Life) {
  const { no_kpis_reason, renewal, options, final_value } = stated;
  const { listed, warnings } = truncate(history, HISTORY_MAX, 'statements of its history');
  const measured = truncate(kpis, KPIS_MAX, 'performance indicators');
  const statements = listed.map(({ suppliers, ...said }) => ({
    ...said,
    ...(suppliers && { suppliers: suppliers.map((name) => ({ name })) }),
  }));
  const said = { history: statements, terminated, former_suppliers, also_published_as, kpis: measured.listed };
  return {
    said: { ...said, no_kpis_reason, renewal, options, final_value },
    warnings: [...warnings, ...measured.warnings],
  };
}

/** Status for the whole answer: only one that every award shares. */
function sameStanding(rows: readonly ContractRow[], now: Date) {
  const all = rows.map((row) => standingOf(row, now));
  return {
    status: same(all.map(({ status }) => status ?? null)),
    stated_status: same(all.map(({ stated_status }) => stated_status)),
  };
}

function distinctSuppliers(rows: readonly ContractRow[]): SupplierDetail[] {
  const byId = new Map<string, SupplierDetail>();
  for (const supplier of rows.flatMap(suppliersOf)) {
    if (!byId.has(supplier.company_id)) byId.set(supplier.company_id, supplier);
  }
  return [...byId.values()];
}

function distinctRegions(details: readonly ContractDetail[]): Region[] {
  const byPlace = new Map(details.flatMap(({ regions }) => regions).map((one) => [one.code ?? one.name, one]));
  return [...byPlace.values()];
}

function distinctPlaces(details: readonly ContractDetail[]) {
  const stated = new Set(details.flatMap(({ delivery_places = [] }) => delivery_places));
  return truncate([...stated], NOTICE_LISTS_MAX, 'places of delivery');
}

function datesOf(row: ContractRow) {
  const { awarded, signed, starts, ends, ends_basis, ends_latest } = row;
  const { ends_latest_basis = null, standstill_until = null } = fromJson<ContractDetail>(row.detail);
  return { awarded, standstill_until, signed, starts, ends, ends_basis, ends_latest, ends_latest_basis };
}

/** Dates for the whole answer: only those that every award shares, each with what it was taken from. */
function sameDates(rows: readonly ContractRow[]) {
  const all = rows.map(datesOf);
  const shared = (name: keyof ReturnType<typeof datesOf>) => same(all.map((dates) => dates[name]));
  const ends = shared('ends');
  const ends_latest = shared('ends_latest');
  return {
    awarded: shared('awarded'),
    standstill_until: shared('standstill_until'),
    signed: shared('signed'),
    starts: shared('starts'),
    ends,
    ends_basis: ends && shared('ends_basis'),
    ends_latest,
    ends_latest_basis: ends_latest && shared('ends_latest_basis'),
  };
}
