import type { Database, Statement } from '../../schema/db/interface.ts';
import { canonicalJson } from '../../schema/text/json-values.ts';
import { bearersOf, type Claims, claimsOf, isOfNames, joinPublished, LINK_FIELDS, type Link } from '../party/links.ts';
import { isAbroad } from '../party/match/names.ts';
import {
  formerNameIds,
  type IdentityKind,
  lacksNumber,
  leadsAlone,
  nameId,
  nameMayLead,
  placeId,
  plainNameId,
  type Sighting,
  tokenOf,
} from '../party/sighting.ts';

/** A party as one release named it, and the date of that release. */
export interface DatedSighting {
  kind: IdentityKind;
  sighting: Sighting;
  date: string;
  /** The notice that the release belongs to; absent where the sighting was read back from a fact. */
  noticeId?: string;
}

export interface Fact {
  kind: IdentityKind;
  /** Identifier or name id, in lower case. */
  token: string;
  field: string;
  value: string;
  date: string;
  /** The notice that said so; absent where the register did. */
  noticeId?: string | undefined;
}

/** The question for the register, stored with a fact so that later editions are asked exactly the same. */
function sightedOf(kind: IdentityKind, sighting: Sighting): string | undefined {
  if (kind !== 'company' || !lacksNumber(sighting)) return undefined;
  const { name, postcode, locality, country, ids } = sighting;
  return canonicalJson({ name, postcode, locality, ids, ...(isAbroad(country) ? { country } : {}) });
}

/** How a sighting ties identifiers and names together. */
export function linksOf(kind: IdentityKind, sighting: Sighting): Link[] {
  const token = tokenOf(kind, sighting);
  const [, ...others] = sighting.ids.map((id) => id.toLowerCase());
  const name = nameId(kind, sighting);
  const place = placeId(kind, sighting);
  const published = others.map((value): Link => ({ token, field: 'same_as', value }));
  const plain = leadsAlone(kind, sighting) ? plainNameId(kind, sighting) : null;
  const within: Link[] = [
    ...(place && leadsAlone(kind, sighting) ? [{ token: place, field: 'within' as const, value: name }] : []),
    ...(plain ? [{ token: name, field: 'within' as const, value: plain }] : []),
    ...formerNameIds(kind, sighting).map((token) => ({ token, field: 'formerly' as const, value: name })),
  ];
  if (sighting.ids.length === 0 || !nameMayLead(kind, sighting)) return [...published, ...within];
  const alone = kind === 'company' || leadsAlone(kind, sighting) ? [name] : [];
  const names = [...alone, ...(place ? [place] : [])].map((value): Link => ({ token, field: 'name_id', value }));
  const plainly = plain ? [{ token, field: 'plain_name_id' as const, value: plain }] : [];
  return [...published, ...names, ...plainly, ...within];
}

/** The facts that tie identifiers and names together. */
export function linksAmong(facts: readonly Fact[]): Link[] {
  const fields: ReadonlySet<string> = new Set(LINK_FIELDS);
  return facts.filter((fact): fact is Fact & Link => fields.has(fact.field));
}

/** Everything that a sighting says about its identity. */
export function factsOf({ kind, sighting, date, noticeId }: DatedSighting): Fact[] {
  const token = tokenOf(kind, sighting);
  const { street, locality, postcode, country, region } = sighting;
  const said: [string, string, string | undefined][] = [
    [token, 'name', sighting.nameKey || sighting.ids.length === 0 ? sighting.name : undefined],
    [token, 'sighted', sightedOf(kind, sighting)],
    [token, 'url', sighting.url],
    [token, 'sme', sighting.isSme === undefined ? undefined : String(sighting.isSme)],
    [token, 'organisation_kind', kind === 'buyer' ? sighting.kind : undefined],
    [
      token,
      'address',
      locality || postcode || region ? canonicalJson({ street, locality, postcode, country, region }) : undefined,
    ],
  ];
  for (const link of linksOf(kind, sighting)) said.push([link.token, link.field, link.value]);
  for (const identifier of sighting.identifiers) said.push([token, 'identifier', canonicalJson(identifier)]);
  for (const number of sighting.numbers) {
    said.push([number.toLowerCase(), 'name_key', sighting.nameKey]);
    said.push([number.toLowerCase(), 'leads_to', token]);
  }
  return said.flatMap(([about, field, value]) => {
    const short = value && cutFact(field, value);
    return short ? [{ kind, token: about, field, value: short, date, noticeId }] : [];
  });
}

const CHARACTERS_MAX = 1_000;
/** Facts in JSON: truncated, they could not be read back. */
const STRUCTURED: ReadonlySet<string> = new Set(['address', 'identifier', 'sighted']);

/** A fact within the length limit: longer text is truncated, and longer JSON dropped. */
function cutFact(field: string, value: string): string | null {
  if (value.length <= CHARACTERS_MAX) return value;
  return STRUCTURED.has(field) ? null : value.slice(0, CHARACTERS_MAX);
}

/** One statement for all: a page states thousands of facts, most of them known. */
const KEEP = `INSERT INTO identity_fact (kind, token, field, value, last_seen, notice_id)
SELECT fact.value ->> 0, fact.value ->> 1, fact.value ->> 2, fact.value ->> 3, fact.value ->> 4, fact.value ->> 5
FROM json_each(?) AS fact WHERE true
ON CONFLICT (kind, token, field, value) DO UPDATE SET last_seen = excluded.last_seen, notice_id = excluded.notice_id
WHERE (excluded.last_seen, ifnull(excluded.notice_id, '')) > (identity_fact.last_seen, ifnull(identity_fact.notice_id, ''))`;

/** The statement that stores facts, each once with its latest date; none where there are none. */
export function factStatements(facts: readonly Fact[]): Statement[] {
  const rows = latestOf(facts).map(({ kind, token, field, value, date, noticeId }) => {
    return [kind, token, field, value, date, noticeId];
  });
  return rows.length === 0 ? [] : [{ sql: KEEP, args: [JSON.stringify(rows)] }];
}

/** Each fact once, as it was stated last. */
export function latestOf(facts: readonly Fact[]): Fact[] {
  const latest = new Map<string, Fact>();
  for (const fact of facts) {
    const key = `${fact.kind}\n${keyOf(fact)}`;
    const known = latest.get(key);
    if (!known || isLater(fact, known)) latest.set(key, fact);
  }
  return [...latest.values()];
}

/** For releases of the same instant the notice's id decides, never the order of arrival. */
export function isLater(one: Pick<Fact, 'date' | 'noticeId'>, other: typeof one): boolean {
  return one.date > other.date || (one.date === other.date && (one.noticeId ?? '') > (other.noticeId ?? ''));
}

const FIELDS = LINK_FIELDS.map((field) => `'${field}'`).join(', ');
/** Without the hint the planner reads every fact of a kind for the second half (measured: it takes the primary key). */
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

/** Stored and new links, read as far as needed. */
interface Reader {
  /** By their text (`keyOf`). */
  links: Map<string, Link>;
  /** Reads every link of these, and follows identifiers published together. */
  read(nodes: Iterable<string>): Promise<void>;
}

/** New links, not stored yet. */
export async function newLinks(catalogue: Database, kind: IdentityKind, links: readonly Link[]): Promise<Link[]> {
  const nodes = [...new Set(links.map(({ token }) => token))];
  const stored = await catalogue.read<Link>({ sql: TOUCHING, args: [kind, JSON.stringify(nodes)] });
  const known = new Set(stored.map(keyOf));
  return links.filter((link) => !known.has(keyOf(link)));
}

/**
 * Reads what new links may change: their identifiers and every bearer of a name of those, then on through every name whose
 * bearers may be one. A name whose bearers disagree joins nobody, so nothing beyond it matters.
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

/** Adds what the links lead to: identifiers published together, names of identifiers, names with their postcodes. */
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

/** A fact of one kind, as a key. */
export function keyOf({ token, field, value }: Record<'token' | 'field' | 'value', string>): string {
  return `${token}\n${field}\n${value}`;
}
