import { mentionsIn } from '../../schema/ocds/parts.ts';
import { toOcds } from '../../schema/ocds/release.ts';
import type { OcdsRelease } from '../../schema/ocds/types.ts';
import { codeOf } from '../../schema/reference/notice-types.ts';
import { compareText } from '../../schema/text/ids.ts';
import { type JsonObject, listOf, objectOf, textOf, valuesOf } from '../../schema/text/json-values.ts';
import { groupBy, makeResults } from '../../schema/text/memoise.ts';
import { parseInstant } from '../fields/dates.ts';
import { correctArchived, correctTimeLimit } from '../fields/notice.ts';
import { nameOrDrop, readMention, withoutPlaceholders } from '../party/claims.ts';
import { areContrary, type MergeReport, mergeReleases, saysAny, unite } from './ocds.ts';
import { isLasting, saysMore, separateParties } from './separate-parties.ts';

/** The number of a release's notice, as read by its row in the sources table. */
type NumberOf = (release: OcdsRelease) => string;

/** Releases whose parties were already separated, and the result. */
const SEPARATED = makeResults<JsonObject, JsonObject>();

/**
 * A release in which every supplier is one of its parties, and every party id belongs to one party. Inline suppliers become
 * parties. An id that does not last becomes local to the release. An id that was published with different names, numbers or
 * postcodes is believed for none of them. A pure, idempotent function of the release.
 */
export function ownParties(
  { releaseId, json }: { releaseId: string; json: JsonObject },
  numberOf: NumberOf,
): JsonObject {
  const known = SEPARATED.get(json);
  if (known) return known;
  const stated = cancelNamed(withoutPlaceholders(nameBuyer(json)));
  const distinct = distinctIds(correctTimeLimit(correctArchived(stated)), numberOf);
  const own = areSeparate(distinct) ? distinct : separateParties(releaseId, distinct);
  SEPARATED.set(json, own);
  return keepParties(own);
}

/** Records that the parties of a release are separate already. Returns the release. */
export function keepParties(json: JsonObject): JsonObject {
  SEPARATED.set(json, json);
  return json;
}

/** Whether nothing has to be done, as in most releases: every id lasts, belongs to one party, and is only referred to. */
function areSeparate(json: JsonObject): boolean {
  const names = new Map<unknown, unknown>();
  for (const party of valuesOf(json.parties)) {
    const { id, name } = objectOf(party) ?? {};
    if (typeof id !== 'string' || !isLasting(id) || names.has(id)) return false;
    names.set(id, name);
  }
  const buyer = textOf(objectOf(json.buyer)?.id);
  if (buyer !== undefined && !isLasting(buyer)) return false;
  return mentionsIn(json).every(({ mention }) => {
    const reference = objectOf(mention);
    if (!reference || !names.has(reference.id) || saysMore(reference)) return false;
    return reference.name === undefined || reference.name === names.get(reference.id);
  });
}

/** The release with its buyer as an object. A bare text is its name; if nobody buys, or `TBC`, the tender's procuring entity does. */
function nameBuyer(json: JsonObject): JsonObject {
  if (saysAny(json.buyer) && nameOrDrop(json.buyer).length > 0)
    return objectOf(json.buyer) ? json : { ...json, buyer: readMention(json.buyer) };
  const hasBuyer = listOf(json.parties, objectOf).some(({ roles }) => listOf(roles, codeOf).includes('buyer'));
  const entity = hasBuyer ? undefined : objectOf(json.tender)?.procuringEntity;
  return saysAny(entity) ? { ...json, buyer: readMention(entity) } : json;
}

/** The awards that a cancellation names are cancelled, even if it omits their status; so are lots of an award notice that nobody won. */
function cancelNamed(json: JsonObject): JsonObject {
  const [tags, awards] = [listOf(json.tag, codeOf).join(' '), listOf(json.awards, objectOf)];
  const signed = new Map(listOf(json.contracts, objectOf).map((contract) => [contract.awardID, contract]));
  const isCancelled = ({ id, status, finalStatusDate, suppliers, value }: JsonObject) =>
    (tags.includes('awardCancellation') && textOf(status) === undefined) ||
    (tags.includes('award') && saysAny(finalStatusDate) && ![suppliers, value, signed.get(id)].some(saysAny));
  if (!awards.some(isCancelled)) return json;
  return { ...json, awards: awards.map((award) => (isCancelled(award) ? { ...award, status: 'cancelled' } : award)) };
}

/**
 * A release in which every award, contract and lot has a unique id. If an earlier entry in the list has the same id and
 * other contents, or signed with other contracts, the later one is numbered (`1~2`). A contract belongs to the award at its own
 * place. An award without an id gets its notice's (`<notice>-1`), and a contract without one its award's. A contract that names
 * no award belongs to the only one. Returns the same object if nothing has to be mended, as in most.
 */
function distinctIds(json: JsonObject, numberOf: NumberOf): JsonObject {
  const tender = objectOf(json.tender);
  const [published, signed] = isDistinct(json.awards, true)
    ? [json.awards, json.contracts]
    : numberSigned(nameAwards(json, numberOf), json.contracts);
  const awards = isDistinct(published) ? published : separateByName(valuesOf(published));
  const named = nameContracts(signed, awards);
  const contracts = isDistinct(named) ? named : separateByName(valuesOf(named));
  const lots = isDistinct(tender?.lots) ? tender?.lots : separateByName(valuesOf(tender?.lots));
  if (awards === json.awards && contracts === json.contracts && lots === tender?.lots) return json;
  return {
    ...json,
    ...(awards === undefined ? {} : { awards }),
    ...(contracts === undefined ? {} : { contracts: valuesOf(contracts).map((one) => joinByPlace(one, awards)) }),
    ...(lots === tender?.lots ? {} : { tender: { ...tender, lots } }),
  };
}

/** Whether all ids differ; `named`: whether each member must have one. */
function isDistinct(list: unknown, named = false): boolean {
  if (list === undefined || list === null) return true;
  const members = valuesOf(list);
  const ids = members.flatMap((member) => textOf(objectOf(member)?.id) ?? []);
  return new Set(ids).size === ids.length && (!named || ids.length === members.length);
}

function nameAwards(json: JsonObject, numberOf: NumberOf): unknown[] {
  const awards = valuesOf(json.awards);
  if (awards.every((award) => textOf(objectOf(award)?.id) !== undefined)) return awards;
  const noticeId = numberOf(toOcds(json));
  return awards.map((award, index) => {
    const object = objectOf(award);
    return !object || textOf(object.id) !== undefined ? award : { ...object, id: `${noticeId}-${index + 1}` };
  });
}

/**
 * Numbers awards of one id that have as many contracts, which differ: a buyer's own number may stand for several awards whose
 * values are in their contracts alone.
 */
function numberSigned(awards: readonly unknown[], published: unknown): [unknown[], unknown] {
  const contracts = listOf(published, objectOf);
  const signed = groupBy(contracts, ({ awardID }) => textOf(awardID));
  const [numbered, found] = [new Map<unknown, string>(), [...awards]];
  for (const [id, places] of groupBy(found.keys(), (place) => textOf(objectOf(found[place])?.id))) {
    const [first, ...others] = signed.get(id) ?? [];
    if (!first || others.length + 1 !== places.length || !others.some((other) => areContrary(first, other))) continue;
    for (const [index, contract] of others.entries()) {
      const [place = 0, name] = [places[index + 1], `${id}~${index + 2}`];
      found[place] = { ...objectOf(found[place]), id: name };
      numbered.set(contract, name);
    }
  }
  const joined = contracts.map((one) => (numbered.has(one) ? { ...one, awardID: numbered.get(one) } : one));
  return [found, numbered.size > 0 ? joined : published];
}

function nameContracts(contracts: unknown, awards: unknown): unknown {
  const members = listOf(contracts, objectOf);
  if (members.every((one) => textOf(one.id) !== undefined && textOf(one.awardID) !== undefined)) return contracts;
  const [only, ...others] = valuesOf(awards).flatMap((award) => textOf(objectOf(award)?.id) ?? []);
  return members.map((contract) => {
    const awardID = textOf(contract.awardID) ?? (others.length === 0 ? only : undefined);
    const id = textOf(contract.id) ?? awardID;
    return { ...contract, ...(id === undefined ? {} : { id }), ...(awardID === undefined ? {} : { awardID }) };
  });
}

/** Combines members under each id: those that contradict nothing said earlier under their id are one with it. */
function separateByName(members: readonly unknown[]): unknown[] {
  const byId = new Map<string, JsonObject[]>();
  const rest: unknown[] = [];
  for (const member of members) {
    const object = objectOf(member);
    const id = textOf(object?.id);
    if (!object || id === undefined) {
      rest.push(member);
      continue;
    }
    const places = byId.get(id) ?? [];
    byId.set(id, places);
    const place = places.findIndex((other) => !areContrary(other, object));
    const known = places[place];
    if (known) places[place] = unite(known, object);
    else places.push(object);
  }
  const named = [...byId].flatMap(([id, places]) =>
    places.map((one, index) => ({ ...one, id: index === 0 ? id : `${id}~${index + 1}` })),
  );
  return [...named, ...rest];
}

/** A numbered contract goes with the award at the same place, where there is one. */
function joinByPlace(contract: unknown, awards: unknown): unknown {
  const object = objectOf(contract);
  const place = /~\d+$/.exec(textOf(object?.id) ?? '')?.[0];
  const awardId = `${textOf(object?.awardID) ?? ''}${place}`;
  const isKnown = place !== undefined && valuesOf(awards).some((award) => objectOf(award)?.id === awardId);
  return object && isKnown ? { ...object, awardID: awardId } : contract;
}

/** A release as stored: the facts on which the order of a merge depends, and its JSON. */
export interface StoredRelease {
  source: string;
  ocid: string;
  releaseId: string;
  date: string;
  digest: string;
  fetchedAt: string;
  /** Instant of its last fetch, where it came again word for word. */
  lastFetchedAt?: string;
  json: JsonObject;
}

/** The order in which releases are merged: date, place on it, instant of fetch, release id, digest. Never the order of arrival. */
export function orderReleases(releases: readonly StoredRelease[], placeOf: (one: StoredRelease) => number) {
  const keyed = releases.map((release) => ({ release, at: parseInstant(release.date)?.getTime() ?? 0 }));
  return keyed
    .toSorted(
      (a, b) =>
        a.at - b.at ||
        placeOf(a.release) - placeOf(b.release) ||
        compareText(a.release.fetchedAt, b.release.fetchedAt) ||
        compareText(a.release.releaseId, b.release.releaseId) ||
        compareText(a.release.digest, b.release.digest),
    )
    .map(({ release }) => release);
}

/**
 * If a release was published again with another body, only the version fetched last counts, as a service may restore an earlier
 * one. At the same instant, the last in the given order counts.
 */
export function latestVersions(ordered: readonly StoredRelease[]): StoredRelease[] {
  const last = new Map<string, StoredRelease>();
  for (const release of ordered) {
    const other = last.get(release.releaseId);
    if (!other || lastFetch(release) >= lastFetch(other)) last.set(release.releaseId, release);
  }
  return ordered.filter((release) => last.get(release.releaseId) === release);
}

const lastFetch = ({ fetchedAt, lastFetchedAt = fetchedAt }: StoredRelease) => lastFetchedAt;

/**
 * The OCDS merge, with exceptions for known defects of the services:
 * - if `nullDeletes` is false, an explicit null means "not said" and deletes nothing;
 * - an id is believed only as far as everything published under it agrees (`ownParties`).
 * So an award that a later notice repeats without its value (UK7 after UK6) keeps the value. Other code decides that a
 * delta award (`{id, amendments}`) is no contract, and splits an ocid into several processes before the merge.
 */
export function mergeUk(
  ordered: readonly StoredRelease[],
  { nullDeletes, numberOf }: { nullDeletes: boolean; numberOf: NumberOf },
): { compiled: JsonObject; report: MergeReport } {
  return mergeReleases(
    ordered.map((release) => ownParties(release, numberOf)),
    { nullDeletes },
  );
}
