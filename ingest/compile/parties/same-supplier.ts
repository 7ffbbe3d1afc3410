import type { OcdsParty, OcdsRelease } from '../../../schema/ocds/types.ts';
import { groupBy } from '../../party/claims.ts';
import { joinPublished } from '../../party/links.ts';
import { readSighting, type Sighting } from '../../party/sighting.ts';
import type { PartiesOf } from './of-process.ts';

/** Which of a process's party ids are one supplier: an id holds within its release only, names and identifiers tell. */
export interface SameSupplier {
  /** What all party ids of one supplier have in common. */
  tokenOf(partyId: string): string;
  /** The id under which a supplier is best identified; the given one where none is better. */
  bestOf(partyId: string): string;
  /** Whether a supplier has left a dynamic market or framework. */
  hasLeft(partyId: string): boolean;
  /** How many different suppliers these party ids are. */
  count(partyIds: readonly string[]): number;
}

interface Known {
  partyId: string;
  sighting: Sighting;
}

/**
 * Tells the suppliers of a compiled process apart: by identifiers published together, then by cleaned name, unless those
 * who bear the name hold different numbers of one register.
 */
export function tellSuppliersApart({ parties }: PartiesOf, merged: OcdsRelease): SameSupplier {
  const suppliers = parties.filter(({ role }) => role === 'supplier');
  const removed = merged.parties.filter(isOnlyRemoved).map(knownOf);
  const unroled = merged.parties.filter(({ roles }) => roles.length === 0).map(knownOf);
  const tokens = joinKnown([...suppliers, ...removed, ...unroled]);
  const tokenOf = (partyId: string) => tokens.get(partyId) ?? partyId;
  const sightings = new Map(suppliers.map(({ partyId, sighting }) => [partyId, sighting]));
  const isIdentified = (partyId: string) => (sightings.get(partyId)?.ids.length ?? 0) > 0;
  const best = new Map(
    suppliers.flatMap(({ partyId }) => (isIdentified(partyId) ? [[tokenOf(partyId), partyId] as const] : [])),
  );
  const left = new Set(removed.map(({ partyId }) => tokenOf(partyId)));
  return {
    tokenOf,
    bestOf: (partyId) => (isIdentified(partyId) ? partyId : (best.get(tokenOf(partyId)) ?? partyId)),
    hasLeft: (partyId) => left.has(tokenOf(partyId)),
    count: (partyIds) => {
      if (partyIds.length < 2) return partyIds.length;
      const groups = groupBy(new Set(partyIds), tokenOf).values();
      return [...groups].reduce((sum, ids) => sum + countPlaces(ids.flatMap((id) => sightings.get(id) ?? [])), 0);
    },
  };
}

function isOnlyRemoved({ roles }: OcdsParty): boolean {
  return roles.includes('removedSupplier') && !roles.includes('supplier');
}

function knownOf(party: OcdsParty): Known {
  return { partyId: party.id ?? '', sighting: readSighting(party) };
}

/** One token for all party ids of one supplier; none where no two have a name or an identifier in common. */
function joinKnown(known: readonly Known[]): Map<string, string> {
  if (known.length < 2) return new Map();
  const nodes = known.map(({ partyId, sighting }) => ({
    partyId,
    name: sighting.nameKey,
    ids: [...sighting.ids, `party ${partyId}`],
  }));
  if (areDistinct(nodes.flatMap(({ name, ids }) => [`name ${name}`, ...ids]))) return new Map();
  const published = nodes.flatMap(({ ids: [token = '', ...others] }) =>
    others.map((value) => ({ token, field: 'same_as' as const, value })),
  );
  const sets = joinPublished(published);
  const named = [...groupBy(nodes, ({ name }) => name)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, bearers] of named) {
    const tokens = bearers.map(({ ids: [token = ''] }) => token);
    const nameless = tokens.filter((token) => token.startsWith('party '));
    const same = name === '' ? [] : sets.agree(tokens) ? tokens : nameless;
    for (const token of same) sets.unite(same[0] ?? token, token);
  }
  return new Map(nodes.map(({ partyId, ids: [token = ''] }) => [partyId, sets.find(token)]));
}

function areDistinct(keys: readonly string[]): boolean {
  return new Set(keys).size === keys.length;
}

/** One where a number says so; else as many as the addresses that are published. */
function countPlaces(sightings: readonly Sighting[]): number {
  const places = new Set(sightings.flatMap(({ postcode }) => postcode ?? []));
  return places.size < 2 || sightings.some(({ ids }) => ids.length > 0) ? 1 : places.size;
}
