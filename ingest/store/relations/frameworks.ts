import type { Database, Statement } from '../../../schema/db/interface.ts';
import { ocidOf } from '../../../schema/text/ids.ts';
import type { CallOff, CompiledProcess } from '../../compile/types.ts';

/** The framework a call-off belongs to, or that it names none we hold. */
export interface FrameworkLink {
  frameworkId: string | null;
  /** `identifier`, `reference` or `none`. */
  method: string;
  evidence: string[];
}

/** reference (`RM3764`, an ocid) -> ids of the frameworks that bear it. */
type ReferenceBook = Map<string, Set<string>>;

/** References by which a framework can be named: its own in text, and its ocid. */
function referencesOf(process: CompiledProcess): string[] {
  return process.framework ? [...process.framework.detail.references, process.ocid] : [];
}

function namesOf(callOff: CallOff | null): string[] {
  return callOff ? [...callOff.identifiers, ...callOff.references] : [];
}

/** Links a call-off: by identifier where one is published, else by a reference that one framework alone bears. */
export function linkCallOff(process: CompiledProcess, book: ReferenceBook): FrameworkLink | null {
  const { callOff } = process;
  if (!callOff || process.framework) return null;
  const bearing = (names: readonly string[]) => {
    const found = new Set(names.flatMap((name) => [...(book.get(name) ?? [])]));
    found.delete(process.id);
    return [...found];
  };
  const only = (names: readonly string[]) => {
    const [first, ...more] = bearing(names);
    return more.length === 0 ? first : undefined;
  };
  const byIdentifier = only(callOff.identifiers);
  if (byIdentifier) return { frameworkId: byIdentifier, method: 'identifier', evidence: callOff.identifiers };
  const byReference = only(callOff.references);
  if (byReference) return { frameworkId: byReference, method: 'reference', evidence: callOff.references };
  const named = namesOf(callOff).map((name) => {
    const why = bearing([name]).length > 1 ? 'several frameworks bear it' : 'no framework of that name is held';
    return `names ${name}: ${why}`;
  });
  return { frameworkId: null, method: 'none', evidence: [...callOff.evidence, ...named] };
}

const FRAMEWORKS = `SELECT reference, framework_id FROM framework_reference
WHERE reference IN (SELECT value FROM json_each(?))`;
const WAITING = `SELECT DISTINCT process_id FROM process_reference
WHERE reference IN (SELECT value FROM json_each(?))`;
/** Also of processes that are gone: an ocid that is split again gives its framework another id. */
const HELD = `SELECT reference, framework_id FROM framework_reference
WHERE framework_id IN (SELECT id FROM process WHERE ocid IN (SELECT value FROM json_each(?)))`;

/** Frameworks that these processes name or are: the stored ones and those just compiled. */
export async function readReferenceBook(
  catalogue: Database,
  processes: readonly CompiledProcess[],
): Promise<ReferenceBook> {
  const names = [...new Set(processes.flatMap(({ callOff }) => namesOf(callOff)))];
  const book: ReferenceBook = new Map();
  const fresh = new Set(processes.map(({ ocid }) => ocid));
  const add = (reference: string, id: string) => {
    const ids = book.get(reference) ?? new Set();
    book.set(reference, ids.add(id));
  };
  if (names.length > 0) {
    const rows = await catalogue.read<{ reference: string; framework_id: string }>({
      sql: FRAMEWORKS,
      args: [JSON.stringify(names)],
    });
    for (const row of rows) if (!fresh.has(ocidOf(row.framework_id))) add(row.reference, row.framework_id);
  }
  for (const process of processes) for (const reference of referencesOf(process)) add(reference, process.id);
  return book;
}

/** Processes that name a reference which those of these ocids, now compiled, have just gained or lost as frameworks. */
export async function readWaiting(
  catalogue: Database,
  processes: readonly CompiledProcess[],
  ocids: ReadonlySet<string>,
): Promise<string[]> {
  const held = await catalogue.read<{ reference: string; framework_id: string }>({
    sql: HELD,
    args: [JSON.stringify([...ocids])],
  });
  const before = new Set(held.map((row) => `${row.reference}\n${row.framework_id}`));
  const after = new Set(processes.flatMap((process) => referencesOf(process).map((name) => `${name}\n${process.id}`)));
  const changed = [...before, ...after].filter((pair) => before.has(pair) !== after.has(pair));
  if (changed.length === 0) return [];
  const references = JSON.stringify([...new Set(changed.map((pair) => pair.split('\n')[0]))]);
  const rows = await catalogue.read<{ process_id: string }>({ sql: WAITING, args: [references] });
  return rows.map(({ process_id }) => process_id);
}

/** Keeps a framework's references and the references that a call-off names. */
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
