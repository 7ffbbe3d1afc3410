import type { Database } from '../../schema/db/interface.ts';
import { nameKey } from '../../schema/names/spelling.ts';
import { isSmeByAccounts, sizeRankOf } from '../../schema/reference/company-size.ts';
import { memoiseByObject } from '../../schema/text/memoise.ts';
import { dayOf } from '../summary/columns.ts';
import { companyStatusOf } from './company-status.ts';
import { LEVELS, type ListAsk, type ListPage, type Placed, placeEntries, toPage } from './entries.ts';
import { directoryOf } from './follow.ts';
import { marketsOf } from './markets.ts';
import type { Register } from './register/companies.ts';
import {
  type CompanyEntry,
  describeRegistered,
  type ListedCompany,
  REGISTERED,
  type Registered,
  readRegistered,
} from './register/describe.ts';
import { sicRange } from './register/follow.ts';
import { readNamed } from './register/named.ts';
import { pickRegistered, type RegisterWish, scanRegister } from './register/scan.ts';
import { classOf } from './register/standings.ts';
import { registerOf } from './register/state.ts';
import { makeColumns, markWanted, type SupplierWish } from './supplier-columns.ts';

export interface CompaniesAsk extends ListAsk, SupplierWish {
  /** With a contract of this day or earlier; of one of the branches of `cpv`, and since `won_from`, where those are given. */
  won_to?: string | undefined;
  /** Branches of CPV codes: those with a contract of one of them. */
  cpv?: readonly string[] | undefined;
}

const COLUMNS = `SELECT c.id, coalesce(r.name, c.name) AS name, c.name_key, c.company_number, c.is_sme, c.contract_count,
    c.framework_places, c.seq, c.gone, c.totals ->> '$.sum.GBP.value' AS value,
    c.detail ->> '$.also_known_as' AS others, coalesce(c.locality, r.locality) AS locality,
    coalesce(c.postcode, r.postcode) AS postcode, ${REGISTERED}, r.name_key AS registered_key,
    (SELECT json_group_array(p.name_key) FROM previous_name p WHERE p.company_number = c.company_number) AS former,
    (SELECT max(s.sort_date) FROM contract_supplier s WHERE s.company_id = c.id) AS last_award
  FROM company c LEFT JOIN registered_company r ON r.company_number = c.company_number`;
const SUPPLIERS = {
  table: 'company' as const,
  rows: `${COLUMNS} WHERE (c.seq, c.id) > (?, ?) ORDER BY c.seq, c.id LIMIT ?`,
  again: `${COLUMNS} WHERE c.company_number IN (SELECT value FROM json_each(?))`,
  toEntry: toSupplier,
};

interface SupplierRow extends Registered {
  id: string;
  is_sme: number | null;
  contract_count: number;
  framework_places: number;
  seq: number;
  gone: number;
  value: number | null;
  others: string | null;
  registered_key: string | null;
  former: string;
  last_award: string | null;
}

function toSupplier(row: SupplierRow): CompanyEntry {
  const others = row.others === null ? [] : (JSON.parse(row.others) as string[]).map(nameKey);
  const keys = [
    ...others,
    ...(JSON.parse(row.former) as string[]),
    row.registered_key ?? row.name_key,
    (row.company_number ?? '').toLowerCase(),
  ];
  const { id, name, name_key: key, contract_count, framework_places, value, last_award } = row;
  const otherKeys = [...new Set(keys)].filter((one) => one !== key);
  return {
    ...describeRegistered(row),
    id,
    name,
    key,
    otherKeys,
    size: sizeOf(row),
    is_sme: row.is_sme === null ? isSmeByAccounts(row.accounts) : row.is_sme === 1,
    contract_count,
    framework_places,
    value,
    last_award,
  };
}

/** Contracts, then places on frameworks, then whether it lives, then its own size: one number that sorts by all four. */
function sizeOf({ contract_count, framework_places, status, has_left, accounts }: SupplierRow): number {
  const standing = companyStatusOf(status ?? 'active', has_left === 1);
  const own = classOf({ status: standing, size: sizeRankOf(accounts) });
  return contract_count + Math.min(framework_places, 9_999) / 1e4 - own / 1e7;
}

/** A page of companies, whether its total counts all there are, and null while the register or the contracts are being read. */
export type CompanyPage = (ListPage<ListedCompany> & { isWhole: boolean }) | null;

/**
 * A page of companies: the nearest to the query first, then those with most contracts, then those that live, then the larger.
 * Of companies that never won a query finds those whose name, former name or number begins so.
 * @param folder - where what was read of the register is kept between two starts of a process
 */
export async function listCompanies(catalogue: Database, asked: CompaniesAsk, folder?: string): Promise<CompanyPage> {
  const directory = await directoryOf<SupplierRow, CompanyEntry>(catalogue, SUPPLIERS);
  const state = registerOf(catalogue, folder, async (numbers) => {
    const rows = await catalogue.read<SupplierRow>({ sql: SUPPLIERS.again, args: [JSON.stringify(numbers)] });
    directory.replace(rows.map(toSupplier));
  });
  const markets = marketsOf(catalogue);
  const byMarket = asked.cpv !== undefined || asked.won_to !== undefined;
  const isRead = [await state.catchUp(true), await markets.catchUp(byMarket)];
  if (!isRead[0] || (byMarket && !isRead[1])) return null;
  const suppliers = directory.sorted();
  const wanted = markWanted(columnsOf(suppliers), asked);
  if (byMarket) {
    markets.keep('companies', { cpv: asked.cpv, from: asked.won_from, to: asked.won_to }, suppliers, wanted);
  }
  const { placed, total } = placeEntries(suppliers, asked, wanted);
  const others = hasWonSomething(asked)
    ? NO_OTHERS
    : await placeRegistered(catalogue, state.without(suppliers), asked, asked.limit + 1 - placed.length);
  const all = [...placed, ...others.placed].sort((a, b) => a.at.level - b.at.level || b.at.size - a.at.size);
  const page = toPage<CompanyEntry | string>(all.slice(0, asked.limit + 1), asked.limit, total + others.total);
  return { ...page, entries: await describe(catalogue, page.entries), isWhole: !others.isCut };
}

/** The columns of a list, which is the same until something changes. */
const columnsOf = memoiseByObject(makeColumns);

function hasWonSomething({ won, won_from, won_to, won_value_min: least, cpv }: CompaniesAsk): boolean {
  return won === true || [won_from, won_to, least, cpv].some((one) => one !== undefined);
}

/** Entries of suppliers without what finds them, and companies of the register by their numbers. */
async function describe(catalogue: Database, entries: readonly (CompanyEntry | string)[]): Promise<ListedCompany[]> {
  const numbers = entries.filter((one) => typeof one === 'string');
  const registered = numbers.length === 0 ? undefined : await readRegistered(catalogue, numbers);
  return entries.flatMap((one) => (typeof one === 'string' ? (registered?.get(one) ?? []) : toListed(one)));
}

function toListed(entry: CompanyEntry): ListedCompany {
  const { key: _k, otherKeys: _o, size: _s, ...listed } = entry;
  return listed;
}

/** Companies of the register that a page may have, by their numbers; how many there are; and whether there may be more. */
interface Others {
  placed: Placed<string>[];
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
  const place = (level: number, number: string, own: number): Placed<string> => {
    return { entry: number, at: { level, size: -own, id: `GB-COH-${number}` } };
  };
  if (query === undefined) {
    const from = after && after.size <= -1 ? { class: -after.size, number: numberOfId(after.id) } : undefined;
    const { listed, total } = scanRegister(register, wish, room, from);
    return { placed: listed.map(({ number, class: own }) => place(0, number, own)), total, isCut: false };
  }
  const { levels, isCut } = await readNamed(catalogue, register, query);
  const seen = new Set<string>();
  const all = levels.slice(0, LEVELS).flatMap((numbers, level) => {
    const fresh = [...new Set(numbers)].filter((number) => !seen.has(number)).sort();
    for (const number of fresh) seen.add(number);
    const picked = pickRegistered(register, wish, fresh).sort((a, b) => a.class - b.class);
    return picked.map(({ number, class: own }) => place(level, number, own));
  });
  const rest = after ? all.filter(({ at }) => isBehind(at, after)) : all;
  return { placed: rest.slice(0, limit + 1), total: all.length, isCut };
}

function isBehind(at: Placed<string>['at'], after: Placed<string>['at']): boolean {
  if (at.level !== after.level) return at.level > after.level;
  return at.size === after.size ? at.id > after.id : at.size < after.size;
}

function numberOfId(id: string): string {
  return id.slice('GB-COH-'.length);
}

function toWish({ status, region, sic, sme, incorporated_from, incorporated_to }: CompaniesAsk): RegisterWish {
  const isBounded = incorporated_from !== undefined || incorporated_to !== undefined;
  return {
    isWanted: (one) =>
      (status === undefined || status.includes(one.status)) &&
      (region === undefined || (one.region !== null && region.some((code) => one.region?.startsWith(code)))) &&
      (sme === undefined || one.sme === sme),
    sic: sic?.map(sicRange),
    // A day that is not known is below every bound.
    days: isBounded ? [dayOf(incorporated_from ?? '0000-01-01'), dayOf(incorporated_to ?? '9999-12-31')] : undefined,
  };
}
