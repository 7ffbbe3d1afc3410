import type { Database, Statement } from '../../schema/db/interface.ts';
import { ocidOf } from '../../schema/text/ids.ts';
import { compileOcid } from '../compile/ocid.ts';
import type { CompiledProcess } from '../compile/types.ts';
import type { DatedSighting, Fact } from '../identity/facts.ts';
import { type IdentityPlan, loadTargets, planIdentities, type Struck } from '../identity/plan.ts';
import { readRegisteredNames, readRegisterMatches } from '../identity/registered.ts';
import { resolveParties, sightingsIn } from '../identity/resolve.ts';
import {
  loseRow,
  type Row,
  readStoredOrganisations,
  readStoredRows,
  type StoredRow,
  type StoredRows,
  sortByTable,
  storeRow,
  tryCompile,
} from '../rows/versioned.ts';
import { pairStatements } from './organisations/pairs.ts';
import { organisationStatements } from './organisations/rows.ts';
import { type ContractOverlay, readOverlay } from './organisations/tallies.ts';
import { type ResolvedProcess, rowsOfProcess } from './process-rows.ts';
import {
  crossReferenceStatements,
  findOnTwoServices,
  readCrossReferenced,
} from './relations/cross-source-duplicates.ts';
import {
  clearSuppliers,
  contractSupplierStatements,
  linkCallOff,
  partyStatements,
  readNamingCopies,
  readReferenceBook,
  readStoredParties,
  readWaiting,
  referenceStatements,
  type StoredParties,
  takeMoves,
} from './relations/link-rows.ts';
import { type FetchedRelease, type Instants, readProcessReleases } from './releases.ts';

/** What new releases change: rows with a `seq`, and everything else. */
export interface Changes {
  versioned: Statement[];
  others: Statement[];
}

/** What may have changed besides the new releases. */
export interface Besides {
  /** Parties seen before, whose identities are resolved again. */
  again?: readonly DatedSighting[];
  /** Ocids to compile in any case. */
  also?: readonly string[];
  /** What the register says of suppliers seen before. */
  registerFacts?: readonly Fact[];
  /** What is forgotten of each kind. */
  struck?: Record<DatedSighting['kind'], Struck> | undefined;
  /** Instants at which releases came, where they are other than the stored ones. */
  instants?: ReadonlyMap<string, Instants>;
  /** A generation is filled: rows keep the numbers of the attached live one, and those of buyers and companies come later. */
  fills?: boolean;
  ahead?: Ahead | undefined;
  /** Most processes in one batch of organisations whose ids changed; `moveProcesses` continues with the others. */
  movedMost?: number | undefined;
}

/** New releases, and the instants of fetch that are stored with them. */
export interface Incoming {
  fresh: readonly FetchedRelease[];
  instants: ReadonlyMap<string, Instants>;
}

/** What was compiled of a batch's processes before it is stored. Ocids and releases that are not in it are compiled now. */
export interface Ahead {
  /** By ocid, what was compiled of the very releases that are stored or new now. @throws CompilerEnded */
  readReady(catalogue: Database, incoming: Incoming): Promise<ReadonlyMap<string, CompiledProcess[]>>;
  /** The parties that a new release names. */
  sightingsOf(release: FetchedRelease): DatedSighting[] | undefined;
  /** The body of a new release as it is stored. */
  packedOf(release: FetchedRelease): Uint8Array | undefined;
}

/** Compiles what new releases touch, with their earlier releases, and says what to write. Reads only. */
export async function compileChanges(
  catalogue: Database,
  fresh: readonly FetchedRelease[],
  { again = [], also = [], registerFacts, struck, instants = new Map(), fills = false, ahead, movedMost }: Besides,
): Promise<Changes> {
  const ready = (await ahead?.readReady(catalogue, { fresh, instants })) ?? new Map();
  const sightings = [...fresh.flatMap((release) => ahead?.sightingsOf(release) ?? sightingsIn(release)), ...again];
  const buyers = await planIdentities(catalogue, 'buyer', ofKind(sightings, 'buyer'), { struck: struck?.buyer });
  const ofCompanies = { registerFacts, struck: struck?.company };
  const companies = await planIdentities(catalogue, 'company', ofKind(sightings, 'company'), ofCompanies);
  const moved = await takeMoves(catalogue, [buyers.move, companies.move], movedMost);
  const ocids = new Set([...fresh.map(({ ocid }) => ocid), ...also, ...moved.ocids]);
  const compiled = await compileTouched(catalogue, ocids, { fresh, instants, ready });
  const resolved = await resolveAll(catalogue, { compiled, ocids }, buyers, companies);
  const storedRows = await readStoredRows(catalogue, [...ocids], compiled);
  return writeChanges(catalogue, resolved, storedRows, { buyers, companies, fills, moves: moved.statements });
}

function ofKind(sightings: readonly DatedSighting[], kind: DatedSighting['kind']): DatedSighting[] {
  return sightings.filter((one) => one.kind === kind);
}

/**
 * Compiles these ocids, the call-offs that waited for a framework among them, and what names or is named by any of them
 * on the other service. Adds those ocids to the set. What is reached so, but can no longer be compiled, keeps its rows.
 */
async function compileTouched(
  catalogue: Database,
  ocids: Set<string>,
  { fresh, instants, ready }: Incoming & { ready: ReadonlyMap<string, CompiledProcess[]> },
): Promise<CompiledProcess[]> {
  const others = [...ocids].filter((ocid) => !ready.has(ocid));
  const releases = await readProcessReleases(catalogue, others, fresh, instants);
  const compiled = [...ocids].flatMap((ocid) => ready.get(ocid) ?? compileOcid(ocid, releases.get(ocid) ?? []));
  let reached = [
    ...(await readWaiting(catalogue, compiled, ocids)),
    ...(await readCrossReferenced(catalogue, compiled, ocids)),
    ...(await readNamingCopies(catalogue, compiled)),
  ];
  for (;;) {
    const further = [...new Set(reached.map(ocidOf))].filter((ocid) => !ocids.has(ocid));
    if (further.length === 0) return compiled;
    for (const ocid of further) ocids.add(ocid);
    const stored = await readProcessReleases(catalogue, further, []);
    const tried = [...stored].map(([ocid, own]) => [ocid, tryCompile(() => compileOcid(ocid, own))] as const);
    for (const [ocid, own] of tried) if (!own) ocids.delete(ocid);
    const more = tried.flatMap(([, own]) => own ?? []);
    compiled.push(...more);
    reached = [
      ...(await readCrossReferenced(catalogue, more, new Set(further.filter((ocid) => ocids.has(ocid))))),
      ...(await readNamingCopies(catalogue, more)),
    ];
  }
}

async function resolveAll(
  catalogue: Database,
  { compiled, ocids }: { compiled: readonly CompiledProcess[]; ocids: ReadonlySet<string> },
  buyers: IdentityPlan,
  companies: IdentityPlan,
): Promise<ResolvedProcess[]> {
  const parties = compiled.flatMap((process) => process.parties);
  const kinds = { buyer: 'buyer', supplier: 'company' } as const;
  const sightings = parties.map(({ role, sighting }) => ({ kind: kinds[role], sighting, date: '' }));
  await loadTargets(buyers, ofKind(sightings, 'buyer'));
  await loadTargets(companies, ofKind(sightings, 'company'));
  const registered = await readRegisteredNames(catalogue, companies, ofKind(sightings, 'company'));
  const registerMatches = await readRegisterMatches(catalogue, companies, ofKind(sightings, 'company'));
  const resolver = { buyers: buyers.aliases, companies: companies.aliases, registered, registerMatches };
  const resolved = compiled.map((process) => ({ process, parties: resolveParties(process, resolver), link: null }));
  const onTwo = findOnTwoServices(resolved);
  const book = await readReferenceBook(catalogue, compiled, { ocids, copied: onTwo.copied.frameworks });
  return resolved.map(({ process, parties }) => ({ process, parties, ...onTwo, link: linkCallOff(process, book) }));
}

type Plans = Record<'buyers' | 'companies', IdentityPlan> & { fills: boolean; moves: readonly Statement[] };

async function writeChanges(
  catalogue: Database,
  resolved: readonly ResolvedProcess[],
  storedRows: StoredRows,
  { buyers, companies, fills, moves }: Plans,
): Promise<Changes> {
  const compiled = resolved.map(({ process }) => process);
  const rows = resolved.flatMap(rowsOfProcess);
  const present = new Set(resolved.map(({ process }) => process.id));
  const lost = storedRows.processIds.filter((id) => !present.has(id));
  const parties = await readStoredParties(catalogue, storedRows.processIds);
  const diff = diffRows(rows, storedRows, fills);
  const processIds = new Set([...storedRows.processIds, ...present]);
  const organisations: Statement[] = [];
  if (!fills) {
    const overlay = await readOverlay(catalogue, rows, { processIds, changed: diff.changed });
    for (const plan of [buyers, companies])
      organisations.push(...(await touchedOrganisations(catalogue, plan, { resolved, parties }, overlay)));
    diff.others.push(...pairStatements(overlay.pairs ?? new Map()));
  }
  return {
    // Contracts come last: a trigger touches their owners where nothing else changed those.
    versioned: [...organisations, ...diff.versioned],
    others: [
      ...buyers.statements,
      ...companies.statements,
      ...moves,
      ...partyStatements(resolved, parties, lost),
      ...referenceStatements(compiled, lost),
      ...crossReferenceStatements(compiled, lost),
      ...diff.others,
    ],
  };
}

/** Rows of the buyers or companies that a batch's processes name now or named before. */
async function touchedOrganisations(
  catalogue: Database,
  plan: IdentityPlan,
  { resolved, parties }: { resolved: readonly ResolvedProcess[]; parties: StoredParties },
  overlay: ContractOverlay,
): Promise<Statement[]> {
  const role = plan.kind === 'buyer' ? 'buyer' : 'supplier';
  const before = [...parties.values()].flat().filter((row) => row.role === role);
  const now = resolved.flatMap((one) => [...one.parties.values()]).filter(({ party }) => party.role === role);
  const ids = new Set([
    ...plan.touched,
    ...before.map(({ identity_id }) => identity_id),
    ...now.map(({ identityId }) => identityId),
  ]);
  const storedOrganisations = await readStoredOrganisations(catalogue, plan.kind, [...ids]);
  return organisationStatements(catalogue, plan, storedOrganisations, [...ids], overlay);
}

interface Diff {
  versioned: Statement[];
  /** What follows from them, without a `seq`. */
  others: Statement[];
  /** `table id` of each versioned row. */
  changed: Set<string>;
}

/** Rows that differ from the stored ones, and stored rows that are gone. */
function diffRows(rows: readonly Row[], storedRows: StoredRows, fills: boolean): Diff {
  const versioned: Statement[] = [];
  const others: Statement[] = [];
  const changed = new Set<string>();
  const present = new Set<string>();
  for (const row of sortByTable(rows)) {
    const key = `${row.table} ${row.id}`;
    present.add(key);
    const stored = storedRows.rows.get(key);
    const statement = storeRow(row, stored, fills);
    if (!statement) continue;
    versioned.push(statement);
    changed.add(key);
    if (row.table === 'contract') others.push(...contractSupplierStatements(row, stored !== undefined));
  }
  for (const [key, { gone }] of storedRows.rows as ReadonlyMap<string, StoredRow>) {
    if (gone === 1 || present.has(key)) continue;
    const table = key.slice(0, key.indexOf(' ')) as Row['table'];
    const id = key.slice(table.length + 1);
    versioned.push(loseRow(table, id));
    changed.add(key);
    if (table === 'contract') others.push(clearSuppliers(id));
  }
  return { versioned, others, changed };
}
