import type { SchemaElement } from 'hyparquet';
import type { Cell, ExportColumn } from '../../schema/accounts/exports/datasets.ts';
import type { Leaf, Shape } from '../../schema/accounts/exports/json-shapes.ts';

type Type = Pick<SchemaElement, 'type' | 'converted_type'>;

const DAY_MS = 86_400_000;
const WHOLE_MOST = 2 ** 31;

const TYPES: Record<Leaf | 'instant', Type> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  flag: { type: 'BOOLEAN' },
  whole: { type: 'INT32' },
  number: { type: 'DOUBLE' },
  day: { type: 'INT32', converted_type: 'DATE' },
  instant: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
};

/** A column's part of a Parquet schema. JSON without a shape is text. */
export function toElements({ name, kind, shape }: ExportColumn): SchemaElement[] {
  return shape ? shapeElements(name, shape) : [leafElement(name, kind === 'json' ? 'text' : kind)];
}

function leafElement(name: string, kind: keyof typeof TYPES): SchemaElement {
  return { name, repetition_type: 'OPTIONAL', ...TYPES[kind] };
}

function shapeElements(name: string, shape: Shape): SchemaElement[] {
  if (typeof shape === 'string') return [leafElement(name, shape)];
  const group = { name, repetition_type: 'OPTIONAL' } as const;
  if ('list' in shape) {
    const repeated = { name: 'list', repetition_type: 'REPEATED', num_children: 1 } as const;
    return [{ ...group, converted_type: 'LIST', num_children: 1 }, repeated, ...shapeElements('element', shape.list)];
  }
  if ('byKey' in shape) {
    const repeated = { name: 'key_value', repetition_type: 'REPEATED', num_children: 2 } as const;
    const key = { name: 'key', repetition_type: 'REQUIRED', ...TYPES.text } as const;
    const outer = { ...group, converted_type: 'MAP', num_children: 1 } as const;
    return [outer, repeated, key, ...shapeElements('value', shape.byKey)];
  }
  const fields = Object.entries(shape.fields);
  return [{ ...group, num_children: fields.length }, ...fields.flatMap(([field, of]) => shapeElements(field, of))];
}

/** A cell as the writer takes it. @throws Error where a date is none. */
export function toPhysical(cell: Cell, { kind, shape }: ExportColumn): unknown {
  if (typeof cell !== 'string') return cell;
  if (shape) return toShape(JSON.parse(cell), shape);
  if (kind === 'day') return toMs(cell) / DAY_MS;
  return kind === 'instant' ? BigInt(toMs(cell)) : cell;
}

/** What its type cannot hold is null. */
function toShape(value: unknown, shape: Shape): unknown {
  if (value === null || value === undefined) return null;
  if (typeof shape === 'string') return toLeaf(value, shape);
  if ('list' in shape) return Array.isArray(value) ? value.map((member) => toShape(member, shape.list)) : null;
  if (typeof value !== 'object' || Array.isArray(value)) return null;
  const held = value as Record<string, unknown>;
  const shapes =
    'fields' in shape ? Object.entries(shape.fields) : Object.keys(held).map((key) => [key, shape.byKey] as const);
  return Object.fromEntries(shapes.map(([name, of]) => [name, toShape(held[name], of)]));
}

function toLeaf(value: unknown, leaf: Leaf): unknown {
  switch (leaf) {
    case 'text':
      return typeof value === 'string' ? value : JSON.stringify(value);
    case 'flag':
      return typeof value === 'boolean' ? value : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'whole':
      return Number.isInteger(value) && Math.abs(value as number) < WHOLE_MOST ? value : null;
    case 'day': {
      const ms = Date.parse(String(value));
      return Number.isNaN(ms) ? null : Math.floor(ms / DAY_MS);
    }
  }
}

function toMs(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new Error(`not a date: ${text}`);
  return ms;
}
