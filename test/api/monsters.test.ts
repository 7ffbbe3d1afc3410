import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../api/operation.ts';
import { operations } from '../../api/operations/index.ts';
import type { BuiltHouse } from '../house.ts';
import { buildSampleHouse } from '../sample-house.ts';
import { callMcp, type Inputs, readReal } from './doors.ts';
import { countTokens, listDefaultCalls } from './tokens.ts';

/** Answers to a publisher who writes without end: texts of 5,000 characters, 400 suppliers, 400 lots, 400 documents. */

const ANSWER_MOST = 2_500;
const LONG = 5_000;
const MANY = 400;
const WORDS =
  'PROVISION OF INTEGRATED ENVIRONMENTAL MAINTENANCE SERVICES, LOT 7B (2026/2027) FOR ÎLE-DE-WIGHT & PARTNERS ';
/** What publishers write freely. */
const WRITTEN =
  /^(title|description|name|buyer|supplier|details|street|locality|extract|evidence|who_may_use|warnings)$/;

/** What a run found with every text of others made long, and every outer list long that `limit` does not page. */
function stretch(value: unknown, key: string, paged: readonly string[], many = MANY): unknown {
  if (typeof value === 'string') return WRITTEN.test(key) ? `${value} ${WORDS.repeat(60)}`.slice(0, LONG) : value;
  if (Array.isArray(value)) {
    const one = value.map((each) => stretch(each, key, paged, 1));
    return paged.includes(key) || one.length === 0
      ? one
      : Array.from({ length: Math.max(many, one.length) }, (_, at) => one[at % one.length]);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, stretch(each, name, paged, many)]));
}

function makeMonster(operation: Operation): Operation {
  const { most = {} } = operation.shortening ?? {};
  const paged = Object.keys(most)
    .filter((path) => (most[path] ?? 0) >= 100)
    .map((path) => path.split('.').at(-1) ?? '');
  return {
    ...operation,
    async run(...asked) {
      const found = await operation.run(...asked);
      if (found.kind === 'nothing' || !operation.shortening) return found;
      return { ...found, body: stretch(found.body, '', [...paged, 'sources']) as typeof found.body };
    },
  };
}

let house: BuiltHouse;
let real: Inputs;
beforeAll(async () => {
  house = await buildSampleHouse({ credits: 1_000_000, operations: operations.map(makeMonster) });
  real = await readReal(house);
}, 120_000);
afterAll(() => house.close());

describe('however much is published', () => {
  it.each(operations.map((row) => [row.name, row] as const))(
    `%s answers its defaults in fewer than ${ANSWER_MOST} tokens`,
    async (name, operation) => {
      for (const inputs of await listDefaultCalls(house, operation, real)) {
        const { ok, text } = await callMcp(house.url, `svc_${name}`, inputs, house.key);
        expect(ok, text.slice(0, 300)).toBe(true);
        expect(countTokens(text), `${JSON.stringify(inputs)} ${text.slice(0, 600)}`).toBeLessThan(ANSWER_MOST);
      }
    },
  );

  it('says what it left out, and gives it whole where it is named', async () => {
    const asked = { notice_id: real.notice_id };
    const brief = await callMcp(house.url, 'svc_get_notice', asked, house.key);
    expect(brief.body.left_out.title).toBeGreaterThan(LONG / 2);
    const whole = await callMcp(house.url, 'svc_get_notice', { ...asked, fields: 'title' }, house.key);
    expect(whole.body.title.length).toBe(brief.body.title.length - 1 + brief.body.left_out.title);
  });
});
