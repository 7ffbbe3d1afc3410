import { shortHash } from '../../schema/names/buyers.ts';
import { mentionsIn, SHARED_ID } from '../../schema/ocds/parts.ts';
import { codeOf } from '../../schema/reference/notice-types.ts';
import { type JsonObject, listOf, objectOf, textOf, valuesOf } from '../../schema/text/json-values.ts';
import { groupBy } from '../../schema/text/memoise.ts';
import { agree, type Cluster, claimOf, clusterClaims, mapMentions, nameOnce } from '../party/claims.ts';
import { isRegisterId } from '../party/sighting.ts';
import { saysAny, unite } from './ocds.ts';

/** An id with the same meaning in every release: it names its scheme. */
const LASTING_ID = /^[A-Z]{2,3}-[A-Z0-9]{2,6}-/;

/** Whether an id means the same in every release of a process, as `GB-COH-01234567` does. */
export function isLasting(id: string): boolean {
  return LASTING_ID.test(id);
}

/** Members that identify a party. */
const IDENTIFYING = ['name', 'identifier', 'additionalIdentifiers', 'address'];

/** A party that a release describes by more than an id. */
interface Claimant {
  json: JsonObject;
  from: 'party' | 'supplier' | 'removed' | 'buyer';
}

/** One party of a release: its new id, and every mention of it. */
interface SeparateParty {
  id: string;
  publishedId: string | undefined;
  /** Whether its id was also published for other parties. */
  isShared: boolean;
  members: Claimant[];
}

/** The release with its suppliers as parties. Each has its own id, and every mention refers to that id. */
export function separateParties(releaseId: string, raw: JsonObject): JsonObject {
  const json = mapMentions(raw, (mentions) => mentions);
  const byId = groupBy(claimantsIn(json), (one) => textOf(one.json.id));
  const parties = separateAll(releaseId, byId);
  const meantBy = groupBy(
    parties.flatMap((party) => party.members.map(({ json }) => ({ json, party }))),
    (one) => one.json,
  );
  const partyOf = new Map([...meantBy].flatMap(([json, [first]]) => (first ? [[json, first.party] as const] : [])));
  const byPublished = groupBy(parties, ({ publishedId }) => publishedId);
  const refer = (mention: JsonObject): JsonObject[] => {
    const own = meantBy.get(mention);
    if (own) return own.map(({ party }) => referenceTo(party, mention));
    const id = textOf(mention.id);
    if (id === undefined) return [];
    // A bare id may mean any party that has it.
    const meant = (byPublished.get(id) ?? []).filter(isSupplier);
    return meant.length > 0 ? meant.map((one) => referenceTo(one)) : [{ id: ownIdOf(releaseId, id) }];
  };
  return {
    ...mapMentions(json, (mentions) => nameOnce(mentions.flatMap(refer))),
    ...partiesOf(json, parties, partyOf),
    ...buyerOf(releaseId, json, partyOf),
  };
}

/** Every party of a release: by its published id, otherwise by its name. */
function separateAll(releaseId: string, byId: ReadonlyMap<string | undefined, Claimant[]>): SeparateParty[] {
  const withId = [...byId].flatMap(([id, members]) => (id === undefined ? [] : separateId(releaseId, id, members)));
  const isListed = ({ publishedId = '', members }: SeparateParty) =>
    isRegisterId(publishedId) || members.some(({ from }) => from === 'party');
  const listed = withId.filter(isListed);
  const inline = withId.filter((one) => !isListed(one));
  const nameless = byId.get(undefined) ?? [];
  if (inline.length + nameless.length === 0) return listed;
  // An id that no party has may be another spelling of one that a party does have: the name decides.
  const ofParties = groupByName(listed);
  const withIds = [...listed, ...inline.filter(({ members }) => !joinByName(members, ofParties))];
  const ofAll = groupByName(withIds);
  return [
    ...withIds,
    ...separateNames(
      releaseId,
      nameless.filter((one) => !joinByName([one], ofAll)),
    ),
  ];
}

function ownIdOf(releaseId: string, id: string): string {
  return isLasting(id) ? id : `${releaseId}#${id}`;
}

function claimantsIn(json: JsonObject): Claimant[] {
  const parties = listOf(json.parties, objectOf);
  const known = parties.filter((party) => textOf(party.id) !== undefined || hasRole(party, 'supplier'));
  const buyer = objectOf(json.buyer);
  // The buyer's party belongs to the buyer, whatever name either place gives.
  const isApart = buyer && !known.some((one) => textOf(one.id) === textOf(buyer.id) && hasRole(one, 'buyer'));
  return [
    ...known.map((party): Claimant => ({ json: party, from: 'party' })),
    ...mentionsIn(json).flatMap(({ mention, isRemoved }): Claimant[] => {
      const object = objectOf(mention);
      if (!object || !IDENTIFYING.some((key) => saysAny(object[key]))) return [];
      return [{ json: object, from: isRemoved ? 'removed' : 'supplier' }];
    }),
    ...(isApart && textOf(buyer.id) !== undefined ? [{ json: buyer, from: 'buyer' as const }] : []),
  ];
}

/** The parties with one id. A register's own number belongs to one organisation, at any address. */
function separateId(releaseId: string, publishedId: string, members: Claimant[]): SeparateParty[] {
  const own = ownIdOf(releaseId, publishedId);
  if (isOneName(members)) return [{ id: own, publishedId, isShared: false, members }];
  const clusters = spreadBare(clusterClaims(members, ({ json }) => claimOf(json), !isRegisterId(publishedId)));
  const isShared = clusters.length > 1;
  return clusters.map(({ mark, members: same }) => {
    return { id: isShared ? `${own}~${mark}` : own, publishedId, isShared, members: same };
  });
}

/** A mention by name alone means every party with that name and id, if numbers or places separate several. */
function spreadBare(clusters: readonly Cluster<Claimant>[]): readonly Cluster<Claimant>[] {
  if (clusters.length < 3) return clusters;
  return [...groupBy(clusters, ({ members }) => nameIn(members)).values()].flatMap((bearers) => {
    const bare = bearers.filter(({ members }) => members.every(isBare));
    const detailed = bearers.filter((one) => !bare.includes(one));
    const spread = bare.flatMap(({ members }) => members);
    return detailed.length < 2
      ? bearers
      : detailed.map(({ mark, members }) => ({ mark, members: [...members, ...spread] }));
  });
}

/** Whether an award identifies a party only by a name and an id. */
function isBare({ json, from }: Claimant): boolean {
  const { ids, postcode } = claimOf(json);
  return (from === 'supplier' || from === 'removed') && ids.length === 0 && postcode === undefined;
}

/** Whether an id has only one name, letter for letter, and at most one place adds details. */
function isOneName(members: readonly Claimant[]): boolean {
  const names = new Set(members.flatMap(({ json }) => textOf(json.name) ?? []));
  return names.size <= 1 && members.filter(({ json }) => saysMore(json)).length <= 1;
}

/** Adds a party with another id to the only party with the same name; returns whether there is one. */
function joinByName(claimants: readonly Claimant[], byName: ReadonlyMap<string, readonly SeparateParty[]>): boolean {
  const claims = claimants.map(({ json }) => claimOf(json));
  if (claimants.some(({ from }) => from === 'buyer')) return false;
  const [found, ...others] = (byName.get(nameIn(claimants)) ?? []).filter(({ members }) =>
    members.every(({ json }) => claims.every((claim) => agree(claim, claimOf(json), true))),
  );
  if (!found || others.length > 0) return false;
  found.members.push(...claimants);
  return true;
}

/** The cleaned name that agreeing claimants share. */
function nameIn(members: readonly Claimant[]): string {
  for (const { json, from } of members) {
    const { name } = claimOf(json);
    if (from !== 'buyer' && name !== '') return name;
  }
  return '';
}

function groupByName(parties: readonly SeparateParty[]): Map<string, SeparateParty[]> {
  const byName = groupBy(parties, ({ members }) => nameIn(members));
  byName.delete('');
  return byName;
}

/** Parties without an id: by their name, which identifies them in every release, or by their number. */
function separateNames(releaseId: string, members: readonly Claimant[]): SeparateParty[] {
  const byName = groupBy(members, ({ json }) => claimOf(json).name);
  return [...byName].flatMap(([name, own]) => {
    const clusters = clusterClaims(own, ({ json }) => claimOf(json), true);
    return clusters.map(({ mark, members: same }): SeparateParty => {
      const known = name === '' ? claimOf(same[0]?.json ?? {}).ids[0] : nameOf(same);
      const own = clusters.length === 1 && known !== undefined ? known : `${releaseId}#~${mark || shortHash(name)}`;
      return { id: own, publishedId: undefined, isShared: false, members: same };
    });
  });
}

/** The name of a party, whatever the order of its mentions. */
function nameOf(members: readonly Claimant[]): string | undefined {
  const names = members.flatMap(({ json }) => textOf(json.name) ?? textOf(objectOf(json.identifier)?.legalName) ?? []);
  return names.toSorted()[0];
}

function referenceTo({ id, members }: SeparateParty, mention: JsonObject = {}): JsonObject {
  const name = textOf(mention.name) ?? nameOf(members);
  return { id, ...(name === undefined ? {} : { name }) };
}

/** The parties of a release in their published order, followed by those that were only inline. */
function partiesOf(
  json: JsonObject,
  separate: readonly SeparateParty[],
  partyOf: ReadonlyMap<JsonObject, SeparateParty>,
): JsonObject {
  const listed = new Set<SeparateParty>();
  const parties = valuesOf(json.parties).flatMap((party) => {
    const own = partyOf.get(objectOf(party) ?? {});
    if (!own) return [party];
    if (listed.has(own)) return [];
    listed.add(own);
    return [combine(own)];
  });
  const inline = separate.filter((one) => !listed.has(one) && one.members.some(({ from }) => from !== 'buyer'));
  const all = [...parties, ...inline.map(combine)];
  return json.parties === undefined && all.length === 0 ? {} : { parties: all };
}

function buyerOf(releaseId: string, json: JsonObject, partyOf: ReadonlyMap<JsonObject, SeparateParty>): JsonObject {
  const buyer = objectOf(json.buyer);
  const id = textOf(buyer?.id);
  if (!buyer || id === undefined) return {};
  return { buyer: { ...buyer, id: partyOf.get(buyer)?.id ?? buyingPartyId(releaseId, id, partyOf) } };
}

/** The id of the buyer's party; where several share the published id, the id of the one that buys. */
function buyingPartyId(releaseId: string, id: string, partyOf: ReadonlyMap<JsonObject, SeparateParty>): string {
  const buying = [...partyOf].find(([party, { publishedId }]) => publishedId === id && hasRole(party, 'buyer'));
  return buying?.[1].id ?? ownIdOf(releaseId, id);
}

/** Combines every mention of a party: later places add what earlier ones omit. */
function combine({ id, publishedId, isShared, members }: SeparateParty): JsonObject {
  const speaking = members.filter(({ from }) => from !== 'buyer');
  const isListed = speaking.some(({ from }) => from === 'party');
  const won = speaking.some(({ from }) => from === 'supplier') ? ['supplier'] : [];
  return {
    ...speaking.reduce<JsonObject>((party, { json }) => unite(party, json), {}),
    id,
    ...(isListed ? {} : { roles: won }),
    ...(isShared ? { [SHARED_ID]: publishedId } : {}),
  };
}

function isSupplier({ members }: SeparateParty): boolean {
  return members.some(({ json, from }) => from === 'supplier' || (from === 'party' && hasRole(json, 'supplier')));
}

function hasRole({ roles }: JsonObject, role: string): boolean {
  return listOf(roles, codeOf).includes(role);
}

/** Whether a party is described by more than an id and a name. */
export function saysMore(mention: JsonObject): boolean {
  return Object.entries(mention).some(([key, value]) => key !== 'id' && key !== 'name' && saysAny(value));
}
