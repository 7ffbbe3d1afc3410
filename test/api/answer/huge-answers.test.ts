import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inputSchema } from '../../../api/answer/published-schema.ts';
import { checkFields, listFurtherFields, trimAnswer } from '../../../api/answer/trim.ts';
import type { Operation } from '../../../api/contract/operation.ts';
import { operations } from '../../../api/operations/index.ts';
import { countTokens } from '../tokens.ts';

/** Characters of a text of a monster, and entries of an outer list that `limit` does not page; inner ones are shorter. */
const LONG = 2_000;
const MANY = 40;

/** Texts of which a language model reads a token every few characters, or at each. */
const DENSE: Readonly<Record<string, string>> = {
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

const MARKED = `${'Household '.repeat(12)}<mark>waste</mark> ${'and recycling '.repeat(8)}`;
const INSTANT = '2026-11-16T23:59:59Z';

/** An answer of a row, with all of everything that its schema has. */
function makeMonster(operation: Operation, text: string): Record<string, unknown> {
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
  if (key.endsWith('_at')) return INSTANT;
  return key === 'currency' ? 'GBP' : '2026-11-16';
}

/** Answers to a publisher who writes without end, in every field that a row declares: long texts, long lists in long lists. */

/** For the 25 notices of a page, the fields that are never cut take 2,200 of them. */
const ANSWER_MAX = 2_600;
const CREDITS = { credits_charged: 100, credits_remaining: 1_000_000, charge_id: 'ch_01J00000000000000000000000' };
const shortened = operations.filter(({ shortening }) => shortening);

describe.each(Object.entries(DENSE))('however much is published: %s', (_script, text) => {
  it.each(shortened.map((row) => [row.name, row] as const))(
    `%s answers its defaults in fewer than ${ANSWER_MAX} tokens`,
    (_name, row) => {
      const brief = trimAnswer(row, makeMonster(row, text), { detail: 'brief', limit: row.toolDefaults?.limit });
      expect(Object.keys(brief.omitted_fields as object).length).toBeGreaterThan(0);
      expect(countTokens({ ...brief, ...CREDITS })).toBeLessThan(ANSWER_MAX);
    },
  );
});

/** A row and the longest of its answers. */
function whole(name: string) {
  const row = operations.find((each) => each.name === name);
  if (!row) throw new Error(`there is no ${name}`);
  return { row, body: makeMonster(row, 'services ') };
}

describe('a brief answer', () => {
  it('says what it left out, and gives it whole where it is named', () => {
    const { row, body } = whole('get_notice');
    const brief = trimAnswer(row, body, { detail: 'brief' });
    const { title } = brief.omitted_fields as Record<string, number>;
    expect(String(brief.title).length - 1 + Number(title)).toBe(LONG);
    expect(trimAnswer(row, body, { detail: 'brief', fields: 'title' }).title).toBe(body.title);
  });

  it.each(shortened.map((row) => [row.name, row] as const))('of %s loses nothing by fields', (_name, row) => {
    const fields = listFurtherFields(row);
    const few = makeMonster(row, 'services ');
    const brief = trimAnswer(row, few, { detail: 'brief' });
    const more = trimAnswer(row, few, { detail: 'brief', fields: fields.join(',') });
    expect(Object.keys(more)).toEqual(expect.arrayContaining(Object.keys(brief)));
    const { of = '' } = row.shortening ?? {};
    const [first] = ['', ...of.split('.')].filter(Boolean).reduce<unknown[]>(enter, [more]);
    for (const field of fields) expect(first).toHaveProperty(field);
    expect(trimAnswer(row, few, { detail: 'full', fields: fields[0] ?? '' })).toEqual(few);
    if (fields.length > 0)
      expect(String(inputSchema(row).properties?.fields?.description)).toContain(fields.join(', '));
  });

  it.each(shortened.map((row) => row.name))('of %s names the currency of each amount', (name) => {
    const { row, body } = whole(name);
    const brief = trimAnswer(row, body, { detail: 'brief' });
    expect(amountsWithoutCurrency(body)).toEqual(expect.arrayContaining(amountsWithoutCurrency(brief)));
  });

  it.each(['search_tenders', 'lookup_contract', 'company_profile'])(
    'of %s gives every path that omitted_fields names whole',
    (name) => {
      const { row, body } = whole(name);
      const paths = Object.keys(trimAnswer(row, body, { detail: 'brief' }).omitted_fields as object);
      for (const fields of paths) {
        expect(() => checkFields(row, { fields })).not.toThrow();
        const { omitted_fields = {} } = trimAnswer(row, body, { detail: 'brief', fields }) as Record<string, object>;
        expect(Object.keys(omitted_fields)).not.toContain(fields);
      }
    },
  );

  it('leaves names readable where ids make an answer long, which shorter names would hardly help', () => {
    const { row } = whole('buyer_contracts');
    const id = 'ocds-b5fd17-69049f4f-2b32-4555-bac1-32953f4ac1db-a-1';
    const item = { title: 'ITT FOR PROJECT 10039264', supplier: 'GENUS PLC' };
    const ids = { contract_id: id, notice_id: id, suppliers: [{ company_id: id, name: 'GENUS PLC' }] };
    const body = {
      ...makeMonster(row, 'x'),
      name: 'A',
      items: Array.from({ length: 20 }, () => ({ ...item, ...ids })),
    };
    const { items } = trimAnswer(row, body, { detail: 'brief' }) as { items: Record<string, string>[] };
    expect(items[0]).toMatchObject(item);
  });

  it('cuts no instant, no word of ours and no mark, and leaves some words of a title', () => {
    for (const { row, body } of ['search_tenders', 'search_notices', 'search_contracts'].map(whole)) {
      for (const item of body.items as object[]) Object.assign(item, { highlight: MARKED });
      const { items } = trimAnswer(row, body, { detail: 'brief' }) as { items: Record<string, string>[] };
      for (const { title, deadline_at: instant = INSTANT, counted_as: word = 'not_stated', highlight } of items) {
        expect([instant, word, highlight]).toEqual([INSTANT, 'not_stated', MARKED]);
        expect(title).toMatch(/^(services ){3,}/);
      }
    }
  });

  it('cuts no text and no list for less than a fifth of it', () => {
    const { row } = whole('lookup_buyer');
    const cut = (name: string, entries: number) => {
      const match = { method: 'x', score: 1, evidence: Array.from({ length: entries }, () => 'same number') };
      return trimAnswer(row, { name, match }, { detail: 'brief' }).omitted_fields;
    };
    expect([cut('x'.repeat(500), 6), cut('x'.repeat(502), 0), cut('x', 7)]).toEqual([
      undefined,
      { name: 102 },
      { 'match.evidence': 2 },
    ]);
  });

  it('names all joint winners of a contract up to ten, however long it is', () => {
    const { row, body } = whole('lookup_contract');
    const suppliers = (body.suppliers as unknown[]).slice(0, 10);
    const brief = trimAnswer(row, { ...body, suppliers, supplier_count: 10 }, { detail: 'brief' });
    expect(brief.suppliers).toHaveLength(10);
    const many = trimAnswer(row, body, { detail: 'brief' });
    expect([(many.suppliers as unknown[]).length, many.supplier_count]).toEqual([10, body.supplier_count]);
  });
});

function enter(things: unknown[], name: string): unknown[] {
  return things.flatMap((thing) => (thing as Record<string, unknown>)[name] ?? []).flat();
}

/** The amounts that no currency is next to. */
function amountsWithoutCurrency(node: unknown, path = ''): string[] {
  if (Array.isArray(node)) return amountsWithoutCurrency(node[0], path);
  if (typeof node !== 'object' || node === null) return [];
  const bare = 'currency' in node ? [] : ['value', 'stated_value', 'ceiling'].filter((name) => name in node);
  const inner = Object.entries(node).flatMap(([name, field]) => amountsWithoutCurrency(field, `${path}.${name}`));
  return [...bare.map((name) => `${path}.${name}`), ...inner];
}
