import type { Database } from '../../../schema/db/interface.ts';
import { CPV_DIVISIONS } from '../../../schema/reference/cpv.ts';
import { makeDice } from '../draw.ts';

const BATCH_ROWS = 5_000;
const BUYERS = 400;
const DAYS = 3_600;
const LAST_MS = Date.UTC(2026, 10, 22);

const SUPPLIERS = 'SELECT id, contract_count FROM company ORDER BY id';
const CONTRACTS = `INSERT INTO contract (id, process_id, ocid, source, notice_id, award_id, title, buyer_id, suppliers,
    value_class, status, sort_date, cpv, detail, digest, seq)
  SELECT value ->> 0, value ->> 0, value ->> 0, 'find_a_tender', value ->> 0, '1', 'Works', value ->> 2,
    json_array(json_object('company_id', value ->> 1)), 'sum', 'active', value ->> 3, value ->> 4,
    json_object('cpvs', json_array(value ->> 4)), '', 1 FROM json_each(?)`;
const WON = `INSERT INTO contract_supplier (contract_id, company_id, position, sort_date)
  SELECT value ->> 0, value ->> 1, 0, value ->> 3 FROM json_each(?)`;
const BOUGHT = `INSERT INTO buyer (id, name, name_key, contract_count, digest, seq)
  SELECT value ->> 0, value ->> 1, value ->> 1, value ->> 2, '', 1 FROM json_each(?)`;

/** Gives the suppliers of a generated register as many contracts as they count. @returns how many those are */
export async function fillAwards(catalogue: Database): Promise<number> {
  const dice = makeDice(13);
  const bought = new Float64Array(BUYERS);
  let batch: unknown[][] = [];
  let contracts = 0;
  const store = async () => {
    const args = [JSON.stringify(batch)];
    await catalogue.write([
      { sql: CONTRACTS, args },
      { sql: WON, args },
    ]);
    batch = [];
  };
  for (const { id, contract_count: count } of await catalogue.read<{ id: string; contract_count: number }>({
    sql: SUPPLIERS,
  })) {
    for (let own = 0; own < count; own++) {
      const buyer = Math.floor(dice.roll() ** 2 * BUYERS);
      bought[buyer] = (bought[buyer] ?? 0) + 1;
      const division = CPV_DIVISIONS[dice.below(CPV_DIVISIONS.length)]?.code ?? '45';
      const cpv = `${division}${String(dice.below(200)).padStart(3, '0')}000`;
      const day = new Date(LAST_MS - dice.below(DAYS) * 86_400_000).toISOString().slice(0, 10);
      batch.push([`award-${++contracts}`, id, `buyer-${buyer}`, day, cpv]);
      if (batch.length === BATCH_ROWS) await store();
    }
  }
  await store();
  const buyers = [...bought].map((count, at) => [`buyer-${at}`, `council ${at}`, count]);
  await catalogue.write([{ sql: BOUGHT, args: [JSON.stringify(buyers)] }]);
  return contracts;
}
