import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { publishedColumn, REGISTER_COLUMNS, type RegisterRow, type UpstreamData } from '../data.ts';
import { type Asked, html, json, type Reply } from '../reply.ts';

const PIECE_CHARACTERS = 65_536;

/** The register as it is served: pages, zips made when first asked, profiles. */
interface Register {
  data: UpstreamData;
  parts: number;
  zips: Map<string, Promise<Buffer>>;
}

/** A register over the data, its bulk file cut into `parts` zips. */
export function makeRegister(data: UpstreamData, parts: number): Register {
  return { data, parts, zips: new Map() };
}

/** Answers Companies House's addresses, or null where the path is not one of them. */
export async function answerCompaniesHouse(register: Register, asked: Asked): Promise<Reply | null> {
  const path = asked.url.pathname;
  if (path === '/en_output.html') return html(listing(register));
  const company = /^\/company\/([^/]+)$/.exec(path)?.[1];
  if (company !== undefined) return answerProfile(register, asked, company);
  if (!path.endsWith('.zip')) return null;
  const name = path.slice(1);
  const part = fileNames(register).indexOf(name);
  if (part < 0) return html('<h1>404 Not Found</h1>', 404);
  const making = register.zips.get(name) ?? zipPart(register, part);
  register.zips.set(name, making);
  return { status: 200, headers: { 'content-type': 'application/zip' }, body: await making };
}

function answerProfile({ data }: Register, { headers }: Asked, number: string): Reply {
  const [scheme, token] = (headers.authorization ?? '').split(' ');
  const key =
    scheme === 'Basic'
      ? Buffer.from(token ?? '', 'base64')
          .toString('utf8')
          .split(':')[0]
      : '';
  if (!key) return json({ error: 'Empty Authorization header', type: 'ch:service' }, 401);
  const profile = data.profiles.get(number);
  if (profile) return json(profile);
  return json({ errors: [{ type: 'ch:service', error: 'company-profile-not-found' }] }, 404);
}

/** File names: the parts, and last the one file. */
function fileNames({ data, parts }: Register): string[] {
  const numbered = Array.from(
    { length: parts },
    (_, index) => `BasicCompanyData-${data.bulkEdition}-part${index + 1}_${parts}.zip`,
  );
  return [...numbered, `BasicCompanyDataAsOneFile-${data.bulkEdition}.zip`];
}

function listing(register: Register): string {
  const items = fileNames(register).map((name) => `<li><a href="${name}">${name}  (1Mb)</a></li>`);
  return [
    '<!DOCTYPE html><html><head><title>Companies House</title></head><body>',
    '<h1>Free Company Data Product</h1>',
    '<h2>Company data as one file:</h2>',
    `<ul>${items.at(-1)}</ul>`,
    '<h2>Company data as multiple files:</h2>',
    `<ul>${items.slice(0, -1).join('\n')}</ul>`,
    '</body></html>',
  ].join('\n');
}

async function zipPart(register: Register, part: number): Promise<Buffer> {
  const { data, parts } = register;
  const share = Math.ceil(countRows(data) / parts);
  const [from, until] = part === parts ? [0, Number.POSITIVE_INFINITY] : [part * share, (part + 1) * share];
  const name = fileNames(register)[part] ?? '';
  const csv = Readable.from(csvOf(data.bulk, from, until));
  return zip(csv, name.replace(/\.zip$/, '.csv'), data.asOf);
}

/** A ZIP file with a CSV of these lines. */
export function zipOf(lines: readonly string[]): Promise<Buffer> {
  return zip(Readable.from([Buffer.from(lines.join('\r\n'))]), 'data.csv', new Date());
}

async function zip(csv: Readable, name: string, mtime: Date): Promise<Buffer> {
  const file = new ZipFile();
  file.addReadStream(csv, name, { mtime });
  file.end();
  const chunks: Buffer[] = [];
  for await (const chunk of file.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function countRows({ bulk }: UpstreamData): number {
  let count = 0;
  for (const _row of bulk) count += 1;
  return count;
}

/** The file's text: headers with their leading spaces, every cell quoted, CRLF. Rows are made as they are written. */
function* csvOf(rows: Iterable<RegisterRow>, from: number, until: number): Generator<string> {
  yield `${REGISTER_COLUMNS.map(publishedColumn).join(',')}\r\n`;
  let index = 0;
  let text = '';
  for (const row of rows) {
    if (index >= until) break;
    if (index >= from) text += `${REGISTER_COLUMNS.map((name) => quoted(row[name] ?? '')).join(',')}\r\n`;
    index += 1;
    if (text.length < PIECE_CHARACTERS) continue;
    yield text;
    text = '';
  }
  if (text) yield text;
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
