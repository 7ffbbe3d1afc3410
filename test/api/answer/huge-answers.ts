import { z } from 'zod';
import type { Operation } from '../../../api/contract/operation.ts';

/** Characters of a text of a monster, and entries of an outer list that `limit` does not page; inner ones are shorter. */
export const LONG = 2_000;
const MANY = 40;

/** Texts of which a language model reads a token every few characters, or at each. */
export const DENSE: Readonly<Record<string, string>> = {
  capitals:
    'PROVISION OF INTEGRATED ENVIRONMENTAL MAINTENANCE SERVICES, LOT 7B (2026/2027) FOR ÎLE-DE-WIGHT & PARTNERS ',
  digests: '9f86d081884c7d659a2feaa0c55ad015 QmFzZTY0IGlzIG5vdCBwcm9zZQ+/xZ8kRt7vWq1Yp0LmN3hJ5g ',
  digits: '1 22 333 4444 55555 0.1 20 3 4 5 6 7 8 9 ',
  Chinese: '環境綜合維護服務採購公告第七標段龘靐齉爩麤灪籲鱻 ',
  signs: '🦑🧬🪆🫠𓀀𓁐𠀀𠜎 ',
  quotes: '"}]}\\n" <|x|> `` {"a":["b"]} ',
};
/** What publishers write freely; other texts of an answer are words of ours, codes or ids. */
const WRITTEN =
  /^(title|description|name|buyer|supplier|details|street|locality|extract|evidence|who_may_use|warnings|note|message)$/;
/** What comes on request, or where nothing was found. */
const ASKED = /^(highlight|facets|failover|synonyms|unknown_filters)$/;

/** An answer of a row, with all of everything that its schema has. */
export function makeMonster(operation: Operation, text: string): Record<string, unknown> {
  const { most = {} } = operation.shortening ?? {};
  const { limit } = operation.input.shape as { limit?: { def: { defaultValue?: number } } };
  const page = Number(operation.toolDefaults?.limit ?? limit?.def.defaultValue ?? 1);
  const entriesOf = (path: string) => {
    if ((most[path] ?? 0) >= 100) return page;
    return path === 'sources' ? 3 : MANY / path.split('.').length ** 2;
  };
  const make = (schema: unknown, path: string): unknown => {
    if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return make(schema.unwrap(), path);
    if (schema instanceof z.ZodArray) return Array.from({ length: entriesOf(path) }, () => make(schema.element, path));
    if (!(schema instanceof z.ZodObject)) return makeValue(schema, path.slice(path.lastIndexOf('.') + 1), text);
    const fields = Object.entries(schema.shape).filter(([name]) => !ASKED.test(name));
    return Object.fromEntries(fields.map(([name, inner]) => [name, make(inner, path ? `${path}.${name}` : name)]));
  };
  return make(operation.output, '') as Record<string, unknown>;
}

function makeValue(schema: unknown, key: string, text: string): unknown {
  if (schema instanceof z.ZodEnum) return schema.options.at(-1);
  if (schema instanceof z.ZodRecord) return { GBP: 1_327_084.9 };
  if (schema instanceof z.ZodBoolean) return true;
  if (schema instanceof z.ZodNumber) return 1_327_084;
  if (WRITTEN.test(key)) return text.repeat(Math.ceil(LONG / text.length)).slice(0, LONG);
  if (key.endsWith('url')) return `https://portal.example/advert/${'9aF-'.repeat(LONG / 4)}`;
  if (key.endsWith('cursor')) return 'eyJhIjoxfQ.c2lnbmVk'.repeat(4);
  if (/(^|_)ids?$/.test(key)) return 'GB-PPON-PMRV-9986-RTBM';
  return key === 'currency' ? 'GBP' : '2026-11-16';
}
