import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import type { SearchDocument } from '../engine.ts';

/** What is kept of a document, in this order: a list of values is a third shorter than an object that names them. */
const KEPT = [
  'id',
  'notice_id',
  'ocid',
  'process_id',
  'title',
  'description',
  'buyer',
  'buyer_id',
  'suppliers',
  'company_numbers',
  'subjects',
  'published',
  'published_at',
  'deadline',
  'deadline_at',
  'value',
  'currency',
  'ceiling',
  'cpvs',
  'regions',
  'source',
  'stage',
  'notice_type',
  'status',
  'url',
  'is_tender',
  'framework_id',
] as const satisfies readonly (keyof SearchDocument)[];

/** Documents that are packed together: each is read by unpacking as many, and all are smaller for it. */
export const PACK_SIZE = 12;
const LEVEL = { level: 6 };
const deflateAside = promisify(deflateRaw);

/** What a pack holds of one document: a line with its key. */
export function packLine(key: number, document: SearchDocument): string {
  return `${key}\t${JSON.stringify(KEPT.map((name) => document[name]))}\n`;
}

/** The bytes that are kept of some documents. The work is done beside this thread. */
export async function packLines(lines: string[]): Promise<Uint8Array> {
  return deflateAside(lines.join(''), LEVEL);
}

/** The lines of a pack. */
export function unpackLines(bytes: Uint8Array): string[] {
  return inflateRawSync(bytes)
    .toString()
    .split(/(?<=\n)/);
}

/** Key of the document of a line. */
export function keyOf(line: string): number {
  return Number(line.slice(0, line.indexOf('\t')));
}

/** The document of a line. */
export function readLine(line: string): SearchDocument {
  const values = JSON.parse(line.slice(line.indexOf('\t') + 1)) as unknown[];
  return Object.fromEntries(KEPT.map((name, place) => [name, values[place]])) as unknown as SearchDocument;
}

/** A short stand-in for a document's id, by which it is found again: ids are long, and every index of them as long again. */
export function printOf(id: string): string {
  return hash('sha1', id, 'base64').slice(0, 16);
}
