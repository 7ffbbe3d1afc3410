import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { fromJson, omitEmpty } from '../../../schema/answers/omit-empty.ts';
import type { ContractDetail } from '../../../schema/catalogue/contract-details.ts';
import type { NoticeReference, SupplierDetail } from '../../../schema/catalogue/details.ts';
import { contractStatusNow } from '../../../schema/catalogue/live.ts';
import { nameSuppliers } from '../../../schema/catalogue/supplier-names.ts';
import { placeOf } from '../../../schema/reference/regions.ts';
import type { ContractRow } from '../../reads/contracts.ts';
import {
  AWARDS_MOST,
  CHANGES_MOST,
  HISTORY_MOST,
  ITEM_LOTS_MOST,
  ITEM_SUPPLIERS_MOST,
  KPIS_MOST,
  SUPPLIERS_MOST,
  truncate,
} from '../shared/rows.ts';
import { moneyOf, same, sumAwards, warnOfSum } from './money.ts';
import type { award, contractAnswer, issuedItem, wonItem } from './shapes.ts';

type ContractAnswer = z.input<typeof contractAnswer>;
type Award = z.input<typeof award>;
type WonItem = z.input<typeof wonItem>;
type IssuedItem = z.input<typeof issuedItem>;

/** The subject of the answer: the requested notice, and its process. */
interface AskedNotice {
  notice_id: string;
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
  const awards = truncate(rows, AWARDS_MOST, 'awards');
  const awarded = distinctSuppliers(rows);
  const suppliers = truncate(awarded, SUPPLIERS_MOST, 'suppliers');
  const changes = truncate(
    details.flatMap((one) => one.changes ?? []),
    CHANGES_MOST,
    'changes',
  );
  const life = lifeOf(commonLife(details));
  const warnings = [...details, awards, suppliers, changes, life].flatMap((one) => one.warnings);
  return {
    notice_id: asked.notice_id,
    title: first.title,
    buyer: first.buyer,
    supplier: nameSuppliers(awarded) ?? rows.find((row) => row.supplier !== null)?.supplier ?? null,
    supplier_count: awarded.length,
    ...(rows.length === 1 ? moneyOf(first) : sumAwards(rows)),
    ocid: first.ocid,
    suppliers: suppliers.listed,
    awards: awards.listed.map((row) => toAward(row, asked.now)),
    dated:
      rows
        .map(({ sort_date }) => sort_date)
        .sort()
        .at(-1) ?? first.sort_date,
    warnings: [...new Set([...warnings, ...warnOfSum(rows)])],
    notices: asked.notices,
    source: first.source,
    ...omitEmpty({
      contract_id: rows.length === 1 ? first.id : null,
      buyer_id: first.buyer_id,
      ...sameDates(rows),
      ...sameStanding(rows, asked.now),
      description: detail.description,
      ...competitionOf(first, detail),
      bids: rows.length === 1 ? detail.bids : null,
      cpv: first.cpv,
      cpvs: [...new Set(details.flatMap(({ cpvs }) => cpvs))].map((code) => ({ code })),
      region: regionName(first, detail),
      ...{ regions: detail.regions, nation: first.nation },
      framework_id: same(rows.map(({ framework_id }) => framework_id)),
      framework_role: same(rows.map(({ framework_role }) => framework_role)),
      framework_link: detail.framework_link,
      changes: changes.listed,
      ...life.said,
      url: asked.url ?? first.url,
      also_on: [...new Set(rows.flatMap(alsoOn))].filter((source) => source !== first.source),
    }),
  } as ContractAnswer;
}

/** How the process was run: the same for all of its awards. */
function competitionOf({ procedure }: ContractRow, detail: ContractDetail) {
  return { procedure, procedure_details: detail.procedure, justification: detail.justification };
}

function toAward(row: ContractRow, now: Date): Award {
  const detail = fromJson<ContractDetail>(row.detail);
  const suppliers = truncate(suppliersOf(row), SUPPLIERS_MOST, 'suppliers');
  const changes = truncate(detail.changes ?? [], CHANGES_MOST, 'changes');
  const life = lifeOf(detail);
  const warnings = [detail, suppliers, changes, life].flatMap((one) => one.warnings);
  return {
    contract_id: row.id,
    title: row.title,
    suppliers: suppliers.listed,
    ...moneyOf(row),
    lots: detail.lots,
    dated: row.sort_date,
    ...omitEmpty({ ...datesOf(row), extends_to: row.ends_latest, bids: detail.bids }),
    ...omitEmpty({ ...standingOf(row, now), ...life.said }),
    ...omitEmpty({ notice_id: row.notice_id, framework_id: row.framework_id, framework_role: row.framework_role }),
    ...omitEmpty({ framework_link: detail.framework_link, changes: changes.listed }),
    ...omitEmpty({ warnings, notice_ids: detail.notice_ids }),
  } as Award;
}

type Life = {
  [K in 'history' | 'terminated' | 'former_suppliers' | 'also_published_as' | 'kpis']?: ContractDetail[K] | undefined;
};

/** Each of several awards runs separately, but all may be measured alike. */
function commonLife([detail, ...others]: readonly ContractDetail[]): Life {
  if (!detail || others.length === 0) return detail ?? {};
  return others.every(({ kpis }) => isDeepStrictEqual(kpis, detail.kpis)) ? { kpis: detail.kpis } : {};
}

/** How the contract's present state came about, and how its performance is measured. */
function lifeOf({ history = [], terminated, former_suppliers, also_published_as, kpis = [] }: Life) {
  const { listed, warnings } = truncate(history, HISTORY_MOST, 'statements of its history');
  const measured = truncate(kpis, KPIS_MOST, 'performance indicators');
  const statements = listed.map(({ suppliers, ...said }) => ({
    ...said,
    ...(suppliers && { suppliers: suppliers.map((name) => ({ name })) }),
  }));
  const said = { history: statements, terminated, former_suppliers, also_published_as, kpis: measured.listed };
  return { said, warnings: [...warnings, ...measured.warnings] };
}

/** A contract as an entry in a company's list. */
export function toWonItem(row: ContractRow, now: Date): WonItem {
  const suppliers = suppliersOf(row).length;
  return {
    ...toItem(row, now),
    ...moneyOf(row),
    ...omitEmpty({ buyer: row.buyer, buyer_id: row.buyer_id, supplier_count: suppliers > 1 ? suppliers : null }),
  } as WonItem;
}

/** A contract as an entry in a buyer's or framework's list. */
export function toIssuedItem(row: ContractRow, now: Date): IssuedItem {
  const awarded = suppliersOf(row);
  const suppliers = truncate(awarded, ITEM_SUPPLIERS_MOST, 'suppliers');
  const item = toItem(row, now);
  return {
    ...item,
    supplier: nameSuppliers(awarded) ?? row.supplier,
    supplier_count: awarded.length,
    suppliers: suppliers.listed.map(({ company_id, name, companies_house_number }) => ({
      company_id,
      name,
      ...omitEmpty({ companies_house_number }),
    })),
    ...omitEmpty(moneyOf(row)),
    ...omitEmpty({ warnings: [...(item.warnings ?? []), ...suppliers.warnings] }),
  } as IssuedItem;
}

function toItem(row: ContractRow, now: Date) {
  const detail = fromJson<ContractDetail>(row.detail);
  return {
    notice_id: row.notice_id,
    title: row.title,
    contract_id: row.id,
    ocid: row.ocid,
    source: row.source,
    dated: row.sort_date,
    ...omitEmpty({ awarded: row.awarded, signed: row.signed, starts: row.starts, ends: row.ends }),
    ...omitEmpty(standingOf(row, now)),
    ...omitEmpty({ ends_latest: row.ends_latest, procedure: row.procedure, bids: briefBidsOf(row) }),
    ...omitEmpty({ cpv: row.cpv, region: regionName(row, detail), nation: row.nation }),
    ...omitEmpty({ framework_id: row.framework_id }),
    ...omitEmpty({ framework_role: row.framework_role, lots: detail.lots?.slice(0, ITEM_LOTS_MOST) }),
    ...omitEmpty({ warnings: detail.warnings, url: row.url, also_on: alsoOn(row) }),
  };
}

/** What it is today, and as published. */
function standingOf(row: ContractRow, now: Date) {
  return { status: contractStatusNow(row, now), stated_status: row.status };
}

/** Status for the whole answer: only one that every award shares. */
function sameStanding(rows: readonly ContractRow[], now: Date) {
  const all = rows.map((row) => standingOf(row, now));
  return {
    status: same(all.map(({ status }) => status ?? null)),
    stated_status: same(all.map(({ stated_status }) => stated_status)),
  };
}

/** The other services that published it too. */
function alsoOn({ also_on }: ContractRow): string[] {
  return fromJson<string[]>(also_on ?? '[]');
}

function suppliersOf(row: ContractRow): SupplierDetail[] {
  return fromJson<SupplierDetail[]>(row.suppliers);
}

function distinctSuppliers(rows: readonly ContractRow[]): SupplierDetail[] {
  const byId = new Map<string, SupplierDetail>();
  for (const supplier of rows.flatMap(suppliersOf)) {
    if (!byId.has(supplier.company_id)) byId.set(supplier.company_id, supplier);
  }
  return [...byId.values()];
}

/** The numbers of bids as every list shows them, where there are any. */
function briefBidsOf({ bids_received, bids_from_smes }: ContractRow) {
  if (bids_received === null && bids_from_smes === null) return null;
  return omitEmpty({ received: bids_received, from_smes: bids_from_smes });
}

function datesOf(row: ContractRow) {
  const { awarded, signed, starts, ends, ends_basis, ends_latest } = row;
  const ends_latest_basis = fromJson<ContractDetail>(row.detail).ends_latest_basis ?? null;
  return { awarded, signed, starts, ends, ends_basis, ends_latest, ends_latest_basis };
}

/** Dates for the whole answer: only those that every award shares. */
function sameDates(rows: readonly ContractRow[]) {
  const all = rows.map(datesOf);
  return {
    awarded: same(all.map(({ awarded }) => awarded)),
    signed: same(all.map(({ signed }) => signed)),
    starts: same(all.map(({ starts }) => starts)),
    ends: same(all.map(({ ends }) => ends)),
    ends_basis: same(all.map(({ ends_basis }) => ends_basis)),
    ends_latest: same(all.map(({ ends_latest }) => ends_latest)),
    ends_latest_basis: same(all.map(({ ends_latest_basis }) => ends_latest_basis)),
  };
}

function regionName(row: ContractRow, detail: ContractDetail): string | null {
  return placeOf(detail.regions)?.name ?? row.region;
}
