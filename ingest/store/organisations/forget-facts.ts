import { OWNER_KINDS } from '../../../schema/catalogue/changes/owners.ts';
import { isOfOcids } from '../../../schema/catalogue/changes/remove.ts';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import { type DatedSighting, type Fact, factsOf, keyOf, latestOf, linksAmong } from '../../identity/facts.ts';
import type { Struck } from '../../identity/plan.ts';
import { isNameId, LINK_FIELDS } from '../../party/links.ts';
import type { IdentityKind } from '../../party/sighting.ts';
import { movingFrom } from '../relations/link-rows.ts';

const AMONG =
  '(SELECT fact.value ->> 0, fact.value ->> 1, fact.value ->> 2, fact.value ->> 3 FROM json_each(?1) AS fact)';
const STORED = `SELECT kind, token, field, value, notice_id AS noticeId FROM identity_fact
WHERE (kind, token, field, value) IN ${AMONG}`;
const FORGET_FACTS = `DELETE FROM identity_fact WHERE (kind, token, field, value) IN ${AMONG}`;
const FORGET_OF_NAMES = 'DELETE FROM identity_fact WHERE kind = ? AND token IN (SELECT value FROM json_each(?))';
/** Facts that tie an organisation to another id or name, which is their value. */
const TIES =
  "('same_as', 'name_id', 'plain_name_id', 'register_name_id', 'register_likely_id', 'within', 'formerly', 'leads_to')";
const FORGET_TIES = `DELETE FROM identity_fact WHERE kind = ? AND field IN ${TIES} AND value IN (SELECT value FROM json_each(?))`;
/** SQL: whether an organisation has its id from a name that no fact has any more, not even those about its place or number. */
export const isForgotten = (kind: IdentityKind) => `id GLOB 'name-*'
  AND NOT EXISTS (SELECT 1 FROM identity_fact WHERE kind = '${kind}' AND token = ${kind}.id)
  AND NOT EXISTS (SELECT 1 FROM identity_fact WHERE kind = '${kind}' AND field IN ${TIES} AND value = ${kind}.id)`;

function forgetNames(kind: IdentityKind, names: readonly string[]): Statement[] {
  return [FORGET_OF_NAMES, FORGET_TIES].map((sql) => ({ sql, args: [kind, JSON.stringify(names)] }));
}

const SAID_LAST = `SELECT kind, token, field, value, last_seen AS date, notice_id AS noticeId FROM identity_fact
WHERE notice_id`;
const NOTICES_OF = `(SELECT notice_id FROM notice WHERE ${isOfOcids('notice')})`;
const FIELDS = LINK_FIELDS.map((field) => `'${field}'`).join(', ');
/**
 * Processes of every organisation that links tie to these identifiers and names, and of those still to be moved: they state
 * what is known of it. Also the processes of notices that were the last to state something, as a process has fewer parties than
 * its releases list.
 */
const PROCESSES = `SELECT DISTINCT process_id FROM party WHERE role = ?1 AND identity_id IN (SELECT target FROM alias
  WHERE kind = ?2 AND alias IN (SELECT value FROM json_each(?3)
    UNION SELECT value FROM identity_fact WHERE kind = ?2 AND token IN (SELECT value FROM json_each(?3)) AND field = 'leads_to'
    UNION SELECT token FROM identity_fact INDEXED BY identity_fact_by_value
      WHERE kind = ?2 AND field IN (${FIELDS}) AND value IN (SELECT value FROM json_each(?3))) UNION ${movingFrom('?2')})
  UNION SELECT process_id FROM notice WHERE notice_id IN (
    SELECT notice_id FROM identity_fact WHERE kind = ?2 AND token IN (SELECT value FROM json_each(?3))
    UNION SELECT notice_id FROM identity_fact INDEXED BY identity_fact_by_value
      WHERE kind = ?2 AND field IN (${FIELDS}) AND value IN (SELECT value FROM json_each(?3)))`;
/** Whether a notice states a fact, other than those that are forgotten. */
const IS_SAID = `notice_id IS NOT NULL AND (kind, token, field, value) NOT IN ${AMONG}`;
const SAID = `SELECT node.value AS node FROM json_each(?3) AS node
WHERE EXISTS (SELECT 1 FROM identity_fact WHERE kind = ?2 AND token = node.value AND ${IS_SAID})
  OR EXISTS (SELECT 1 FROM identity_fact INDEXED BY identity_fact_by_value
    WHERE kind = ?2 AND field IN (${FIELDS}) AND value = node.value AND ${IS_SAID})`;
const REGISTERED = `SELECT token, value FROM identity_fact INDEXED BY identity_fact_by_value
WHERE kind = 'company' AND field IN ('register_name_id', 'register_likely_id') AND value IN (SELECT value FROM json_each(?))`;
const NAMES = `SELECT token, value FROM identity_fact
WHERE kind = 'company' AND field IN ('register_name_id', 'register_likely_id') AND token IN (SELECT value FROM json_each(?))`;

/** The facts that a notice was the last to state. */
export function readSaidLast(catalogue: Database, noticeId: string): Promise<Fact[]> {
  return catalogue.read<Fact>({ sql: `${SAID_LAST} = ?`, args: [noticeId] });
}

/** Those that any notice of these ocids was. */
export function readSaidLastIn(catalogue: Database, ocids: readonly string[]): Promise<Fact[]> {
  return catalogue.read<Fact>({ sql: `${SAID_LAST} IN ${NOTICES_OF}`, args: [JSON.stringify(ocids)] });
}

/**
 * The facts that these sightings of a person were the last to state, and no longer do: `kept` are the same ones without the
 * person. A fact that a notice of another page states later is left to that page, so that others who state it are looked for
 * only once.
 */
export async function readPersonSaidLast(
  catalogue: Database,
  sightings: readonly DatedSighting[],
  kept: readonly DatedSighting[],
): Promise<Fact[]> {
  const statedBy = (fact: Fact) => `${fact.noticeId} ${fact.date} ${keyOfFact(fact)}`;
  const still = new Set(kept.flatMap(factsOf).map(statedBy));
  const facts = latestOf(sightings.flatMap(factsOf)).filter((fact) => !still.has(statedBy(fact)));
  const stored = await catalogue.read<Fact>({ sql: STORED, args: [rowsOf(facts)] });
  const own = new Set(sightings.map(({ noticeId }) => noticeId));
  const later = new Set(stored.filter(({ noticeId }) => noticeId && !own.has(noticeId)).map(keyOfFact));
  return facts.filter((fact) => !later.has(keyOfFact(fact)));
}

/** The processes whose releases may state these facts too. */
export async function readProcessesSaying(catalogue: Database, facts: readonly Fact[]): Promise<string[]> {
  const processes: string[] = [];
  for (const kind of OWNER_KINDS) {
    const own = facts.filter((fact) => fact.kind === kind);
    if (own.length === 0) continue;
    const args = [kind === 'buyer' ? 'buyer' : 'supplier', kind, JSON.stringify([...nodesOf(own), ...numbersOf(own)])];
    const rows = await catalogue.read<{ process_id: string }>({ sql: PROCESSES, args });
    processes.push(...rows.map(({ process_id }) => process_id));
  }
  return [...new Set(processes)];
}

/** Those sightings that state any of these facts. */
export function statingAny(sightings: readonly DatedSighting[], facts: readonly Fact[]): DatedSighting[] {
  const wanted = new Set(facts.map(keyOfFact));
  return sightings.filter((one) => factsOf(one).some((fact) => wanted.has(keyOfFact(fact))));
}

/** What is forgotten of what was said last, by kind, where these sightings of others state the rest. */
export async function readStruck(
  catalogue: Database,
  said: readonly Fact[],
  others: readonly DatedSighting[],
): Promise<Record<IdentityKind, Struck>> {
  const stated = others.flatMap(factsOf);
  const again = new Set(stated.map(keyOfFact));
  const struckOf = async (kind: IdentityKind): Promise<Struck> => {
    const own = said.filter((fact) => fact.kind === kind);
    const facts = own.filter((fact) => !again.has(keyOfFact(fact)));
    const named = new Set(nodesOf(stated.filter((fact) => fact.kind === kind)));
    const nodes = nodesOf(facts).filter((node) => !named.has(node));
    const unsaid = await withoutSaid(catalogue, kind, nodes, said);
    const left = kind === 'company' ? await asRegistered(catalogue, unsaid, said) : unsaid;
    return { said: new Set(own.map(keyOf)), facts, unsaid: new Set(left) };
  };
  return { buyer: await struckOf('buyer'), company: await struckOf('company') };
}

/**
 * Statements that drop what was stated last, and everything about names that nobody else mentions. Facts that others state too
 * return when these are compiled.
 */
export function forgetStatements(said: readonly Fact[], struck: Record<IdentityKind, Struck>): Statement[] {
  const ofNames = OWNER_KINDS.flatMap((kind) => forgetNames(kind, [...struck[kind].unsaid].filter(isNameId)));
  return [{ sql: FORGET_FACTS, args: [rowsOf(said)] }, ...ofNames];
}

async function withoutSaid(catalogue: Database, kind: IdentityKind, nodes: readonly string[], said: readonly Fact[]) {
  const args = [rowsOf(said), kind, JSON.stringify(nodes)];
  const named = new Set((await catalogue.read<{ node: string }>({ sql: SAID, args })).map(({ node }) => node));
  return nodes.filter((node) => !named.has(node));
}

/** With the companies that only the register tied to these names, and without those that it ties to other names. */
async function asRegistered(catalogue: Database, unsaid: readonly string[], said: readonly Fact[]): Promise<string[]> {
  type Row = { token: string; value: string };
  const rows = await catalogue.read<Row>({ sql: REGISTERED, args: [JSON.stringify(unsaid)] });
  const registered = await withoutSaid(catalogue, 'company', [...new Set(rows.map(({ token }) => token))], said);
  const all = [...new Set([...unsaid, ...registered])];
  const tied = await catalogue.read<Row>({ sql: NAMES, args: [JSON.stringify(all)] });
  const elsewhere = new Set(tied.filter(({ value }) => !unsaid.includes(value)).map(({ token }) => token));
  return all.filter((node) => !elsewhere.has(node));
}

/** Identifiers and names that lead somewhere by these facts. */
function nodesOf(facts: readonly Fact[]): string[] {
  const links = linksAmong(facts);
  const own = facts.filter(({ field }) => field !== 'name_key' && field !== 'leads_to');
  return [...new Set([...own.map(({ token }) => token), ...links.map(({ value }) => value)])];
}

function numbersOf(facts: readonly Fact[]): string[] {
  return facts.flatMap(({ field, token }) => (field === 'leads_to' || field === 'name_key' ? [token] : []));
}

function keyOfFact(fact: Fact): string {
  return `${fact.kind}\n${keyOf(fact)}`;
}

function rowsOf(facts: readonly Fact[]): string {
  return JSON.stringify(facts.map(({ kind, token, field, value }) => [kind, token, field, value]));
}
