import { ATTRIBUTION } from '../../schema/reference/licence.ts';
import { refersTo } from '../answer/published-schema.ts';
import { CSVW_TYPE, describeTable, EXPORT_TYPES } from '../http/download/csv-metadata.ts';

const text = { type: 'string' };
const bytes = { type: 'string', format: 'binary' };
/** Of an address of the invented sample, as its export shows it. */
const EXAMPLE = { export_id: 'ex_3fgxxJ44JzVJKUPlA3bU', expires: 1_795_446_000, signature: 'PvdJTzF6fviN7loIq3Q' };
const CSV = 'framework_id,title\r\nocds-h6vhtk-000001,Grounds maintenance\r\n';
const JSONL = '{"framework_id":"ocds-h6vhtk-000001","title":"Grounds maintenance"}\n';
const FILES: Readonly<Record<string, string>> = { 'text/csv': CSV, 'application/jsonl': JSONL };
const beginningOf = (type: string) =>
  type in FILES
    ? { examples: { sample: { summary: 'An invented row, and two of its columns', value: FILES[type] } } }
    : {};
const bare = (type: string) => type.split(';')[0] ?? type;
const schemaOf = (type: string) => (type.includes('charset') ? text : bytes);

const link = {
  description: 'The licence (rel="license"); of a CSV file also its metadata (rel="describedby")',
  schema: text,
};
const SIGNED = {
  tags: ['exports'],
  'x-credits': 0,
  security: [],
  parameters: [
    {
      name: 'export_id',
      in: 'path',
      description: 'The export_id of the export.',
      required: true,
      example: EXAMPLE.export_id,
      schema: text,
    },
    {
      name: 'expires',
      in: 'query',
      description: 'The instant at which the address stops working, in seconds since 1970. It is part of download_url.',
      required: true,
      example: EXAMPLE.expires,
      schema: { type: 'integer' },
    },
    {
      name: 'signature',
      in: 'query',
      description: 'What proves the address. It is part of download_url.',
      required: true,
      example: EXAMPLE.signature,
      schema: text,
    },
  ],
};
const REFUSALS = {
  '403': { $ref: '#/components/responses/BadLink' },
  '404': { $ref: '#/components/responses/NoFile' },
  '414': { $ref: '#/components/responses/TooLong' },
  '429': { $ref: '#/components/responses/TooManyRequests' },
  '500': { $ref: '#/components/responses/InternalError' },
  '503': { $ref: '#/components/responses/Unavailable' },
};

const FILE = {
  ...SIGNED,
  operationId: 'download_export',
  summary: 'The file of a finished export',
  description:
    'The whole address is download_url in the export; it is signed, expires and needs no key. Ranges are answered, and the ETag is the sha256 of the export. 503 while the file is written again after a takedown. Free.',
  responses: {
    '200': {
      description: 'The file',
      headers: { Link: link },
      content: Object.fromEntries(
        Object.values(EXPORT_TYPES).map((type) => [bare(type), { schema: schemaOf(type), ...beginningOf(bare(type)) }]),
      ),
    },
    '206': { description: 'The range that was asked for' },
    '304': { description: 'If-None-Match names the file' },
    '412': { $ref: '#/components/responses/OtherFile' },
    '416': { $ref: '#/components/responses/BadRange' },
    ...REFUSALS,
  },
};

const TABLE = {
  sample: {
    summary: 'Of an export of frameworks',
    value: describeTable(
      { dataset: 'frameworks' },
      `download?expires=${EXAMPLE.expires}&signature=${EXAMPLE.signature}`,
      [`${ATTRIBUTION} Source: Companies House.`],
    ),
  },
};

const METADATA = {
  ...SIGNED,
  operationId: 'describe_export',
  summary: 'What the columns of an exported CSV file hold',
  description:
    'What each column holds, its type, and the licence, as CSV on the Web (W3C). Signed by the same expires and signature as download_url. Free.',
  responses: {
    '200': {
      description: 'The metadata',
      content: { [CSVW_TYPE]: { schema: { $ref: refersTo('CsvMetadata') }, examples: TABLE } },
    },
    ...REFUSALS,
  },
};

/** What describes a CSV file. */
export const DOWNLOAD_SCHEMAS = {
  CsvMetadata: {
    type: 'object',
    description: 'A table group of CSV on the Web (https://www.w3.org/TR/tabular-metadata/)',
  },
};

/** The addresses outside the operations: the file of a finished export and its description, by their signed addresses. */
export const DOWNLOAD_PATHS = {
  '/v1/exports/{export_id}/download': { get: FILE },
  '/v1/exports/{export_id}/download.csv-metadata.json': { get: METADATA },
};
