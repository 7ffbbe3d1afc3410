import type { Database } from '../../schema/db/interface.ts';
import { bearersOf, type Claims, claimsOf, isOfNames, joinPublished, LINK_FIELDS, type Link } from '../party/links.ts';
import type { IdentityKind } from '../party/sighting.ts';

const FIELDS = LINK_FIELDS.map((field) => `'${field}'`).join(', ');
/** Left to itself the planner reads every fact of a kind for the second half (measured: it takes the primary key). */
const TOUCHING = `SELECT token, field, value FROM identity_fact
WHERE kind = ?1 AND token IN (SELECT value FROM json_each(?2)) AND field IN (${FIELDS})
UNION SELECT token, field, value FROM identity_fact INDEXED BY identity_fact_by_value
WHERE kind = ?1 AND field IN (${FIELDS}) AND value IN (SELECT value FROM json_each(?2))`;

/** Everything whose identity some new links may change. */
interface Neighbourhood {
  links: Link[];
  /** Identifiers and names whose relevant links are all known. */
  tokens: Set<string>;
  names: Set<string>;
}

/** Links held and new, read as far as they are asked for. */
interface Reader {
  links: Map<string, Link>;
  /** Reads every link of these, and on along identifiers published together. */
  read(nodes: Iterable<string>): Promise<void>;
}

/** Links that are not held yet. */
export async function newLinks(catalogue: Database, kind: IdentityKind, links: readonly Link[]): Promise<Link[]> {
  const nodes = [...new Set(links.map(({ token }) => token))];
  const held = await catalogue.read<Link>({ sql: TOUCHING, args: [kind, JSON.stringify(nodes)] });
  const known = new Set(held.map(keyOf));
  return links.filter((link) => !known.has(keyOf(link)));
}

/**
 * Reads what new links may change: their identifiers and everybody who bears a name of those, then on through every name
 * whose bearers may be one. A name whose bearers disagree joins nobody, so nothing lies beyond it.
 */
export async function readNeighbourhood(
  catalogue: Database,
  kind: IdentityKind,
  fresh: readonly Link[],
  seeds: { tokens: readonly string[]; names: readonly string[] },
): Promise<Neighbourhood> {
  const reader = openReader(catalogue, kind, fresh);
  await reader.read([...seeds.tokens, ...seeds.names]);
  const tokens = new Set(seeds.tokens);
  const names = new Set(seeds.names);
  followLinks(reader.links, tokens, names);
  const changed = new Set(names);
  for (;;) {
    await reader.read([...tokens, ...names]);
    followLinks(reader.links, tokens, names);
    await reader.read([...tokens, ...names]);
    const claims = claimsOf(reader.links.values());
    await reader.read([...names].flatMap((name) => allOf(claims.get(name))));
    const published = joinPublished(reader.links.values());
    const before = tokens.size + names.size;
    for (const name of names) {
      const claim = claims.get(name);
      if (!claim || !(changed.has(name) || bearersOf(claim, published).length > 0)) continue;
      for (const token of allOf(claim)) tokens.add(token);
    }
    followLinks(reader.links, tokens, names);
    if (tokens.size + names.size === before) return { links: [...reader.links.values()], tokens, names };
  }
}

function openReader(catalogue: Database, kind: IdentityKind, fresh: readonly Link[]): Reader {
  const links = new Map<string, Link>(fresh.map((link) => [keyOf(link), link]));
  const done = new Set<string>();
  return {
    links,
    async read(nodes) {
      let wanted = [...new Set(nodes)].filter((node) => !done.has(node));
      while (wanted.length > 0) {
        for (const node of wanted) done.add(node);
        const rows = await catalogue.read<Link>({ sql: TOUCHING, args: [kind, JSON.stringify(wanted)] });
        for (const link of rows) links.set(keyOf(link), link);
        const reached = new Set<string>();
        for (const { token, field, value } of links.values()) {
          if (field !== 'same_as' || done.has(token) === done.has(value)) continue;
          reached.add(done.has(token) ? value : token);
        }
        wanted = [...reached];
      }
    },
  };
}

/** Adds what the links lead on to: identifiers published together, the names of identifiers, names with their postcodes. */
function followLinks(links: ReadonlyMap<string, Link>, tokens: Set<string>, names: Set<string>): void {
  for (let before = -1; before !== tokens.size + names.size; ) {
    before = tokens.size + names.size;
    for (const { token, field, value } of links.values()) {
      if (field === 'same_as') {
        if (tokens.has(token)) tokens.add(value);
        else if (tokens.has(value)) tokens.add(token);
      } else if (isOfNames(field)) {
        if (names.has(token)) names.add(value);
        else if (names.has(value)) names.add(token);
      } else if (tokens.has(token)) names.add(value);
    }
  }
}

function allOf(claim: Claims | undefined): string[] {
  return claim ? [...claim.notices, ...claim.plain, ...claim.register, ...claim.likely] : [];
}

function keyOf({ token, field, value }: Link): string {
  return `${token}\n${field}\n${value}`;
}
