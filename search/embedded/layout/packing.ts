import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Collection } from '../../collections/shape.ts';
import { shorten } from '../../documents/from-row.ts';
import type { AnyDocument, AnyHit } from '../../engine.ts';

/** Documents that are packed together: each is read by unpacking as many, and all are smaller for it. */
export const PACK_SIZE = 12;
/** Beyond it a few bytes less take twice the time. */
const LEVEL = { level: 4 };
/** What is shown of most packs is unpacked in one piece of this size, which stays taken for as long as it is held. */
const UNPACKING = { chunkSize: 16_384 };
/** Descriptions are kept this far for marking hits in them: the rare longer one is not worth the time. */
const DESCRIPTION_KEPT = 20_000;

/** What a pack holds of one document: a line to show it (its values alone, the extract last: a third shorter than with their names), and a line of its description, each after its key. */
export interface PackLines {
  shown: string;
  text: string;
}

/** The lines that a pack holds of a document, each ended. `key`: the number of its row in the index. */
export function packLine(key: number, document: AnyDocument, { shown }: Pick<Collection, 'shown'>): PackLines {
  const { description } = document;
  const extract = shorten(description);
  const text = extract === description ? '' : description.slice(0, DESCRIPTION_KEPT);
  const fields = document as unknown as Readonly<Record<string, unknown>>;
  return {
    shown: `${key}\t${JSON.stringify([...shown.map((name) => fields[name]), extract])}\n`,
    text: `${key}\t${JSON.stringify(text)}\n`,
  };
}

/** The bytes that are kept of some lines. Handing so little to another thread takes longer than doing it (measured). */
export function packLines(lines: string[]): Uint8Array {
  return deflateRawSync(lines.join(''), LEVEL);
}

/** The lines of a pack, as bytes: most are not wanted, and text costs more than looking for the one that is. */
export function unpack(bytes: Uint8Array): Buffer {
  return inflateRawSync(bytes, UNPACKING);
}

/** The lines of an unpacked pack without those of some keys. */
export function linesWithout(lines: Buffer, keys: ReadonlySet<number>): string[] {
  return lines
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !keys.has(Number(line.slice(0, line.indexOf('\t')))))
    .map((line) => `${line}\n`);
}

/** What a document's line says after its key; undefined where there is no such line. */
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
  // One by one: made of a list of pairs it takes four times as long.
  for (const [place, name] of shown.entries()) hit[name] = values[place];
  hit.extract = values.at(-1);
  return hit as unknown as AnyHit;
}

/** The description of a line; empty where the extract is all of it. */
export function readText(line: string): string {
  return JSON.parse(line) as string;
}
