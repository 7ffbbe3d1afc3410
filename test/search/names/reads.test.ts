import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import { findBuyer } from '../../../search/names/buyers.ts';
import { findCompany } from '../../../search/names/companies.ts';
import { limitConcurrency } from '../../../search/names/neighbours.ts';
import { fillNames } from '../../generated/names/fill.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

const NAMES = 3_000;
/** Neighbours in three tables, slips of 24 places at twenty to a read, and the rows of the nearest. */
const READS_MAX = 100;

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
let asked: Statement[] = [];

beforeAll(async () => {
  folder = await makeFolder();
  const database = await makeDatabase(folder.path, 'catalogue');
  await fillNames(database, NAMES, 10);
  catalogue = {
    ...database,
    read: (statement) => {
      asked.push(statement);
      return database.read(statement);
    },
  };
});
afterAll(async () => {
  await catalogue.close();
  await folder.remove();
});

async function plansOf(statements: readonly Statement[]): Promise<string[]> {
  const plans = await Promise.all(
    statements.map(({ sql, args = [] }) =>
      catalogue.read<{ detail: string }>({ sql: `EXPLAIN QUERY PLAN ${sql}`, args }),
    ),
  );
  return plans.flat().map(({ detail }) => detail);
}

describe('what a name costs', () => {
  it.each(['J Smyth Consulting', 'The Global Solution Group of England', 'x', 'Management Company', 'a'.repeat(300)])(
    'few reads, each by an index, for %s',
    async (name) => {
      asked = [];
      await findCompany(catalogue, name);
      await findBuyer(catalogue, name);
      expect(asked.length).toBeLessThan(READS_MAX);
      const plans = await plansOf([...new Map(asked.map((one) => [one.sql, one])).values()]);
      expect(
        plans.filter((plan) => /^SCAN (?:company|registered_company|previous_name|buyer|p|r)\b/.test(plan)),
      ).toEqual([]);
    },
  );

  it('names next to the given one are read from the index alone', async () => {
    asked = [];
    await findCompany(catalogue, 'J Smyth Consulting');
    const plans = await plansOf(asked.filter(({ sql }) => sql.includes('ORDER BY name_key')));
    const indexed = plans.filter((plan) => /(?:company|previous_name) USING/.test(plan));
    expect(indexed.length).toBe(6);
    expect(indexed.every((plan) => plan.includes('USING COVERING INDEX'))).toBe(true);
  });
});

describe('few at once', () => {
  it('lets no more go on at one thing, the rest in their order, also where one fails', async () => {
    const fewAtOnce = limitConcurrency(2);
    const begun: number[] = [];
    let running = 0;
    let most = 0;
    const work = async (number: number) => {
      begun.push(number);
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      if (number === 1) throw new Error('one fails');
      return number;
    };
    const all = await Promise.allSettled([0, 1, 2, 3, 4].map((number) => fewAtOnce('a', () => work(number))));
    expect(most).toBe(2);
    expect(begun).toEqual([0, 1, 2, 3, 4]);
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  });
});
