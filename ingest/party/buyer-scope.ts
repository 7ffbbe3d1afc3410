import type { BuyerScope, Region } from '../../schema/catalogue/details.ts';
import { bodyOf } from '../../schema/names/buying-units.ts';
import { regionOfCode } from '../../schema/reference/regions.ts';
import { type BuyerType, typeByName } from './buyer-type.ts';

/** How far a buyer acts, and the region that it is of: none where it acts nationally, wherever its offices are. */
export interface BuyerPlace {
  scope: BuyerScope | null;
  region?: Region | undefined;
}

/** Bodies that serve several councils' areas, by what they call themselves. */
const SEVERAL_AREAS =
  /\b(combined authority|integrated care board|\bicb|clinical commissioning group|commissioning support|health board|ambulance service|national park authority|greater london authority)\b/i;

/** Scopes that follow from the kind of a body, where no list has it. */
const BY_KIND: Readonly<Record<string, BuyerScope>> = {
  devolved: 'regional',
  police_fire: 'regional',
  local: 'local',
  nhs: 'local',
  education: 'local',
};

/**
 * Where a buyer acts: by the lists of public bodies and local authorities under any of its names, else by its kind. Its region
 * is its authority's or that of most of its own addresses, each counted once; never a place of delivery.
 * @param names as published, the latest first
 * @param regions of its own addresses, the latest first
 */
export function placeOfBuyer(
  names: readonly string[],
  type: BuyerType['type'] | undefined,
  regions: readonly Region[],
): BuyerPlace {
  const [listed] = names.flatMap((name) => bodyOf(name) ?? []);
  const scope = listed?.scope ?? scopeByKind(names, type);
  if (scope === 'national') return { scope };
  const own = listed?.region;
  if (own === undefined) return { scope, region: regionOfMost(regions) };
  const within = regions.filter(({ code }) => code?.startsWith(own));
  return { scope, region: narrowest(within) ?? regionOfCode(own) ?? undefined };
}

function scopeByKind(names: readonly string[], type: string | undefined): BuyerScope | null {
  if (names.some((name) => SEVERAL_AREAS.test(name))) return 'regional';
  if (type !== 'central') return BY_KIND[type ?? ''] ?? null;
  // Councils, trusts and colleges file themselves under central government now and then.
  const named = names.flatMap((name) => typeByName(name) ?? []).find((one) => one !== 'central');
  return named === undefined ? 'national' : (BY_KIND[named] ?? null);
}

/** The region of most addresses, of equally many the one named last, as narrow as one of them says. */
function regionOfMost(regions: readonly Region[]): Region | undefined {
  const placed = regions.filter(({ code }) => code !== undefined && code.length > 2);
  if (placed.length === 0) return regions[0];
  const votes = new Map<string, Region[]>();
  for (const region of placed) {
    const area = region.code?.slice(0, 3) ?? '';
    votes.set(area, [...(votes.get(area) ?? []), region]);
  }
  const [most = []] = [...votes.values()].toSorted((a, b) => b.length - a.length);
  return narrowest(most);
}

/** The region named last, at the narrowest level that notices placed it there: a postcode tells only the widest. */
function narrowest(regions: readonly Region[]): Region | undefined {
  const [latest] = regions;
  const within = regions.filter(({ code }) => latest?.code && code?.startsWith(latest.code));
  return within.reduce((one, other) => ((other.code?.length ?? 0) > (one?.code?.length ?? 0) ? other : one), latest);
}
