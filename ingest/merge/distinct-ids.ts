import { toOcds } from '../../schema/ocds/release.ts';
import { type JsonObject, objectOf, textOf, valuesOf } from '../../schema/text/json-values.ts';
import { noticeIdOf } from '../fields/notice-id.ts';
import { areContrary, unite } from './unite.ts';

/**
 * A release in which every award, contract and lot has an id of its own. One whose id stands before it in the list, and
 * that says something else, is told by its place among them (`1~2`); a contract goes with the award of its own place. An
 * award without an id is its notice's (`<notice>-1`). The very same release where there is nothing to mend, as in most.
 */
export function distinctIds(json: JsonObject): JsonObject {
  const tender = objectOf(json.tender);
  const awards = isDistinct(json.awards, true) ? json.awards : tellApart(nameAwards(json));
  const contracts = isDistinct(json.contracts) ? json.contracts : tellApart(valuesOf(json.contracts));
  const lots = isDistinct(tender?.lots) ? tender?.lots : tellApart(valuesOf(tender?.lots));
  if (awards === json.awards && contracts === json.contracts && lots === tender?.lots) return json;
  return {
    ...json,
    ...(awards === undefined ? {} : { awards }),
    ...(contracts === undefined ? {} : { contracts: valuesOf(contracts).map((one) => joinByPlace(one, awards)) }),
    ...(lots === tender?.lots ? {} : { tender: { ...tender, lots } }),
  };
}

/** Whether every member has another id; `named`: whether each must have one. */
function isDistinct(list: unknown, named = false): boolean {
  if (list === undefined || list === null) return true;
  const members = valuesOf(list);
  const ids = members.flatMap((member) => textOf(objectOf(member)?.id) ?? []);
  return new Set(ids).size === ids.length && (!named || ids.length === members.length);
}

function nameAwards(json: JsonObject): unknown[] {
  const awards = valuesOf(json.awards);
  if (awards.every((award) => textOf(objectOf(award)?.id) !== undefined)) return awards;
  const noticeId = noticeIdOf(toOcds(json));
  return awards.map((award, index) => {
    const object = objectOf(award);
    return !object || textOf(object.id) !== undefined ? award : { ...object, id: `${noticeId}-${index + 1}` };
  });
}

/** The members, each under one id: those that contradict nothing said before under their id are one with it. */
function tellApart(members: readonly unknown[]): unknown[] {
  const told = new Map<string, JsonObject[]>();
  const rest: unknown[] = [];
  for (const member of members) {
    const object = objectOf(member);
    const id = textOf(object?.id);
    if (!object || id === undefined) {
      rest.push(member);
      continue;
    }
    const places = told.get(id) ?? [];
    told.set(id, places);
    const place = places.findIndex((other) => !areContrary(other, object));
    const known = places[place];
    if (known) places[place] = unite(known, object);
    else places.push(object);
  }
  const named = [...told].flatMap(([id, places]) =>
    places.map((one, index) => ({ ...one, id: index === 0 ? id : `${id}~${index + 1}` })),
  );
  return [...named, ...rest];
}

/** A contract told by its place goes with the award of the same place, where there is one. */
function joinByPlace(contract: unknown, awards: unknown): unknown {
  const object = objectOf(contract);
  const place = /~\d+$/.exec(textOf(object?.id) ?? '')?.[0];
  const awardId = `${textOf(object?.awardID) ?? ''}${place}`;
  const isKnown = place !== undefined && valuesOf(awards).some((award) => objectOf(award)?.id === awardId);
  return object && isKnown ? { ...object, awardID: awardId } : contract;
}
