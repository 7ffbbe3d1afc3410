import type { Database } from '../../schema/db/interface.ts';
import { LAST_CHARACTER } from '../../schema/text/ids.ts';
import { dayOf, NONE } from '../summary/columns.ts';
import { isAfter, LEVELS, type ListAsk, type ListPage, type Placed, placeEntries, toPage } from './entries.ts';
import { directoryOf } from './follow.ts';
import { withHistory } from './history.ts';
import type { Listed } from './listed.ts';
import { marketsOf } from './markets.ts';
import { incorporatedOf, placeNewest, positionOf } from './newest.ts';
import { postcodeRanges } from './postcodes.ts';
import type { Register } from './register/companies.ts';
import { type ListedCompany, readRegistered } from './register/describe.ts';
import { sicRange } from './register/follow.ts';
import { readNamed } from './register/named.ts';
import { type Incorporated, listIncorporated } from './register/newest.ts';
import { incorporatedAt, numbersOf, pickRegistered } from './register/rows.ts';
import { type RegisterWish, scanRegister } from './register/scan.ts';
import { registerOf } from './register/state.ts';
import { CLASSES } from './register/traits.ts';
import { markWanted, type SupplierColumns, type SupplierEntry, type SupplierWish } from './supplier-columns.ts';
import { readSuppliers, readSuppliersOf, SUPPLIERS, type SupplierRow } from './suppliers.ts';

/** The beginning of the ids of companies that only the register has. */
const REGISTER = 'GB-COH-';

export interface CompaniesAsk extends ListAsk, SupplierWish {
  /** With a contract of this day or earlier; in one of the branches of `cpv`, and since `won_from`, where those are given. */
  won_to?: string | undefined;
  /** Branches of CPV codes: companies with a contract in one of them. */
  cpv?: readonly string[] | undefined;
}

/** A page of companies, and whether its total is exact; null while the register or the contracts are being read. */
export type CompanyPage = (ListPage<ListedCompany> & { isWhole: boolean }) | null;
/** A page of ids, likewise. */
export type IdPage = (ListPage<string> & { isWhole: boolean }) | null;

/**
 * A page of companies: the most similar to the query first, then those with most contracts, then active ones, then larger ones.
 * Among companies that never won, a query finds those whose name, former name or number begins with it. @param folder - where
 * the register's data is stored between two starts of a process
 */
export async function listCompanies(catalogue: Database, asked: CompaniesAsk, folder?: string): Promise<CompanyPage> {
  const page = await placeCompanies(catalogue, asked, folder);
  return page && { ...page, entries: await readDetails(catalogue, page.entries) };
}

/** The beginning of few names. */
const FEW = 'zzzz';

/** Reads the data of lists of companies, including the text of names, if that takes seconds rather than minutes. */
export async function prepareCompanies(catalogue: Database, folder?: string): Promise<void> {
  await placeCompanies(catalogue, { query: FEW, limit: 1 }, folder);
}

/** The ids of the same companies: those with the newest contracts first, then the most recently incorporated. */
export async function listNewestCompanies(catalogue: Database, asked: CompaniesAsk, folder?: string): Promise<IdPage> {
  const read = await readWanted(catalogue, asked, folder);
  if (!read) return null;
  const { listed, wanted, register } = read;
  const { placed, total } = placeNewest(listed, asked, wanted);
  // Suppliers without a contract are listed among the companies that only the register has.
  const awarded = placed.filter(({ at }) => incorporatedOf(at.size) === undefined).length;
  const others = register ? await placeIncorporated(catalogue, register, asked, asked.limit + 1 - awarded) : NO_OTHERS;
  const own = placed.map(({ at }): Placed<Named> => ({ entry: { id: at.id }, at }));
  const page = toCompanyPage([...own, ...others.placed], asked, total + others.total);
  const entries = page.entries.map((one) => ('id' in one ? one.id : `${REGISTER}${one.number}`));
  return { ...page, entries, isWhole: !others.isCut };
}

async function placeCompanies(
  catalogue: Database,
  asked: CompaniesAsk,
  folder: string | undefined,
): Promise<(ListPage<Named> & { isWhole: boolean }) | null> {
  const read = await readWanted(catalogue, asked, folder);
  if (!read) return null;
  const { listed, wanted, register } = read;
  const { placed, total } = placeEntries(listed, asked, wanted);
  const others = register
    ? await placeRegistered(catalogue, register, asked, asked.limit + 1 - placed.length)
    : NO_OTHERS;
  const own = placed.map(({ at }): Placed<Named> => ({ entry: { id: at.id }, at }));
  return { ...toCompanyPage([...own, ...others.placed], asked, total + others.total), isWhole: !others.isCut };
}

function toCompanyPage(placed: Placed<Named>[], { limit }: CompaniesAsk, total: number): ListPage<Named> {
  const all = placed.sort((a, b) => (isAfter(a.at, b.at) ? 1 : -1));
  return toPage(all.slice(0, limit + 1), limit, total);
}

/** Suppliers, and for each whether it passes the filters, and the register where it has more; null while either is being read. */
async function readWanted(
  given: Database,
  asked: CompaniesAsk,
  folder: string | undefined,
): Promise<{ listed: Listed<SupplierColumns>; wanted: Uint8Array; register: Register | null } | null> {
  const catalogue = await withHistory(given);
  const directory = await directoryOf<SupplierRow, SupplierEntry, SupplierColumns>(catalogue, SUPPLIERS);
  const state = registerOf(catalogue, folder, async (rows) => {
    // The list was read from the same register: only what changed later may differ.
    const later = rows.filter(({ seq }) => seq > directory.began);
    if (later.length === 0) return;
    const numbers = later.map(({ company_number: number }) => number);
    directory.replace(await readSuppliersOf(catalogue, numbers));
  });
  const markets = marketsOf(catalogue);
  const byMarket = asked.cpv !== undefined || asked.won_to !== undefined;
  const isRegisterRead = await state.catchUp(true);
  const areMarketsRead = await markets.catchUp(byMarket);
  if (!isRegisterRead || (byMarket && !areMarketsRead)) return null;
  const listed = directory.listed();
  const wanted = markWanted(listed.own, asked);
  if (byMarket) {
    markets.keep('companies', { cpv: asked.cpv, from: asked.won_from, to: asked.won_to }, listed.prints, wanted);
  }
  return { listed, wanted, register: hasWonSomething(asked) ? null : state.without(listed.own.numbers) };
}

/** A supplier by its id, or a company of the register by its number. */
type Named = { id: string } | { number: string };

function hasWonSomething({ won, won_from, won_to, won_value_min: least, cpv }: CompaniesAsk): boolean {
  return won === true || [won_from, won_to, least, cpv].some((one) => one !== undefined);
}

/** The details that a page shows of each; one that has gone meanwhile is left out. */
async function readDetails(catalogue: Database, page: readonly Named[]): Promise<ListedCompany[]> {
  const ids = page.flatMap((one) => ('id' in one ? one.id : []));
  const numbers = page.flatMap((one) => ('number' in one ? one.number : []));
  const suppliers = ids.length > 0 ? await readSuppliers(catalogue, ids) : undefined;
  const registered = numbers.length > 0 ? await readRegistered(catalogue, numbers) : undefined;
  return page.flatMap((one) => ('id' in one ? suppliers?.get(one.id) : registered?.get(one.number)) ?? []);
}

/** Companies of the register that may be on a page, by number; how many there are; and whether there may be more. */
interface Others {
  placed: Placed<Named>[];
  total: number;
  isCut: boolean;
}

const NO_OTHERS: Others = { placed: [], total: 0, isCut: false };

/** @param room - how many the page has room for, where no query orders them among suppliers */
async function placeRegistered(
  catalogue: Database,
  register: Register,
  asked: CompaniesAsk,
  room: number,
): Promise<Others> {
  const wish = toWish(asked);
  const { query, limit, after } = asked;
  const place = (level: number, number: string, own: number): Placed<Named> => ({
    entry: { number },
    at: { level, size: -own, id: `${REGISTER}${number}` },
  });
  if (query === undefined) {
    const from = after && after.size <= -1 ? { class: -after.size, number: numberOfId(after.id) } : undefined;
    const { listed, total } = scanRegister(register, wish, room, from);
    return { placed: listed.map(({ number, class: own }) => place(0, number, own)), total, isCut: false };
  }
  const { levels, isCut } = await readNamed(catalogue, register, query);
  const placed: Placed<Named>[] = [];
  let total = 0;
  levels.slice(0, LEVELS).forEach((rows, level) => {
    const picked = pickRegistered(register, wish, rows);
    total += picked.rows.length;
    // Of the thousands found, few are on the page: only those get their numbers.
    for (let own = 1; own <= CLASSES && placed.length <= limit; own++) {
      // After a company of another level or class, either all of them follow or none.
      const from = after?.level === level && after.size === -own ? numberOfId(after.id) : undefined;
      if (after && from === undefined && !isAfter({ level, size: -own, id: '' }, after)) continue;
      const ofClass = picked.rows.filter((_, at) => picked.classes[at] === own);
      const numbers = numbersOf(register, ofClass, limit + 1, from);
      placed.push(...numbers.map((number) => place(level, number, own)));
    }
  });
  return { placed: placed.slice(0, limit + 1), total, isCut };
}

/** The same, most recently incorporated first. */
async function placeIncorporated(
  catalogue: Database,
  register: Register,
  asked: CompaniesAsk,
  room: number,
): Promise<Others> {
  const wish = toWish(asked);
  const { query, after } = asked;
  const place = ({ number, day }: Incorporated): Placed<Named> => ({
    entry: { number },
    at: positionOf(`${REGISTER}${number}`, { last_award: NONE, incorporated: day }),
  });
  if (query === undefined) {
    const day = after && incorporatedOf(after.size);
    const from = day === undefined ? undefined : { number: numberAfter(after?.id ?? ''), day };
    const { listed, total } = listIncorporated(register, wish, room, from);
    return { placed: listed.map(place), total, isCut: false };
  }
  const { levels, isCut } = await readNamed(catalogue, register, query);
  const all = levels.flatMap((rows) =>
    [...pickRegistered(register, wish, rows).rows].map((row) => place(incorporatedAt(register, row))),
  );
  return { placed: after ? all.filter(({ at }) => isAfter(at, after)) : all, total: all.length, isCut };
}

/** The number after which companies with greater ids follow. */
function numberAfter(id: string): string {
  if (id.startsWith(REGISTER)) return numberOfId(id);
  return id < REGISTER ? '' : LAST_CHARACTER;
}

function numberOfId(id: string): string {
  return id.slice(REGISTER.length);
}

function toWish({
  status,
  region,
  postcode,
  sic,
  sme,
  incorporated_from,
  incorporated_to,
}: CompaniesAsk): RegisterWish {
  const isBounded = incorporated_from !== undefined || incorporated_to !== undefined;
  return {
    isWanted: (one) =>
      (status === undefined || status.includes(one.status)) &&
      (region === undefined || (one.region !== null && region.some((code) => one.region?.startsWith(code)))) &&
      (sme === undefined || one.sme === sme),
    sic: sic?.map(sicRange),
    postcodes: postcode && postcodeRanges(postcode),
    // An unknown day is below every bound.
    days: isBounded ? [dayOf(incorporated_from ?? '0000-01-01'), dayOf(incorporated_to ?? '9999-12-31')] : undefined,
  };
}
