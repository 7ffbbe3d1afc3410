import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { lookupContract } from '../../../api/operations/contracts/lookup.ts';
import { nameKey } from '../../../schema/names/spelling.ts';
import { ask, type Room } from '../../support/catalogue-services.ts';
import type { ContractCase, CountedAs } from './cases.ts';
import { CORRECTIONS, SUPPLIERS } from './sets.ts';
import { CORRECTION_SHORTFALLS, SUPPLIER_SHORTFALLS } from './shortfalls/contracts.ts';
import { openStore, type Store, storeOneByOne } from './store.ts';
import { makeTally } from './tally.ts';

/** What is compared of a contract: names cleaned, `null` for what is not held. */
interface JudgedContract {
  suppliers: { name: string; number: string | null }[];
  value: number | null;
  countedAs: CountedAs;
  /** Absent where the case does not say. */
  warned?: boolean;
}

type ContractBody = z.output<typeof lookupContract.output>;

/** What the public contract calls the class of a value, by what the answer calls it. */
const COUNTED_AS: { [valueClass: string]: CountedAs } = {
  sum: 'sum',
  shared: 'shared',
  framework_ceiling: 'framework_ceiling',
  estimate: 'estimate',
  absurd: 'not_believed',
  unstated: 'not_stated',
};

/** Every contract that the API answers of a case. */
const readCase = (store: Store, { source, releases }: ContractCase): Promise<JudgedContract[]> =>
  store.inOwnCatalogue((catalogue) => storeOneByOne(catalogue, source, releases), readContracts);

/**
 * Each case is read, stored and asked for as in operation. A contract is right with every supplier once and the right
 * company number, the value and how it is counted, and a warning where the case speaks of warnings. Doubtful cases are
 * counted and never asserted.
 */
const SETS = [
  { set: 'suppliers', cases: SUPPLIERS, shortfalls: SUPPLIER_SHORTFALLS },
  { set: 'corrections', cases: CORRECTIONS, shortfalls: CORRECTION_SHORTFALLS },
];

let store: Store;

beforeAll(async () => {
  store = await openStore();
});

afterAll(() => store.close());

describe.each(SETS)('the judging set $set', ({ set, cases, shortfalls }) => {
  const tally = makeTally(set);
  afterAll(() => console.info(tally.tell()));

  it.each(cases.map((one) => [one.kind, one.name, one] as const))('%s: %s', async (_kind, name, one) => {
    const expected = expectedOf(one);
    const served = comparable(await readCase(store, one), expected);
    const right = isDeepStrictEqual(served, expected);
    tally.count({ ...one, right });
    if (one.doubtful !== undefined) return;
    if (name in shortfalls) expect(right, 'is right now: strike it out of the known shortfalls').toBe(false);
    else expect(served).toEqual(expected);
  });

  it('leaves no case out, and knows no shortfall of another set', () => {
    expect(tally.size()).toBe(cases.length);
    const names = new Set(cases.flatMap(({ name, doubtful }) => (doubtful === undefined ? name : [])));
    expect(Object.keys(shortfalls).filter((name) => !names.has(name))).toEqual([]);
  });
});

async function readContracts(room: Room): Promise<JudgedContract[]> {
  const rows = await room.services.catalogue.read<{ id: string }>({ sql: 'SELECT id FROM contract WHERE gone = 0' });
  const answers = [];
  for (const { id } of rows) answers.push((await ask(room, lookupContract, { notice_id: id })).body);
  return inOrder(answers.map(toJudged));
}

function toJudged(body: ContractBody): JudgedContract {
  return {
    suppliers: body.suppliers.map((one) => ({ name: nameKey(one.name), number: one.companies_house_number ?? null })),
    value: body.value ?? body.stated_value ?? null,
    countedAs: COUNTED_AS[body.value_class ?? 'unstated'] ?? 'not_stated',
    warned: body.warnings.length > 0,
  };
}

/** The contracts that a case expects, in the same words and order. */
function expectedOf({ expect: { contracts } }: ContractCase): JudgedContract[] {
  return inOrder(
    contracts.map(({ suppliers, value, countedAs, warned }) => ({
      suppliers: suppliers.map(({ name, number }) => ({ name: nameKey(name), number: number ?? null })),
      value: value ?? null,
      countedAs,
      ...(warned === undefined ? {} : { warned }),
    })),
  );
}

/** The served contracts with a warning only where the expected one of the same place speaks of warnings. */
function comparable(served: readonly JudgedContract[], expected: readonly JudgedContract[]): JudgedContract[] {
  return served.map((one, place) => {
    const { warned, ...rest } = one;
    const counterpart = expected[place];
    return counterpart !== undefined && counterpart.warned === undefined ? rest : one;
  });
}

function inOrder(contracts: readonly JudgedContract[]): JudgedContract[] {
  const text = (value: unknown) => JSON.stringify(value);
  const byText = (one: unknown, other: unknown) => (text(one) < text(other) ? -1 : 1);
  return contracts
    .map((one) => ({ ...one, suppliers: one.suppliers.toSorted(byText) }))
    .toSorted((one, other) => byText([one.suppliers, one.value], [other.suppliers, other.value]));
}
