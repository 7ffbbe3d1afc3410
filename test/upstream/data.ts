import { londonTime } from '../../schema/config/clocks.ts';

/** A JSON object as a source serves it. */
export type Json = Record<string, unknown>;

/** One release as a source serves it. */
export interface PublishedRelease {
  release: Json;
  /** The hidden instant that windows select on; not always the release's own `date`. */
  publishedAt: Date;
  /** The release's own text where serialising `release` would lose a defect (`1e9999`, ` 000,`, null bytes of another encoding). */
  raw?: string;
  /** Whether the text goes out as ISO-8859-1 bytes, as some of Contracts Finder's does. */
  latin1?: boolean;
}

/** A release of a service that is asked by month and notice type: it is in the answers of the London month of its instant. */
export interface TypedRelease extends PublishedRelease {
  type: string;
}

/** One register row: its cells under the trimmed names of `REGISTER_COLUMNS`, text as in the file. */
export type RegisterRow = Readonly<Partial<Record<RegisterColumn, string>>>;

/** Everything the loopback services have to serve. */
export interface UpstreamData {
  /** The instant at which the data is meant to be looked at. */
  asOf: Date;
  /** A plain sentence on what this data is, for people. */
  about: string;
  findATender: Iterable<PublishedRelease>;
  contractsFinder: Iterable<PublishedRelease>;
  /** By the folder of its addresses, what each service asked by month and type has to serve. */
  byMonth: ReadonlyMap<string, Iterable<TypedRelease>>;
  bulk: Iterable<RegisterRow>;
  /** The date in the bulk files' names, `YYYY-MM-01`. */
  bulkEdition: string;
  /** Company number -> profile, as the Companies House API answers it. */
  profiles: ReadonlyMap<string, Json>;
}

const PREVIOUS_NAMES = Array.from({ length: 10 }, (_, index) => index + 1).flatMap(
  (n) => [`PreviousName_${n}.CONDATE`, `PreviousName_${n}.CompanyName`] as const,
);

/** The 55 columns of the basic company data, trimmed, in the file's order (Companies House, edition of September 2026). */
export const REGISTER_COLUMNS = [
  'CompanyName',
  'CompanyNumber',
  'RegAddress.CareOf',
  'RegAddress.POBox',
  'RegAddress.AddressLine1',
  'RegAddress.AddressLine2',
  'RegAddress.PostTown',
  'RegAddress.County',
  'RegAddress.Country',
  'RegAddress.PostCode',
  'CompanyCategory',
  'CompanyStatus',
  'CountryOfOrigin',
  'DissolutionDate',
  'IncorporationDate',
  'Accounts.AccountRefDay',
  'Accounts.AccountRefMonth',
  'Accounts.NextDueDate',
  'Accounts.LastMadeUpDate',
  'Accounts.AccountCategory',
  'Returns.NextDueDate',
  'Returns.LastMadeUpDate',
  'Mortgages.NumMortCharges',
  'Mortgages.NumMortOutstanding',
  'Mortgages.NumMortPartSatisfied',
  'Mortgages.NumMortSatisfied',
  'SICCode.SicText_1',
  'SICCode.SicText_2',
  'SICCode.SicText_3',
  'SICCode.SicText_4',
  'LimitedPartnerships.NumGenPartners',
  'LimitedPartnerships.NumLimPartners',
  'URI',
  ...PREVIOUS_NAMES,
  'ConfStmtNextDueDate',
  'ConfStmtLastMadeUpDate',
] as const;

type RegisterColumn = (typeof REGISTER_COLUMNS)[number];

/** A column's name as published: some carry a leading space. */
export function publishedColumn(name: RegisterColumn): string {
  const spaced =
    ['CompanyNumber', 'RegAddress.AddressLine2', 'ConfStmtLastMadeUpDate'].includes(name) ||
    /^PreviousName_\d+\.CompanyName$/.test(name);
  return spaced ? ` ${name}` : name;
}

/** The bytes of one release as they go out. */
export function releaseBytes({ release, raw, latin1 }: PublishedRelease): Buffer {
  return Buffer.from(raw ?? JSON.stringify(release), latin1 ? 'latin1' : 'utf8');
}

/** What each service has published, by its id in the table of sources. */
export function listBySource({ findATender, contractsFinder, byMonth }: UpstreamData): Map<string, PublishedRelease[]> {
  const services: [string, PublishedRelease[]][] = [...byMonth].map(([folder, releases]) => [
    folder.replaceAll('-', '_'),
    [...releases],
  ]);
  return new Map([['find_a_tender', [...findATender]], ['contracts_finder', [...contractsFinder]], ...services]);
}

/** The London calendar month of an instant as a bulk edition, `YYYY-MM-01`. */
export function editionOf(instant: Date): string {
  return `${londonTime(instant).slice(0, 7)}-01`;
}
