import type { OcdsAward, OcdsParty, OcdsReference, OcdsRelease } from '../../schema/ocds.ts';
import { readSighting, type Sighting } from '../identify.ts';
import type { CompiledParty } from './types.ts';

const INLINE_BUYER = 'buyer';
const NO_PARTY: OcdsParty = { additionalIdentifiers: [], roles: [], classifications: [] };

export interface PartiesOf {
  parties: CompiledParty[];
  buyerParty: string | null;
  /** Party ids of an award's suppliers, first-named first. */
  suppliersOf(award: OcdsAward): string[];
}

const READ = new WeakMap<OcdsRelease, PartiesOf>();

/** Buyers and suppliers of a release or of a compiled process, with what each is known by. Worked out once per object. */
export function partiesOf(ocds: OcdsRelease): PartiesOf {
  const known = READ.get(ocds) ?? readParties(ocds);
  READ.set(ocds, known);
  return known;
}

/**
 * Parties of a merged process, each as one of its releases named it: merged, a name of one release may stand beside the
 * postcode of another, and nobody was ever seen so. The last release that gives an identifier decides, else the last with
 * a postcode, else the last; whether a supplier is an SME is the last thing said of that.
 */
export function partiesOfProcess(merged: OcdsRelease, releases: readonly OcdsRelease[]): PartiesOf {
  const own = partiesOf(merged);
  if (releases.includes(merged)) return own;
  const seen = new Map<string, Sighting[]>();
  for (const { partyId, role, sighting } of releases.flatMap((release) => partiesOf(release).parties)) {
    const known = seen.get(`${role} ${partyId}`);
    if (known) known.push(sighting);
    else seen.set(`${role} ${partyId}`, [sighting]);
  }
  const parties = own.parties.map((party): CompiledParty => {
    const named = seen.get(`${party.role} ${party.partyId}`) ?? [];
    const alike = NO_ID.test(party.partyId) ? named.filter(({ nameKey }) => nameKey === party.sighting.nameKey) : named;
    return { ...party, sighting: lastKnown(alike) ?? party.sighting };
  });
  const settled = { ...own, parties };
  READ.set(merged, settled);
  return settled;
}

/** Of a party that was published without an id. */
const NO_ID = new RegExp(`^${INLINE_BUYER}(?:-\\d+)?$`);

function lastKnown(sightings: readonly Sighting[]): Sighting | undefined {
  const last =
    sightings.findLast(({ ids }) => ids.length > 0) ??
    sightings.findLast(({ postcode }) => postcode !== undefined) ??
    sightings.at(-1);
  const sized = sightings.findLast(({ isSme }) => isSme !== undefined);
  return last && sized ? { ...last, isSme: sized.isSme } : last;
}

function readParties(ocds: OcdsRelease): PartiesOf {
  const byId = new Map(ocds.parties.flatMap((party) => (party.id ? [[party.id, party] as const] : [])));
  const buyers = buyersOf(ocds);
  const orphans = ocds.awards.length === 1 ? ocds.parties.filter(({ roles }) => roles.includes('supplier')) : [];
  const suppliersOf = (award: OcdsAward): string[] => {
    const named = award.suppliers.flatMap(({ id, name }) => id ?? name ?? []);
    // One award that names nobody, beside parties that are suppliers: they are its suppliers.
    return [...new Set(named.length > 0 ? named : orphans.flatMap(({ id }) => id ?? []))];
  };
  const suppliers = new Map<string, OcdsParty>();
  for (const award of ocds.awards) {
    for (const id of suppliersOf(award)) {
      const party = byId.get(id) ?? inlineSupplier(award.suppliers, id);
      if (party.name || party.id) suppliers.set(id, party);
    }
  }
  for (const { suppliersAdded } of ocds.contracts.flatMap(({ amendments }) => amendments)) {
    for (const id of suppliersAdded.flatMap((one) => one.id ?? one.name ?? [])) {
      if (!suppliers.has(id)) suppliers.set(id, byId.get(id) ?? inlineSupplier(suppliersAdded, id));
    }
  }
  // Where this release's awards name nobody, they may be the suppliers of an award in another.
  const unnamed = ocds.awards.every((award) => award.suppliers.length === 0) ? ocds.parties : [];
  for (const party of unnamed) if (party.id && party.roles.includes('supplier')) suppliers.set(party.id, party);
  const parties = [
    ...buyers.map(([partyId, party]) => ({ partyId, role: 'buyer' as const, sighting: readSighting(party) })),
    ...[...suppliers].map(([partyId, party]) => ({
      partyId,
      role: 'supplier' as const,
      sighting: readSighting(party),
    })),
  ];
  const kept = (award: OcdsAward) => suppliersOf(award).filter((id) => suppliers.has(id));
  return { parties, buyerParty: buyers[0]?.[0] ?? null, suppliersOf: kept };
}

function inlineSupplier(suppliers: readonly OcdsReference[], id: string): OcdsParty {
  const named = suppliers.find((one) => (one.id ?? one.name) === id);
  return { ...NO_PARTY, id: named?.id, name: named?.name };
}

/** Buyers, the one that `buyer` names first; where nobody is called buyer, who procures. */
function buyersOf(ocds: OcdsRelease): [string, OcdsParty][] {
  const { buyer } = ocds;
  const named = ocds.parties.find((party) => party.id !== undefined && party.id === buyer?.id);
  const inline = buyer && !named && (buyer.name || buyer.id) ? buyer : undefined;
  const main = named ?? inline;
  const byRole = (role: string) => ocds.parties.filter((party) => party.roles.includes(role) && party !== main);
  const others = byRole('buyer');
  const found = [...(main ? [main] : []), ...others];
  const stand = found.length > 0 ? found : [...byRole('procuringEntity'), ...byRole('centralPurchasingBody')];
  return stand
    .filter((party) => party.name || party.id || party.identifier?.id)
    .map((party, index) => [party.id ?? (index === 0 ? INLINE_BUYER : `${INLINE_BUYER}-${index + 1}`), party]);
}
