import { isInRanges, type Ranges } from '../postcodes.ts';
import { type Chunk, firstFrom, SUPPLIER } from './columns.ts';
import { countByTraits, type Register } from './companies.ts';
import { isAfter, numberAt, type Place, placeOf } from './place.ts';
import { CLASSES, classOf, type Traits } from './traits.ts';

/** SIC codes from and up to, by their numbers. */
type Codes = readonly (readonly [number, number])[];

/** The filters for companies that never won. */
export interface RegisterWish {
  isWanted(traits: Traits): boolean;
  sic?: Codes | undefined;
  /** Days of incorporation as `yyyymmdd`, inclusive. */
  days?: readonly [number, number] | undefined;
  postcodes?: Ranges | undefined;
}

/** Where a page begins: after this company of its class. */
interface After {
  class: number;
  number: string;
}

interface Listed {
  number: string;
  class: number;
}

/** Companies in the order of a list, at most as many as requested, and how many there are in all. */
interface Scanned {
  listed: Listed[];
  total: number;
}

/** Companies collected class by class, in the order of their numbers. */
interface ClassLists {
  offer(place: Place, own: number): void;
  /** By class, 1 where one more may be on the page. Class 0 is not a class. */
  open: Uint8Array;
  isOpen(): boolean;
  listed(): Listed[];
}

function makeClassLists(limit: number, after: After | undefined): ClassLists {
  const classes: string[][] = Array.from({ length: CLASSES + 1 }, () => []);
  const first = Math.max(1, after?.class ?? 0);
  const open = Uint8Array.from(classes, (_, own) => Number(limit > 0 && own >= first));
  const from = after && placeOf(after.number);
  return {
    offer(place, own) {
      if (after && from && own === after.class && !isAfter(place, from)) return;
      const some = classes[own];
      // A class that fills the page leaves no room for later ones.
      if (some?.push(numberAt(place.key, place.low)) === limit) open.fill(0, own);
    },
    open,
    isOpen: () => open.includes(1),
    listed: () => classes.flatMap((numbers, own) => numbers.map((number) => ({ number, class: own }))).slice(0, limit),
  };
}

/** For each number of traits the class in which it is listed; 0 where it is not wanted, as always for rows of suppliers. */
export function classTable(register: Register, { isWanted }: RegisterWish): Uint8Array {
  const table = new Uint8Array(2 * SUPPLIER);
  register.traits.all.forEach((traits, number) => {
    if (isWanted(traits)) table[number] = classOf(traits);
  });
  return table;
}

/** Working data of one scan through the register. */
interface Look {
  /** The class of each number of traits. */
  table: Uint8Array;
  from: number;
  to: number;
  postcodes: Ranges | undefined;
  found: ClassLists;
}

/** A page of the companies that only the register lists: active ones first, then by size, then by number. */
export function scanRegister(register: Register, wish: RegisterWish, limit: number, after?: After): Scanned {
  const found = makeClassLists(limit, after);
  const [from, to] = wish.days ?? [-Infinity, Infinity];
  const { sic, postcodes } = wish;
  const look: Look = { table: classTable(register, wish), from, to, postcodes, found };
  const isCounted = sic === undefined && wish.days === undefined && postcodes === undefined;
  let total = isCounted ? countWanted(register, look, after) : 0;
  for (const key of register.keys) {
    if (isCounted && !found.isOpen()) break;
    const chunk = register.chunks.get(key) as Chunk;
    const rows = sic || postcodes ? lookByMarks(chunk, sic, look) : lookByDay(chunk, look, !isCounted);
    if (!isCounted) total += rows.count;
    for (const row of rows.offered) {
      const own = look.table[chunk.traits[row] ?? 0] ?? 0;
      if (found.open[own] === 1) found.offer({ key, low: chunk.lows[row] ?? 0 }, own);
    }
  }
  return { listed: found.listed(), total };
}

/** How many are wanted by their traits alone; closes the classes after one that fills a page from its beginning. */
function countWanted(register: Register, { table, found }: Look, after: After | undefined): number {
  const byClass = new Float64Array(CLASSES + 1);
  countByTraits(register).forEach((count, number) => {
    const own = table[number] ?? 0;
    byClass[own] = (byClass[own] ?? 0) + count;
  });
  byClass[0] = 0;
  const total = byClass.reduce((sum, count) => sum + count, 0);
  byClass.forEach((count, own) => {
    if (count === 0 && own !== after?.class) found.open[own] = 0;
  });
  return total;
}

/** The matches in a chunk: how many, and rows that may be on the page. */
interface Rows {
  count: number;
  offered: readonly number[];
}

const NO_ROWS: readonly number[] = [];

/** Rows of a wanted day. An unpredictable branch for each row would take four times as long. */
function lookByDay({ traits, days }: Chunk, { table, from, to, found }: Look, isCounted: boolean): Rows {
  let count = 0;
  const rows = days.length;
  if (isCounted) {
    for (let row = 0; row < rows; row++) {
      const day = days[row] as number;
      count += Number(day >= from) & Number(day <= to) & Number(table[traits[row] as number] !== 0);
    }
  }
  if (!found.isOpen() || (isCounted && count === 0)) return { count, offered: NO_ROWS };
  const offered: number[] = [];
  for (let row = 0; row < rows; row++) {
    const day = days[row] as number;
    if (found.open[table[traits[row] as number] as number] === 1 && day >= from && day <= to) offered.push(row);
  }
  return { count, offered };
}

/** Which rows of a chunk have a wanted code, as one row may have several of them, and postcode. All are 0 between two chunks. */
const isMarked = new Uint8Array(2 ** 16);

/** If at least one row in this many has a wanted code, all rows are scanned: they are in order, and those of a code are not. */
const MANY = 8;

function lookByMarks(chunk: Chunk, wanted: Codes | undefined, look: Look): Rows {
  const spans = wanted?.map(([least, most]) => spanOfCodes(chunk, least, most));
  const found = spans?.reduce((sum, [start, end]) => sum + end - start, 0) ?? Infinity;
  if (spans && !look.postcodes && found * MANY <= chunk.lows.length) return lookAtFew(chunk, spans, look);
  mark(chunk, spans, look.postcodes);
  return lookAtAll(chunk, look);
}

/** Marks the rows with a wanted code and postcode. */
function mark({ lows, rows, postcodes }: Chunk, spans: readonly Span[] | undefined, wanted: Ranges | undefined): void {
  if (!spans) isMarked.fill(1, 0, lows.length);
  for (const [start, end] of spans ?? []) for (let at = start; at < end; at++) isMarked[rows[at] as number] = 1;
  if (!wanted) return;
  for (let row = 0; row < postcodes.length; row++) {
    if (isMarked[row] === 1 && !isInRanges(postcodes[row] as number, wanted)) isMarked[row] = 0;
  }
}

function lookAtAll({ traits, days }: Chunk, { table, from, to, found }: Look): Rows {
  let count = 0;
  if (from > -Infinity || to < Infinity) {
    for (let row = 0; row < days.length; row++) {
      const day = days[row] as number;
      isMarked[row] = (isMarked[row] as number) & Number(day >= from) & Number(day <= to);
    }
  }
  for (let row = 0; row < traits.length; row++) {
    count += (isMarked[row] as number) & Number(table[traits[row] as number] !== 0);
  }
  const offered: number[] = [];
  if (count > 0 && found.isOpen()) {
    for (let row = 0; row < traits.length; row++) {
      if (isMarked[row] === 1 && found.open[table[traits[row] as number] as number] === 1) offered.push(row);
    }
  }
  isMarked.fill(0, 0, traits.length);
  return { count, offered };
}

function lookAtFew({ traits, days, rows }: Chunk, spans: readonly Span[], { table, from, to, found }: Look): Rows {
  const isOpen = found.isOpen();
  const isBounded = from > -Infinity || to < Infinity;
  const offered: number[] = [];
  let count = 0;
  for (const [start, end] of spans) {
    for (let at = start; at < end; at++) {
      const row = rows[at] as number;
      const own = table[traits[row] as number] as number;
      // Rows of a code are scattered, so each column read loads another piece of memory.
      const isThen = isBounded ? Number((days[row] as number) >= from) & Number((days[row] as number) <= to) : 1;
      const isNew = Number(isMarked[row] === 0) & Number(own !== 0) & isThen;
      isMarked[row] = 1;
      count += isNew;
      if (isOpen && isNew === 1 && found.open[own] === 1) offered.push(row);
    }
  }
  for (const [start, end] of spans) for (let at = start; at < end; at++) isMarked[rows[at] as number] = 0;
  // Codes are not in the order of the numbers.
  return { count, offered: offered.sort((a, b) => a - b) };
}

type Span = readonly [start: number, end: number];

/** Where in `rows` the rows of the codes between two lie: the first index, and the one after the last. */
export function spanOfCodes({ codes, ends }: Chunk, least: number, most: number): [start: number, end: number] {
  const [first, next] = [firstFrom(codes, least), firstFrom(codes, most + 1)];
  return [first === 0 ? 0 : (ends[first - 1] ?? 0), next === 0 ? 0 : (ends[next - 1] ?? 0)];
}
