import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import { type CompaniesAsk, listCompanies } from '../../../search/directory/companies.ts';
import { makeDice } from '../../generated/draw.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { companyRow, contractRows, registeredRow, seed, supplier } from '../../support/seed.ts';

const SUPPLIERS = 300;
const WORDS = ['north', 'premier', 'care', 'caretaker', 'blue', 'works', 'group'] as const;
const PLACES = { 'SW1A 1AA': 'UKI', 'M1 1AA': 'UKD', 'NE1 3DE': 'UKC' } as const;
const POSTCODES = ['SW1A 1AA', 'M1 1AA', 'NE1 3DE'] as const;
const STATUSES = ['Active', 'Active', 'Dissolved', 'Liquidation'] as const;
const CODES = ['45000000', '45200000', '72000000', '72250000', '90911000'] as const;

interface Won {
  day: string;
  cpv: string;
  value: number;
}

interface Drawn {
  id: string;
  number: string;
  name: string;
  postcode: keyof typeof PLACES;
  status: (typeof STATUSES)[number];
  sme: boolean | null;
  incorporated: string;
  sic: string[];
  won: Won[];
}

const dice = makeDice(41);
const someDay = () => `20${10 + dice.below(15)}-0${1 + dice.below(9)}-1${dice.below(9)}`;
const drawn = Array.from({ length: SUPPLIERS }, (_, at): Drawn => drawSupplier(String((at + 1) * 31).padStart(8, '0')));

function drawSupplier(number: string): Drawn {
  return {
    id: `GB-COH-${number}`,
    number,
    name: Array.from({ length: 1 + dice.below(3) }, () => dice.pick(WORDS)).join(' '),
    postcode: dice.pick(POSTCODES),
    status: dice.pick(STATUSES),
    sme: dice.pick([true, false, null]),
    incorporated: someDay(),
    sic: Array.from({ length: dice.below(3) }, () => String(10_000 + dice.below(90) * 1_000)),
    won: Array.from({ length: dice.below(4) }, () => ({
      day: someDay(),
      cpv: dice.pick(CODES),
      value: 1_000 * (1 + dice.below(50)),
    })),
  };
}

function rowsOf(one: Drawn, seq: number): Statement[] {
  const { id, number, name, postcode, status, sme, incorporated, sic, won } = one;
  const worth = won.reduce((sum, { value }) => sum + value, 0);
  const totals = JSON.stringify({ sum: { GBP: { value: worth } } });
  const facts = { company_number: number, is_sme: sme === null ? null : Number(sme), contract_count: won.length };
  const record = { accounts: {}, sic_codes: sic.map((code) => ({ code })), previous_names: [] };
  return [
    { sql: 'DELETE FROM company WHERE id = ?', args: [id] },
    { sql: 'DELETE FROM registered_company WHERE company_number = ?', args: [number] },
    { sql: 'DELETE FROM contract WHERE process_id LIKE ?', args: [`p-${number}-%`] },
    { sql: 'DELETE FROM contract_supplier WHERE company_id = ?', args: [id] },
    companyRow(id, name, { ...facts, totals, seq }),
    registeredRow(number, name, { status, postcode, incorporated, record, seq }),
    ...won.flatMap(({ day, cpv }, at) =>
      contractRows(`p-${number}-${at}/1`, [supplier(id, name)], {
        sort_date: day,
        cpv,
        seq,
        detail: { lots: [], warnings: [], regions: [], cpvs: [cpv] },
      }),
    ),
  ];
}

let folder: Awaited<ReturnType<typeof makeFolder>>;
let catalogue: Database;
beforeAll(async () => {
  folder = await makeFolder();
  catalogue = await makeDatabase(folder.path, 'catalogue');
  await seed(catalogue, ...drawn.map((one) => rowsOf(one, 1)));
});
afterAll(async () => {
  await catalogue.close();
  await folder.remove();
});

type Wish = Omit<CompaniesAsk, 'limit' | 'after'>;
const draw = <T>(share: number, value: () => T): T | undefined => (dice.chance(share) ? value() : undefined);

function drawWish(): Wish {
  return {
    query: draw(0.4, () => dice.pick([...WORDS, 'north care', 'car', 'blue premier', 'GB-COH-00000031', '00000062'])),
    status: draw(0.3, () => [dice.pick(['active', 'dissolved', 'liquidation'] as const)]),
    region: draw(0.3, () => [dice.pick(['UKI', 'UKD', 'UK'])]),
    postcode: draw(0.3, () => [dice.pick(['M', 'NE1', 'M1 1', 'sw1a1aa']), 'NE1 3DF']),
    sic: draw(0.3, () => [String(10 + dice.below(90)), String(1 + dice.below(9))]),
    incorporated_from: draw(0.2, someDay),
    incorporated_to: draw(0.2, someDay),
    sme: draw(0.2, () => dice.chance(0.5)),
    won: draw(0.2, () => dice.chance(0.5)),
    won_from: draw(0.2, someDay),
    won_to: draw(0.2, someDay),
    won_value_min: draw(0.2, () => 20_000),
    cpv: draw(0.3, () => [dice.pick(['45', '72', '4520', '909'])]),
  };
}

function isWanted(one: Drawn, wish: Wish): boolean {
  const { query, status, region, sic, sme, won, cpv, won_from: since = '', won_to: until = '~' } = wish;
  const hasMarket = (each: Won) =>
    each.day >= since && each.day <= until && (!cpv || cpv.some((branch) => each.cpv.startsWith(branch)));
  const worth = one.won.reduce((sum, { value }) => sum + value, 0);
  return (
    (query === undefined || isNamed(one, query)) &&
    (!status || status.includes(one.status.toLowerCase())) &&
    (!region || region.some((code) => PLACES[one.postcode].startsWith(code))) &&
    (!wish.postcode || wish.postcode.some((start) => bare(one.postcode).startsWith(bare(start)))) &&
    (!sic || one.sic.some((code) => sic.some((digits) => code.startsWith(digits)))) &&
    one.incorporated >= (wish.incorporated_from ?? '') &&
    one.incorporated <= (wish.incorporated_to ?? '~') &&
    (sme === undefined || one.sme === sme) &&
    (won === undefined || one.won.length > 0 === won) &&
    (wish.won_value_min === undefined || worth >= wish.won_value_min) &&
    ((!cpv && wish.won_from === undefined && wish.won_to === undefined) || one.won.some(hasMarket))
  );
}

function bare(postcode: string): string {
  return postcode.toUpperCase().replace(/ /g, '');
}

function isNamed({ id, number, name }: Drawn, query: string): boolean {
  const words = query.toLowerCase().split(' ');
  return id === query || words.every((word) => ` ${name} ${number}`.includes(` ${word}`));
}

async function listAll(wish: Wish): Promise<{ ids: string[]; total: number }> {
  const ids: string[] = [];
  let after: CompaniesAsk['after'];
  for (;;) {
    const page = await listCompanies(catalogue, { ...wish, limit: 100, after });
    if (!page) throw new Error('the register is being read');
    ids.push(...page.entries.map(({ id }) => id));
    if (!page.next) return { ids: ids.sort(), total: page.total };
    after = page.next;
  }
}

/** By some combinations of filters what a look at every supplier finds. */
async function expectSame(suppliers: readonly Drawn[]): Promise<void> {
  for (let asked = 0; asked < 120; asked++) {
    const wish = drawWish();
    const ids = suppliers.filter((one) => isWanted(one, wish)).map(({ id }) => id);
    expect({ wish, ...(await listAll(wish)) }).toEqual({ wish, ids: ids.sort(), total: ids.length });
  }
}

describe('suppliers as columns', () => {
  it('are listed by any combination of words and filters as a look at every one of them finds them', () =>
    expectSame(drawn));

  it('are listed so after some of them changed, and others came', async () => {
    const changed = drawn.map((one, at) => (at % 10 === 0 ? drawSupplier(one.number) : one));
    const come = Array.from({ length: 20 }, (_, at) => drawSupplier(String(900_000 + at).padStart(8, '0')));
    const fresh = [...changed.filter((one) => !drawn.includes(one)), ...come];
    await catalogue.write([
      ...fresh.flatMap((one) => rowsOf(one, 2)),
      { sql: "UPDATE counter SET value = 2 WHERE name = 'seq'" },
    ]);
    await expectSame([...changed, ...come]);
  });
});
