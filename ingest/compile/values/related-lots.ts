import type { OcdsAward, OcdsItem, OcdsLot, OcdsTender } from '../../../schema/ocds/types.ts';

/** Lots by id, worked out once per tender: a process may have thousands, and as many awards. */
const BY_ID = new WeakMap<OcdsTender, ReadonlyMap<string, OcdsLot>>();

/** The lots of a tender that an award is of, as far as the tender knows them. */
export function relatedLots(award: OcdsAward | undefined, tender: OcdsTender): OcdsLot[] {
  if (!award || award.relatedLots.length === 0) return [];
  const byId = BY_ID.get(tender) ?? new Map(tender.lots.flatMap((lot) => (lot.id ? [[lot.id, lot] as const] : [])));
  BY_ID.set(tender, byId);
  return award.relatedLots.flatMap((id) => byId.get(id) ?? []);
}

/** Items by lot, worked out once per tender as well. */
const ITEMS_BY_LOT = new WeakMap<OcdsTender, ReadonlyMap<string, OcdsItem[]>>();

/** The items of a tender that belong to an award's lots. */
export function relatedItems(award: OcdsAward | undefined, tender: OcdsTender): OcdsItem[] {
  if (!award || award.relatedLots.length === 0) return [];
  const byLot = ITEMS_BY_LOT.get(tender) ?? itemsByLot(tender);
  ITEMS_BY_LOT.set(tender, byLot);
  return [...new Set(award.relatedLots)].flatMap((id) => byLot.get(id) ?? []);
}

function itemsByLot({ items }: OcdsTender): Map<string, OcdsItem[]> {
  const byLot = new Map<string, OcdsItem[]>();
  for (const item of items) {
    const lot = item.relatedLot ?? '';
    const known = byLot.get(lot);
    if (known) known.push(item);
    else byLot.set(lot, [item]);
  }
  return byLot;
}
