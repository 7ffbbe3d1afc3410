import {
  type ColumnKind,
  EXPORT_COLUMNS,
  type ExportDataset,
  type ExportFormat,
} from '../../../schema/accounts/exports/datasets.ts';
import type { ExportRow } from '../../../schema/accounts/exports/states.ts';
import { STAGES } from '../../../schema/catalogue/details.ts';
import {
  BUYER_KINDS,
  CONTRACT_STATUSES,
  COUNTED_AS,
  ENDS_BASES,
  ENDS_LATEST_BASES,
  FRAMEWORK_KINDS,
  PROCEDURES,
} from '../../../schema/catalogue/enums.ts';
import { CURRENT_CONTRACT_STATUSES, NOTICE_STATUSES } from '../../../schema/catalogue/live.ts';
import { BUYER_SCOPES } from '../../../schema/names/public-bodies.ts';
import { joinAttributions, LICENCE_URL } from '../../../schema/reference/licence.ts';
import { NATIONS } from '../../../schema/reference/regions.ts';
import { meaningOf } from '../../answer/meanings/fields.ts';

/** The media type of a CSV file's metadata. */
export const CSVW_TYPE = 'application/csvm+json';

/** The media type of each format's file. */
export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  'csv.gz': 'application/gzip',
  jsonl: 'application/jsonl; charset=utf-8',
  'jsonl.gz': 'application/gzip',
  parquet: 'application/vnd.apache.parquet',
};

/** The CSV on the Web types of the columns. Codes and ids are strings, so that no reader drops leading zeros. */
const DATATYPES: Readonly<Record<ColumnKind, string>> = {
  text: 'string',
  json: 'json',
  flag: 'boolean',
  whole: 'integer',
  number: 'number',
  day: 'date',
  instant: 'dateTime',
};

/** What a column holds, where the words for a field of that name say too little. */
const COLUMN_WORDS: Readonly<Record<string, string>> = {
  status: 'How it stood when the file was written.',
  totals: 'For each currency, the number of contracts whose values add up, and their sum.',
  url: 'The web address of the notice, on the service that published it.',
};

/** The codes of a column, by its name; where they depend on the dataset, by both names. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  stage: STAGES,
  nation: NATIONS,
  counted_as: Object.values(COUNTED_AS),
  procedure: PROCEDURES,
  buyer_kind: BUYER_KINDS,
  ends_basis: ENDS_BASES,
  ends_latest_basis: ENDS_LATEST_BASES,
  stated_status: CONTRACT_STATUSES,
  scope: BUYER_SCOPES,
  'notices.status': NOTICE_STATUSES,
  'tenders.status': NOTICE_STATUSES,
  'contracts.status': CURRENT_CONTRACT_STATUSES,
  'buyers.kind': BUYER_KINDS,
  'frameworks.kind': FRAMEWORK_KINDS,
};

/** What a column holds, in one sentence or two. */
function describeColumn(dataset: string, name: string): string | undefined {
  const words = COLUMN_WORDS[name] ?? meaningOf(name);
  const codes = CODES[name] ?? CODES[`${dataset}.${name}`];
  return codes ? `${words} One of: ${codes.join(', ')}.` : words;
}

const DEFUSED =
  'A cell that a spreadsheet would run as a formula begins with an apostrophe that is no part of its value. ' +
  'An empty cell is a value that is not held.';

/** The file name under which a download is saved. */
export function fileName({ id, dataset }: Pick<ExportRow, 'id' | 'dataset'>, extension: string): string {
  return `${dataset}-${id}.${extension}`;
}

/**
 * The description of a CSV file in CSV on the Web's metadata vocabulary (W3C): what its columns hold, their types, and its licence. @param url -
 * the file's address relative to its metadata's; readers ignore a description of any other address @param attributions - the
 * publishers' required attributions
 */
export function describeTable(
  { dataset }: Pick<ExportRow, 'dataset'>,
  url: string,
  attributions: readonly string[],
): Record<string, unknown> {
  return {
    '@context': 'http://www.w3.org/ns/csvw',
    url,
    'dc:license': { '@id': LICENCE_URL },
    'dc:rights': joinAttributions(attributions),
    'dc:description': DEFUSED,
    dialect: { encoding: 'utf-8', header: true },
    tableSchema: {
      columns: EXPORT_COLUMNS[dataset as ExportDataset].map(({ name, kind }) => ({
        name,
        titles: name,
        datatype: DATATYPES[kind],
        'dc:description': describeColumn(dataset, name),
      })),
    },
  };
}
