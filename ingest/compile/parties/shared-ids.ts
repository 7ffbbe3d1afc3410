import { SHARED_ID } from '../../../schema/ocds/types.ts';
import { type JsonObject, objectOf, textOf, valuesOf } from '../../../schema/text/json-values.ts';
import { mapMentions, nameOnce } from '../../fields/supplier-references.ts';
import { keepParties } from '../../merge/distinct-parties.ts';
import { claimOf, clusterClaims, groupBy } from '../../party/claims.ts';
import { isRegisterId } from '../../party/sighting.ts';

/** A supplier as one release of a process has it. */
interface Bearer {
  /** Place of its release. */
  place: number;
  party: JsonObject;
  /** The id that was published for it. */
  publishedId: string;
}

/**
 * Releases of one process, in order, whose parties are their own. A lasting id that the releases give to suppliers of
 * different names, numbers or postcodes is believed for none of them: each name gets an id of its own, the same in every
 * release. A reference that gives the id alone means whom it was given to last. Register numbers are believed: a company
 * may change its name between two notices.
 */
export function tellIdsApart(ordered: readonly JsonObject[]): readonly JsonObject[] {
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

function bearersIn(json: JsonObject, place: number): Bearer[] {
  return valuesOf(json.parties).flatMap((one): Bearer[] => {
    const party = objectOf(one);
    const id = textOf(party?.id);
    const publishedId = textOf(party?.[SHARED_ID]) ?? id;
    // Where it holds `#`, an id is its release's own.
    if (!party || id === undefined || publishedId === undefined || id.includes('#') || isRegisterId(publishedId))
      return [];
    const roles = valuesOf(party.roles);
    const isSupplier = roles.length === 0 || roles.includes('supplier') || roles.includes('removedSupplier');
    return isSupplier && textOf(party.name) !== undefined ? [{ place, party, publishedId }] : [];
  });
}

/** Whether all of them are published letter for letter alike: most are, and need no closer look. */
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
