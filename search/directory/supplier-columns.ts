import { dayOf } from '../summary/columns.ts';
import {
  type Lists,
  mergeLists,
  mergeNumbers,
  mergeTexts,
  NO_LISTS,
  NO_TEXTS,
  type Plan,
  type Texts,
} from './columns.ts';
import type { Entry } from './listed.ts';
import { isInRanges, postcodeRanges } from './postcodes.ts';
import type { ListedCompany } from './register/describe.ts';
import { SIC_NUMBERS, sicRange } from './register/follow.ts';

/** A supplier as it comes into its list: what finds, orders and filters it. The details on a page are read for the page. */
export interface SupplierEntry
  extends Entry,
    Pick<ListedCompany, 'company_number' | 'status' | 'region_code' | 'is_sme'> {
  contract_count: number;
  /** Days as `yyyymmdd`; `NONE` where unknown. */
  incorporated: number;
  last_award: number;
  /** Pounds; 0 where nothing may be added up. */
  value: number;
  /** As `postcodeNumber`. */
  postcode: number;
  /** Numbers of SIC codes. */
  codes: readonly number[];
}

/** The filters for suppliers, other than their markets. */
export interface SupplierWish {
  status?: readonly string[] | undefined;
  /** Codes in their stored form. */
  region?: readonly string[] | undefined;
  /** Whole postcodes, or sectors, districts or areas. */
  postcode?: readonly string[] | undefined;
  /** First digits of SIC codes. */
  sic?: readonly string[] | undefined;
  incorporated_from?: string | undefined;
  incorporated_to?: string | undefined;
  sme?: boolean | undefined;
  /** Whether it has contracts. */
  won?: boolean | undefined;
  /** With a contract of this day or later. */
  won_from?: string | undefined;
  won_value_min?: number | undefined;
}

/** Properties that many suppliers share, stored once. */
interface Shared {
  status: SupplierEntry['status'];
  region_code: string | null;
  is_sme: boolean | null;
  won: boolean;
}

/** The filtered properties of suppliers, in the order of their list. */
export interface SupplierColumns {
  /** Those that occur, by a text of them: each has the number of its place. */
  shared: ReadonlyMap<string, Shared>;
  /** For each supplier the number of its shared properties. */
  sharedNumbers: Uint16Array;
  /** Days as `yyyymmdd`; `NONE`, which is below every day, where unknown. */
  incorporated: Int32Array;
  lastAwards: Int32Array;
  /** Pounds. */
  values: Float64Array;
  postcodes: Uint32Array;
  /** Numbers of SIC codes. */
  codes: Lists;
  /** Company numbers; empty where there is none. */
  numbers: Texts;
}

export const NO_SUPPLIERS: SupplierColumns = {
  shared: new Map(),
  sharedNumbers: new Uint16Array(),
  incorporated: new Int32Array(),
  lastAwards: new Int32Array(),
  values: new Float64Array(),
  postcodes: new Uint32Array(),
  codes: NO_LISTS,
  numbers: NO_TEXTS,
};

/** The next columns. @param fresh the suppliers that came */
export function mergeColumns(old: SupplierColumns, plan: Plan, fresh: readonly SupplierEntry[]): SupplierColumns {
  const shared = new Map(old.shared);
  const places = new Map([...shared.keys()].map((key, place) => [key, place]));
  const sharedNumbers = fresh.map(({ status, region_code, is_sme, contract_count }) => {
    const won = contract_count > 0;
    const key = `${status}|${region_code}|${is_sme}|${won}`;
    if (!places.has(key)) places.set(key, shared.size);
    shared.set(key, { status, region_code, is_sme, won });
    return places.get(key) as number;
  });
  const rows = plan.length;
  const column = <K extends 'incorporated' | 'last_award' | 'value' | 'postcode'>(name: K) =>
    fresh.map((one) => one[name]);
  return {
    shared,
    sharedNumbers: mergeNumbers(new Uint16Array(rows), old.sharedNumbers, plan, sharedNumbers),
    incorporated: mergeNumbers(new Int32Array(rows), old.incorporated, plan, column('incorporated')),
    lastAwards: mergeNumbers(new Int32Array(rows), old.lastAwards, plan, column('last_award')),
    values: mergeNumbers(new Float64Array(rows), old.values, plan, column('value')),
    postcodes: mergeNumbers(new Uint32Array(rows), old.postcodes, plan, column('postcode')),
    codes: mergeLists(
      old.codes,
      plan,
      fresh.map(({ codes }) => codes),
    ),
    numbers: mergeTexts(
      old.numbers,
      plan,
      fresh.map(({ company_number: number }) => number ?? ''),
    ),
  };
}

/** Which suppliers are wanted: for each 1 or 0. */
export function markWanted(columns: SupplierColumns, wish: SupplierWish): Uint8Array {
  const { shared, sharedNumbers, incorporated, lastAwards, values } = columns;
  const table = Uint8Array.from(shared.values(), (one) => Number(isShared(one, wish)));
  const wanted = new Uint8Array(sharedNumbers.length);
  // A loop, as `from` calls a function for each and takes ten times as long.
  for (let row = 0; row < wanted.length; row++) wanted[row] = table[sharedNumbers[row] as number] as number;
  const { incorporated_from: from, incorporated_to: to, won_from: since, won_value_min: least } = wish;
  // What is not known is below every bound.
  if (from !== undefined || to !== undefined) keepFrom(wanted, incorporated, dayOf(from ?? '0000-01-01'));
  if (to !== undefined) keepTo(wanted, incorporated, dayOf(to));
  if (since !== undefined) keepFrom(wanted, lastAwards, dayOf(since));
  if (least !== undefined) keepFrom(wanted, values, least);
  if (wish.postcode) keepPlaces(wanted, columns, wish.postcode);
  if (wish.sic) keepTrades(wanted, columns, wish.sic);
  return wanted;
}

function isShared({ status, region_code: code, is_sme, won }: Shared, wish: SupplierWish): boolean {
  return (
    (wish.won === undefined || won === wish.won) &&
    (wish.sme === undefined || is_sme === wish.sme) &&
    (!wish.status || (status !== null && wish.status.includes(status))) &&
    (!wish.region || (code !== null && wish.region.some((one) => code.startsWith(one))))
  );
}

function keepFrom(wanted: Uint8Array, column: Int32Array | Float64Array, least: number): void {
  for (let row = 0; row < wanted.length; row++)
    wanted[row] = (wanted[row] as number) & Number((column[row] as number) >= least);
}

function keepTo(wanted: Uint8Array, column: Int32Array, most: number): void {
  for (let row = 0; row < wanted.length; row++)
    wanted[row] = (wanted[row] as number) & Number((column[row] as number) <= most);
}

function keepPlaces(wanted: Uint8Array, { postcodes }: SupplierColumns, asked: readonly string[]): void {
  const ranges = postcodeRanges(asked);
  for (let row = 0; row < wanted.length; row++)
    wanted[row] = (wanted[row] as number) & Number(isInRanges(postcodes[row] as number, ranges));
}

function keepTrades(wanted: Uint8Array, { codes: { all, ends } }: SupplierColumns, sic: readonly string[]): void {
  // One look at each code, however many trades are requested.
  const asked = new Uint8Array(SIC_NUMBERS);
  for (const [from, to] of sic.map(sicRange)) asked.fill(1, from, to + 1);
  let at = 0;
  for (let row = 0; row < wanted.length; row++) {
    const end = ends[row] as number;
    let has = 0;
    for (; at < end; at++) has |= asked[all[at] as number] as number;
    wanted[row] = (wanted[row] as number) & has;
  }
}
