import { EXPORT_TYPES } from './download-types.ts';

const text = { type: 'string' };
const bytes = { type: 'string', format: 'binary' };
const bare = (type: string) => type.split(';')[0] ?? type;
const schemaOf = (type: string) => (type.includes('charset') ? text : bytes);

/** The one address that is no operation: the file of a finished export, by its signed address. */
export const DOWNLOAD_PATH = '/v1/exports/{export_id}/download';

export const DOWNLOAD = {
  get: {
    operationId: 'download_export',
    tags: ['exports'],
    summary: 'The file of a finished export',
    description:
      'The whole address is download_url in the export; it is signed, expires and needs no key. Ranges are answered, and the ETag is the sha256 of the export. Free.',
    'x-credits': 0,
    security: [],
    parameters: [
      { name: 'export_id', in: 'path', required: true, schema: text },
      { name: 'expires', in: 'query', required: true, schema: { type: 'integer' } },
      { name: 'signature', in: 'query', required: true, schema: text },
    ],
    responses: {
      '200': {
        description: 'The file',
        content: Object.fromEntries(
          Object.values(EXPORT_TYPES).map((type) => [bare(type), { schema: schemaOf(type) }]),
        ),
      },
      '206': { description: 'The range that was asked for' },
      '304': { description: 'If-None-Match names the file' },
      '403': { $ref: '#/components/responses/BadLink' },
      '404': { $ref: '#/components/responses/NoFile' },
      '416': { $ref: '#/components/responses/BadRange' },
      '429': { $ref: '#/components/responses/TooManyRequests' },
      '500': { $ref: '#/components/responses/InternalError' },
    },
  },
};
