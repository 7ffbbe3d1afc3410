import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
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

/** What documents have in common, so that each is packed as if they stood before it. */
const COMMON = Buffer.from(
  '"the of and to in for a on is by be with as it will this that are at from services contract supply provision framework' +
    '","open","unsuccessful","awarded","planned","UK4","UK6","UK7","tenderUpdate","awardUpdate","planning' +
    '[{"code":"UK","name":"United Kingdom"}],[{"code":"UKI","name":"London"}],"https://www.find-tender.service.gov.uk/Notice/' +
    '","https://www.contractsfinder.service.gov.uk/Notice/T23:59:59Z","2026-T00:00:00Z","GBP",null,[],["' +
    '"],"contracts_finder","award","find_a_tender","tender",null,null,null,true,false,"ocds-h6vhtk-_ocds-b5fd17-',
);
const PACKING = { level: 3, windowBits: 13, memLevel: 6, dictionary: COMMON };

/** The bytes that are kept of a document. */
export function packDocument(document: SearchDocument): Uint8Array {
  return deflateRawSync(JSON.stringify(KEPT.map((name) => document[name])), PACKING);
}

/** The document that was packed. */
export function unpackDocument(bytes: Uint8Array): SearchDocument {
  const values = JSON.parse(inflateRawSync(bytes, PACKING).toString()) as unknown[];
  return Object.fromEntries(KEPT.map((name, place) => [name, values[place]])) as unknown as SearchDocument;
}

/** A short stand-in for a document's id, by which it is found again: ids are long, and every index of them as long again. */
export function printOf(id: string): string {
  return createHash('sha1').update(id).digest('base64url').slice(0, 16);
}
