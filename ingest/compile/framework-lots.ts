import type { OcdsRelease } from '../../schema/ocds/types.ts';
import { parseDay } from '../fields/dates.ts';
import { cleanLine } from '../fields/text/clean.ts';
import type { StandingAward } from './awards/active.ts';
import type { CompiledFramework } from './types.ts';
import { grossOf, netOf } from './values/money.ts';

type Lots = CompiledFramework['lots'];

/** Lots with their suppliers: those of each standing award in each of its related lots, and nowhere else. */
export function frameworkLots(merged: OcdsRelease, awards: readonly StandingAward[]): Lots {
  const lots = namedLots(merged);
  const unstated = blankLot('unstated', 'Lot not stated');
  const byId = new Map(lots.map((lot) => [lot.lotId, lot]));
  const found = new Map<Lots[number], Set<string>>();
  for (const { award, winners } of awards) {
    if (winners.haveLeft) continue;
    const related = (award?.relatedLots ?? []).flatMap((id) => byId.get(id) ?? []);
    const targets = related.length > 0 ? related : lots.length === 1 ? lots : [unstated];
    for (const lot of targets) {
      const suppliers = found.get(lot) ?? new Set();
      for (const id of winners.current) suppliers.add(id);
      found.set(lot, suppliers);
    }
  }
  const all = found.has(unstated) ? [...lots, unstated] : lots;
  return all.map((lot) => ({ ...lot, supplierParties: [...(found.get(lot) ?? [])] }));
}

function namedLots({ tender }: OcdsRelease): Lots {
  const title = cleanLine(tender.title) || 'Framework';
  if (tender.lots.length === 0) return [blankLot('1', title)];
  return tender.lots.map((lot, index) => {
    const lotId = lot.id ?? String(index + 1);
    const own = cleanLine(lot.title);
    // Lots that all bear the title of the whole are told by their ids, which then say what they are (FTS 052408-2025).
    const isTold = tender.lots.length === 1 || (own !== '' && own !== title);
    const name = isTold ? own || title : `Lot ${lotId}`;
    return {
      ...blankLot(lotId, name),
      value: (netOf(lot.value) ?? grossOf(lot.value))?.value ?? null,
      starts: parseDay(lot.contractPeriod?.startDate),
      ends: parseDay(lot.contractPeriod?.endDate),
      durationDays: lot.contractPeriod?.durationInDays ?? null,
      durationMonths: lot.contractPeriod?.durationInMonths ?? null,
    };
  });
}

function blankLot(lotId: string, title: string): Lots[number] {
  return {
    lotId,
    title,
    value: null,
    starts: null,
    ends: null,
    durationDays: null,
    durationMonths: null,
    supplierParties: [],
  };
}
