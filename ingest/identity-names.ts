import type { Database } from '../schema/database.ts';
import type { AliasBook } from './alias-book.ts';
import type { IdentityKind } from './identify.ts';
import { nameId } from './identify.ts';
import type { Cluster } from './identity-clusters.ts';
import { type Fact, nameMayLead, type Seen } from './identity-facts.ts';

export interface ResolvedNames {
  /** Names whose target is another than before. */
  changed: string[];
  /** Tokens of the clusters that were joined. */
  joinedTokens: string[];
  touched: string[];
  /** Identities whose parties may have moved elsewhere. */
  moved: string[];
  facts: Fact[];
}

const CLAIMS = `SELECT value AS name, token, field FROM identity_fact
WHERE kind = ? AND field IN ('name_id', 'register_name_id') AND value IN (SELECT value FROM json_each(?))`;
const TOKENS = 'SELECT alias FROM alias WHERE kind = ? AND target IN (SELECT value FROM json_each(?))';
const CLAIMED = `SELECT DISTINCT value AS name FROM identity_fact
WHERE kind = ? AND field IN ('name_id', 'register_name_id') AND token IN (SELECT value FROM json_each(?))`;

/**
 * Decides where every name concerned leads: to the one identity that was seen under it, else (companies) to the one
 * registered company of that name and postcode, else to itself.
 */
export async function resolveNames(
  catalogue: Database,
  aliases: AliasBook,
  seen: readonly Seen[],
  facts: readonly Fact[],
  joined: readonly Cluster[],
): Promise<ResolvedNames> {
  const { kind } = aliases;
  const own = seen.filter(({ sighting }) => sighting.ids.length === 0 || nameMayLead(kind, sighting));
  const joinedTokens = await readJoinedTokens(catalogue, aliases, joined);
  const claimedByJoined = await readNames(catalogue, kind, joinedTokens);
  const names = [...new Set([...own.map(({ sighting }) => nameId(kind, sighting)), ...claimedByJoined])];
  const registered = await findRegistered(catalogue, kind, seen);
  const claims = await readClaims(catalogue, kind, names, [...facts, ...registered]);
  await aliases.load([...names, ...[...claims.values()].flatMap(({ notices, register }) => [...notices, ...register])]);
  const result: ResolvedNames = { changed: [], joinedTokens, touched: [], moved: [], facts: registered };
  for (const name of names) {
    const before = aliases.held().get(name) ?? null;
    const target = targetOfName(name, claims.get(name), aliases);
    aliases.point(name, target);
    if (before === target) continue;
    result.changed.push(name);
    result.touched.push(target, ...(before ? [before] : []));
    if (before) result.moved.push(before);
  }
  return result;
}

interface Claims {
  notices: Set<string>;
  register: Set<string>;
}

function targetOfName(name: string, claims: Claims | undefined, aliases: AliasBook): string {
  for (const tokens of [claims?.notices, claims?.register]) {
    if (!tokens || tokens.size === 0) continue;
    const targets = new Set([...tokens].map((token) => aliases.targetOf(token) ?? canonicalOf(token)));
    const [only] = targets;
    if (targets.size > 1 || !only) return name;
    // A company known from the register alone has no alias yet.
    for (const token of tokens) if (!aliases.targetOf(token)) aliases.point(token, only);
    return only;
  }
  return name;
}

function canonicalOf(token: string): string {
  return token.toUpperCase();
}

async function readClaims(catalogue: Database, kind: IdentityKind, names: string[], fresh: readonly Fact[]) {
  const claims = new Map<string, Claims>();
  const wanted = new Set(names);
  const add = (name: string, token: string, field: string) => {
    const claim = claims.get(name) ?? { notices: new Set(), register: new Set() };
    (field === 'name_id' ? claim.notices : claim.register).add(token);
    claims.set(name, claim);
  };
  type Row = { name: string; token: string; field: string };
  const rows = await catalogue.read<Row>({ sql: CLAIMS, args: [kind, JSON.stringify(names)] });
  for (const { name, token, field } of rows) add(name, token, field);
  for (const { token, field, value } of fresh)
    if ((field === 'name_id' || field === 'register_name_id') && wanted.has(value)) add(value, token, field);
  return claims;
}

async function readJoinedTokens(catalogue: Database, { kind }: AliasBook, joined: readonly Cluster[]) {
  if (joined.length === 0) return [];
  const targets = joined.flatMap(({ winner, losers }) => [winner, ...losers]);
  const rows = await catalogue.read<{ alias: string }>({ sql: TOKENS, args: [kind, JSON.stringify(targets)] });
  return [
    ...new Set([...rows.map(({ alias }) => alias), ...joined.flatMap(({ ids }) => ids.map((id) => id.toLowerCase()))]),
  ];
}

async function readNames(catalogue: Database, kind: IdentityKind, tokens: string[]): Promise<string[]> {
  if (tokens.length === 0) return [];
  const rows = await catalogue.read<{ name: string }>({ sql: CLAIMED, args: [kind, JSON.stringify(tokens)] });
  return rows.map(({ name }) => name);
}

const REGISTERED = `SELECT company_number, name_key, postcode FROM registered_company
WHERE gone = 0 AND name_key IN (SELECT value FROM json_each(?))`;

/** Suppliers without an identifier whose cleaned name and postcode are those of exactly one registered company. */
async function findRegistered(catalogue: Database, kind: IdentityKind, seen: readonly Seen[]): Promise<Fact[]> {
  const unknown = seen.filter(({ sighting }) => sighting.ids.length === 0 && nameMayLead(kind, sighting));
  if (kind !== 'company' || unknown.length === 0) return [];
  type Row = { company_number: string; name_key: string; postcode: string | null };
  const keys = JSON.stringify([...new Set(unknown.map(({ sighting }) => sighting.nameKey))]);
  const rows = await catalogue.read<Row>({ sql: REGISTERED, args: [keys] });
  const bare = (postcode: string | null | undefined) => (postcode ?? '').toUpperCase().replace(/\s/g, '');
  return unknown.flatMap(({ sighting, date }) => {
    const same = rows.filter(
      (row) => row.name_key === sighting.nameKey && bare(row.postcode) === bare(sighting.postcode),
    );
    const [only] = same;
    if (!only || same.length > 1) return [];
    const token = `gb-coh-${only.company_number.toLowerCase()}`;
    return [{ kind, token, field: 'register_name_id', value: nameId(kind, sighting), date }];
  });
}
