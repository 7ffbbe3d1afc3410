import type { SupplierDetail, Totals } from '../../schema/catalogue/details.ts';

/** The columns of a contract that anybody who checks totals would read. */
export interface CountedRow {
  id: string;
  buyer_id: string | null;
  suppliers: string;
  value: number | null;
  currency: string | null;
  value_basis: string | null;
  value_class: string;
  framework_role: string | null;
  sort_date: string;
}

export const COUNTED_ROWS = `SELECT id, buyer_id, suppliers, value, currency, value_basis, value_class, framework_role, sort_date
FROM contract WHERE gone = 0`;
export const ORGANISATIONS = `SELECT 'buyer' AS kind, id, contract_count, framework_places, totals FROM buyer WHERE gone = 0
UNION ALL SELECT 'company', id, contract_count, framework_places, totals FROM company WHERE gone = 0`;

export interface OrganisationRow {
  kind: 'buyer' | 'company';
  id: string;
  contract_count: number;
  framework_places: number;
  totals: string;
}

/** What a reader with paper and pencil makes of an organisation's contracts: counts, and sums in pence by currency and year. */
export function countByHand(rows: readonly CountedRow[]) {
  const sums: Record<string, number> = {};
  const years: Record<string, Record<string, number>> = {};
  const apart: Record<string, { count: number }> = {};
  for (const row of rows) {
    const year = years[row.sort_date.slice(0, 4)] ?? {};
    years[row.sort_date.slice(0, 4)] = year;
    if (isOwnPrice(row)) {
      const pence = Math.round(Number(row.value) * 100);
      sums[String(row.currency)] = (sums[String(row.currency)] ?? 0) + pence;
      year[String(row.currency)] = (year[String(row.currency)] ?? 0) + pence;
    } else {
      apart[row.value_class] = { count: (apart[row.value_class]?.count ?? 0) + 1 };
    }
  }
  const places = rows.filter(isPlace);
  const contracts = rows.filter((row) => !isPlace(row));
  return {
    contracts: contracts.length,
    places: places.length,
    yearsOfContracts: countYears(contracts),
    yearsOfPlaces: countYears(places),
    sums,
    years,
    apart,
  };
}

/** What sets up a framework gives places on it, and is no contract. */
function isPlace({ framework_role }: CountedRow): boolean {
  return framework_role === 'establishes';
}

function countYears(rows: readonly CountedRow[]): Record<string, number> {
  const years: Record<string, number> = {};
  for (const { sort_date } of rows) years[sort_date.slice(0, 4)] = (years[sort_date.slice(0, 4)] ?? 0) + 1;
  return years;
}

/** A price that is one supplier's alone: told from the columns themselves, not from the class that ingest gave it. */
function isOwnPrice({ value, value_basis, value_class, framework_role, suppliers }: CountedRow): boolean {
  const isStated = value !== null && (value_basis === 'net' || value_basis === 'gross');
  const isAlone = (JSON.parse(suppliers) as SupplierDetail[]).length <= 1;
  return (
    isStated && isAlone && framework_role !== 'establishes' && value_class !== 'absurd' && value_class !== 'shared'
  );
}

/** The stored totals in the same terms. */
export function tellTotals({ contract_count, framework_places, totals }: OrganisationRow) {
  const { sum, by_year, apart } = JSON.parse(totals) as Totals;
  const counts = (read: (ofYear: Totals['by_year'][string]) => number | undefined) =>
    Object.fromEntries(
      Object.entries(by_year).flatMap(([year, ofYear]) => (read(ofYear) ? [[year, read(ofYear)]] : [])),
    );
  const inPence = (amounts: [string, number][]) =>
    Object.fromEntries(amounts.map(([currency, value]) => [currency, Math.round(value * 100)]));
  return {
    contracts: contract_count,
    places: framework_places,
    yearsOfContracts: counts(({ count }) => count),
    yearsOfPlaces: counts(({ places }) => places),
    sums: inPence(Object.entries(sum).map(([currency, { value }]) => [currency, value])),
    years: Object.fromEntries(
      Object.entries(by_year).map(([year, ofYear]) => [year, inPence(Object.entries(ofYear.sum))]),
    ),
    // Whole: what is counted apart has no sum of its own.
    apart,
  };
}

/** Contracts of every organisation, by `kind id`. */
export function groupRows(rows: readonly CountedRow[]): Map<string, CountedRow[]> {
  const found = new Map<string, CountedRow[]>();
  for (const row of rows) {
    const companies = (JSON.parse(row.suppliers) as SupplierDetail[]).map(({ company_id }) => `company ${company_id}`);
    for (const owner of new Set([...(row.buyer_id ? [`buyer ${row.buyer_id}`] : []), ...companies]))
      found.set(owner, [...(found.get(owner) ?? []), row]);
  }
  return found;
}
