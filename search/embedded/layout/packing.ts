import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Collection } from '../../collections/shape.ts';
import { shorten } from '../../documents/from-row.ts';
import type { AnyDocument, AnyHit } from '../../engine.ts';

/** Documents in one pack. Packed together they are smaller, but to read one is to unpack all. */
export const PACK_SIZE = 12;
/** A higher level saves a few bytes for twice the time. */
const LEVEL = { level: 4 };
/** Most packs unpack into one chunk of this size, which stays allocated while any part of it is in use. */
const UNPACKING = { chunkSize: 16_384 };
/** Descriptions are stored up to this length, for highlighting. Longer ones are rare and not worth the time. */
const DESCRIPTION_KEPT = 20_000;

/**
 * A document's entry in a pack: two lines, each after its key. One has the values that a hit shows, the extract last. They
 * are without their names, which makes the line a third shorter. The other has the rest of the description.
 */
interface PackLines {
  shown: string;
  text: string;
}

/**
 * A document's lines in a pack, with their line breaks.
 * @param key the number of its row in the index
 */
export function packLine(key: number, document: AnyDocument, { shown }: Pick<Collection, 'shown'>): PackLines {
  const { description } = document;
  const extract = shorten(description);
  const fields = document as unknown as Readonly<Record<string, unknown>>;
  return {
    shown: `${key}\t${JSON.stringify([...shown.map((name) => fields[name]), extract])}\n`,
    text: `${key}\t${JSON.stringify(beyondExtract(description, extract))}\n`,
  };
}

/** The rest of a description after its extract. If the spaces differ, the whole description, in a list. */
function beyondExtract(description: string, extract: string): string | [string] {
  const text = description.slice(0, DESCRIPTION_KEPT);
  const beginning = withoutEllipsis(extract);
  return text.startsWith(beginning) ? text.slice(beginning.length) : [text];
}

/** Only a shortened extract ends in an added ellipsis. If the description has one itself, it is part of the rest. */
function withoutEllipsis(extract: string): string {
  return extract.replace(/…$/, '');
}

/** Packs some lines. Another thread would take longer for so little (measured). */
export function packLines(lines: string[]): Uint8Array {
  return deflateRawSync(lines.join(''), LEVEL);
}

/** The lines of a pack, as bytes. Most are not wanted, and decoding them would cost more than finding the wanted one. */
export function unpack(bytes: Uint8Array): Buffer {
  return inflateRawSync(bytes, UNPACKING);
}

/** The lines of an unpacked pack, except those with some keys. */
export function linesWithout(lines: Buffer, keys: ReadonlySet<number>): string[] {
  return lines
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !keys.has(Number(line.slice(0, line.indexOf('\t')))))
    .map((line) => `${line}\n`);
}

/** The content of a document's line after its key; undefined if there is no such line. */
export function lineOf(lines: Buffer, key: number): string | undefined {
  const head = `${key}\t`;
  const isFirst = lines.toString('latin1', 0, head.length) === head;
  const before = isFirst ? -1 : lines.indexOf(`\n${head}`);
  if (!isFirst && before < 0) return undefined;
  const from = before + 1 + head.length;
  return lines.toString('utf8', from, lines.indexOf('\n', from));
}

/** The hit of a line, with the fields that its collection shows. */
export function readShown(line: string, shown: readonly string[]): AnyHit {
  const values = JSON.parse(line) as unknown[];
  const hit: Record<string, unknown> = {};
  // Field by field, because a list of pairs takes four times as long.
  for (const [place, name] of shown.entries()) hit[name] = values[place];
  hit.extract = values.at(-1);
  return hit as unknown as AnyHit;
}

/** The description of a document from its line and its extract. */
export function readText(line: string, extract: string): string {
  const text = JSON.parse(line) as string | [string];
  return typeof text === 'string' ? withoutEllipsis(extract) + text : text[0];
}
