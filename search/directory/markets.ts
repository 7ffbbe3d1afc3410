import { readChangeBounds } from '../../schema/catalogue/changes/read.ts';
import type { Database } from '../../schema/db/interface.ts';
import { memoiseByObject } from '../../schema/text/memoise.ts';
import { dayNumber } from '../documents/days.ts';
import { type CatchingUp, makeCatchingUp } from './catching-up.ts';
import { makePairsByOwner, type PairsByOwner } from './pairs.ts';

/**
 * The markets and days of each organisation's contracts: for every contract and each of its CPV codes two numbers, the code's
 * and the day's. With four suppliers and three codes each, half a million contracts take some twenty megabytes.
 */
interface Markets extends CatchingUp {
  /**
   * Keeps those organisations that have a contract in one of some CPV branches, between two days. @param prints of a list, the
   * same object until something changes @param wanted for each 1 or 0; set to 0 where it has none
   */
  keep(of: Kind, wish: MarketWish, prints: Float64Array, wanted: Uint8Array): void;
}

interface MarketWish {
  /** Beginnings of CPV codes; absent for any. */
  cpv?: readonly string[] | undefined;
  /** London days, inclusive. */
  from?: string | undefined;
  to?: string | undefined;
}

const PAGE_ROWS = 2_000;
/** Organisations that are read again at a time. */
const AGAIN = 20;
const LAST_DAY = 65_535;
const FIRST_DAY = dayNumber('2000-01-01');

const CODES = "json_array(cpv, sort_date, json(coalesce(detail -> '$.cpvs', '[]')))";
const CHANGED = `SELECT id, seq, gone, buyer_id, ${CODES} AS codes,
  (SELECT json_group_array(value ->> 'company_id') FROM json_each(suppliers)) AS companies
  FROM contract WHERE (seq, id) > (?, ?) ORDER BY seq, id LIMIT ?`;
const BOUGHT = `SELECT ${CODES} AS codes FROM contract WHERE buyer_id = ? AND gone = 0`;
const WON = `SELECT ${CODES.replace('sort_date', 'c.sort_date')} AS codes FROM contract_supplier s
  JOIN contract c ON c.id = s.contract_id WHERE s.company_id = ? AND c.gone = 0`;
/** The loss of a contract shows only in the organisation's own row. */
const organisationsSql = (table: string) => `SELECT id, seq FROM ${table} WHERE seq > ? ORDER BY seq`;

interface ChangedRow {
  id: string;
  seq: number;
  gone: number;
  buyer_id: string | null;
  codes: string;
  companies: string;
}

/** The markets of a catalogue's organisations, read when first needed. */
export const marketsOf = memoiseByObject(makeMarkets);

const KINDS = ['buyers', 'companies'] as const;
type Kind = (typeof KINDS)[number];
const TABLES: Record<Kind, { table: string; contracts: string }> = {
  buyers: { table: 'buyer', contracts: BOUGHT },
  companies: { table: 'company', contracts: WON },
};

/** What is in memory of a catalogue's contracts. */
interface State {
  /** CPV codes by number; the first means none. */
  codes: string[];
  numbers: Map<string, number>;
  /** Pairs of numbers, for a code and a day. */
  pairs: Record<Kind, PairsByOwner>;
  /** Organisations whose contracts have to be read again. */
  stale: Record<Kind, Set<string>>;
  /** The last contract that was read. */
  at: { seq: number; id: string };
  /**
   * The `seq` up to which organisations of each kind were examined; null during the first reading. One kind may change, or its
   * read fail, after that of the other.
   */
  examined: Record<Kind, number> | null;
  /** The `seq` of the catalogue when the first reading began. */
  began: number;
}

function makeMarkets(catalogue: Database): Markets {
  const state: State = {
    codes: [''],
    numbers: new Map([['', 0]]),
    pairs: { buyers: makePairsByOwner(), companies: makePairsByOwner() },
    stale: { buyers: new Set(), companies: new Set() },
    at: { seq: -1, id: '' },
    examined: null,
    began: 0,
  };
  return { ...makeCatchingUp(() => step(catalogue, state)), keep: (...asked) => keepOfMarket(state, ...asked) };
}

function keepOfMarket(
  state: State,
  of: Kind,
  { cpv, from, to }: MarketWish,
  prints: Float64Array,
  wanted: Uint8Array,
): void {
  const codes = Uint8Array.from(state.codes, (code) => Number(!cpv || cpv.some((one) => code.startsWith(one))));
  const first = from === undefined ? 0 : shortDay(from);
  const last = to === undefined ? LAST_DAY : shortDay(to);
  const { pairs, ends } = state.pairs[of].layOut(prints);
  let at = 0;
  for (let row = 0; row < prints.length; row++) {
    const end = ends[row] as number;
    let has = 0;
    if (wanted[row] === 1) {
      for (; at < end && has === 0; at += 2) {
        const day = pairs[at + 1] as number;
        has = (codes[pairs[at] as number] as number) & Number(day >= first) & Number(day <= last);
      }
    }
    wanted[row] = has;
    at = end;
  }
}

/** Reads some organisations again, otherwise the next page of contracts. */
async function step(catalogue: Database, state: State): Promise<boolean> {
  if (isStale(state)) {
    for (const kind of KINDS) await readAgain(catalogue, state, kind);
    return true;
  }
  if (state.at.seq < 0) state.began = (await readChangeBounds(catalogue)).head;
  const args = [state.at.seq, state.at.id, PAGE_ROWS];
  const rows = await catalogue.read<ChangedRow>({ sql: CHANGED, args });
  for (const row of rows) note(state, row);
  const last = rows.at(-1);
  if (last) state.at = { seq: last.seq, id: last.id };
  if (rows.length === PAGE_ROWS) return true;
  if (state.examined === null) pack(state);
  else await noteOrganisations(catalogue, state, state.examined);
  return isStale(state);
}

function isStale({ stale }: State): boolean {
  return KINDS.some((kind) => stale[kind].size > 0);
}

function note(state: State, { gone, buyer_id: buyer, codes, companies }: ChangedRow): void {
  const parties = { buyers: buyer === null ? [] : [buyer], companies: JSON.parse(companies) as string[] };
  const pairs = state.examined === null && gone === 0 ? pairsOf(state, codes) : [];
  for (const kind of KINDS) {
    for (const id of parties[kind]) {
      if (state.examined !== null) state.stale[kind].add(id);
      else if (gone === 0) state.pairs[kind].add(id, pairs);
    }
  }
}

/** The first reading is over: the collected data is packed to the size of its numbers. */
function pack(state: State): void {
  for (const kind of KINDS) state.pairs[kind].pack();
  state.examined = { buyers: state.began, companies: state.began };
}

async function noteOrganisations(
  catalogue: Database,
  state: State,
  examined: NonNullable<State['examined']>,
): Promise<void> {
  for (const kind of KINDS) {
    const sql = organisationsSql(TABLES[kind].table);
    for (const { id, seq } of await catalogue.read<{ id: string; seq: number }>({ sql, args: [examined[kind]] })) {
      state.stale[kind].add(id);
      examined[kind] = Math.max(examined[kind], seq);
    }
  }
}

async function readAgain(catalogue: Database, state: State, kind: Kind): Promise<void> {
  for (const id of [...state.stale[kind]].slice(0, AGAIN)) {
    const rows = await catalogue.read<{ codes: string }>({ sql: TABLES[kind].contracts, args: [id] });
    state.pairs[kind].replace(
      id,
      rows.flatMap(({ codes }) => pairsOf(state, codes)),
    );
    state.stale[kind].delete(id);
  }
}

/** The numbers for each code of a contract and for its day. */
function pairsOf({ codes, numbers }: State, text: string): number[] {
  const [main, day, others] = JSON.parse(text) as [string | null, string, string[]];
  const own = new Set([...(main === null ? [] : [main]), ...others]);
  return [...(own.size === 0 ? [''] : own)].flatMap((code) => {
    const number = numbers.get(code) ?? codes.push(code) - 1;
    numbers.set(code, number);
    return [number, shortDay(day)];
  });
}

/** A London day as a number of two bytes: from 2000, before which nothing was published, for 179 years. */
function shortDay(day: string): number {
  return Math.min(Math.max(dayNumber(day.slice(0, 10)) - FIRST_DAY, 0), LAST_DAY);
}
