import { type JsonObject, objectOf, textOf, valuesOf } from '../../schema/text/json-values.ts';
import { mentionsIn } from '../fields/supplier-references.ts';
import { distinctIds } from './distinct-ids.ts';
import { isLasting, saysMore, settleParties } from './settle-parties.ts';

/** Releases whose parties were settled before, and what came of it. */
const SETTLED = new WeakMap<JsonObject, JsonObject>();

/**
 * A release in which every supplier is one of its parties, and every party id is one party's. Suppliers that stand inline
 * become parties; an id that does not last is made the release's own; one under which different names, numbers or
 * postcodes are published is believed for none of them. A pure function of the release, and the same done twice.
 */
export function ownParties({ releaseId, json }: { releaseId: string; json: JsonObject }): JsonObject {
  const known = SETTLED.get(json);
  if (known) return known;
  const distinct = distinctIds(json);
  const own = isSettled(distinct) ? distinct : settleParties(releaseId, distinct);
  SETTLED.set(json, own);
  return keepParties(own);
}

/** Marks a release as one whose parties are settled. */
export function keepParties(json: JsonObject): JsonObject {
  SETTLED.set(json, json);
  return json;
}

/** Whether nothing is to be done, as in most releases: every id lasts, is one party's, and is only referred to. */
function isSettled(json: JsonObject): boolean {
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
