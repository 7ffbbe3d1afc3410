import { plainBuyerKey } from '../../../schema/names/buyers.ts';
import { nameKey } from '../../../schema/names/spelling.ts';
import type { OcdsAward, OcdsContract, OcdsParty, OcdsReference, OcdsRelease } from '../../../schema/ocds/types.ts';
import { groupBy, makeResults } from '../../../schema/text/memoise.ts';
import { cleanLine } from '../../fields/text/clean.ts';
import { isOneName } from '../../party/claims.ts';
import { namesSeveral } from '../../party/match/names.ts';
import { readSighting, type Sighting } from '../../party/sighting.ts';
import type { CompiledNotice, CompiledParty, JointBuyers, Role } from '../types.ts';

const INLINE_BUYER = 'buyer';
const NO_PARTY: OcdsParty = { additionalIdentifiers: [], roles: [], classifications: [] };

export interface PartiesOf {
  parties: CompiledParty[];
  buyerParty: string | null;
  /** Party ids of an award's suppliers, the first named first. If it names none, those of the contracts signed under it. */
  suppliersOf(award: OcdsAward | undefined, contracts?: readonly OcdsContract[]): string[];
}

const READ = makeResults<OcdsRelease, PartiesOf>();

/** Buyers and suppliers of a release or merged process, with their names and ids. Cached for each object. */
export function partiesOf(ocds: OcdsRelease): PartiesOf {
  const known = READ.get(ocds) ?? readParties(ocds);
  READ.set(ocds, known);
  return known;
}

/**
 * Parties of a merged process, each as one release names it, because a merge may mix the name of one release with the
 * postcode of another. The last release with an identifier decides, otherwise the last with name and postcode, otherwise
 * the last with a name. The size comes from the last release that states one.
 */
export function partiesOfProcess(merged: OcdsRelease, releases: readonly OcdsRelease[]): PartiesOf {
  const own = partiesOf(merged);
  if (releases.includes(merged)) return own;
  const keyOf = ({ role, partyId }: CompiledParty) => `${role} ${partyId}`;
  const byParty = groupBy(
    releases.flatMap((release) => partiesOf(release).parties),
    keyOf,
  );
  const parties = own.parties.map((party): CompiledParty => {
    const named = byParty.get(keyOf(party)) ?? [];
    const isAlike = ({ sighting }: CompiledParty) =>
      !NO_ID.test(party.partyId) || sighting.nameKey === party.sighting.nameKey;
    const sightings = named.filter(isAlike).map(({ sighting }) => sighting);
    const sharedIds = [...new Set(named.flatMap((one) => one.sharedIds))];
    return { ...party, sighting: lastKnown(sightings) ?? party.sighting, sharedIds };
  });
  const listed = new Set(own.parties.map(keyOf));
  // Where other releases state an id, the merged buyer has that. A notice without one still refers to its own.
  const unlisted = [...byParty].flatMap(([key, named]) =>
    listed.has(key) ? [] : named.filter(({ partyId }) => NO_ID.test(partyId)).slice(-1),
  );
  const signing = releases.findLast((one) => one.contracts.length > 0 && one.parties.some(isSupplier));
  const suppliersOf = merged.awards.length === 0 ? supplierReader(merged, signing?.parties) : own.suppliersOf;
  const ofProcess = { ...own, parties: [...parties, ...unlisted], suppliersOf };
  READ.set(merged, ofProcess);
  return ofProcess;
}

/** The names of its buyers, the main one first, each once however it is spelt. */
export function buyerNames({ parties }: PartiesOf): string[] {
  const named = parties.filter(({ role, sighting }) => role === 'buyer' && sighting.nameKey !== '');
  const byName = groupBy(named, ({ sighting }) => sighting.nameKey);
  return [...byName.values()].flatMap(([first]) => first?.sighting.name ?? []);
}

/** The buyers besides the main one, if there are any. A notice that names buyers takes back those of an earlier one. */
export function jointBuyersOf(all: PartiesOf): JointBuyers {
  if (all.buyerParty === null) return {};
  const main = all.parties.find(({ role, partyId }) => role === 'buyer' && partyId === all.buyerParty);
  const own = plainBuyerKey(main?.sighting.name ?? '');
  const others = buyerNames(all).filter((name) => plainBuyerKey(name) !== own);
  const ids = all.parties.flatMap((one) => (one.role === 'buyer' && one !== main ? one.partyId : []));
  return {
    joint_buyers: others.length > 0 ? others : undefined,
    jointBuyerParties: ids.length > 0 ? ids : undefined,
  };
}

/** The ids of a notice's buyers besides its main one, each once; undefined where there are none. @param idOf the id of a party */
export function jointBuyerIds(
  { buyerParty, detail }: Pick<CompiledNotice, 'buyerParty' | 'detail'>,
  idOf: (partyId: string | null) => string | null,
): string[] | undefined {
  const [main, ...others] = [buyerParty, ...(detail.jointBuyerParties ?? [])].map(idOf);
  const ids = new Set(others.flatMap((id) => (id === main ? [] : (id ?? []))));
  return ids.size > 0 ? [...ids] : undefined;
}

/** The id of a party that was published without one. */
const NO_ID = new RegExp(`^${INLINE_BUYER}(?:-\\d+)?$`);

function lastKnown(sightings: readonly Sighting[]): Sighting | undefined {
  const named = sightings.filter(({ nameKey }) => nameKey !== '');
  const last =
    named.findLast(({ ids }) => ids.length > 0) ??
    sightings.findLast(({ ids }) => ids.length > 0) ??
    named.findLast(({ postcode }) => postcode !== undefined) ??
    named.at(-1) ??
    sightings.at(-1);
  const lastSaid = (kind: 'isSme' | 'isVcse') => sightings.findLast((one) => one[kind] !== undefined)?.[kind];
  return last && { ...last, isSme: lastSaid('isSme'), isVcse: lastSaid('isVcse') };
}

function readParties(ocds: OcdsRelease): PartiesOf {
  const byId = new Map(ocds.parties.flatMap((party) => (party.id ? [[party.id, party] as const] : [])));
  const buyers = buyersOf(ocds);
  const suppliersOf = supplierReader(ocds);
  const named = [...ocds.awards.flatMap((award) => suppliersOf(award)), ...suppliersOf(undefined)];
  const added = ocds.contracts.flatMap((one) => one.amendments.flatMap(({ suppliersAdded }) => idsOf(suppliersAdded)));
  // If this release's awards name no supplier, these may be the suppliers of an award in another release.
  const isUnnamed = ocds.awards.every((award) => award.suppliers.length === 0);
  const listed = isUnnamed ? ocds.parties.filter(isSupplier).flatMap(({ id }) => id ?? []) : [];
  const suppliers = [...new Set([...named, ...added, ...listed])].map((id) => [id, byId.get(id) ?? bare(id)] as const);
  const read = (role: Role, [partyId, party]: readonly [string, OcdsParty]): CompiledParty => {
    const sharedIds = party.sharedId === undefined ? [] : [party.sharedId];
    return { partyId, role, sighting: withinProcess(readSighting(party), ocds.ocid), sharedIds };
  };
  const parties = [
    ...buyers.map((one) => read('buyer', one)),
    ...dropSharedIds(suppliers.map((one) => read('supplier', one))),
  ];
  return { parties, buyerParty: buyers[0]?.[0] ?? null, suppliersOf };
}

/** A party without a name is that of its own process alone, as services use one id for several of them, and count through each notice. */
function withinProcess(sighting: Sighting, ocid = ''): Sighting {
  const { unnamedId } = sighting;
  return unnamedId === undefined ? sighting : { ...sighting, unnamedId: `${ocid.toLowerCase()} ${unnamedId}` };
}

/**
 * A function that returns the suppliers of an award: those that it names, otherwise those that its contracts name. If neither
 * names any, an only award has all parties that are suppliers, and so has an only contract where no award was published: those of
 * its last notice. Without an award, it returns those of contracts whose award is missing.
 */
function supplierReader({ awards, contracts, ...ocds }: OcdsRelease, parties = ocds.parties): PartiesOf['suppliersOf'] {
  const known = new Set(awards.map(({ id }) => id));
  const byAward = groupBy(contracts, ({ awardID, id }) => awardID ?? id);
  const isOnly = awards.length === 1 || (awards.length === 0 && contracts.length === 1);
  const listed = isOnly ? parties.filter(isSupplier).flatMap(({ id }) => id ?? []) : [];
  return (award, own) => {
    if (award && award.suppliers.length > 0) return [...new Set(idsOf(award.suppliers))];
    const ofAward = award
      ? (byAward.get(award.id) ?? [])
      : contracts.filter((one) => !known.has(one.awardID ?? one.id));
    const signed = (own ?? ofAward).flatMap(({ suppliers }) => idsOf(suppliers));
    return [...new Set(signed.length > 0 || (!award && awards.length > 0) ? signed : listed)];
  };
}

/** The party ids of references to suppliers. */
export function idsOf(references: readonly OcdsReference[]): string[] {
  return references.flatMap(({ id }) => id ?? []);
}

function isSupplier({ roles }: OcdsParty): boolean {
  return roles.includes('supplier');
}

function bare(id: string): OcdsParty {
  return { ...NO_PARTY, id };
}

/** Suppliers of one release, without ids that were published for several of them under different names. */
function dropSharedIds(suppliers: readonly CompiledParty[]): readonly CompiledParty[] {
  const namesById = groupBy(
    suppliers.flatMap(({ sighting }) => sighting.ids.map((id) => ({ id, name: sighting.name, key: sighting.nameKey }))),
    ({ id }) => id,
  );
  const shared = new Set<string>();
  for (const [id, all] of namesById) {
    const [first, ...others] = all.filter(({ key }) => key !== '');
    if (first && others.some(({ name }) => !isOneName(name, first.name))) shared.add(id);
  }
  return shared.size === 0 ? suppliers : suppliers.map((one) => withoutIds(one, shared));
}

function withoutIds(party: CompiledParty, shared: ReadonlySet<string>): CompiledParty {
  const { ids, identifiers, notes } = party.sighting;
  const lost = ids.filter((id) => shared.has(id));
  if (lost.length === 0) return party;
  const sighting = {
    ...party.sighting,
    ids: ids.filter((id) => !shared.has(id)),
    identifiers: identifiers.filter(({ scheme, id }) => !shared.has(`${scheme}-${id}`)),
    notes: [...notes, ...lost.map((id) => `published for several names, so not believed: ${id}`)],
  };
  return { ...party, sighting, sharedIds: [...party.sharedIds, ...lost] };
}

/** Warnings about suppliers of a release or process. */
export function warnOfSuppliers(parties: readonly CompiledParty[], partyIds: readonly string[]): string[] {
  const wanted = new Set(partyIds);
  const meant = parties.filter(({ role, partyId }) => role === 'supplier' && wanted.has(partyId));
  const shared = new Set(meant.flatMap(({ sharedIds }) => sharedIds));
  const several = new Set(meant.flatMap(({ sighting }) => (namesSeveral(sighting.name) ? sighting.name : [])));
  return [
    ...[...shared].map((id) => `one id was published for several organisations (${id}): each is counted by itself`),
    ...[...several].map((name) => `several suppliers were published in one name: ${name}`),
  ];
}

/** The party that a buyer refers to: by its id, or without one by the name of a party that buys. */
function partyOfBuyer({ id, name }: OcdsParty, parties: readonly OcdsParty[]): OcdsParty | undefined {
  if (id !== undefined) return parties.find((party) => party.id === id);
  const key = nameKey(cleanLine(name));
  return parties.find((party) => party.roles.includes('buyer') && nameKey(cleanLine(party.name)) === key);
}

/** A party with what only `buyer` states of it. */
function complete(party: OcdsParty, { identifier, additionalIdentifiers, address, url, classifications }: OcdsParty) {
  return {
    ...party,
    identifier: party.identifier ?? identifier,
    additionalIdentifiers: [...party.additionalIdentifiers, ...additionalIdentifiers],
    address: party.address ?? address,
    url: party.url ?? url,
    classifications: [...party.classifications, ...classifications],
  };
}

/** Buyers, with the one in `buyer` first. If there are none, the procuring entities and central purchasing bodies. */
function buyersOf(ocds: OcdsRelease): [string, OcdsParty][] {
  const { buyer } = ocds;
  const named = buyer && partyOfBuyer(buyer, ocds.parties);
  const inline = buyer && !named && (buyer.name || buyer.id) ? buyer : undefined;
  const main = named && buyer ? complete(named, buyer) : inline;
  const byRole = (role: string) => ocds.parties.filter((party) => party.roles.includes(role) && party !== named);
  const others = byRole('buyer');
  const found = [...(main ? [main] : []), ...others];
  const buyers = found.length > 0 ? found : [...byRole('procuringEntity'), ...byRole('centralPurchasingBody')];
  return buyers
    .filter((party) => party.name || party.id || party.identifier?.id)
    .map((party, index) => [party.id ?? (index === 0 ? INLINE_BUYER : `${INLINE_BUYER}-${index + 1}`), party]);
}
