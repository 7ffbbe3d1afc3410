import { shortHash } from '../../schema/names/buyers.ts';
import { partyOf } from '../../schema/ocds/release.ts';
import { strongSchemeOf } from '../../schema/text/ids.ts';
import type { JsonObject } from '../../schema/text/json-values.ts';
import { memoise, memoiseByObject } from '../../schema/text/memoise.ts';
import { likeness } from './match/likeness.ts';
import { keyOf, splitName } from './match/names.ts';
import { readSighting } from './sighting.ts';

/** The published facts that distinguish one party from another. */
interface Claim {
  /** The cleaned name, without its trading name; empty where no name was published. */
  name: string;
  /** Identifiers that were published next to its id. */
  ids: readonly string[];
  postcode: string | undefined;
}

/** What a party states about itself, besides its id. */
export const claimOf = memoiseByObject((party: JsonObject): Claim => {
  const read = partyOf({ ...party, id: undefined });
  const sighting = read && readSighting(read);
  // Names as served: entities and invisible characters do not distinguish parties.
  const name = sighting && sighting.nameKey !== '' ? legalKey(sighting.name) : '';
  return { name, ids: sighting?.ids ?? [], postcode: sighting?.postcode };
});

/** A name reduced to the company in it: `A Ltd t/a B` and `A Limited` are one. */
const legalKey = memoise((name) => (name === '' ? '' : keyOf(splitName(name).legal)));

/** Whether two published names are one, or differ by a typing mistake. */
export function isOneName(one: string, other: string): boolean {
  const [left, right] = [legalKey(one), legalKey(other)];
  return left === right || likeness(left, right) > 0;
}

/**
 * Whether two claims may belong to one party: they differ in nothing that both state. A register number belongs to one
 * organisation at any address. @param byPlace whether different postcodes separate claims that have no such number in common
 */
export function agree(one: Claim, other: Claim, byPlace: boolean): boolean {
  if (one.name !== '' && other.name !== '' && one.name !== other.name) return false;
  if (areOthers(one.ids, other.ids)) return false;
  if (!byPlace || !one.postcode || !other.postcode || one.postcode === other.postcode) return true;
  return one.ids.some((id) => other.ids.includes(id) && strongSchemeOf(id) !== null);
}

/** Whether two parties have different numbers of a scheme in which an organisation has only one. */
function areOthers(ids: readonly string[], others: readonly string[]): boolean {
  return ids.some((id) => {
    const scheme = strongSchemeOf(id);
    return scheme !== null && !others.includes(id) && others.some((other) => strongSchemeOf(other) === scheme);
  });
}

/** Claims that belong to one party, and a mark that distinguishes it from the others under the same id. */
export interface Cluster<T> {
  mark: string;
  members: T[];
}

/**
 * The parties that the claims under one id mean: one if all agree, otherwise one for each name. If those under one name
 * disagree, there is one for each number and place. Marks depend only on the claims, never on their order.
 */
export function clusterClaims<T>(members: readonly T[], read: (member: T) => Claim, byPlace: boolean): Cluster<T>[] {
  if (members.length < 2 || allAgree(members.map(read), byPlace)) return [{ mark: '', members: [...members] }];
  const named = groupBy(members, (member) => read(member).name);
  return [...named].flatMap(([name, own]) => {
    if (allAgree(own.map(read), byPlace)) return [{ mark: shortHash(name), members: own }];
    const byClaim = groupBy(own, (member) => JSON.stringify(read(member)));
    return [...byClaim].map(([claim, same]) => ({ mark: shortHash(claim), members: same }));
  });
}

function allAgree(claims: readonly Claim[], byPlace: boolean): boolean {
  const different = [...new Map(claims.map((claim) => [JSON.stringify(claim), claim])).values()];
  return different.every((one, index) => different.slice(0, index).every((other) => agree(one, other, byPlace)));
}

/** Groups members by key; keys and members keep their order. */
export function groupBy<T, K>(members: Iterable<T>, keyOf: (member: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const member of members) {
    const key = keyOf(member);
    const group = groups.get(key);
    if (group) group.push(member);
    else groups.set(key, [member]);
  }
  return groups;
}
