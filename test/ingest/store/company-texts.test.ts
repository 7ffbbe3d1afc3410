import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileCompanyTexts } from '../../../ingest/store/company-texts.ts';
import { companyAnswer, toCompanyAnswer } from '../../../schema/answers/company.ts';
import { readCompanyText, TEXT_EDITION } from '../../../schema/answers/company-text.ts';
import { readKnownCompany, readSicWordsOf } from '../../../schema/answers/known-company.ts';
import type { Database } from '../../../schema/db/interface.ts';
import codes from '../../../schema/reference/company-codes.json' with { type: 'json' };
import { sha256 } from '../../../schema/text/json-values.ts';
import { ask } from '../../support/client.ts';
import { buildSampleServer } from '../../support/sample-services.ts';
import type { BuiltServer } from '../../support/services.ts';

let server: BuiltServer;
let catalogue: Database;
let numbers: string[];
beforeAll(async () => {
  server = await buildSampleServer({ credits: 100_000, settings: { KEPT_ANSWERS_MB: '0' } });
  ({ catalogue } = server);
  const sql = "SELECT company_number AS number FROM company_answer WHERE text <> '' ORDER BY company_number";
  numbers = (await catalogue.read<{ number: string }>({ sql })).map(({ number }) => number);
});
afterAll(() => server.close());

const compile = (on = catalogue) => compileCompanyTexts({ catalogue: on, fence: null, log: pino({ level: 'silent' }) });
const numberOf = (at: number) => numbers[at] ?? '';

/** Statements that change what a text is made from. */
const CHANGES: [string, (number: string) => { sql: string; args: string[] }][] = [
  [
    'its supplier changes',
    (number) => ({ sql: "UPDATE company SET locality = 'X' WHERE company_number = ?", args: [number] }),
  ],
  ['its supplier goes', (number) => ({ sql: 'UPDATE company SET gone = 1 WHERE company_number = ?', args: [number] })],
  ['its supplier is dropped', (number) => ({ sql: 'DELETE FROM company WHERE company_number = ?', args: [number] })],
  [
    'its register row changes',
    (number) => ({
      sql: "UPDATE registered_company SET edition = '2030-01-01' WHERE company_number = ?",
      args: [number],
    }),
  ],
  [
    'its register row is dropped',
    (number) => ({ sql: 'DELETE FROM registered_company WHERE company_number = ?', args: [number] }),
  ],
  [
    'another supplier has its number',
    (number) => ({
      sql: `INSERT INTO company (id, name, name_key, company_number, digest, seq) VALUES ('x', 'X', 'x', ?, 'd', 1)`,
      args: [number],
    }),
  ],
];

async function makeText(number: string): Promise<string | undefined> {
  const known = await readKnownCompany(catalogue, number);
  return known && JSON.stringify(companyAnswer.parse(toCompanyAnswer(known, await readSicWordsOf(catalogue, known))));
}

const setText = (number: string, text = '') =>
  catalogue.write([{ sql: 'UPDATE company_answer SET text = ? WHERE company_number = ?', args: [text, number] }]);

async function askFor(number: string, query: string) {
  return (await ask(server.url, `/v1/companies/${number}${query}`, server.key)).body;
}

const creditsOf = ({ credits_remaining, charge_id }: Awaited<ReturnType<typeof askFor>>) => ({
  credits_remaining,
  charge_id,
});

describe('the text of a supplier', () => {
  it('is compiled by a run, for nearly all of them, and is the answer that would be made', async () => {
    const [held] = await catalogue.read<{ suppliers: number }>({
      sql: 'SELECT count(DISTINCT company_number) AS suppliers FROM company WHERE company_number IS NOT NULL AND gone = 0',
    });
    expect(numbers.length).toBeGreaterThan(0.8 * (held?.suppliers ?? 0));
    for (const number of numbers) expect(await readCompanyText(catalogue, number)).toBe(await makeText(number));
    expect(await compile()).toBe(0);
  });

  it('is what is served, whole or cut to a brief answer', async () => {
    const mark = 'as no answer would be made';
    await setText(
      numberOf(0),
      (await readCompanyText(catalogue, numberOf(0)))?.replace(/"name":"[^"]*"/, `"name":"${mark}"`),
    );
    const [whole, brief] = [await askFor(numberOf(0), ''), await askFor(numberOf(0), '?detail=brief')];
    expect([whole.name, whole.credits_charged]).toEqual([mark, 5]);
    expect([brief.name, brief.credits_charged, brief.names]).toEqual([mark, 5, undefined]);
  });

  it.each(['?detail=brief', '?detail=brief&fields=names,accounts.next_due'])(
    'answers %s as without it',
    async (query) => {
      for (const number of numbers.slice(-10)) {
        const text = await readCompanyText(catalogue, number);
        const ofText = await askFor(number, query);
        await setText(number, '');
        expect({ ...(await askFor(number, query)), ...creditsOf(ofText) }).toEqual(ofText);
        await setText(number, text);
      }
    },
  );

  it.each(CHANGES)('is gone in the commit in which %s, and is compiled again', async (what, change) => {
    const number = numberOf(1 + CHANGES.findIndex(([name]) => name === what));
    await catalogue.write([change(number)]);
    expect(await readCompanyText(catalogue, number)).toBeUndefined();
    expect(await compile()).toBe(1);
    const text = await readCompanyText(catalogue, number);
    expect([await makeText(number), undefined]).toContain(text);
  });

  it('is not stored where its supplier changed while it was compiled', async () => {
    const number = numberOf(10);
    const change = { sql: "UPDATE company SET locality = 'A' WHERE company_number = ?", args: [number] };
    await catalogue.write([change]);
    const overtaken: Database = {
      ...catalogue,
      async write(statements) {
        await catalogue.write([{ ...change, sql: change.sql.replace("'A'", "'B'") }]);
        overtaken.write = catalogue.write;
        return catalogue.write(statements);
      },
    };
    await compile(overtaken);
    expect(JSON.parse((await readCompanyText(catalogue, number)) ?? '{}').locality).toBe('B');
  });

  it('of another edition is not served, and is compiled again', async () => {
    await catalogue.write([
      { sql: 'UPDATE company_answer SET edition = edition - 1 WHERE company_number = ?', args: [numberOf(11)] },
    ]);
    expect(await readCompanyText(catalogue, numberOf(11))).toBeUndefined();
    expect(await compile()).toBe(1);
    expect(await readCompanyText(catalogue, numberOf(11))).toBeDefined();
  });

  it('that breaks its shape is left to be made, and ends no run', async () => {
    const detail = JSON.stringify({ also_known_as: [7] });
    await catalogue.write([
      { sql: 'UPDATE company SET detail = ? WHERE company_number = ?', args: [detail, numberOf(12)] },
    ]);
    expect(await compile()).toBe(1);
    expect(await readCompanyText(catalogue, numberOf(12))).toBeUndefined();
  });
});

it('an edition has one text of the same rows: raise TEXT_EDITION where this fails', async () => {
  const company = { id: 'GB-COH-01234567', name: 'A', company_number: '01234567', is_sme: 1, locality: 'Leeds' };
  const record = {
    sic_codes: [{ code: '42110', description: 'Roads' }],
    address_line_1: '1 Mill Lane',
    accounts: { category: 'SMALL' },
  };
  const profile = { company_status: 'active', type: 'ltd', accounts: { next_due: '2026-01-01' }, has_charges: false };
  const detail = {
    also_known_as: ['B'],
    identifiers: [{ scheme: 'GB-COH', id: '01234567' }],
    url: 'https://a.example',
  };
  const row = {
    ...company,
    postcode: 'LS1 1AA',
    contract_count: 2,
    framework_places: 1,
    detail: JSON.stringify(detail),
  };
  const registered = {
    ...company,
    status: 'Active',
    category: 'ltd',
    incorporated: '2001-02-03',
    edition: '2026-11-01',
    gone: 0,
  };
  const known = { ...registered, record, profile, profile_fetched_at: null };
  const listed = { ...known, profile: null };
  const everyWord = [
    ...Object.keys(codes.bulk_statuses).map((status) => ({ ...listed, status })),
    ...Object.keys(codes.bulk_categories).map((category) => ({ ...listed, category })),
  ];
  const texts = [known, ...everyWord].map((of) =>
    companyAnswer.parse(toCompanyAnswer({ company: row, registered: of } as never, new Map())),
  );
  expect({ edition: TEXT_EDITION, digest: sha256(JSON.stringify(texts)).slice(0, 12) }).toMatchInlineSnapshot(`
    {
      "digest": "4b374aa6a57a",
      "edition": 4,
    }
  `);
});
