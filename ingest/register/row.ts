import type { RegisterRecord } from '../../schema/catalogue/details.ts';
import { isOnCalendar } from '../../schema/config/clocks.ts';
import { parseCompanyNumber } from '../../schema/text/ids.ts';
import { dropInvisible, sha256 } from '../../schema/text/json-values.ts';
import { memoise } from '../../schema/text/memoise.ts';
import type { RowKinds } from './known-codes.ts';

/** A row that names a company. Its record is parsed only if the digest differs from the stored one. */
export interface RegisterRow extends RowKinds {
  number: string;
  /** Of the published cells, and of the reading rule. */
  digest: string;
  read(): ReadRecord;
}

/** A company as the register lists it. */
export type Listed = Pick<RegisterRow, 'number' | 'digest' | 'read'>;

interface ReadRecord {
  record: RegisterRecord;
  badDates: number;
}

/** Digests of a different rule compare as changed: raise it whenever rows are read differently. */
const READING = 'r3';
const SEPARATOR = '\x1f';
/**
 * Columns without which a file is not the expected bulk file, or every company would lose what suppliers are matched by and lists
 * are filtered by. One under another name is missing.
 */
const NEEDED = [
  'CompanyName',
  'CompanyNumber',
  'CompanyStatus',
  'CompanyCategory',
  'IncorporationDate',
  'DissolutionDate',
  'RegAddress.PostTown',
  'RegAddress.PostCode',
  'CountryOfOrigin',
  'Accounts.AccountCategory',
  'SICCode.SicText_1',
  'PreviousName_1.CompanyName',
  'PreviousName_1.CONDATE',
];
const numbersTo = (most: number) => Array.from({ length: most }, (_, index) => index + 1);
const SIC_CODES = numbersTo(4).map((n) => `SICCode.SicText_${n}`);
const PREVIOUS_NAMES = numbersTo(10).map((n) => ({
  name: `PreviousName_${n}.CompanyName`,
  ceased: `PreviousName_${n}.CONDATE`,
}));

/** The header's names without the leading spaces of some. @throws Error naming a column that is missing. */
export function readHeader(cells: readonly string[]): string[] {
  const names = cells.map((cell) => cell.trim());
  const missing = NEEDED.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`not the basic company data: no column ${missing.join(', ')}`);
  return names;
}

interface Row {
  cells: readonly string[];
  /** Where each column stands. */
  places: ReadonlyMap<string, number>;
  /** Whether every cell is free of characters that need cleaning. */
  isPlain: boolean;
  /** Invalid dates. */
  badDates: number;
}

/**
 * A reader of the rows of a file with this header. It returns the row, or the reason why it is refused: an open quote, a
 * different number of cells, an impossible company number.
 */
export function makeRowReader(
  header: readonly string[],
): (cells: readonly string[] | null) => RegisterRow | { reason: string } {
  const places = new Map(header.map((name, index) => [name, index]));
  const plain = new RegExp(`^[ -~]*(?:${SEPARATOR}[ -~]*){${header.length - 1}}$`);
  return (cells) => {
    if (!cells) return { reason: 'a quote is left open' };
    if (cells.length !== header.length) return { reason: `${cells.length} cells where ${header.length} were due` };
    const text = cells.join(SEPARATOR);
    return readRow({ cells, places, isPlain: plain.test(text), badDates: 0 }, text);
  };
}

/** What programs that re-saved an edition write for an empty cell. */
const EMPTY = /^(?:null|nan|none|nil|undefined|n\/a|#n\/a|\\n|NA)$/i;
const EMPTY_MAX = 9;

/** A cell by its trimmed column name, on one line; empty cells are absent, in whatever way they are written. */
function cell({ cells, places, isPlain }: Row, name: string): string | undefined {
  const raw = cells[places.get(name) ?? -1];
  if (!raw) return undefined;
  const text = (isPlain ? raw : dropInvisible(raw).replace(/ *[^\S ][^\S]*/g, ' ')).trim();
  return text === '' || (text.length <= EMPTY_MAX && EMPTY.test(text)) ? undefined : text;
}

function date(row: Row, name: string): string | undefined {
  const text = cell(row, name);
  if (!text) return undefined;
  const day = readDay(text);
  if (day) return day;
  row.badDates += 1;
  return undefined;
}

function count(row: Row, name: string): number | undefined {
  const text = cell(row, name);
  return text && /^\d+$/.test(text) ? Number(text) : undefined;
}

function readRow(row: Row, text: string): RegisterRow | { reason: string } {
  const raw = cell(row, 'CompanyNumber');
  const number = raw && parseCompanyNumber(raw);
  if (!number) return { reason: raw ? `not a company number: ${raw.slice(0, 40)}` : 'the row has no company number' };
  const name = cell(row, 'CompanyName');
  if (!name) return { reason: 'the row has no company name' };
  return {
    number,
    digest: `${READING}:${sha256(text)}`,
    status: cell(row, 'CompanyStatus'),
    category: cell(row, 'CompanyCategory'),
    accounts: cell(row, 'Accounts.AccountCategory'),
    read: () => ({ record: readRecord(row, name, number), badDates: row.badDates }),
  };
}

/** Absent members are undefined, which the record's JSON leaves out. */
function readRecord(row: Row, companyName: string, companyNumber: string): RegisterRecord {
  return {
    company_name: companyName,
    company_number: companyNumber,
    care_of: cell(row, 'RegAddress.CareOf'),
    po_box: cell(row, 'RegAddress.POBox'),
    address_line_1: cell(row, 'RegAddress.AddressLine1'),
    address_line_2: cell(row, 'RegAddress.AddressLine2'),
    locality: cell(row, 'RegAddress.PostTown'),
    county: cell(row, 'RegAddress.County'),
    country: cell(row, 'RegAddress.Country'),
    postal_code: cell(row, 'RegAddress.PostCode')?.toUpperCase(),
    category: cell(row, 'CompanyCategory'),
    status: cell(row, 'CompanyStatus'),
    country_of_origin: cell(row, 'CountryOfOrigin'),
    dissolved: date(row, 'DissolutionDate'),
    incorporated: date(row, 'IncorporationDate'),
    accounts: readAccounts(row),
    returns: group({ next_due: date(row, 'Returns.NextDueDate'), last_made_up: date(row, 'Returns.LastMadeUpDate') }),
    mortgages: readMortgages(row),
    sic_codes: readSicCodes(row),
    limited_partnerships: group({
      general_partners: count(row, 'LimitedPartnerships.NumGenPartners'),
      limited_partners: count(row, 'LimitedPartnerships.NumLimPartners'),
    }),
    uri: cell(row, 'URI'),
    previous_names: readPreviousNames(row),
    confirmation_statement: group({
      next_due: date(row, 'ConfStmtNextDueDate'),
      last_made_up: date(row, 'ConfStmtLastMadeUpDate'),
    }),
  };
}

function readAccounts(row: Row): RegisterRecord['accounts'] {
  return {
    reference_day: count(row, 'Accounts.AccountRefDay'),
    reference_month: count(row, 'Accounts.AccountRefMonth'),
    next_due: date(row, 'Accounts.NextDueDate'),
    last_made_up: date(row, 'Accounts.LastMadeUpDate'),
    category: cell(row, 'Accounts.AccountCategory'),
  };
}

function readMortgages(row: Row) {
  return group({
    charges: count(row, 'Mortgages.NumMortCharges'),
    outstanding: count(row, 'Mortgages.NumMortOutstanding'),
    part_satisfied: count(row, 'Mortgages.NumMortPartSatisfied'),
    satisfied: count(row, 'Mortgages.NumMortSatisfied'),
  });
}

/** `70229 - Management consultancy`; the text "None Supplied" is not a code. */
function readSicCodes(row: Row): RegisterRecord['sic_codes'] {
  const codes: RegisterRecord['sic_codes'] = [];
  for (const column of SIC_CODES) {
    const match = /^(\d{4,5})\s*(?:-\s*(.+))?$/.exec(cell(row, column) ?? '');
    if (match?.[1]) codes.push({ code: match[1], description: match[2] });
  }
  return codes;
}

function readPreviousNames(row: Row): RegisterRecord['previous_names'] {
  const names: RegisterRecord['previous_names'] = [];
  for (const columns of PREVIOUS_NAMES) {
    const name = cell(row, columns.name);
    if (name) names.push({ name, ceased: date(row, columns.ceased) });
  }
  return names;
}

/** The members, or undefined where none has a value. */
function group<T extends object>(members: T): T | undefined {
  return Object.values(members).some((value) => value !== undefined) ? members : undefined;
}

/** A file has millions of dates but few different days: those of little more than a century. */
const DAYS_MAX = 50_000;

/** `DD/MM/YYYY` as an ISO date, or null where there is no such day. */
export const readDay = memoise(parseDay, DAYS_MAX);

function parseDay(text: string): string | null {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isOnCalendar(date) ? date : null;
}
