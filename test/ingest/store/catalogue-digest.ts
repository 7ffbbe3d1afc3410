import { hash } from 'node:crypto';
import type { Database } from '../../../schema/db/interface.ts';

/** Everything a catalogue says, but for row numbers, seq and rows that went away: equal digests, equal catalogues. */
const SAYS: Readonly<Record<string, string>> = {
  release: 'SELECT source, ocid, release_id, digest, date FROM release ORDER BY ocid, release_id, digest',
  process: 'SELECT id, digest FROM process WHERE gone = 0 ORDER BY id',
  notice: 'SELECT id, digest FROM notice WHERE gone = 0 ORDER BY id',
  contract: 'SELECT id, digest FROM contract WHERE gone = 0 ORDER BY id',
  framework: 'SELECT id, digest FROM framework WHERE gone = 0 ORDER BY id',
  company: 'SELECT id, digest FROM company WHERE gone = 0 ORDER BY id',
  buyer: 'SELECT id, digest FROM buyer WHERE gone = 0 ORDER BY id',
  alias: 'SELECT kind, alias, target FROM alias ORDER BY kind, alias',
  party: 'SELECT * FROM party ORDER BY process_id, role, party_id',
  supplier: 'SELECT * FROM contract_supplier ORDER BY contract_id, company_id',
  pair: 'SELECT * FROM buyer_supplier ORDER BY buyer_id, company_id',
  reference: 'SELECT * FROM framework_reference ORDER BY reference, framework_id',
  waiting: 'SELECT * FROM process_reference ORDER BY reference, process_id',
  mention: 'SELECT * FROM process_mention ORDER BY mention, process_id',
  coverage: 'SELECT * FROM coverage_day ORDER BY source, day',
};

/** One digest per kind of row. */
export async function catalogueDigest(catalogue: Database): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const [name, sql] of Object.entries(SAYS))
    digests[name] = hash('sha256', JSON.stringify(await catalogue.read({ sql }))).slice(0, 12);
  return digests;
}

/** The number of the last batch that changed a row. */
export async function readSeq(catalogue: Database): Promise<number> {
  const [row] = await catalogue.read<{ value: number }>({ sql: "SELECT value FROM counter WHERE name = 'seq'" });
  return row?.value ?? 0;
}
