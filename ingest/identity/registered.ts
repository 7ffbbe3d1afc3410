import type { Database } from '../../schema/db/interface.ts';
import { matchSuppliers } from '../party/match/suppliers.ts';
import type { RegisterMatch, Wanted } from '../party/match/types.ts';
import { companyNumberOf, type IdentityKind, lacksNumber, nameId, tokenOf } from '../party/sighting.ts';
import { readEditionCursor } from '../runs/spans.ts';
import { sources } from '../sources/index.ts';
import { type DatedSighting, type Fact, keyOf } from './facts.ts';

/** Where identifiers and names lead once the batch is written. */
interface Targets {
  load(ids: readonly string[]): Promise<void>;
  targetOf(id: string): string | null;
}

/** A name's matches, as facts store them: once found, a match stays, even if later editions differ. */
const MATCHES = `SELECT token, value FROM identity_fact
WHERE kind = 'company' AND token IN (SELECT value FROM json_each(?)) AND field = 'register_match'`;

const FIELDS = ['register_name_id', 'register_likely_id', 'register_match'];
const REGISTER_FIELDS: ReadonlySet<string> = new Set(FIELDS);
/** Facts about suppliers that came from the register. */
export const IS_REGISTER_FACT = `kind = 'company' AND field IN (${FIELDS.map((field) => `'${field}'`).join(', ')})`;
const REGISTER_FACTS = `SELECT token, field, value FROM identity_fact
WHERE ${IS_REGISTER_FACT} AND token IN (SELECT value FROM json_each(?))`;

const REGISTERED = `SELECT company_number, name, record ->> 'previous_names' AS former FROM registered_company
WHERE gone = 0 AND company_number IN (SELECT value FROM json_each(?))`;

/** The names of a company on the register, current and former. */
export interface RegisteredNames {
  name: string;
  former: string[];
}

/**
 * What the register has about suppliers without a company number: for each that is certainly one company, its match and the
 * method. A match by name at the same postcode joins identifiers. Other matches lead the name only, and wait until an edition is
 * stored completely, as they depend on there being no other company.
 */
export async function findRegistered(
  catalogue: Database,
  kind: IdentityKind,
  sightings: readonly DatedSighting[],
): Promise<Fact[]> {
  if (kind !== 'company') return [];
  const unknown = sightings.filter(({ sighting }) => lacksNumber(sighting));
  if (unknown.length === 0) return [];
  const found = await matchSuppliers(catalogue, unknown.map(wantedOf));
  const isWhole = found.some((match) => match && !isExact(match)) && (await isRegisterWhole(catalogue));
  return unknown.flatMap(({ sighting, date }, index): Fact[] => {
    const match = found[index];
    if (!match || !(isExact(match) || isWhole)) return [];
    const name = nameId(kind, sighting);
    const token = `gb-coh-${match.companyNumber.toLowerCase()}`;
    const field = isExact(match) ? 'register_name_id' : 'register_likely_id';
    return [
      { kind, token, field, value: name, date },
      { kind, token: name, field: 'register_match', value: JSON.stringify(match), date },
    ];
  });
}

function wantedOf({ sighting, date }: DatedSighting): Wanted {
  const { name, nameKey, postcode, country, ids } = sighting;
  return { name, nameKey, postcode, country, ids, published: date.slice(0, 10) };
}

function isExact({ method }: RegisterMatch): boolean {
  return method === 'name_postcode';
}

async function isRegisterWhole(catalogue: Database): Promise<boolean> {
  const register = sources.find(({ kind }) => kind === 'register');
  const cursor = register && (await readEditionCursor(catalogue, register.id));
  return cursor?.whole ?? false;
}

/** The facts from the register that are not stored yet. */
export async function newOfRegister(catalogue: Database, facts: readonly Fact[]): Promise<Fact[]> {
  const registered = facts.filter(({ field }) => REGISTER_FIELDS.has(field));
  if (registered.length === 0) return [];
  const tokens = JSON.stringify([...new Set(registered.map(({ token }) => token))]);
  const rows = await catalogue.read<Pick<Fact, 'token' | 'field' | 'value'>>({ sql: REGISTER_FACTS, args: [tokens] });
  const stored = new Set(rows.map(keyOf));
  return registered.filter((fact) => !stored.has(keyOf(fact)));
}

/** Identities whose names the register matches differently now. Their parties then differ too, whether or not they moved. */
export async function readNewlyMatched(
  catalogue: Database,
  aliases: Targets,
  facts: readonly Fact[],
): Promise<string[]> {
  const names = (await newOfRegister(catalogue, facts)).flatMap(({ field, token }) =>
    field === 'register_match' ? [token] : [],
  );
  await aliases.load(names);
  return names.flatMap((name) => aliases.targetOf(name) ?? []);
}

/** How the register matched those names of these parties that now lead to a company, by name id. */
export async function readRegisterMatches(
  catalogue: Database,
  { kind, aliases, facts }: { kind: IdentityKind; aliases: Targets; facts: readonly Fact[] },
  sightings: readonly DatedSighting[],
): Promise<Map<string, RegisterMatch[]>> {
  const tokens = new Set(
    sightings.flatMap(({ sighting }) => {
      const token = tokenOf(kind, sighting);
      return sighting.ids.length === 0 && companyNumberOf(aliases.targetOf(token) ?? '') ? [token] : [];
    }),
  );
  const matches = new Map<string, RegisterMatch[]>();
  if (tokens.size === 0) return matches;
  type Row = { token: string; value: string };
  const stored = await catalogue.read<Row>({ sql: MATCHES, args: [JSON.stringify([...tokens])] });
  const fresh = facts.filter(({ field, token }) => field === 'register_match' && tokens.has(token));
  for (const { token, value } of [...stored, ...fresh]) {
    const match = JSON.parse(value) as RegisterMatch;
    matches.set(token, [...(matches.get(token) ?? []), match]);
  }
  return matches;
}

/** Names on the Companies House register of the companies that these suppliers lead to. */
export async function readRegisteredNames(
  catalogue: Database,
  { kind, aliases }: { kind: IdentityKind; aliases: Targets },
  sightings: readonly DatedSighting[],
): Promise<Map<string, RegisteredNames>> {
  const numbers = sightings.flatMap(({ sighting }) => {
    const target = aliases.targetOf(tokenOf(kind, sighting));
    return companyNumberOf(target ?? '') ?? [];
  });
  if (numbers.length === 0) return new Map();
  const rows = await catalogue.read<{ company_number: string; name: string; former: string | null }>({
    sql: REGISTERED,
    args: [JSON.stringify([...new Set(numbers)])],
  });
  const namesOf = (former: string | null) => (JSON.parse(former ?? '[]') as { name: string }[]).map(({ name }) => name);
  return new Map(rows.map((row) => [row.company_number, { name: row.name, former: namesOf(row.former) }]));
}
