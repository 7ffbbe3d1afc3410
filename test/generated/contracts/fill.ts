import type { Database } from '../../../schema/db/interface.ts';
import { makeDice } from '../draw.ts';
import { type ContractColumns, makeContract } from './make.ts';

const BATCH_ROWS = 2_000;

/** Fills an empty catalogue with contracts alone, a batch to each `seq`. */
export async function fillContracts(catalogue: Database, contracts: number): Promise<void> {
  const dice = makeDice(7);
  let seq = 0;
  for (let from = 0; from < contracts; from += BATCH_ROWS) {
    seq += 1;
    const rows = Array.from({ length: Math.min(BATCH_ROWS, contracts - from) }, (_, index) =>
      makeContract(dice, from + index),
    );
    await storeContracts(catalogue, rows, seq);
  }
}

/** Stores contracts, new ones and others as they now are, as one batch of ingest does. */
export async function storeContracts(
  catalogue: Database,
  rows: readonly ContractColumns[],
  seq: number,
): Promise<void> {
  const names = Object.keys(rows[0] ?? {}) as (keyof ContractColumns)[];
  const values = names.map((_, index) => `value ->> ${index}`).join(', ');
  const sql = `INSERT OR REPLACE INTO contract (${names.join(', ')}) SELECT ${values} FROM json_each(?)`;
  const given = rows.map((row) => names.map((name) => (name === 'seq' ? seq : (row[name] ?? null))));
  await catalogue.write([
    { sql, args: [JSON.stringify(given)] },
    { sql: "INSERT OR REPLACE INTO counter (name, value) VALUES ('seq', ?)", args: [seq] },
  ]);
}
