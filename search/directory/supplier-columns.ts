import { dayOf } from '../summary/columns.ts';
import { sicRange } from './register/follow.ts';
import type { SupplierEntry } from './suppliers.ts';

/** The filters for suppliers, other than their markets. */
export interface SupplierWish {
  status?: readonly string[] | undefined;
  /** Codes in their stored form. */
  region?: readonly string[] | undefined;
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
type Shared = Pick<SupplierEntry, 'status' | 'region_code' | 'is_sme'> & { won: boolean };

/**
 * The filtered properties of suppliers as columns of numbers, in the order of their list: a pass over objects scattered in
 * memory would take twenty times as long.
 */
export interface SupplierColumns {
  shared: readonly Shared[];
  /** For each supplier the number of its shared properties. */
  standings: Uint16Array;
  /** Days as `yyyymmdd`; `NONE`, which is below every day, where unknown. */
  incorporated: Int32Array;
  lastAwards: Int32Array;
  /** Pounds. */
  values: Float64Array;
  /** SIC codes of five digits, and where those of each supplier end. */
  sicCodes: Uint32Array;
  sicEnds: Uint32Array;
}

/** The columns of some suppliers. */
export function makeColumns(suppliers: readonly SupplierEntry[]): SupplierColumns {
  const numbers = new Map<string, number>();
  const shared: Shared[] = [];
  const standings = Uint16Array.from(suppliers, ({ status, region_code, is_sme, contract_count }) => {
    const own = { status, region_code, is_sme, won: contract_count > 0 };
    const key = `${status}|${region_code}|${is_sme}|${own.won}`;
    const number = numbers.get(key) ?? shared.push(own) - 1;
    numbers.set(key, number);
    return number;
  });
  let end = 0;
  return {
    shared,
    standings,
    incorporated: Int32Array.from(suppliers, ({ incorporated }) => incorporated),
    lastAwards: Int32Array.from(suppliers, ({ last_award }) => last_award),
    values: Float64Array.from(suppliers, ({ value }) => value),
    sicCodes: Uint32Array.from(suppliers.flatMap(({ codes }) => codes)),
    sicEnds: Uint32Array.from(suppliers, ({ codes }) => (end += codes.length)),
  };
}

/** Which suppliers are wanted: for each 1 or 0. */
export function markWanted(columns: SupplierColumns, wish: SupplierWish): Uint8Array {
  const { shared, standings, incorporated, lastAwards, values } = columns;
  const table = Uint8Array.from(shared, (one) => Number(isShared(one, wish)));
  const wanted = new Uint8Array(standings.length);
  // A loop, as `from` calls a function for each and takes ten times as long.
  for (let row = 0; row < wanted.length; row++) wanted[row] = table[standings[row] as number] as number;
  const { incorporated_from: from, incorporated_to: to, won_from: since, won_value_min: least } = wish;
  // What is not known is below every bound.
  if (from !== undefined || to !== undefined) keepFrom(wanted, incorporated, dayOf(from ?? '0000-01-01'));
  if (to !== undefined) keepTo(wanted, incorporated, dayOf(to));
  if (since !== undefined) keepFrom(wanted, lastAwards, dayOf(since));
  if (least !== undefined) keepFrom(wanted, values, least);
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

/** Codes have five digits. */
const SIC_CODES = 100_000;

function keepTrades(wanted: Uint8Array, { sicCodes, sicEnds }: SupplierColumns, sic: readonly string[]): void {
  // One look at each code, however many trades are requested.
  const asked = new Uint8Array(SIC_CODES);
  for (const [from, to] of sic.map(sicRange)) asked.fill(1, from, to + 1);
  let at = 0;
  for (let row = 0; row < wanted.length; row++) {
    const end = sicEnds[row] as number;
    let has = 0;
    for (; at < end; at++) has |= asked[sicCodes[at] as number] as number;
    wanted[row] = (wanted[row] as number) & has;
  }
}
