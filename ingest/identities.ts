import type { Database, Statement } from '../schema/database.ts';
import { type AliasBook, openAliases } from './alias-book.ts';
import { type IdentityKind, nameId } from './identify.ts';
import { joinIdentifiers } from './identity-clusters.ts';
import { type Fact, factStatements, factsOf, nameMayLead, type Seen } from './identity-facts.ts';
import { resolveNames } from './identity-names.ts';
import { resolveNumbers } from './identity-numbers.ts';

/** What a page's parties changed in who is who. */
export interface IdentityPlan {
  kind: IdentityKind;
  aliases: AliasBook;
  /** Identities whose facts, aliases or existence changed. */
  touched: Set<string>;
  /** Processes whose parties must be resolved again, as an identity of theirs changed its id. */
  processes: Set<string>;
  /** What the new releases said of them. */
  facts: readonly Fact[];
  statements: Statement[];
}

/**
 * Works out who the parties of new releases are. Identifiers seen together are one identity; a name leads to an identity
 * while exactly one claims it; a source's own number while all its sightings agree. Reads only; nothing is written.
 */
export async function planIdentities(
  catalogue: Database,
  kind: IdentityKind,
  seen: readonly Seen[],
): Promise<IdentityPlan> {
  const aliases = openAliases(catalogue, kind);
  const facts: Fact[] = seen.flatMap(factsOf);
  const groups = seen.flatMap(({ sighting }) => (sighting.ids.length > 0 ? [sighting.ids] : []));
  await aliases.load(groups.flat());
  const clusters = joinIdentifiers(groups, aliases.held());
  for (const { winner, losers, ids } of clusters) {
    for (const loser of losers) aliases.repoint(loser, winner);
    for (const id of [...ids, winner]) aliases.point(id, winner);
  }
  const joined = clusters.filter(({ losers }) => losers.length > 0);
  const names = await resolveNames(catalogue, aliases, seen, facts, joined);
  facts.push(...names.facts);
  await resolveNumbers(catalogue, aliases, facts, [...names.changed, ...names.joinedTokens]);
  const losers = joined.flatMap((cluster) => cluster.losers);
  return {
    kind,
    aliases,
    touched: new Set([
      ...clusters.flatMap(({ winner }) => winner),
      ...losers,
      ...names.touched,
      ...seen.flatMap(({ sighting }) => aliases.targetOf(sighting.ids[0] ?? nameId(kind, sighting)) ?? []),
    ]),
    processes: await readProcessesOf(catalogue, kind, losers, names.moved),
    facts,
    statements: [...aliases.statements(), ...factStatements(facts)],
  };
}

/** Loads what is needed to resolve these parties, changed or not. */
export async function loadTargets(plan: IdentityPlan, seen: readonly Seen[]): Promise<void> {
  await plan.aliases.load(
    seen.flatMap(({ kind, sighting }) => [
      ...sighting.ids.slice(0, 1),
      ...(sighting.ids.length === 0 || nameMayLead(kind, sighting) ? [nameId(kind, sighting)] : []),
    ]),
  );
}

const BY_IDENTITY = `SELECT DISTINCT process_id FROM party
WHERE role = ? AND identity_id IN (SELECT value FROM json_each(?))`;

async function readProcessesOf(
  catalogue: Database,
  kind: IdentityKind,
  losers: readonly string[],
  moved: readonly string[],
): Promise<Set<string>> {
  const role = kind === 'buyer' ? 'buyer' : 'supplier';
  const all = JSON.stringify([...new Set([...losers, ...moved])]);
  if (all === '[]') return new Set();
  const rows = await catalogue.read<{ process_id: string }>({ sql: BY_IDENTITY, args: [role, all] });
  return new Set(rows.map(({ process_id }) => process_id));
}
