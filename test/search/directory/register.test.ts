import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import { type CompaniesAsk, type CompanyPage, listCompanies } from '../../../search/directory/companies.ts';
import { postcodeRanges } from '../../../search/directory/postcodes.ts';
import { loadRegister, saveRegister } from '../../../search/directory/register/file.ts';
import { followRegister } from '../../../search/directory/register/follow.ts';
import { readNamed } from '../../../search/directory/register/named.ts';
import { numberAt, placeOf } from '../../../search/directory/register/place.ts';
import { scanRegister } from '../../../search/directory/register/scan.ts';
import { makeDice } from '../../generated/draw.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { companyRow, registeredRow, seed } from '../../support/seed.ts';

const COMPANIES = 3_000;
const STATUSES = ['Active', 'Active', 'Active', 'Dissolved', 'Liquidation'] as const;
const CATEGORIES = ['GROUP', 'FULL', 'SMALL', 'MICRO ENTITY', ''] as const;
const POSTCODES = ['SW1A 1AA', 'M1 1AA', 'NE1 3DE'] as const;

interface Drawn {
  number: string;
  status: string;
  category: string;
  postcode: string;
  region: string;
  incorporated: string;
  codes: string[];
}

const dice = makeDice(23);
// Older codes have four digits.
const drawCode = (length: number) => String(10_000 + dice.below(90) * 1_000).slice(0, length);
const drawn: Drawn[] = Array.from({ length: COMPANIES }, (_, at) => {
  const serial = String((at + 1) * 37);
  const region = dice.below(POSTCODES.length);
  return {
    number: dice.chance(0.2) ? `SC${serial.padStart(6, '0')}` : serial.padStart(8, '0'),
    status: dice.pick(STATUSES),
    category: dice.pick(CATEGORIES),
    postcode: POSTCODES[region] ?? '',
    region: ['UKI', 'UKD', 'UKC'][region] ?? '',
    incorporated: `${1980 + dice.below(40)}-0${1 + dice.below(9)}-15`,
    codes: Array.from({ length: 1 + dice.below(3) }, () => drawCode(dice.pick([4, 5, 5]))),
  };
});

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
beforeAll(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  const rows = drawn.map(({ number, status, category, postcode, incorporated, codes }) =>
    registeredRow(number, `COMPANY ${number}`, {
      status,
      incorporated,
      postcode,
      record: { accounts: { category }, sic_codes: codes.map((code) => ({ code })), previous_names: [] },
    }),
  );
  await seed(catalogue, ...rows, { sql: "UPDATE counter SET value = 1 WHERE name = 'seq'" });
});
afterAll(async () => {
  await catalogue.close();
  await folder.remove();
});

async function plansOf(statements: readonly Statement[]): Promise<string[]> {
  const rows = await Promise.all(
    statements.map(({ sql, args = [] }) =>
      catalogue.read<{ detail: string }>({ sql: `EXPLAIN QUERY PLAN ${sql}`, args }),
    ),
  );
  return rows.flat().map(({ detail }) => detail);
}

async function list(asked: Omit<CompaniesAsk, 'limit'>, limit = 100): Promise<NonNullable<CompanyPage>> {
  const page = await listCompanies(catalogue, { ...asked, limit });
  if (!page) throw new Error('the register is being read');
  return page;
}

const draw = <T>(share: number, value: T): T | undefined => (dice.chance(share) ? value : undefined);

describe('the register as columns', () => {
  it.each(['00000001', '12345678', 'SC000015', 'IP12345R', 'R0000123', 'NI00000A', 'RC00ABCD'])(
    'gives %s a place of its own and finds it there',
    (number) => {
      const { key, low } = placeOf(number);
      expect(numberAt(key, low)).toBe(number);
    },
  );

  it('lists by any combination of filters what a scan of every row finds', async () => {
    for (let asked = 0; asked < 150; asked++) {
      const wish = {
        status: draw(0.5, [dice.pick(['active', 'dissolved', 'liquidation'] as const)]),
        region: draw(0.4, [dice.pick(['UKI', 'UKD', 'UKC'] as const)]),
        postcode: draw(0.3, [dice.pick(['M', 'NE1', 'NE1 3', 'SW1A 1AA'] as const)]),
        sic: draw(0.5, [String(1 + dice.below(9)), drawCode(2 + dice.below(4))]),
        incorporated_from: draw(0.3, `${1980 + dice.below(40)}-05-15`),
        incorporated_to: draw(0.3, `${1990 + dice.below(40)}-05-15`),
      };
      const wanted = drawn.filter((one) => isWanted(one, wish)).sort(byOrder);
      const { entries, total } = await list(wish, 7);
      expect({ wish, total, ids: entries.map(({ id }) => id) }).toEqual({
        wish,
        total: wanted.length,
        ids: wanted.slice(0, 7).map(({ number }) => `GB-COH-${number}`),
      });
    }
  });

  it('pages through all of them without a repeat', async () => {
    const paged: string[] = [];
    let after: CompaniesAsk['after'];
    do {
      const page = await list({ region: ['UKI'], after });
      paged.push(...page.entries.map(({ id }) => id));
      after = page.next ?? undefined;
    } while (after);
    const wanted = drawn.filter(({ region }) => region === 'UKI').sort(byOrder);
    expect(paged).toEqual(wanted.map(({ number }) => `GB-COH-${number}`));
  });

  it('reads names that begin as a query does from indexes alone', async () => {
    const asked: Statement[] = [];
    const { register, reached } = await loadRegister(catalogue, undefined);
    await followRegister(catalogue, register, reached).step();
    const watched: Database = {
      ...catalogue,
      read: (statement) => {
        asked.push(statement);
        return catalogue.read(statement);
      },
    };
    const { levels, isCut } = await readNamed(watched, register, 'company');
    expect([levels[1]?.length, isCut]).toEqual([COMPANIES, false]);
    const plans = (await plansOf(asked)).filter((plan) => /registered_company|previous_name/.test(plan));
    expect(plans).toHaveLength(4);
    expect(plans.filter((plan) => !plan.includes('USING COVERING INDEX'))).toEqual([]);
  });

  it('is kept in a file, which another catalogue or a broken file makes no use of', async () => {
    const empty = await loadRegister(catalogue, folder.path);
    const follower = followRegister(catalogue, empty.register, empty.reached);
    while ((await follower.step()).isMore);
    await saveRegister(catalogue, folder.path, empty.register, follower.reached());
    const all = { isWanted: () => true };
    const kept = await loadRegister(catalogue, folder.path);
    expect(kept.reached).toEqual(follower.reached());
    expect(scanRegister(kept.register, all, 50).total).toBe(COMPANIES);
    for (const wish of [all, { ...all, postcodes: postcodeRanges(['M1']) }])
      expect(scanRegister(kept.register, wish, 50)).toEqual(scanRegister(empty.register, wish, 50));
    const other = await makeFolder();
    const fresh = await makeDatabase(other.path, 'catalogue');
    expect((await loadRegister(fresh, folder.path)).reached.seq).toBe(-1);
    await fresh.close();
    await other.remove();
    await writeFile(join(folder.path, 'register.columns'), 'broken');
    expect((await loadRegister(catalogue, folder.path)).reached.seq).toBe(-1);
  });
});

function isWanted(
  { status, postcode, region, codes, incorporated }: Drawn,
  wish: Omit<CompaniesAsk, 'limit'>,
): boolean {
  return (
    (!wish.status || wish.status.includes(status.toLowerCase())) &&
    (!wish.region || wish.region.includes(region)) &&
    (!wish.postcode || wish.postcode.some((one) => postcode.startsWith(one))) &&
    (!wish.sic || codes.some((code) => wish.sic?.some((one) => code.startsWith(one)))) &&
    incorporated >= (wish.incorporated_from ?? '') &&
    incorporated <= (wish.incorporated_to ?? '~')
  );
}

function byOrder(a: Drawn, b: Drawn): number {
  const [x, y] = [a, b].map(({ status, category }) => {
    const size = category === '' ? 9 : CATEGORIES.indexOf(category as (typeof CATEGORIES)[number]);
    return (status === 'Active' ? 0 : 100) + size;
  });
  return (x ?? 0) - (y ?? 0) || (a.number < b.number ? -1 : 1);
}

describe('companies of the register that a query finds', () => {
  it('are paged in the order of their numbers, letters within them too, each once', async () => {
    const own = await makeFolder();
    const few = await makeDatabase(own.path, 'catalogue');
    // By their places those with a letter would come after all others of the same beginning.
    const numbers = ['IP00012R', 'IP001234', 'IP00013R', 'IP000121', '00012345', 'SC000123', '1234567'];
    const all = numbers.map((number) => registeredRow(number, 'SAME NAME', { status: 'Active' }));
    await seed(few, ...all, { sql: "UPDATE counter SET value = 1 WHERE name = 'seq'" });
    for (const query of ['same', 'same name', 'IP000']) {
      const paged: string[] = [];
      let after: CompaniesAsk['after'];
      do {
        const page = await listCompanies(few, { query, limit: 2, after });
        paged.push(...(page?.entries ?? []).map(({ company_number: number }) => number ?? ''));
        after = page?.next ?? undefined;
        expect(page?.total).toBe(query === 'IP000' ? 3 : numbers.length);
      } while (after);
      expect(paged).toEqual(numbers.filter((one) => query !== 'IP000' || one.startsWith(query)).sort());
    }
    await few.close();
    await own.remove();
  });
});

describe('the list of suppliers and the register', () => {
  it('are each read once, and a supplier again when its company changes later', async () => {
    const own = await makeFolder();
    const few = await makeDatabase(own.path, 'catalogue');
    const number = '00000037';
    const company = (status: string, seq: number) => registeredRow(number, 'ONE LTD', { status, seq });
    await seed(
      few,
      companyRow(`GB-COH-${number}`, 'One Ltd', { company_number: number, contract_count: 1 }),
      company('Active', 1),
    );
    const again: Statement[] = [];
    const watched: Database = {
      ...few,
      read: (statement) => {
        if (statement.sql.includes('c.company_number IN')) again.push(statement);
        return few.read(statement);
      },
    };
    const active = async () => (await listCompanies(watched, { status: ['active'], won: true, limit: 10 }))?.total;
    await expect.poll(active).toBe(1);
    expect(again).toEqual([]);
    await few.write([
      { sql: 'DELETE FROM registered_company', args: [] },
      company('Dissolved', 2),
      { sql: "UPDATE counter SET value = 2 WHERE name = 'seq'", args: [] },
    ]);
    await expect.poll(active).toBe(0);
    expect(again.map(({ args }) => args)).toEqual([[JSON.stringify([number])]]);
    await few.close();
    await own.remove();
  });
});
