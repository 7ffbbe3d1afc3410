import type { Database } from '../../../schema/db/interface.ts';
import { dayOf } from '../../summary/columns.ts';
import { postcodeNumber } from '../postcodes.ts';
import { type Keyed, placeKeyed, putCompanies, type Register } from './companies.ts';

/** Rows in one read: a database server answers with 10 MB at most, and other work waits meanwhile. */
const PAGE_ROWS = 4_000;
/**
 * Companies added to the columns at a time, as each addition rebuilds chunks. As objects they take many times the memory: with
 * four times as many, the first reading of 500,000 took 180 MB more and saved no time.
 */
const PUT_ROWS = 100_000;

/** How far a register has been read. */
export interface Reached {
  seq: number;
  company_number: string;
}

export const NOWHERE: Reached = { seq: -1, company_number: '' };

// A row comes as one text, which is faster than one value at a time.
const CHANGED = `SELECT seq, company_number, json_array(status, gone, trim(postcode), incorporated,
    record ->> '$.accounts.category',
    (SELECT group_concat(value ->> 'code') FROM json_each(record, '$.sic_codes'))) AS facts
  FROM registered_company WHERE (seq, company_number) > (?, ?) ORDER BY seq, company_number LIMIT ?`;

type Facts = [
  status: string,
  gone: number,
  postcode: string | null,
  incorporated: string | null,
  accounts: string | null,
  sic: string | null,
];

interface Row extends Reached {
  facts: string;
}

/** A page of changes in the register, collected for its columns. */
export interface RegisterFollower {
  /** Reads the next page. @returns its rows, and whether there may be more */
  step(): Promise<{ rows: readonly Reached[]; isMore: boolean }>;
  reached(): Reached;
}

/** Reads a register on from a position. */
export function followRegister(catalogue: Database, register: Register, from: Reached): RegisterFollower {
  let reached = from;
  let buffered: Keyed[] = [];
  return {
    async step() {
      const args = [reached.seq, reached.company_number, PAGE_ROWS];
      const rows = await catalogue.read<Row>({ sql: CHANGED, args });
      for (const row of rows) buffered.push(keyedOf(register, row));
      const isMore = rows.length === PAGE_ROWS;
      const last = rows.at(-1);
      if (last) reached = { seq: last.seq, company_number: last.company_number };
      if (buffered.length > 0 && (!isMore || buffered.length >= PUT_ROWS)) {
        putCompanies(register, buffered);
        buffered = [];
      }
      return { rows, isMore };
    },
    reached: () => reached,
  };
}

function keyedOf(register: Register, { company_number, facts }: Row): Keyed {
  const [status, gone, postcode, incorporated, accounts, sic] = JSON.parse(facts) as Facts;
  return placeKeyed(company_number, {
    // The district, whatever follows it: a slip in the last letters moves nobody to another region.
    traits: register.traits.numberOf(status, gone === 1, accounts, postcode?.slice(0, 4) ?? null),
    day: dayOf(incorporated),
    postcode: postcodeNumber(postcode),
    codes: (sic ?? '').split(',').flatMap((code) => sicNumber(code) ?? []),
  });
}

const SIC_DIGITS = 5;
/** In each place a digit, or nothing. */
const SIC_VALUES = 11;
/** Numbers of SIC codes are below this. */
export const SIC_NUMBERS = SIC_VALUES ** SIC_DIGITS;

/** A SIC code as a number, in the order of the digits: older ones have four, and begin none of five. Null for any other text. */
export function sicNumber(code: string): number | null {
  return /^\d{2,5}$/.test(code) ? placeDigits(code, 0) : null;
}

/** The range of codes that begin with some digits. */
export function sicRange(digits: string): readonly [number, number] {
  return [placeDigits(digits, 0), placeDigits(digits, SIC_VALUES - 1)];
}

/** @param others - what the places after the last digit have */
function placeDigits(digits: string, others: number): number {
  let number = 0;
  for (let at = 0; at < SIC_DIGITS; at++) {
    number = number * SIC_VALUES + (at < digits.length ? Number(digits[at]) + 1 : others);
  }
  return number;
}
