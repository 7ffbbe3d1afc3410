import type { SupplierDetail } from '../../schema/catalogue/details.ts';
import type { Database, Statement } from '../../schema/db/interface.ts';
import { canonicalJson } from '../../schema/text/json-values.ts';
import type { Row } from '../rows/versioned.ts';
import type { ResolvedProcess } from './process-rows.ts';

const HELD = `SELECT process_id, party_id, role, name, sighting, identity_id, method, score, evidence FROM party
WHERE process_id IN (SELECT value FROM json_each(?)) ORDER BY process_id, role, party_id`;
const KEEP = `INSERT INTO party (process_id, party_id, role, name, sighting, identity_id, method, score, evidence)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const DROP = 'DELETE FROM party WHERE process_id = ?';

interface PartyRow {
  process_id: string;
  party_id: string;
  role: string;
  name: string;
  sighting: string;
  identity_id: string;
  method: string;
  score: number;
  evidence: string;
}

/** Identities that the stored parties of these processes were tied to. */
export interface StoredParties {
  rows: Map<string, PartyRow[]>;
}

/** The stored parties of these processes by process id; a process without any is absent. */
export async function readStoredParties(catalogue: Database, processIds: readonly string[]): Promise<StoredParties> {
  const rows = await catalogue.read<PartyRow>({ sql: HELD, args: [JSON.stringify(processIds)] });
  const found = new Map<string, PartyRow[]>();
  for (const row of rows) {
    const known = found.get(row.process_id);
    if (known) known.push(row);
    else found.set(row.process_id, [row]);
  }
  return { rows: found };
}

/** Party rows of compiled processes, rewritten only where they changed; those of vanished processes go. */
export function partyStatements(
  processes: readonly ResolvedProcess[],
  held: StoredParties,
  lost: readonly string[],
): Statement[] {
  const dropped = lost.filter((id) => held.rows.has(id)).map((id) => ({ sql: DROP, args: [id] }));
  const rewritten = processes.flatMap((resolved): Statement[] => {
    const rows = partyRows(resolved);
    const before = held.rows.get(resolved.process.id) ?? [];
    if (JSON.stringify(before) === JSON.stringify(rows)) return [];
    return [
      ...(before.length > 0 ? [{ sql: DROP, args: [resolved.process.id] }] : []),
      ...rows.map((row) => ({ sql: KEEP, args: Object.values(row) as (string | number)[] })),
    ];
  });
  return [...dropped, ...rewritten];
}

function partyRows({ process, parties }: ResolvedProcess): PartyRow[] {
  const rows = [...parties.values()].map(({ party, identityId, match }) => ({
    process_id: process.id,
    party_id: party.partyId,
    role: party.role,
    name: party.sighting.name,
    sighting: canonicalJson(party.sighting),
    identity_id: identityId,
    method: match.method,
    score: match.score,
    evidence: JSON.stringify(match.evidence),
  }));
  const key = (row: PartyRow) => `${row.role}\n${row.party_id}`;
  return rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

const CLEAR_SUPPLIERS = 'DELETE FROM contract_supplier WHERE contract_id = ?';
const KEEP_SUPPLIER =
  'INSERT INTO contract_supplier (contract_id, company_id, position, sort_date) VALUES (?, ?, ?, ?)';

/** Which company won a contract that changed. */
export function contractSupplierStatements({ id, columns }: Row): Statement[] {
  const suppliers = JSON.parse(String(columns.suppliers)) as SupplierDetail[];
  return [
    { sql: CLEAR_SUPPLIERS, args: [id] },
    ...suppliers.map(({ company_id }, position) => ({
      sql: KEEP_SUPPLIER,
      args: [id, company_id, position, String(columns.sort_date)],
    })),
  ];
}

/** Removes the supplier rows of a contract. */
export function clearSuppliers(contractId: string): Statement {
  return { sql: CLEAR_SUPPLIERS, args: [contractId] };
}
