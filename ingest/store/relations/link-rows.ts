import type { SupplierDetail } from '../../../schema/catalogue/details.ts';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import { compareText, ocidOf } from '../../../schema/text/ids.ts';
import { canonicalJson } from '../../../schema/text/json-values.ts';
import { groupBy } from '../../../schema/text/memoise.ts';
import type { CallOff, CompiledProcess } from '../../compile/types.ts';
import type { Move } from '../../identity/plan.ts';
import { type Row, readInParts } from '../../rows/versioned.ts';
import type { Copied, FrameworkLink, ResolvedProcess } from '../process-rows.ts';

const STORED_PARTIES = `SELECT process_id, party_id, role, name, sighting, identity_id, method, score, evidence FROM party
WHERE process_id IN (SELECT value FROM json_each(?)) ORDER BY process_id, role, party_id`;
const PARTY = '(?, ?, ?, ?, ?, ?, ?, ?, ?)';
const KEEP_PARTY = `INSERT INTO party (process_id, party_id, role, name, sighting, identity_id, method, score, evidence)
VALUES ${PARTY}`;
const DROP_PARTIES = 'DELETE FROM party WHERE process_id = ?';

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

/** Stored parties and their identities, by process id; a process without any is absent. */
export type StoredParties = ReadonlyMap<string, PartyRow[]>;

/** The stored parties of these processes. */
export async function readStoredParties(catalogue: Database, processIds: readonly string[]): Promise<StoredParties> {
  const rows = await readInParts<PartyRow>(catalogue, STORED_PARTIES, processIds);
  return groupBy(rows, ({ process_id }) => process_id);
}

/** Party rows of compiled processes, rewritten only where they changed; those of vanished processes are removed. */
export function partyStatements(
  processes: readonly ResolvedProcess[],
  stored: StoredParties,
  lost: readonly string[],
): Statement[] {
  const dropped = lost.filter((id) => stored.has(id)).map((id) => ({ sql: DROP_PARTIES, args: [id] }));
  const rewritten = processes.flatMap((resolved): Statement[] => {
    const rows = partyRows(resolved);
    const before = stored.get(resolved.process.id) ?? [];
    if (JSON.stringify(before) === JSON.stringify(rows)) return [];
    return [
      ...(before.length > 0 ? [{ sql: DROP_PARTIES, args: [resolved.process.id] }] : []),
      ...rows.map((row) => ({ sql: KEEP_PARTY, row: PARTY, args: Object.values(row) as (string | number)[] })),
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
  return rows.toSorted((a, b) => compareText(key(a), key(b)));
}

const OF_IDENTITIES = `SELECT DISTINCT process_id FROM party
WHERE role = ? AND identity_id IN (SELECT value FROM json_each(?)) AND process_id > ? ORDER BY process_id LIMIT ?`;
const MOVES = "SELECT value FROM meta WHERE name = 'moves'";
const KEEP_MOVES = "INSERT OR REPLACE INTO meta (name, value) VALUES ('moves', ?)";
const END_MOVES = "DELETE FROM meta WHERE name = 'moves'";
/** Processes that are moved in one batch. A batch of more would take longer than a database server waits. */
export const MOVED_MAX = 500;

/** SQL: ids of one kind that organisations had before, and some of their processes still name. */
export const movingFrom = (kind: string) => `SELECT id.value FROM meta CROSS JOIN json_each(meta.value) AS move
  CROSS JOIN json_each(move.value, '$.ids') AS id WHERE meta.name = 'moves' AND move.value ->> '$.kind' = ${kind}`;

/** The organisations whose processes earlier batches left. */
export async function readMoves(catalogue: Database): Promise<Move[]> {
  const [row] = await catalogue.read<{ value: string }>({ sql: MOVES });
  return row ? (JSON.parse(row.value) as Move[]) : [];
}

/** The ocids of their next processes, and the statement that keeps the remaining moves; new ones are kept after those that are kept already. */
export async function takeMoves(catalogue: Database, moves: readonly Move[], most = MOVED_MAX, isNew = true) {
  const processes: string[] = [];
  const left: Move[] = [];
  for (const move of moves.filter(({ ids }) => ids.length > 0)) {
    const room = most - processes.length;
    const args = [move.kind === 'buyer' ? 'buyer' : 'supplier', JSON.stringify(move.ids), move.after, room];
    const rows = await catalogue.read<{ process_id: string }>({ sql: OF_IDENTITIES, args });
    processes.push(...rows.map(({ process_id }) => process_id));
    if (rows.length === room) left.push({ ...move, after: rows.at(-1)?.process_id ?? move.after });
  }
  const kept = isNew && left.length > 0 ? [...(await readMoves(catalogue)), ...left] : left;
  const keep = kept.length > 0 ? { sql: KEEP_MOVES, args: [JSON.stringify(kept)] } : { sql: END_MOVES };
  const statements: Statement[] = isNew && left.length === 0 ? [] : [keep];
  return { ocids: processes.map(ocidOf), statements };
}

const CLEAR_SUPPLIERS = 'DELETE FROM contract_supplier WHERE contract_id = ?';
const SUPPLIER = '(?, ?, ?, ?)';
const KEEP_SUPPLIER = `INSERT INTO contract_supplier (contract_id, company_id, position, sort_date) VALUES ${SUPPLIER}`;

/** Which company won a contract that changed, or is new. */
export function contractSupplierStatements({ id, columns }: Row, isStored: boolean): Statement[] {
  const suppliers = JSON.parse(String(columns.suppliers)) as SupplierDetail[];
  return [
    ...(isStored ? [clearSuppliers(id)] : []),
    ...suppliers.map(({ company_id }, position) => ({
      sql: KEEP_SUPPLIER,
      row: SUPPLIER,
      args: [id, company_id, position, String(columns.sort_date)],
    })),
  ];
}

/** Removes the supplier rows of a contract. */
export function clearSuppliers(contractId: string): Statement {
  return { sql: CLEAR_SUPPLIERS, args: [contractId] };
}

/** reference (`RM3764`, an ocid) -> ids of the frameworks with it. */
type ReferenceBook = Map<string, Set<string>>;

/** References by which a framework can be named: its own in text, its ocid, and the numbers of its notices in lower case. */
function referencesOf({ framework, ocid }: CompiledProcess): string[] {
  const numbers = framework?.detail.notice_ids?.map((id) => id.toLowerCase()) ?? [];
  return framework ? [...framework.detail.references, ocid, ...numbers] : [];
}

function namesOf(callOff: CallOff | null): string[] {
  return callOff ? [...callOff.identifiers, ...callOff.references] : [];
}

/** Links a call-off: by identifier where one is published, otherwise by a reference that only one framework has. */
export function linkCallOff(process: CompiledProcess, book: ReferenceBook): FrameworkLink | null {
  const { callOff } = process;
  if (!callOff || process.framework) return null;
  const namedBy = (names: readonly string[]) => {
    const found = new Set(names.flatMap((name) => [...(book.get(name) ?? [])]));
    found.delete(process.id);
    return [...found];
  };
  const only = (names: readonly string[]) => {
    const [first, ...more] = namedBy(names);
    return more.length === 0 ? first : undefined;
  };
  const byIdentifier = only(callOff.identifiers);
  if (byIdentifier) return { frameworkId: byIdentifier, method: 'identifier', evidence: callOff.identifiers };
  const byReference = only(callOff.references);
  if (byReference) return { frameworkId: byReference, method: 'reference', evidence: callOff.references };
  const named = namesOf(callOff).map((name) => {
    const why = namedBy([name]).length > 1 ? 'several frameworks have it' : 'no framework of that name is held';
    return `names ${name}: ${why}`;
  });
  return { frameworkId: null, method: 'none', evidence: [...callOff.evidence, ...named] };
}

const NAMED_FRAMEWORKS = `SELECT r.reference, r.framework_id, f.copy_of FROM framework_reference r
LEFT JOIN framework f ON f.id = r.framework_id WHERE r.reference IN (SELECT value FROM json_each(?))`;
const WAITING = `SELECT DISTINCT process_id FROM process_reference
WHERE reference IN (SELECT value FROM json_each(?))`;
/** Also of processes that are gone: when an ocid is split again, its framework gets another id. */
const STORED_REFERENCES = `SELECT reference, framework_id FROM framework_reference
WHERE framework_id IN (SELECT id FROM process WHERE ocid IN (SELECT value FROM json_each(?)))`;

/** Frameworks that these processes name or are: the stored ones and those just compiled; for a copy its original. */
export async function readReferenceBook(
  catalogue: Database,
  processes: readonly CompiledProcess[],
  { ocids, copied }: { ocids: ReadonlySet<string>; copied: Copied['frameworks'] },
): Promise<ReferenceBook> {
  const names = [...new Set(processes.flatMap(({ callOff }) => namesOf(callOff)))];
  const book: ReferenceBook = new Map();
  const add = (reference: string, id: string) => {
    const ids = book.get(reference) ?? new Set();
    book.set(reference, ids.add(id));
  };
  if (names.length > 0) {
    const rows = await catalogue.read<{ reference: string; framework_id: string; copy_of: string | null }>({
      sql: NAMED_FRAMEWORKS,
      args: [JSON.stringify(names)],
    });
    for (const { reference, framework_id: id, copy_of } of rows)
      if (!ocids.has(ocidOf(id))) add(reference, copy_of ?? id);
  }
  for (const process of processes)
    for (const reference of referencesOf(process)) add(reference, copied.get(process.id) ?? process.id);
  return book;
}

/** Processes that name a reference which these ocids, now compiled, have just gained or lost as frameworks. */
export async function readWaiting(
  catalogue: Database,
  processes: readonly CompiledProcess[],
  ocids: ReadonlySet<string>,
): Promise<string[]> {
  const stored = await catalogue.read<{ reference: string; framework_id: string }>({
    sql: STORED_REFERENCES,
    args: [JSON.stringify([...ocids])],
  });
  const before = new Set(stored.map((row) => `${row.reference}\n${row.framework_id}`));
  const after = new Set(processes.flatMap((process) => referencesOf(process).map((name) => `${name}\n${process.id}`)));
  const changed = [...before, ...after].filter((pair) => before.has(pair) !== after.has(pair));
  if (changed.length === 0) return [];
  return readNaming(catalogue, [...new Set(changed.map((pair) => pair.split('\n')[0] ?? ''))]);
}

/** Processes that name one of these frameworks which calls itself a copy: this may have changed. */
export async function readNamingCopies(catalogue: Database, processes: readonly CompiledProcess[]): Promise<string[]> {
  const copies = processes.filter(
    ({ framework, notices }) => framework && notices.some(({ original }) => original.process ?? original.notice),
  );
  return copies.length === 0 ? [] : readNaming(catalogue, copies.flatMap(referencesOf));
}

async function readNaming(catalogue: Database, references: readonly string[]): Promise<string[]> {
  const rows = await catalogue.read<{ process_id: string }>({ sql: WAITING, args: [JSON.stringify(references)] });
  return rows.map(({ process_id }) => process_id);
}

/** Stores a framework's references and the references that a call-off names. */
export function referenceStatements(processes: readonly CompiledProcess[], lost: readonly string[]): Statement[] {
  const ids = JSON.stringify([...processes.map(({ id }) => id), ...lost]);
  return [
    { sql: 'DELETE FROM framework_reference WHERE framework_id IN (SELECT value FROM json_each(?))', args: [ids] },
    { sql: 'DELETE FROM process_reference WHERE process_id IN (SELECT value FROM json_each(?))', args: [ids] },
    ...processes.flatMap((process) => [
      ...[...new Set(referencesOf(process))].map((reference) => ({
        sql: 'INSERT INTO framework_reference (reference, framework_id) VALUES (?, ?)',
        args: [reference, process.id],
      })),
      ...[...new Set(namesOf(process.callOff))].map((reference) => ({
        sql: 'INSERT INTO process_reference (reference, process_id) VALUES (?, ?)',
        args: [reference, process.id],
      })),
    ]),
  ];
}
