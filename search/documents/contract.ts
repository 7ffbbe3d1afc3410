import type { ContractDetail } from '../../schema/catalogue/contract-details.ts';
import type { SupplierDetail } from '../../schema/catalogue/details.ts';
import type { Nation } from '../../schema/reference/regions.ts';
import type { ContractDocument } from '../engine.ts';
import type { FacetName } from '../filters/facets.ts';
import { bandName, divisionsOf, regionNames } from './facets.ts';
import { districtsOf, unique, valueInPounds } from './from-row.ts';

/** A contract row with its suppliers' current and former names in the register. */
interface ContractRow {
  id: string;
  notice_id: string;
  ocid: string;
  source: string;
  nation: Nation | null;
  title: string;
  buyer: string | null;
  buyer_id: string | null;
  buyer_kind: string | null;
  /** Null for a ceiling, and for an amount that is not believed. */
  value: number | null;
  currency: string | null;
  dated: string;
  starts: string | null;
  ends: string | null;
  status: string;
  procedure: string | null;
  bids: number | null;
  sme: number | null;
  vcse: number | null;
  framework_id: string | null;
  /** JSON, as in the table; the names as a list. */
  suppliers: string;
  also_on: string | null;
  detail: string;
  register_names: string;
  /** JSON: description by CPV code, possibly with further codes; null where its notice has none. */
  code_names: string | null;
}

/** What the index holds of one contract. */
export function makeContractDocument(row: ContractRow): ContractDocument {
  const { status, suppliers: given, also_on, detail: text, register_names, code_names, sme, vcse, ...same } = row;
  const suppliers = JSON.parse(given) as SupplierDetail[];
  const detail = JSON.parse(text) as ContractDetail;
  const { cpvs, regions } = detail;
  const names = JSON.parse(code_names ?? '{}') as Readonly<Record<string, string>>;
  const lots = detail.lots.map(({ title }) => title).filter((title) => title !== row.title);
  return {
    description: detail.description ?? '',
    suppliers: unique([...suppliers.map(({ name }) => name), ...(JSON.parse(register_names) as string[])]),
    company_ids: unique(suppliers.map(({ company_id }) => company_id)),
    company_numbers: unique(suppliers.flatMap(({ companies_house_number: number }) => number ?? [])),
    subjects: unique([
      ...cpvs.map((code) => names[code] ?? ''),
      ...lots.map((title) => title ?? ''),
      ...(detail.delivery_places ?? []),
    ]),
    districts: districtsOf(detail.delivery_places),
    cpvs,
    sources: [row.source, ...(JSON.parse(also_on ?? '[]') as string[])],
    regions,
    is_terminated: status === 'terminated',
    sme: flagOf(sme),
    vcse: flagOf(vcse),
    direct_award_grounds: detail.direct_award_grounds ?? [],
    standstill_until: detail.standstill_until ?? null,
    // Not first, for the reason in `makeDocument`.
    ...same,
  };
}

/** A flag of a row, or of a view of one. Old entries of the change log lack some. */
export function flagOf(value: unknown): boolean | null {
  return value === null || value === undefined ? null : value === 1;
}

/** The facet values of a contract. */
export function contractFacets(document: ContractDocument): Partial<Record<FacetName, string[]>> {
  const { buyer_id, company_ids, procedure, direct_award_grounds, sources, nation, ends } = document;
  return {
    buyer_id: buyer_id ? [buyer_id] : [],
    company_id: company_ids,
    cpv_division: divisionsOf(document),
    region: regionNames(document),
    nation: nation ? [nation] : [],
    procedure: procedure ? [procedure] : [],
    direct_award_ground: direct_award_grounds,
    source: sources,
    end_year: ends ? [ends.slice(0, 4)] : [],
    value_band: bandName(valueInPounds(document)),
  };
}
