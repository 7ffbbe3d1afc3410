import type { LotDetail } from '../../../schema/catalogue/details.ts';
import type { OcdsTender } from '../../../schema/ocds/types.ts';
import { parseDay } from '../../fields/dates.ts';
import { cleanLine, cleanText } from '../../fields/text/clean.ts';
import { grossOf, netOf } from '../values/money.ts';

/** A process may carry thousands of lots; a notice serves this many and says so. */
export const LOTS_MOST = 2_000;

/** Lots of a tender. A lot's published status is kept as it is: it says `cancelled` of awarded lots (FTS 052408-2025). */
export function lotsOf(tender: OcdsTender): LotDetail[] {
  return tender.lots.slice(0, LOTS_MOST).map((lot, index) => {
    const money = netOf(lot.value) ?? grossOf(lot.value);
    const lotId = lot.id ?? String(index + 1);
    const description = cleanText(lot.description);
    const starts = parseDay(lot.contractPeriod?.startDate);
    const ends = parseDay(lot.contractPeriod?.endDate);
    return {
      lot_id: lotId,
      title: cleanLine(lot.title) || (tender.lots.length === 1 ? cleanLine(tender.title) : '') || `Lot ${lotId}`,
      ...(description ? { description } : {}),
      ...(money ? { value: money.value, currency: money.currency } : {}),
      ...(lot.status ? { status: lot.status } : {}),
      ...(starts ? { starts } : {}),
      ...(ends ? { ends } : {}),
    };
  });
}
