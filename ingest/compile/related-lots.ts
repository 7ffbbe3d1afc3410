import type { OcdsAward, OcdsLot, OcdsTender } from '../../schema/ocds.ts';

/** Lots by id, worked out once per tender: a process may have thousands, and as many awards. */
const BY_ID = new WeakMap<OcdsTender, ReadonlyMap<string, OcdsLot>>();

/** The lots of a tender that an award is of, as far as the tender knows them. */
export function relatedLots(award: OcdsAward | undefined, tender: OcdsTender): OcdsLot[] {
  if (!award || award.relatedLots.length === 0) return [];
  const byId = BY_ID.get(tender) ?? new Map(tender.lots.flatMap((lot) => (lot.id ? [[lot.id, lot] as const] : [])));
  BY_ID.set(tender, byId);
  return award.relatedLots.flatMap((id) => byId.get(id) ?? []);
}
