import { SHARED_ID } from '../../../schema/ocds/parts.ts';
import type { OcdsParty, OcdsRelease } from '../../../schema/ocds/types.ts';
import { codeOf } from '../../../schema/reference/notice-types.ts';
import { compareText } from '../../../schema/text/ids.ts';
import { type JsonObject, listOf, objectOf, textOf, valuesOf } from '../../../schema/text/json-values.ts';
import { groupBy } from '../../../schema/text/memoise.ts';
import { keepParties } from '../../merge/uk.ts';
import { claimOf, clusterClaims, isOneName, mapMentions, nameOnce } from '../../party/claims.ts';
import { joinPublished } from '../../party/links.ts';
import { isRegisterId, readSighting, type Sighting } from '../../party/sighting.ts';
import type { PartiesOf } from './of-process.ts';

/** Which party ids of a process are one supplier. An id is valid within its release only, so names and identifiers decide. */
export interface SameSupplier {
  /** One token for all party ids of one supplier. */
  tokenOf(partyId: string): string;
  /** The id under which a supplier is best identified; the given id if none is better. */
  bestOf(partyId: string): string;
  /** The number of different suppliers among these party ids. */
  count(partyIds: readonly string[]): number;
}

interface Known {
  partyId: string;
  sighting: Sighting;
}

/**
 * Distinguishes the suppliers of a merged process. Identifiers that were published together join them. So does a cleaned
 * name, unless suppliers with that name have different numbers in one register.
 */
export function distinguishSuppliers({ parties }: PartiesOf, merged: OcdsRelease): SameSupplier {
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
  return {
    tokenOf,
    bestOf: (partyId) => (isIdentified(partyId) ? partyId : (best.get(tokenOf(partyId)) ?? partyId)),
    count: (partyIds) => {
      if (partyIds.length < 2) return partyIds.length;
      let count = 0;
      for (const ids of groupBy(new Set(partyIds), tokenOf).values())
        count += countPlaces(ids.flatMap((id) => sightings.get(id) ?? []));
      return count;
    },
  };
}

/** Whether a notice names a party only as one that has left. */
export function isOnlyRemoved({ roles }: OcdsParty): boolean {
  return roles.includes('removedSupplier') && !roles.includes('supplier');
}

function knownOf(party: OcdsParty): Known {
  return { partyId: party.id ?? '', sighting: readSighting(party) };
}

/** A token for each party id, the same for all ids of one supplier. Empty if no two have a name or identifier in common. */
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
  const named = [...groupBy(nodes, ({ name }) => name)].toSorted(([a], [b]) => compareText(a, b));
  for (const [name, bearers] of named) {
    const tokens = bearers.map(({ ids: [token = ''] }) => token);
    const nameless = tokens.filter((token) => token.startsWith('party '));
    if (name === '') continue;
    const same = sets.agree(tokens) ? tokens : nameless;
    for (const token of same) sets.unite(same[0] ?? token, token);
  }
  return new Map(nodes.map(({ partyId, ids: [token = ''] }) => [partyId, sets.find(token)]));
}

function areDistinct(keys: readonly string[]): boolean {
  return new Set(keys).size === keys.length;
}

/** One supplier if it has an identifier; otherwise as many as there are published postcodes. */
function countPlaces(sightings: readonly Sighting[]): number {
  const places = new Set(sightings.flatMap(({ postcode }) => postcode ?? []));
  return places.size < 2 || sightings.some(({ ids }) => ids.length > 0) ? 1 : places.size;
}

/** A supplier as one release of a process states it. */
interface Bearer {
  /** Place of its release. */
  place: number;
  party: JsonObject;
  /** The id that was published for it. */
  publishedId: string;
}

/**
 * The releases of one process, in order, with ids that each mean one supplier. If an id was given to suppliers with
 * different names, numbers or postcodes, each name gets an id of its own, the same in every release. A bare reference by
 * the old id means the supplier that had it last. Register numbers are believed, as a company may change its name between
 * two notices.
 */
export function distinguishIds(ordered: readonly JsonObject[]): readonly JsonObject[] {
  if (ordered.length < 2) return ordered;
  const shared = [...groupBy(ordered.flatMap(bearersIn), ({ publishedId }) => publishedId)].flatMap(([, bearers]) => {
    const clusters = areAlike(bearers) ? [] : clusterClaims(bearers, ({ party }) => claimOf(party), true);
    return clusters.length < 2 ? [] : [{ bearers, clusters }];
  });
  if (shared.length === 0) return ordered;
  const ownIds = new Map(
    shared.flatMap(({ clusters }) =>
      clusters.flatMap(({ mark, members }) =>
        members.map(({ party, publishedId }) => [party, `${publishedId}~${mark}`] as const),
      ),
    ),
  );
  const byId = new Map(shared.map(({ bearers }) => [bearers[0]?.publishedId ?? '', bearers]));
  return ordered.map((json, place) => rename(json, place, ownIds, byId));
}

/**
 * The releases of one process, in order. Where several awards share an id, each contract names the same award in all of them. The
 * awards are numbered as their contracts first come: another release may list them in another order, or only one of them.
 */
export function numberAlike(ordered: readonly JsonObject[]): readonly JsonObject[] {
  const known = new Map<string, string>();
  for (const [id = '', contracts] of groupBy(ordered.flatMap(sharingAnAward), publishedAwardOf))
    for (const [place, key] of [...new Set(contracts.map(keyOfSigned))].entries())
      known.set(key, place === 0 ? id : `${id}~${place + 1}`);
  if (known.size === 0) return ordered;
  return ordered.map((json) => {
    const found = listOf(json.contracts, objectOf).map((contract) => {
      const own = textOf(contract.awardID);
      return { contract, own, awardID: known.get(keyOfSigned(contract)) ?? own };
    });
    if (found.every(({ own, awardID }) => own === awardID)) return json;
    const awards = listOf(json.awards, objectOf).map((award) => {
      const [only, ...others] = new Set(found.flatMap((one) => (one.own === textOf(award.id) ? one.awardID : [])));
      return only === undefined || others.length > 0 ? award : { ...award, id: only };
    });
    const contracts = found.map(({ contract, awardID }) => ({ ...contract, awardID }));
    return keepParties({ ...json, awards, contracts });
  });
}

/** The contracts of a release whose awards it numbers, as they share an id. */
function sharingAnAward(json: JsonObject): JsonObject[] {
  const contracts = listOf(json.contracts, objectOf);
  const numbered = contracts.filter((one) => publishedAwardOf(one) !== textOf(one.awardID));
  const shared = new Set(numbered.map(publishedAwardOf));
  return contracts.filter((one) => shared.has(publishedAwardOf(one)));
}

function publishedAwardOf({ awardID }: JsonObject): string | undefined {
  return textOf(awardID)?.replace(/~\d+$/, '');
}

function keyOfSigned(contract: JsonObject): string {
  return JSON.stringify([publishedAwardOf(contract), textOf(contract.id)]);
}

function bearersIn(json: JsonObject, place: number): Bearer[] {
  return valuesOf(json.parties).flatMap((one): Bearer[] => {
    const party = objectOf(one);
    const id = textOf(party?.id);
    const publishedId = textOf(party?.[SHARED_ID]) ?? id;
    // An id with `#` belongs to its release alone.
    if (!party || id === undefined || publishedId === undefined || id.includes('#') || isRegisterId(publishedId))
      return [];
    const roles = listOf(party.roles, codeOf);
    const isSupplier = roles.length === 0 || roles.includes('supplier') || roles.includes('removedSupplier');
    return isSupplier && textOf(party.name) !== undefined ? [{ place, party, publishedId }] : [];
  });
}

/** Whether all of them are published identically. Most are, and need no further comparison. */
function areAlike(bearers: readonly Bearer[]): boolean {
  const words = bearers.map(({ party: { name, identifier, address } }) => JSON.stringify([name, identifier, address]));
  return new Set(words).size < 2;
}

function rename(
  json: JsonObject,
  place: number,
  ownIds: ReadonlyMap<JsonObject, string>,
  byId: ReadonlyMap<string, readonly Bearer[]>,
): JsonObject {
  const here = new Map<string, string>();
  const parties = valuesOf(json.parties).map((one) => {
    const party = objectOf(one);
    const id = party && ownIds.get(party);
    if (!party || id === undefined) return one;
    here.set(textOf(party.id) ?? '', id);
    return { ...party, id, [SHARED_ID]: textOf(party[SHARED_ID]) ?? textOf(party.id) };
  });
  const lastIds = (id: string): string[] => {
    const bearers = byId.get(id) ?? [];
    const last = bearers.findLast((one) => one.place < place) ?? bearers[0];
    return bearers.filter((one) => one.place === last?.place).flatMap(({ party }) => ownIds.get(party) ?? []);
  };
  const refer = (mention: JsonObject): JsonObject[] => {
    const id = textOf(mention.id) ?? '';
    const ids = here.has(id) ? [here.get(id) ?? id] : lastIds(id);
    return ids.length === 0 ? [mention] : ids.map((own) => ({ ...mention, id: own }));
  };
  const buyer = objectOf(json.buyer);
  const buyerId = here.get(textOf(buyer?.id) ?? '');
  const renamed = {
    ...mapMentions(json, (mentions) => nameOnce(mentions.flatMap(refer))),
    ...(json.parties === undefined ? {} : { parties }),
  };
  return keepParties(buyerId === undefined ? renamed : { ...renamed, buyer: { ...buyer, id: buyerId } });
}

/** A supplier, in the form in which publications of one award are compared. */
export interface Named {
  /** Its best identifier, otherwise its cleaned name. */
  key: string;
  isNumber: boolean;
  name: string;
}

/** Longer lists of names are not searched for slips. */
const NAMES_MAX = 50;

/** A function that returns one key for spellings of a supplier's name that differ by a slip. Different numbers stay distinct. */
export function uniteSlips(named: readonly Named[]): (supplier: Named) => string {
  const names = [...new Map(named.map((one) => [one.key, one])).values()].toSorted((a, b) => compareText(a.key, b.key));
  const united = new Map<string, string>();
  if (names.length <= NAMES_MAX) {
    for (const [index, one] of names.entries()) {
      const same = names
        .slice(0, index)
        .find((other) => !(one.isNumber && other.isNumber) && isOneName(one.name, other.name));
      if (same) united.set(one.key, united.get(same.key) ?? same.key);
    }
  }
  return ({ key }) => united.get(key) ?? key;
}
