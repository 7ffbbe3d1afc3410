import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ExportFormat } from '../../../schema/accounts/exports/datasets.ts';
import { type ExportRow, readExport } from '../../../schema/accounts/exports/states.ts';
import { type ByteRange, type ExportStorage, StoreAway } from '../../../schema/accounts/exports/storage.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { LICENCE_URL } from '../../../schema/reference/licence.ts';
import { FILE_LOST, isSigned, NO_FILE, OUT_OF_REACH, sayBeingWritten, signDownload } from '../../access/signed.ts';
import { Refusal } from '../../contract/errors.ts';
import type { Services } from '../../contract/operation.ts';
import type { Context } from '../../process/context.ts';
import { readAttributions } from '../../reads/sources.ts';
import { admitAnyone, type Exchange, respond } from '../exchange.ts';
import { namesTag } from '../respond.ts';
import type { ExtraRoute } from '../rest/routes.ts';
import { CSVW_TYPE, describeTable, EXPORT_TYPES, fileName } from './csv-metadata.ts';

/**
 * The file of a finished export, and the description of a CSV file, for anyone with the signed address. Ranges and conditional
 * requests work; nothing is charged.
 */
export function makeDownloadRoutes(context: Context): ExtraRoute[] {
  const sendOne: Send = (exchange, row) => sendFile(context.services.exports, exchange, row);
  return [
    makeRoute(context, '/exports/:export_id/download', sendOne),
    makeRoute(context, `/exports/:export_id/${METADATA}`, (exchange, row) =>
      sendMetadata(context.services.catalogue, exchange, row),
    ),
  ];
}

/** The last part of the address of a CSV file's metadata. */
const METADATA = 'download.csv-metadata.json';
const LICENCE_LINK = `<${LICENCE_URL}>; rel="license"`;

/** Sends the file; false where it is gone, and nothing was sent. */
type Send = (exchange: Exchange, row: Ready) => boolean | Promise<boolean>;

function makeRoute(context: Context, path: string, sendIt: Send): ExtraRoute {
  return {
    path,
    async handle(exchange, parameters) {
      try {
        exchange.operation = 'download';
        await admitAnyone(context.downloadLimits, exchange);
        const find = () => findDownload(context.services, parameters.export_id ?? '', exchange.request.url ?? '');
        if (await sendIt(exchange, await find())) return;
        // If it vanished between the two checks, the export says why.
        await find();
        throw (await context.services.findExportFault()) ? notNow(OUT_OF_REACH, BACK_IN) : notNow(FILE_LOST, FOUND_IN);
      } catch (error) {
        if (error instanceof StoreAway)
          context.log.warn({ err: error, operation: 'download' }, 'a file cannot be read');
        // Once a file is being sent, a fault can only close the connection.
        if (exchange.response.headersSent) exchange.response.destroy();
        else await respond(context, exchange, () => Promise.reject(toNotNow(error)));
      }
    },
  };
}

type Ready = ExportRow & {
  file: string;
  bytes: number;
  sha256: string;
  /** The query string that signs this address and that of its metadata. */
  query: string;
};

/** The export of a signed address. @throws Refusal where the address or the file is no longer valid. */
async function findDownload({ accounts, clocks, secret }: Services, exportId: string, url: string): Promise<Ready> {
  const query = new URL(url, 'http://localhost').searchParams;
  const expires = Number(query.get('expires'));
  if (!isSigned(secret, { exportId, expires }, query.get('signature') ?? '')) {
    throw new Refusal(
      403,
      'invalid_signature',
      'This download address is not one of ours; GET /v1/exports/{export_id} gives it whole.',
    );
  }
  const now = clocks.wallNow();
  if (expires * 1_000 <= now.getTime()) {
    throw new Refusal(
      403,
      'link_expired',
      'This download address has expired; GET /v1/exports/{export_id} gives a fresh one.',
    );
  }
  const row = await readExport(accounts, exportId);
  if (row?.status === 'processing') throw notNow(sayBeingWritten(row), WRITTEN_IN);
  if (row?.status !== 'completed' || row.file === null || (row.expires_at ?? '') <= now.toISOString()) {
    throw gone();
  }
  return { ...row, query: signDownload(secret, { exportId, expires }) } as Ready;
}

/** Sends the whole file, the requested part, or that the client already has it. @throws Refusal */
async function sendFile(storage: ExportStorage, { request, response }: Exchange, row: Ready): Promise<boolean> {
  const tag = `"${row.sha256}"`;
  if (!isStill(request.headers['if-match'], tag)) throw changed();
  if (namesTag(request.headers['if-none-match'], tag)) {
    response.writeHead(304, { ETag: tag }).end();
    return true;
  }
  const isHead = request.method === 'HEAD';
  // Only GET has ranges (RFC 9110, 14.2).
  const wanted: Wanted = isHead ? { kind: 'whole' } : parseRange(request.headers, { bytes: row.bytes, tag });
  if (wanted.kind === 'beyond') throw beyond(row.bytes);
  const range = wanted.kind === 'part' ? wanted : undefined;
  // One that was cut short is lost as well, and written again by the next upkeep.
  if ((await storage.size(row.file)) !== row.bytes) return false;
  const body = isHead ? Readable.from([]) : await storage.read(row.file, range);
  if (!body) return false;
  const headers = fileHeaders(row, range);
  response.writeHead(range ? 206 : 200, headers);
  await pipeline(body, (chunks) => passWhole(chunks, isHead ? 0 : headers['Content-Length']), response);
  return true;
}

/**
 * Passes a file on. @throws StoreAway where it ends early, so that its connection is cut: otherwise a client would wait for the
 * rest as long as a connection may be idle
 */
async function* passWhole(chunks: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const chunk of chunks) {
    left -= chunk.length;
    yield chunk;
  }
  if (left > 0) throw new StoreAway(`a file was cut short while it was sent: ${left} bytes are missing`);
}

/** Types of the columns, as far as the format does not state them itself. */
async function sendMetadata(catalogue: Database, { response }: Exchange, row: Ready): Promise<boolean> {
  if (!isCsv(row)) throw new Refusal(404, 'not_found', 'Only a CSV file has a description of its columns.');
  const described = describeTable(row, `download?${row.query}`, await readAttributions(catalogue));
  const body = `${JSON.stringify(described, null, 2)}\n`;
  response
    .writeHead(200, {
      'Content-Type': CSVW_TYPE,
      'Content-Disposition': `attachment; filename="${fileName(row, 'csv-metadata.json')}"`,
      'Content-Length': Buffer.byteLength(body),
      Link: LICENCE_LINK,
    })
    .end(body);
  return true;
}

function isCsv({ format }: Ready): boolean {
  return format.startsWith('csv');
}

function fileHeaders(row: Ready, range: ByteRange | undefined) {
  const { format, bytes, sha256 } = row;
  const described = `<${METADATA}?${row.query}>; rel="describedby"; type="${CSVW_TYPE}"`;
  return {
    Link: isCsv(row) ? `${LICENCE_LINK}, ${described}` : LICENCE_LINK,
    'Content-Type': EXPORT_TYPES[format as ExportFormat],
    'Content-Disposition': `attachment; filename="${fileName(row, format)}"`,
    'Content-Length': range ? range.to - range.from + 1 : bytes,
    ETag: `"${sha256}"`,
    'Accept-Ranges': 'bytes',
    'Repr-Digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
    ...(range && { 'Content-Range': `bytes ${range.from}-${range.to}/${bytes}` }),
  };
}

/** Whether a file is one that an `If-Match` header names; a weak tag names none (RFC 9110, 13.1.1). */
const isStill = (header: string | undefined, tag: string): boolean =>
  header === undefined || header.split(',').some((one) => [tag, '*'].includes(one.trim()));

/** The refusal of a file that is not the one that was asked for. */
export const changed = (): Refusal =>
  new Refusal(412, 'precondition_failed', 'The file is not the one that If-Match names.');

/** The refusal of a range that begins after the end of the file. `bytes`: its size. */
export function beyond(bytes: number): Refusal {
  return new Refusal(416, 'range_not_satisfiable', 'The file ends before this range begins.', {
    headers: { 'Content-Range': `bytes */${bytes}` },
  });
}

/** Seconds: the writer checks for work every few seconds, and writes a thousand rows in less than one. */
const WRITTEN_IN = 30;

/** Seconds: upkeep checks for lost files once an hour. */
const FOUND_IN = 3_600;

/** Seconds: the store is checked every few seconds. */
const BACK_IN = 30;

/** The file may well exist: this server does not reach it. */
function toNotNow(error: unknown): unknown {
  return error instanceof StoreAway ? notNow(OUT_OF_REACH, BACK_IN) : error;
}

/** Nobody can download it until it is written again. */
function notNow(message: string, seconds: number): Refusal {
  return new Refusal(503, 'unavailable', message, { headers: { 'Retry-After': String(seconds) } });
}

function gone(): Refusal {
  return new Refusal(404, 'not_found', NO_FILE);
}

/** The requested part of a file: all of it, a range (both ends included), or a range that it does not have. */
type Wanted = { kind: 'whole' } | { kind: 'part'; from: number; to: number } | { kind: 'beyond' };

const ONE_RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/;

/**
 * The range in a `Range` header (RFC 9110, 14.2). Several ranges, other units and malformed ones are answered with the
 * whole file. So is a range of a file that has changed since (`If-Range` has another tag).
 */
function parseRange(
  { range, 'if-range': ifRange }: { range?: string | undefined; 'if-range'?: string | string[] | undefined },
  { bytes, tag }: { bytes: number; tag: string },
): Wanted {
  const parts = ONE_RANGE.exec(range?.replaceAll(' ', '') ?? '');
  if (!parts || (ifRange !== undefined && ifRange !== tag)) return { kind: 'whole' };
  const [, first, last, suffix] = parts;
  const from = first === undefined ? Math.max(0, bytes - Number(suffix)) : Number(first);
  const to = last ? Math.min(Number(last), bytes - 1) : bytes - 1;
  if (last && Number(last) < from) return { kind: 'whole' };
  return from < bytes && from <= to ? { kind: 'part', from, to } : { kind: 'beyond' };
}
