import { expect, it } from 'vitest';
import type { Amounts } from '../../../search/summary/amounts.ts';
import { makePairs } from '../../../search/summary/pairs.ts';
import type { NameLists } from '../../../search/summary/pieces.ts';
import { addAmounts, growTally, makeTally, sumsOf } from '../../../search/summary/tally.ts';

/** Both are prime, so there are 49,949 pairs; the last contracts have the pairs of the first ones. */
const [BUYERS, SUPPLIERS] = [251, 199];
const CONTRACTS = 60_000;
const PIECE = 20_000;
const CURRENCIES = ['EUR', 'GBP'];

const buyerOf = (contract: number) => contract % BUYERS;
const supplierOf = (contract: number) => contract % SUPPLIERS;
/** Some buyers pay in euros. */
const currencyOf = (buyer: number) => (buyer % 7 === 0 ? 0 : 1);

const oneEach = (contracts: number[], of: (contract: number) => number): NameLists => ({
  ends: Int32Array.from(contracts, (_, at) => at + 1),
  all: Int32Array.from(contracts, of),
});
const amountsOf = (contracts: number[]): Amounts => ({
  classes: new Uint8Array(contracts.length),
  places: new Uint8Array(contracts.length),
  currencies: Int32Array.from(contracts, (contract) => currencyOf(buyerOf(contract))),
  pence: Float64Array.from(contracts, (contract) => contract),
});

it('sums by buyer and supplier keep what earlier pieces added while more and more pairs occur', () => {
  const pairs = makePairs(SUPPLIERS);
  const tally = makeTally(0, CURRENCIES);
  const expected = new Map<string, { count: number; pence: number }>();
  for (let from = 0; from < CONTRACTS; from += PIECE) {
    const piece = Array.from({ length: PIECE }, (_, at) => from + at);
    const groups = pairs.pairUp(piece.length, oneEach(piece, buyerOf), oneEach(piece, supplierOf));
    growTally(tally, pairs.size);
    addAmounts(tally, amountsOf(piece), groups);
    for (const contract of piece) {
      const pair = `${buyerOf(contract)} ${supplierOf(contract)}`;
      const { count, pence } = expected.get(pair) ?? { count: 0, pence: 0 };
      expected.set(pair, { count: count + 1, pence: pence + contract });
    }
  }
  expect(pairs.size).toBe(BUYERS * SUPPLIERS);
  const wrong = Array.from({ length: pairs.size }, (_, number) => number).filter((number) => {
    const [buyer, supplier] = pairs.of(number);
    const sums = expected.get(`${buyer} ${supplier}`);
    const added = { [CURRENCIES[currencyOf(buyer)] as string]: sums };
    const by = { contracts: sums?.count, places: 0, added, apart: {} };
    return JSON.stringify(sumsOf(tally, [number])) !== JSON.stringify(by);
  });
  expect(wrong).toEqual([]);
});
