import { fromJson } from '../../../schema/answers/omit-empty.ts';
import type { SupplierDetail } from '../../../schema/catalogue/details.ts';
import { contractStatusNow } from '../../../schema/catalogue/live.ts';
import { placeOf, type Region } from '../../../schema/reference/regions.ts';
import type { ContractRow } from '../../reads/contracts.ts';

/** Its suppliers, in the order of the notice. */
export function suppliersOf(row: ContractRow): SupplierDetail[] {
  return fromJson<SupplierDetail[]>(row.suppliers);
}

/** What it is today, and as published. */
export function standingOf(row: ContractRow, now: Date) {
  return { status: contractStatusNow(row, now), stated_status: row.status };
}

/** The other services that published it too. */
export function alsoOn({ also_on }: ContractRow): string[] {
  return fromJson<string[]>(also_on ?? '[]');
}

/** The name of the region that contains all of its places. */
export function regionName(row: ContractRow, regions: readonly Region[]): string | null {
  return placeOf(regions)?.name ?? row.region;
}
