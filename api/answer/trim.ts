import { z } from 'zod';
import { memoiseByObject } from '../../schema/text/memoise.ts';
import { beginning, InvalidInput } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import { estimateTokens, lengthWithin } from './estimate-tokens.ts';

type Body = Record<string, unknown>;

/** One answer that is being reduced to fewer fields. */
interface Cut {
  keep: ReadonlySet<string>;
  most: Readonly<Record<string, number>>;
  /** Lists up to this length stay whole, however long the answer is. */
  whole: Readonly<Record<string, number>>;
  /** The paths of the requested fields. */
  named: ReadonlySet<string>;
  caps: Caps;
  omitted: Record<string, number>;
}

/** Entries of a list in a brief answer, where its row does not say otherwise. */
const LIST_MAX = 5;
/** A cut that saves less of a text or a list than this is not worth a second call. */
const SAVED_MIN = 0.2;
const TEXTS: ReadonlySet<string> = new Set(
  'description additional_information award_criteria_text selection_criteria_text minimum guarantees performance_terms financial_terms procedure_features accelerated_reason risks recurrence what_changed engagement details who_may_use'.split(
    ' ',
  ),
);
/** Values that are useless in part, or broken as a mark that is not closed; addresses only up to a usual length. */
const UNCUT = /(?:^|_)(?:id|ids|cursor|number)$|^highlight$/;
const URL_FIELD = /(?:^|_)url$/;
const URL_MAX = 300;
/** Dates, instants, codes and our own words. */
const CODE = /^(?:[\x20-\x7e]{0,16}|\d{4}-\d\d-\d\dT[\d:.]+Z)$/;
/** No text is cut below these: some words of prose, which cost as much as a few letters of a denser script. */
const LEAST = { tokens: 8, chars: 40 };

/** Most characters of a free text and of a name or title, and most entries of a list that `limit` does not page. */
interface Caps {
  text: number;
  name: number;
  list: number;
}

/** Brief answers are cut by the first of these that fits them into the budget. */
const CAPS: readonly [Caps, ...Caps[]] = [
  { text: 600, name: 400, list: Number.POSITIVE_INFINITY },
  { text: 300, name: 160, list: 5 },
  { text: 150, name: 80, list: 3 },
  { text: 100, name: 56, list: 2 },
  { text: 75, name: 40, list: 2 },
  { text: 50, name: 30, list: 1 },
  { text: 40, name: 22, list: 1 },
  { text: 30, name: 16, list: 1 },
  { text: 8, name: 4, list: 1 },
];
/** A name shorter than this often no longer says whose it is: shorter ones have to save this part of the answer. */
const READABLE = { chars: 40, saved: 0.05 };
/** For a brief answer with one default page, without its credit fields. */
const BUDGET_TOKENS = 2_400;
/** A list whose brief form has at least this length is paged by `limit`, and stays whole. */
const PAGED = 100;

/** Refuses `fields` that the answer does not have. @throws InvalidInput with the available ones. */
export function checkFields({ output, shortening }: Operation, { fields }: Body): void {
  if (!shortening || typeof fields !== 'string') return;
  const { of = '' } = shortening;
  const known = Object.keys(shapeAt(output, of));
  const unknown = namesIn(fields).filter((name) => pathOf(output, of, name) === null);
  if (unknown.length === 0) return;
  const expected = known.join(', ');
  const msg = `unknown: ${unknown.join(', ').slice(0, 200)}; known are ${expected}`;
  throw new InvalidInput({ path: ['fields'], msg, type: 'literal_error', input: fields, ctx: { expected } });
}

/** The fields that `fields` can add to a brief answer, by the names that it accepts. */
export function listFurtherFields({ output, shortening }: Operation): string[] {
  if (!shortening) return [];
  const { of = '', keep } = shortening;
  const optional = Object.entries(shapeAt(output, of)).filter(([, field]) => field instanceof z.ZodOptional);
  return optional.map(([name]) => name).filter((name) => !keep.includes(join(of, name)));
}

/**
 * An answer in the detail that its input requests. A brief one has only the optional fields that the row keeps. Its long lists
 * and texts are cut, more the longer the answer is. `omitted_fields` says how many entries or characters of each were left out.
 * Fields named in `fields` are added whole; nothing is removed for them.
 */
export function trimAnswer(operation: Operation, body: Body, { detail, fields, limit }: Body): Body {
  const { output, shortening } = operation;
  if (!shortening || detail !== 'brief') return body;
  const { of = '', keep, most = {}, whole = {} } = shortening;
  const needed = shortening.keepFor?.(body) ?? [];
  const names = typeof fields === 'string' ? namesIn(fields) : [];
  const named = new Set(names.map((name) => pathOf(output, of, name) ?? name));
  const cut = { keep: new Set([...keep, ...needed, ...[...named].flatMap(waysTo)]), most, whole, named };
  const budget = BUDGET_TOKENS * Math.max(1, Number(limit ?? 0) / pageOf(operation));
  let readable = { body: {} as Body, tokens: Number.POSITIVE_INFINITY };
  let shortest = readable;
  for (const caps of CAPS) {
    const omitted: Record<string, number> = {};
    const short = cutValue(readShape(output), body, '', { ...cut, caps, omitted }) as Body;
    if (Object.keys(omitted).length > 0) short.omitted_fields = omitted;
    shortest = { body: short, tokens: estimateTokens(short) };
    if (caps.name >= READABLE.chars) readable = shortest;
    if (shortest.tokens <= budget) break;
  }
  // Ids may be most of an answer: then names would be lost for little.
  return shortest.tokens <= readable.tokens * (1 - READABLE.saved) ? shortest.body : readable.body;
}

/** The JSON text of an answer in the detail that its input requests; the same text where that is the whole of it. */
export function trimText(operation: Operation, text: string, input: Body): string {
  return input.detail === 'brief' ? JSON.stringify(trimAnswer(operation, JSON.parse(text), input)) : text;
}

/** Entries of a default page of the tool. */
function pageOf({ input, toolDefaults }: Operation): number {
  const { limit } = input.shape as { limit?: z.ZodType };
  return Number(toolDefaults?.limit ?? (limit instanceof z.ZodDefault ? limit.def.defaultValue : 1));
}

/** What a cut needs to know of a value's schema, as reading a schema takes long. */
interface Shape {
  isOptional: boolean;
  /** Whether it is one of our own words. */
  isWord: boolean;
  /** Of an object. */
  fields?: ReadonlyMap<string, Shape>;
  /** Of a list. */
  element?: Shape;
}

const readShape = memoiseByObject((schema: z.ZodType): Shape => {
  const value = bare(schema);
  const isWord = value instanceof z.ZodEnum || value instanceof z.ZodLiteral;
  const own = { isOptional: schema instanceof z.ZodOptional, isWord };
  if (value instanceof z.ZodArray) return { ...own, element: readShape(value.element as z.ZodType) };
  if (!(value instanceof z.ZodObject)) return own;
  const fields = Object.entries(value.shape).map(([name, field]) => [name, readShape(field as z.ZodType)] as const);
  return { ...own, fields: new Map(fields) };
});

function cutObject(fields: ReadonlyMap<string, Shape>, body: Body, path: string, cut: Cut): Body {
  const short: Body = {};
  for (const name in body) {
    const shape = fields.get(name);
    const at = join(path, name);
    if (!shape || (shape.isOptional && !cut.keep.has(at))) continue;
    const value = cutValue(shape, body[name], at, cut);
    // An object that keeps nothing says nothing.
    const isEmpty = shape.isOptional && shape.fields && value !== null && Object.keys(value as Body).length === 0;
    if (!isEmpty) short[name] = value;
  }
  return short;
}

function cutValue({ isWord, fields, element }: Shape, value: unknown, at: string, cut: Cut): unknown {
  if (cut.named.has(at) || value === null) return value;
  if (fields) return cutObject(fields, value as Body, at, cut);
  if (element) return cutList(element, value as unknown[], at, cut);
  return typeof value === 'string' && !isWord ? cutText(value, at, cut) : value;
}

function cutList(element: Shape, list: unknown[], at: string, cut: Cut): unknown[] {
  const most = mostOf(at, cut);
  const cutTo = most < 0 ? list.slice(most) : list.slice(0, most);
  const shown = isWorthIt(cutTo, list) ? cutTo : list;
  if (shown.length < list.length) cut.omitted[at] = (cut.omitted[at] ?? 0) + list.length - shown.length;
  return shown.map((item) => cutValue(element, item, at, cut));
}

function isWorthIt(cut: { length: number }, whole: { length: number }): boolean {
  return cut.length <= whole.length * (1 - SAVED_MIN);
}

function mostOf(at: string, { most, whole, caps }: Cut): number {
  if (whole[at] !== undefined) return whole[at];
  const own = most[at] ?? LIST_MAX;
  if (own >= PAGED) return own;
  return own < 0 ? Math.max(own, -caps.list) : Math.min(own, caps.list);
}

function cutText(text: string, at: string, { omitted, caps }: Cut): string {
  const field = at.slice(at.lastIndexOf('.') + 1);
  const most = charsMaxOf(field, caps);
  if (text.length <= most || UNCUT.test(field) || CODE.test(text)) return text;
  const least = most < LEAST.chars ? lengthWithin(text.slice(0, LEAST.chars), LEAST.tokens) : 0;
  const clipped = clip(text, Math.max(most, least));
  if (!isWorthIt(clipped, text)) return text;
  omitted[at] = (omitted[at] ?? 0) + text.length - clipped.length + 1;
  return clipped;
}

function charsMaxOf(field: string, caps: Caps): number {
  if (URL_FIELD.test(field)) return URL_MAX;
  return TEXTS.has(field) ? caps.text : caps.name;
}

/** The beginning of a text longer than `most` characters, with a sign that it was cut. */
export function clip(text: string, most: number): string {
  return text.length > most ? `${beginning(text, most)}…` : text;
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

/** The path of a named field: among those that `fields` offers, otherwise its path in the answer; null where there is none. */
function pathOf(output: z.ZodObject, of: string, name: string): string | null {
  if (Object.hasOwn(shapeAt(output, of), name)) return join(of, name);
  const dot = name.lastIndexOf('.');
  return Object.hasOwn(shapeAt(output, name.slice(0, Math.max(0, dot))), name.slice(dot + 1)) ? name : null;
}

/** A path and all its parents. */
function waysTo(path: string): string[] {
  const names = path.split('.');
  return names.map((_, at) => names.slice(0, at + 1).join('.'));
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
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);
}
