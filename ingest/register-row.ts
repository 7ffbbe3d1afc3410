import type { RegisterRecord } from '../schema/details.ts';
import { parseCompanyNumber } from '../schema/ids.ts';

/** A cell by its trimmed column name; empty and `NA` cells are absent. */
export type Cells = (name: string) => string | undefined;

export type ReadRow = { record: RegisterRecord; badDates: number } | { reason: string };

const PREVIOUS_NAMES = 10;
const SIC_CODES = 4;
/** Columns without which a file is not the bulk file that we know. */
const NEEDED = ['CompanyName', 'CompanyNumber', 'CompanyStatus', 'CompanyCategory'];

/** The header's names without the leading spaces that some are published with. @throws Error naming a column that is missing. */
export function readHeader(cells: readonly string[]): string[] {
  const names = cells.map((cell) => cell.trim());
  const missing = NEEDED.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`not the basic company data: no column ${missing.join(', ')}`);
  return names;
}

/** Reads rows of a file with this header. A row with another number of cells, or whose number cannot be one, is refused. */
export function makeRowReader(header: readonly string[]): (cells: readonly string[]) => ReadRow {
  const places = new Map(header.map((name, index) => [name, index]));
  return (cells) => {
    if (cells.length !== header.length) return { reason: `${cells.length} cells where ${header.length} were due` };
    return readCells((name) => {
      const place = places.get(name);
      const text = place === undefined ? '' : (cells[place]?.trim() ?? '');
      // Editions that were saved again write NA for an empty date.
      return text === '' || text === 'NA' ? undefined : text;
    });
  };
}

function readCells(cell: Cells): ReadRow {
  const raw = cell('CompanyNumber');
  const number = raw && parseCompanyNumber(raw);
  if (!number) return { reason: raw ? `not a company number: ${raw.slice(0, 40)}` : 'the row has no company number' };
  const name = cell('CompanyName');
  if (!name) return { reason: 'the row has no company name' };
  let badDates = 0;
  const date = (column: string) => {
    const text = cell(column);
    const day = text && readDay(text);
    if (text && !day) badDates += 1;
    return day || undefined;
  };
  return { record: { company_name: name, company_number: number, ...readRest(cell, date) }, badDates };
}

type Rest = Omit<RegisterRecord, 'company_name' | 'company_number'>;
type Day = (column: string) => string | undefined;

function readRest(cell: Cells, date: Day): Rest {
  return {
    ...readAddress(cell),
    ...present({
      category: cell('CompanyCategory'),
      status: cell('CompanyStatus'),
      country_of_origin: cell('CountryOfOrigin'),
      dissolved: date('DissolutionDate'),
      incorporated: date('IncorporationDate'),
      returns: group({ next_due: date('Returns.NextDueDate'), last_made_up: date('Returns.LastMadeUpDate') }),
      mortgages: readMortgages(cell),
      limited_partnerships: group({
        general_partners: count(cell('LimitedPartnerships.NumGenPartners')),
        limited_partners: count(cell('LimitedPartnerships.NumLimPartners')),
      }),
      uri: cell('URI'),
      confirmation_statement: group({
        next_due: date('ConfStmtNextDueDate'),
        last_made_up: date('ConfStmtLastMadeUpDate'),
      }),
    }),
    accounts: present({
      reference_day: count(cell('Accounts.AccountRefDay')),
      reference_month: count(cell('Accounts.AccountRefMonth')),
      next_due: date('Accounts.NextDueDate'),
      last_made_up: date('Accounts.LastMadeUpDate'),
      category: cell('Accounts.AccountCategory'),
    }),
    sic_codes: readSicCodes(cell),
    previous_names: readPreviousNames(cell, date),
  };
}

function readAddress(cell: Cells) {
  return present({
    care_of: cell('RegAddress.CareOf'),
    po_box: cell('RegAddress.POBox'),
    address_line_1: cell('RegAddress.AddressLine1'),
    address_line_2: cell('RegAddress.AddressLine2'),
    locality: cell('RegAddress.PostTown'),
    county: cell('RegAddress.County'),
    country: cell('RegAddress.Country'),
    postal_code: cell('RegAddress.PostCode'),
  });
}

function readMortgages(cell: Cells) {
  return group({
    charges: count(cell('Mortgages.NumMortCharges')),
    outstanding: count(cell('Mortgages.NumMortOutstanding')),
    part_satisfied: count(cell('Mortgages.NumMortPartSatisfied')),
    satisfied: count(cell('Mortgages.NumMortSatisfied')),
  });
}

/** `70229 - Management consultancy`; the text "None Supplied" is no code. */
function readSicCodes(cell: Cells): RegisterRecord['sic_codes'] {
  return numbered(SIC_CODES, (n) => {
    const match = /^(\d{4,5})\s*(?:-\s*(.+))?$/.exec(cell(`SICCode.SicText_${n}`) ?? '');
    return match?.[1] ? { code: match[1], ...present({ description: match[2] }) } : undefined;
  });
}

function readPreviousNames(cell: Cells, date: Day): RegisterRecord['previous_names'] {
  return numbered(PREVIOUS_NAMES, (n) => {
    const name = cell(`PreviousName_${n}.CompanyName`);
    return name ? { name, ...present({ ceased: date(`PreviousName_${n}.CONDATE`) }) } : undefined;
  });
}

function numbered<T>(most: number, read: (n: number) => T | undefined): T[] {
  return Array.from({ length: most }, (_, index) => read(index + 1)).filter((item) => item !== undefined);
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The members that have a value. */
function present<T extends object>(members: T): Present<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Present<T>;
}

/** The members that have a value, or undefined where none has. */
function group<T extends object>(members: T): Present<T> | undefined {
  const held = present(members);
  return Object.keys(held).length > 0 ? held : undefined;
}

function count(text: string | undefined): number | undefined {
  return text && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** `DD/MM/YYYY` as an ISO date, or null where there is no such day. */
export function readDay(text: string): string | null {
  const match = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  if (!match) return null;
  const [, day = '', month = '', year = ''] = match;
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const instant = new Date(`${iso}T00:00:00Z`);
  return Number.isNaN(instant.getTime()) || instant.toISOString().slice(0, 10) !== iso ? null : iso;
}
