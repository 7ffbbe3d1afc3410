import { type LikenedProcess, readRelated } from '../../schema/catalogue/related-processes.ts';
import type { Database } from '../../schema/db/interface.ts';
import { ocidOf } from '../../schema/text/ids.ts';
import { compileOcid } from '../compile/ocid.ts';
import type { CompiledProcess } from '../compile/types.ts';
import type { IdentityKind } from '../party/sighting.ts';
import { readStoredRows, storeRow } from '../rows/versioned.ts';
import { type ResolvedProcess, rowsOfProcess } from '../store/process-rows.ts';
import { linkCallOff, readReferenceBook } from '../store/relations/link-rows.ts';
import { readProcessReleases } from '../store/releases.ts';
import { explainProcess } from './process.ts';
import {
  type RequestedId,
  readRequestedId,
  readResolvedParties,
  readStoredReleases,
  readSuccessions,
} from './stored.ts';
import { readOnTwoServices } from './two-services.ts';
import type { Explanation } from './types.ts';

/** How the identity of a buyer or company was decided: what leads to it, what was said about it, and how its parties were tied to it. */
export interface ExplainedIdentity {
  kind: IdentityKind;
  id: string;
  name: string;
  contract_count: number;
  framework_places: number;
  /** Notices of its newest contracts. */
  notice_ids: string[];
  /** Every identifier and name that leads to it. */
  aliases: string[];
  /** What releases (or the register) said, latest first, and under which identifier it was filed. */
  facts: { field: string; value: string; token: string; last_seen: string; notice_id: string | null }[];
  /** How often parties were tied to it, by method and score. */
  methods: { method: string; score: number; parties: number }[];
  /** One party for each method, with its evidence. */
  examples: { process_id: string; name: string; method: string; score: number; evidence: string[] }[];
}

const FACTS_MAX = 100;
const TARGET = 'SELECT target FROM alias WHERE kind = ? AND alias = ?';
const ALIASES = 'SELECT alias FROM alias WHERE kind = ? AND target = ? ORDER BY alias';
const FACTS = `SELECT field, value, token, last_seen, notice_id FROM identity_fact
WHERE kind = ? AND token IN (SELECT value FROM json_each(?)) ORDER BY last_seen DESC, field, value LIMIT ${FACTS_MAX}`;
const METHODS = `SELECT method, score, count(*) AS parties, min(process_id) AS process_id FROM party
WHERE role = ? AND identity_id = ? GROUP BY method, score ORDER BY parties DESC, method`;
const EXAMPLE = `SELECT process_id, name, method, score, evidence FROM party
WHERE process_id = ? AND role = ? AND identity_id = ? AND method = ? LIMIT 1`;

/** The buyer and the company that an id leads to: none, one or both. A Companies House number is an id too. */
export async function explainIdentity(catalogue: Database, given: string): Promise<ExplainedIdentity[]> {
  const text = given.trim();
  const found: ExplainedIdentity[] = [];
  for (const kind of ['buyer', 'company'] as const) {
    for (const id of [text, `GB-COH-${text.padStart(8, '0')}`]) {
      const explained = await explainOneIdentity(catalogue, kind, id);
      if (explained && !found.some((one) => one.kind === kind)) found.push(explained);
    }
  }
  return found;
}

async function explainOneIdentity(
  catalogue: Database,
  kind: IdentityKind,
  given: string,
): Promise<ExplainedIdentity | null> {
  const [led] = await catalogue.read<{ target: string }>({ sql: TARGET, args: [kind, given.toLowerCase()] });
  const id = led?.target ?? given;
  type Row = Pick<ExplainedIdentity, 'name' | 'contract_count' | 'framework_places'> & { detail: string };
  const [row] = await catalogue.read<Row>({
    sql: `SELECT name, contract_count, framework_places, detail FROM ${kind} WHERE id = ? AND gone = 0`,
    args: [id],
  });
  if (!row) return null;
  const role = kind === 'buyer' ? 'buyer' : 'supplier';
  const leading = await catalogue.read<{ alias: string }>({ sql: ALIASES, args: [kind, id] });
  const aliases = leading.map(({ alias }) => alias);
  type Method = { method: string; score: number; parties: number; process_id: string };
  const methods = await catalogue.read<Method>({ sql: METHODS, args: [role, id] });
  type Example = Omit<ExplainedIdentity['examples'][number], 'evidence'> & { evidence: string };
  const examples: Example[] = [];
  for (const { method, process_id } of methods)
    examples.push(...(await catalogue.read<Example>({ sql: EXAMPLE, args: [process_id, role, id, method] })));
  return {
    kind,
    id,
    name: row.name,
    contract_count: row.contract_count,
    framework_places: row.framework_places,
    notice_ids: (JSON.parse(row.detail) as { notice_ids?: string[] }).notice_ids ?? [],
    aliases,
    facts: await catalogue.read({ sql: FACTS, args: [kind, JSON.stringify([...aliases, id.toLowerCase()])] }),
    methods: methods.map(({ method, score, parties }) => ({ method, score, parties })),
    examples: examples.map((one) => ({ ...one, evidence: JSON.parse(one.evidence) as string[] })),
  };
}

/**
 * How every field was decided for the processes that an id names. Stored releases go through the same compiler that fills the
 * catalogue, which returns its reasons; parties are as they were resolved. One explanation for each process with the id; none
 * where nothing is stored. Reads only.
 */
export async function explain(catalogue: Database, given: string, now: Date): Promise<Explanation[]> {
  const asked = await readRequestedId(catalogue, given);
  if (!asked) return [];
  const explained: Explanation[] = [];
  for (const processId of asked.processIds) explained.push(await explainOne(catalogue, asked, processId, now));
  return explained;
}

async function explainOne(catalogue: Database, asked: RequestedId, processId: string, now: Date): Promise<Explanation> {
  const ocid = ocidOf(processId);
  const releases = (await readProcessReleases(catalogue, [ocid], [])).get(ocid) ?? [];
  const compiled = compileOcid(ocid, releases);
  const process = compiled.find(({ id }) => id === processId);
  if (!process) throw new Error(`process ${processId} is stored, but its releases do not compile to it: rebuild`);
  const parties = await readResolvedParties(catalogue, processId);
  const onTwo = await readOnTwoServices(catalogue, compiled);
  const { countedAs, copied } = onTwo;
  const book = await readReferenceBook(catalogue, compiled, { ocids: new Set([ocid]), copied: copied.frameworks });
  const row = await readLikened(catalogue, processId);
  const resolved: ResolvedProcess = { process, parties, link: linkCallOff(process, book), countedAs, copied };
  return explainProcess({
    asked,
    now,
    resolved,
    onTwo,
    releases,
    stored: await readStoredReleases(catalogue, ocid),
    siblings: compiled.filter((other) => other !== process),
    differing: await countDiffering(catalogue, resolved, compiled),
    related: row ? await readRelated(catalogue, row) : [],
    successions: await readSuccessions(catalogue, processId),
  });
}

const LIKENED = 'SELECT * FROM process WHERE id = ?';

async function readLikened(catalogue: Database, processId: string): Promise<LikenedProcess | undefined> {
  return (await catalogue.read<LikenedProcess>({ sql: LIKENED, args: [processId] }))[0];
}

/** Rows that would be compiled differently now. */
async function countDiffering(
  catalogue: Database,
  resolved: ResolvedProcess,
  compiled: readonly CompiledProcess[],
): Promise<number> {
  const { rows } = await readStoredRows(catalogue, [resolved.process.ocid], compiled);
  return rowsOfProcess(resolved).filter((row) => storeRow(row, rows.get(`${row.table} ${row.id}`)) !== null).length;
}
