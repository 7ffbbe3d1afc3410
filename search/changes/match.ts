import type { ExportDataset } from '../../schema/accounts/exports/datasets.ts';
import type { ChangeKind } from '../../schema/catalogue/changes/kinds.ts';
import type { FilterView } from '../../schema/catalogue/changes/read.ts';
import { NO_VALUE } from '../../schema/catalogue/enums.ts';
import { contractStatusNow, isLive } from '../../schema/catalogue/live.ts';
import { isSme } from '../../schema/reference/company-size.ts';
import { companyStatusOf } from '../../schema/reference/company-status.ts';
import { type Region, regionOfPostcode } from '../../schema/reference/regions.ts';
import { isAt } from '../directory/postcodes.ts';
import { flagOf } from '../documents/contract.ts';
import type { SearchQuery } from '../engine.ts';
import type { SearchFilters } from '../filters/index.ts';
import { fieldsOf, ROWS, wantedBound, wantedValues } from '../filters/read.ts';
import type { FilterRow } from '../filters/row.ts';
import { MARKET_FILTERS, type MarketFilters } from './markets.ts';

/** Filters of changes: those of the searches that do not depend on the clock, and those of the lists of companies and buyers. */
export type ChangeFilters = SearchFilters & CompanyFilters & MarketFilters;

interface CompanyFilters {
  sic?: readonly string[];
  postcode?: readonly string[];
  company_status?: readonly string[];
  incorporated_from?: string;
  incorporated_to?: string;
  won?: boolean;
}

const COMPANY_FILTERS = [
  'region',
  'sme',
  'sic',
  'postcode',
  'company_status',
  'incorporated_from',
  'incorporated_to',
  'won',
];
const DATASETS: Readonly<Record<Exclude<ChangeKind, 'company'>, readonly ExportDataset[]>> = {
  notice: ['notices', 'tenders'],
  contract: ['contracts'],
  buyer: ['buyers'],
  framework: ['frameworks'],
};

/** The filter rows of a kind. Filters by the clock are left out: time that passes writes no entry in the change log. */
export function filterRowsOf(kind: Exclude<ChangeKind, 'company'>): LastingRow[] {
  return ROWS.filter(isLasting).filter(({ datasets }) => datasets.some((one) => DATASETS[kind].includes(one)));
}
export type LastingRow = Exclude<FilterRow, { kind: 'clock' }>;
const isLasting = (row: FilterRow): row is LastingRow => row.kind !== 'clock';

/** Names of the filters of a kind. */
export function changeFilterNames(kind: ChangeKind): string[] {
  const ofContracts = kind === 'company' || kind === 'buyer' ? MARKET_FILTERS[kind] : [];
  return [...(kind === 'company' ? COMPANY_FILTERS : filterRowsOf(kind).map(({ name }) => name)), ...ofContracts];
}

/** The values that filters compare, by the field of the filter's row. */
type Document = Readonly<Record<string, unknown>> & { cpvs: readonly string[]; regions: readonly Region[] };

const DOCUMENTS: Readonly<Record<Exclude<ChangeKind, 'company'>, (view: FilterView) => Document>> = {
  notice: (view) => ({
    ...view,
    ...listsOf(view),
    value: pounds(view.value, view.currency),
    sources: sourcesOf(view),
    above_threshold: flagOf(view.above_threshold),
  }),
  contract: (view) => ({
    ...view,
    ...listsOf(view),
    value: NO_VALUE.has(String(view.value_class)) ? null : pounds(view.value, view.currency),
    sources: sourcesOf(view),
    dated: view.sort_date,
    bids: view.bids_received,
    sme: flagOf(view.sme),
    vcse: flagOf(view.vcse),
  }),
  buyer: (view) => ({ ...view, cpvs: [], regions: [{ code: view.region_code, name: view.region } as Region] }),
  framework: (view) => ({
    ...view,
    ...listsOf(view),
    sources: sourcesOf(view),
    value: pounds(view.ceiling, view.currency),
    framework_kind: view.kind,
  }),
};

/** The service that the row is from, then the other services that published it. Old entries of the log lack the latter. */
function sourcesOf({ source, also_on }: FilterView): unknown[] {
  return [source, ...((also_on as string[] | null | undefined) ?? [])];
}

function listsOf({ cpvs, regions }: FilterView): Pick<Document, 'cpvs' | 'regions'> {
  return { cpvs: (cpvs as string[] | null) ?? [], regions: (regions as Region[] | null) ?? [] };
}

function pounds(value: unknown, currency: unknown): unknown {
  return currency === 'GBP' ? value : null;
}

/**
 * Whether a row meets every filter; one of a filter's values is enough. A copy never matches. Filters of buyers and companies that
 * depend on contracts are not checked here but in `judgeMarkets`.
 */
export function matchesFilters(kind: ChangeKind, view: FilterView, filters: ChangeFilters): boolean {
  if (kind === 'company') return matchesCompany(view, filters);
  if (typeof view.copy_of === 'string') return false;
  const document = DOCUMENTS[kind](view);
  return filterRowsOf(kind).every((row) => holds(row, document, filters));
}

/** Whether a notice or contract with these values is in the state that a search asks for by the clock, which `matchesFilters` leaves out. */
export function isInState(view: FilterView, { scope, filters: { status }, now }: SearchQuery): boolean {
  if (scope === 'notices' || scope === 'frameworks') return true;
  if (scope === 'contracts') {
    const contract = view as { status: string; ends: string | null };
    return status === undefined || status === 'any' || contractStatusNow(contract, now) === status;
  }
  const tender = view as { status: string; is_tender: number; deadline: string | null; deadline_at: string | null };
  return tender.is_tender === 1 && (status === 'any' || isLive(tender, tender.status, now) === (status !== 'closed'));
}

function holds(row: LastingRow, document: Document, filters: SearchFilters): boolean {
  if (row.kind === 'range' || row.kind === 'date') {
    const bound = wantedBound(filters, row);
    const value = document[row.field] as number | string | null | undefined;
    if (bound === undefined) return true;
    if (value === null || value === undefined) return false;
    return row.comparison === '>=' ? value >= bound : value <= bound;
  }
  const wanted = wantedValues(filters, row);
  if (wanted === undefined) return true;
  if (row.kind === 'prefix') return wanted.some((one) => isBelow(row, document, one));
  const values = fieldsOf(row)
    .flatMap((field) => document[field] ?? [])
    .map(String);
  return wanted.some((one) => values.includes(one));
}

/** A code includes every code that begins with it; a name is the name of a region. */
function isBelow(row: FilterRow & { kind: 'prefix' }, document: Document, wanted: string): boolean {
  const { names } = row;
  if (row.codes(document).some((code) => code?.startsWith(wanted))) return true;
  if (!names || names.never.test(wanted)) return false;
  return names.of(document).some((name) => name?.toLowerCase() === wanted.toLowerCase());
}

function matchesCompany(view: FilterView, filters: ChangeFilters): boolean {
  const { region, sme, sic, company_status: status, incorporated_from: from, incorporated_to: to, won } = filters;
  const postcode = (view.postcode ?? view.register_postcode ?? undefined) as string | undefined;
  const code = regionOfPostcode(postcode)?.code;
  const codes = ((view.sic as { code: string }[] | null) ?? []).map((one) => one.code);
  const incorporated = view.incorporated as string | null;
  const registered =
    view.register_status === null ? null : companyStatusOf(String(view.register_status), view.has_left === 1);
  return (
    (region === undefined || (code !== undefined && region.some((one) => code.startsWith(one)))) &&
    (filters.postcode === undefined || isAt(postcode, filters.postcode)) &&
    (sme === undefined ||
      isSme({ is_sme: view.is_sme as number | null, accounts: view.accounts as string | null }) === sme) &&
    (sic === undefined || codes.some((own) => sic.some((one) => own.startsWith(one)))) &&
    (status === undefined || (registered !== null && status.includes(registered))) &&
    (from === undefined || (incorporated !== null && incorporated >= from)) &&
    (to === undefined || (incorporated !== null && incorporated <= to)) &&
    (won === undefined || (view.won === 1) === won)
  );
}
