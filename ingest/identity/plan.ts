import type { Database, Statement } from '../../schema/db/interface.ts';
import { isNameId, joinIdentities, type Link } from '../party/links.ts';
import { type IdentityKind, tokenOf } from '../party/sighting.ts';
import {
  type DatedSighting,
  type Fact,
  factStatements,
  factsOf,
  keyOf,
  linksAmong,
  newLinks,
  readNeighbourhood,
} from './facts.ts';
import { findRegistered, readNewlyMatched } from './registered.ts';

/** The aliases of one kind as they will be once the batch is written. Keys are lower case. */
export interface AliasBook {
  kind: IdentityKind;
  load(ids: readonly string[]): Promise<void>;
  /** Where an id leads now, or null where it is unknown. It must have been loaded. */
  targetOf(id: string): string | null;
  point(id: string, target: string): void;
  remove(id: string): void;
  /** Every alias that leads to one of these identities once the batch is written, with its target. */
  leadingTo(ids: readonly string[]): Promise<Map<string, string>>;
  statements(): Statement[];
}

const LEADING = 'SELECT alias, target FROM alias WHERE kind = ? AND target IN (SELECT value FROM json_each(?))';

const READ = 'SELECT alias, target FROM alias WHERE kind = ? AND alias IN (SELECT value FROM json_each(?))';
const POINTED = '(?, ?, ?)';
const POINT = `INSERT INTO alias (kind, alias, target) VALUES ${POINTED}
ON CONFLICT (kind, alias) DO UPDATE SET target = excluded.target WHERE target <> excluded.target`;
const REMOVE = 'DELETE FROM alias WHERE kind = ? AND alias = ?';

/** The stored aliases of one kind with changes on top. Nothing is read before `load`, and only `statements` writes. */
export function openAliases(catalogue: Database, kind: IdentityKind): AliasBook {
  const stored = new Map<string, string>();
  const loaded = new Set<string>();
  const changed = new Map<string, string | null>();

  const targetOf = (id: string): string | null => {
    const key = id.toLowerCase();
    const own = changed.get(key);
    return own === undefined ? (stored.get(key) ?? null) : own;
  };

  return {
    kind,
    targetOf,
    async load(ids) {
      const wanted = [...new Set(ids.map((id) => id.toLowerCase()))].filter((id) => !loaded.has(id));
      if (wanted.length === 0) return;
      const rows = await catalogue.read<{ alias: string; target: string }>({
        sql: READ,
        args: [kind, JSON.stringify(wanted)],
      });
      for (const id of wanted) loaded.add(id);
      for (const { alias, target } of rows) stored.set(alias, target);
    },
    point: (id, target) => changed.set(id.toLowerCase(), target),
    remove: (id) => changed.set(id.toLowerCase(), null),
    async leadingTo(ids) {
      const wanted = new Set(ids);
      const rows = await catalogue.read<{ alias: string; target: string }>({
        sql: LEADING,
        args: [kind, JSON.stringify([...wanted])],
      });
      for (const { alias, target } of rows) if (!stored.has(alias)) stored.set(alias, target);
      const all = [...rows.map(({ alias }) => alias), ...changed.keys()];
      return new Map(
        all.flatMap((alias) => {
          const target = targetOf(alias);
          return target !== null && wanted.has(target) ? [[alias, target] as const] : [];
        }),
      );
    },
    statements() {
      return [...changed].flatMap(([alias, target]): Statement[] => {
        if (target === null) return stored.has(alias) ? [{ sql: REMOVE, args: [kind, alias] }] : [];
        return stored.get(alias) === target ? [] : [{ sql: POINT, row: POINTED, args: [kind, alias, target] }];
      });
    },
  };
}

const BY_LEAD = `SELECT DISTINCT token FROM identity_fact INDEXED BY identity_fact_by_value
WHERE kind = ? AND field = 'leads_to' AND value IN (SELECT value FROM json_each(?))`;
const SIGHTINGS = `SELECT token, field, value FROM identity_fact
WHERE kind = ? AND token IN (SELECT value FROM json_each(?)) AND field IN ('name_key', 'leads_to')`;

/** What is forgotten with a notice or person that is taken down. */
export interface Struck {
  /** Its stored facts, by their text (`keyOf`). Those that others state too are stated again when these are compiled. */
  said: ReadonlySet<string>;
  /** Facts that nothing else states: they decide nothing any more. */
  facts: readonly Fact[];
  /** Identifiers and names that nothing else mentions: they lead nowhere any more. */
  unsaid: ReadonlySet<string>;
}

const NOTHING: Struck = { said: new Set(), facts: [], unsaid: new Set() };

/** Organisations of one kind whose processes are resolved again, in the order of their ids: those up to `after` were. */
export interface Move {
  kind: IdentityKind;
  ids: readonly string[];
  after: string;
}

/** How the parties of a page change the identities. */
export interface IdentityPlan {
  kind: IdentityKind;
  /** Stored facts that are forgotten. */
  struck: ReadonlySet<string>;
  aliases: AliasBook;
  /** Identities whose facts, aliases or existence changed. */
  touched: Set<string>;
  /** Identities that an id or a name left, or that the register matches differently now. */
  move: Move;
  /** What the new releases said about them. */
  facts: readonly Fact[];
  statements: Statement[];
}

/**
 * Works out who the parties of new releases are. Identifiers and names are tied together by published facts, and everything that
 * a new or forgotten link may reach is decided again. Reads only. `registerFacts` is what the register says about others seen before.
 */
export async function planIdentities(
  catalogue: Database,
  kind: IdentityKind,
  sightings: readonly DatedSighting[],
  {
    registerFacts = [],
    struck = NOTHING,
  }: { registerFacts?: readonly Fact[] | undefined; struck?: Struck | undefined } = {},
): Promise<IdentityPlan> {
  const aliases = openAliases(catalogue, kind);
  const facts: Fact[] = [
    ...sightings.flatMap(factsOf),
    ...(await findRegistered(catalogue, kind, sightings)),
    ...registerFacts,
  ];
  const filed = sightings.map(({ sighting }) => tokenOf(kind, sighting));
  await aliases.load([...filed, ...struck.facts.map(({ token }) => token)]);
  const fresh = await newLinks(catalogue, kind, linksAmong(facts));
  const moved = await decideIdentities(catalogue, aliases, { fresh, filed, struck });
  await resolveNumbers(catalogue, aliases, { facts, forgotten: struck.facts }, [...moved.keys()]);
  const left = [...moved.values()].flatMap((before) => before ?? []);
  const named = [...moved.keys(), ...filed, ...struck.facts.map(({ token }) => token)];
  const matched = await readNewlyMatched(catalogue, aliases, facts);
  return {
    kind,
    struck: struck.said,
    aliases,
    touched: new Set([...left, ...named.flatMap((node) => aliases.targetOf(node) ?? [])]),
    move: { kind, ids: [...new Set([...left, ...matched])], after: '' },
    facts,
    statements: [...aliases.statements(), ...factStatements(facts)],
  };
}

/** Decides again what new and forgotten links reach, and what is new. Returns what changed its target, with the former target. */
async function decideIdentities(
  catalogue: Database,
  aliases: AliasBook,
  { fresh, filed, struck }: { fresh: readonly Link[]; filed: readonly string[]; struck: Struck },
): Promise<Map<string, string | null>> {
  const seeds = { tokens: new Set<string>(), names: new Set<string>() };
  const add = (node: string) => (isNameId(node) ? seeds.names : seeds.tokens).add(node);
  for (const { token, value } of [...fresh, ...linksAmong(struck.facts)]) {
    add(token);
    add(value);
  }
  const { unsaid } = struck;
  for (const node of unsaid) add(node);
  for (const token of filed) if (aliases.targetOf(token) === null) add(token);
  const moved = new Map<string, string | null>();
  if (seeds.tokens.size + seeds.names.size === 0) return moved;
  const { links, tokens, names } = await readNeighbourhood(catalogue, aliases.kind, fresh, {
    tokens: [...seeds.tokens],
    names: [...seeds.names],
  });
  const nodes = [...tokens, ...names];
  await aliases.load(nodes);
  const lost = new Set(struck.facts.map(keyOf));
  const left = links.filter((link) => !(lost.has(keyOf(link)) || unsaid.has(link.token) || unsaid.has(link.value)));
  const leadsTo = joinIdentities(left, names);
  for (const node of nodes) {
    const before = aliases.targetOf(node);
    const target = unsaid.has(node) ? null : leadsTo(node);
    if (before === target) continue;
    if (target === null) aliases.remove(node);
    else aliases.point(node, target);
    moved.set(node, before);
  }
  return moved;
}

/** Loads what is needed to resolve these parties, changed or not. */
export async function loadTargets(plan: IdentityPlan, sightings: readonly DatedSighting[]): Promise<void> {
  await plan.aliases.load(sightings.map(({ kind, sighting }) => tokenOf(kind, sighting)));
}

/**
 * Look-ups of a source's own numbers (GB-FTS-…, GB-CFS-…). One leads to an identity only while all its sightings have one
 * cleaned name and lead to one identity.
 */
async function resolveNumbers(
  catalogue: Database,
  aliases: AliasBook,
  { facts, forgotten }: Record<'facts' | 'forgotten', readonly Fact[]>,
  movedTokens: readonly string[],
): Promise<void> {
  const { kind } = aliases;
  const ofNumber = ({ field }: Fact) => field === 'leads_to' || field === 'name_key';
  const fresh = facts.filter(ofNumber);
  const lost = forgotten.filter(ofNumber);
  const moved =
    movedTokens.length === 0
      ? []
      : await catalogue.read<{ token: string }>({ sql: BY_LEAD, args: [kind, JSON.stringify(movedTokens)] });
  const numbers = [...new Set([...fresh, ...lost, ...moved].map(({ token }) => token))];
  if (numbers.length === 0) return;
  type Row = { token: string; field: string; value: string };
  const rows = await catalogue.read<Row>({ sql: SIGHTINGS, args: [kind, JSON.stringify(numbers)] });
  const isLost = new Set(lost.map(keyOf));
  const all: Row[] = [...rows.filter((row) => !isLost.has(keyOf(row))), ...fresh];
  await aliases.load([...numbers, ...all.filter(({ field }) => field === 'leads_to').map(({ value }) => value)]);
  const said = new Map(numbers.map((number) => [number, { names: new Set(), targets: new Set<string | null>() }]));
  for (const { token, field, value } of all) {
    if (field === 'name_key') said.get(token)?.names.add(value);
    else said.get(token)?.targets.add(aliases.targetOf(value));
  }
  for (const [number, { names, targets }] of said) {
    const [target] = targets;
    if (names.size === 1 && targets.size === 1 && target) aliases.point(number, target);
    else aliases.remove(number);
  }
}
