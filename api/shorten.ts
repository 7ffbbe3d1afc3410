import { z } from 'zod';
import { InvalidInput } from './invalid-input.ts';
import type { Operation } from './operation.ts';

type Body = Record<string, unknown>;

/** One answer on its way to fewer fields. */
interface Cut {
  keep: ReadonlySet<string>;
  most: Readonly<Record<string, number>>;
  /** The paths of the fields that were named; null where none were. */
  named: ReadonlySet<string> | null;
  of: string;
  isBrief: boolean;
  leftOut: Record<string, number>;
}

const MOST = 5;
/** Characters of a free text in a brief answer. */
const TEXT_MOST = 600;
const TEXTS: ReadonlySet<string> = new Set(['description', 'details', 'who_may_use']);

/** Refuses `fields` that the answer does not have. @throws InvalidInput naming those that can be had. */
export function checkFields({ output, shortening }: Operation, { fields }: Body): void {
  if (!shortening || typeof fields !== 'string') return;
  const known = Object.keys(shapeAt(output, shortening.of ?? ''));
  const unknown = namesIn(fields).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const expected = known.join(', ');
  const msg = `unknown: ${unknown.join(', ').slice(0, 200)}; known are ${expected}`;
  throw new InvalidInput({ path: ['fields'], msg, type: 'literal_error', input: fields, ctx: { expected } });
}

/**
 * An answer as `detail` and `fields` of its input want it. Brief: only those optional fields that the row keeps, or that
 * are named, with long lists and texts cut; `left_out` says of each how many entries or characters. What is named comes whole.
 */
export function shorten({ output, shortening }: Operation, body: Body, { detail, fields }: Body): Body {
  const isBrief = detail === 'brief';
  if (!shortening || (!isBrief && typeof fields !== 'string')) return body;
  const { of = '', keep, most = {} } = shortening;
  const named = typeof fields === 'string' ? new Set(namesIn(fields).map((name) => join(of, name))) : null;
  const cut: Cut = { keep: new Set(keep), most, named, of, isBrief, leftOut: {} };
  const short = cutObject(output, body, '', cut);
  return Object.keys(cut.leftOut).length > 0 ? { ...short, left_out: cut.leftOut } : short;
}

function cutObject(schema: z.ZodObject, body: Body, path: string, cut: Cut): Body {
  const short: Body = {};
  for (const [name, value] of Object.entries(body)) {
    const field = schema.shape[name] as z.ZodType | undefined;
    const at = join(path, name);
    if (field && isWanted(field, at, path, cut)) short[name] = cutValue(bare(field), value, at, cut);
  }
  return short;
}

function isWanted(field: z.ZodType, at: string, path: string, { named, of, isBrief, keep }: Cut): boolean {
  if (!(field instanceof z.ZodOptional)) return true;
  if (named && path === of) return named.has(at);
  return !isBrief || keep.has(at);
}

function cutValue(schema: z.ZodType, value: unknown, at: string, cut: Cut): unknown {
  if (cut.named?.has(at) || value === null) return value;
  if (schema instanceof z.ZodObject) return cutObject(schema, value as Body, at, cut);
  if (schema instanceof z.ZodArray) return cutList(bare(schema.element as z.ZodType), value as unknown[], at, cut);
  return typeof value === 'string' && cut.isBrief ? cutText(value, at, cut) : value;
}

function cutList(element: z.ZodType, list: unknown[], at: string, cut: Cut): unknown[] {
  const most = cut.isBrief ? (cut.most[at] ?? MOST) : Number.POSITIVE_INFINITY;
  const kept = most < 0 ? list.slice(most) : list.slice(0, most);
  if (kept.length < list.length) cut.leftOut[at] = (cut.leftOut[at] ?? 0) + list.length - kept.length;
  return kept.map((item) => cutValue(element, item, at, cut));
}

function cutText(text: string, at: string, { leftOut }: Cut): string {
  if (text.length <= TEXT_MOST || !TEXTS.has(at.slice(at.lastIndexOf('.') + 1))) return text;
  leftOut[at] = (leftOut[at] ?? 0) + text.length - TEXT_MOST;
  return `${text.slice(0, TEXT_MOST)}…`;
}

/** The fields of the object, or of the items of the list, that a path leads to. */
function shapeAt(output: z.ZodObject, path: string): Record<string, unknown> {
  let schema: z.ZodType = output;
  for (const name of path.split('.').filter(Boolean)) {
    if (schema instanceof z.ZodObject) schema = bare(schema.shape[name] as z.ZodType);
    if (schema instanceof z.ZodArray) schema = bare(schema.element as z.ZodType);
  }
  return schema instanceof z.ZodObject ? schema.shape : {};
}

function bare(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return bare(schema.unwrap() as z.ZodType);
  return schema;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function namesIn(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}
