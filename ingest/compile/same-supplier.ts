import type { OcdsRelease } from '../../schema/ocds.ts';
import { readSighting, type Sighting } from '../identify.ts';
import type { PartiesOf } from './parties.ts';

/** Which of a process's party ids are one supplier: an id holds within its release only, names and identifiers tell. */
export interface SameSupplier {
  /** The party id that stands for all ids of one supplier. */
  tokenOf(partyId: string): string;
  /** The id under which a supplier is best identified; the given one where none is better. */
  bestOf(partyId: string): string;
  /** Whether a supplier has left a dynamic market or framework. */
  hasLeft(partyId: string): boolean;
}

/** Tells the suppliers of a compiled process apart. */
export function tellSuppliersApart({ parties }: PartiesOf, merged: OcdsRelease): SameSupplier {
  const owners = new Map<string, string>();
  const tokens = new Map<string, string>();
  const best = new Map<string, string>();
  const identified = new Set<string>();
  for (const { partyId, role, sighting } of parties) {
    if (role !== 'supplier') continue;
    const known = tokensOf(partyId, sighting);
    const owner = known.flatMap((token) => owners.get(token) ?? [])[0] ?? partyId;
    for (const token of known) owners.set(token, owner);
    tokens.set(partyId, owner);
    if (sighting.ids.length === 0) continue;
    identified.add(partyId);
    best.set(owner, partyId);
  }
  const removed = merged.parties.filter(
    ({ roles }) => roles.includes('removedSupplier') && !roles.includes('supplier'),
  );
  const left = new Set(
    removed.flatMap((party) =>
      tokensOf(party.id ?? '', readSighting(party)).flatMap((token) => owners.get(token) ?? []),
    ),
  );
  const tokenOf = (partyId: string) => tokens.get(partyId) ?? partyId;
  return {
    tokenOf,
    bestOf: (partyId) => (identified.has(partyId) ? partyId : (best.get(tokenOf(partyId)) ?? partyId)),
    hasLeft: (partyId) => left.has(tokenOf(partyId)),
  };
}

function tokensOf(partyId: string, { ids, nameKey }: Sighting): string[] {
  return [...ids, nameKey ? `name ${nameKey}` : `party ${partyId}`, `id ${partyId}`];
}
