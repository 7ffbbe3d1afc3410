import type { OcdsRelease } from '../../schema/ocds.ts';
import { callOffOf, referencesIn } from './call-off.ts';
import { parseDay } from './dates.ts';
import { estimateOf } from './money.ts';
import { addressesOf } from './notices.ts';
import { type PartiesOf, partiesOf } from './parties.ts';
import { regionsOf } from './regions.ts';
import { cleanLine, cleanText } from './text.ts';
import type { CompiledFramework, CompiledNotice } from './types.ts';

const TITLE = /\bframeworks?\b/i;
const MARKET_TITLE = /\b(dynamic purchasing system|dynamic market|DPS)\b/i;
/** An award to as many suppliers as this is a framework in all but its flag (the rule of the public dbt mart). */
const MANY_SUPPLIERS = 3;

export interface FrameworkSigns {
  kind: 'framework' | 'dynamic_market';
  evidence: string[];
}

/** Whether a process sets up a framework or dynamic market, and by what sign. A call-off never does. */
export function frameworkSigns(merged: OcdsRelease, noticeTypes: readonly string[]): FrameworkSigns | null {
  const { techniques, title } = merged.tender;
  const market = noticeTypes.filter((type) => /^UK1[3-6]$/.test(type));
  const flags = [
    ...(techniques?.dynamicPurchasing ? ['flag: dynamic purchasing system'] : []),
    ...(techniques?.framework ? ['flag: framework agreement'] : []),
    ...market.map((type) => `notice type ${type}`),
  ];
  const isMarket = techniques?.dynamicPurchasing === true || market.length > 0;
  if (flags.length > 0) return { kind: isMarket ? 'dynamic_market' : 'framework', evidence: flags };
  if (callOffOf(merged)) return null;
  const line = cleanLine(title);
  const most = Math.max(0, ...merged.awards.map(partiesOf(merged).countSuppliers));
  const signs = [
    ...(MARKET_TITLE.test(line) ? ['title: dynamic purchasing system'] : []),
    ...(TITLE.test(line) ? ['title: framework'] : []),
    ...(most >= MANY_SUPPLIERS ? [`one award to ${most} suppliers`] : []),
  ];
  if (signs.length === 0) return null;
  return { kind: MARKET_TITLE.test(line) ? 'dynamic_market' : 'framework', evidence: signs };
}

/** A framework from its compiled process; null where its notices are too few to name one. */
export function compileFramework(
  signs: FrameworkSigns,
  merged: OcdsRelease,
  parties: PartiesOf,
  notices: readonly CompiledNotice[],
): CompiledFramework | null {
  const first = notices.at(-1);
  if (!first) return null;
  const { tender } = merged;
  const period = tender.techniques?.period;
  const ceiling = estimateOf(tender);
  const regions = regionsOf(addressesOf(merged));
  return {
    noticeId: first.noticeId,
    title: cleanLine(tender.title ?? merged.title) || first.title,
    kind: signs.kind,
    starts: parseDay(period?.startDate) ?? firstDay(merged, 'startDate'),
    ends: parseDay(period?.endDate) ?? firstDay(merged, 'endDate'),
    ceiling: ceiling?.value ?? null,
    currency: ceiling?.currency ?? null,
    cpv: notices.findLast(({ cpvs }) => cpvs.length > 0)?.cpvs[0] ?? null,
    region: regions[0]?.code ?? null,
    url: first.url,
    published: first.published,
    lots: frameworkLots(merged, parties),
    detail: {
      evidence: signs.evidence,
      ...describe(merged),
      references: referencesIn(tender.id, tender.title),
      regions,
      warnings: [],
      notice_ids: notices.map(({ noticeId }) => noticeId),
    },
  };
}

/** End by the government's own preference: first award, first lot, first contract (commercial tools register). */
function firstDay(merged: OcdsRelease, edge: 'startDate' | 'endDate' | 'maxExtentDate'): string | null {
  const periods = [
    ...merged.awards.map(({ contractPeriod }) => contractPeriod),
    ...merged.tender.lots.map(({ contractPeriod }) => contractPeriod),
    ...merged.contracts.map(({ period }) => period),
    merged.tender.contractPeriod,
  ];
  for (const period of periods) {
    const day = parseDay(period?.[edge]);
    if (day) return day;
  }
  return null;
}

/** `open` means that buyers not listed may use it, `closed` that they may not (UK extension). */
const WHO: Readonly<Record<string, string>> = { open: 'other authorities may use it', closed: 'only the buyers named' };

function describe(merged: OcdsRelease) {
  const { techniques, description } = merged.tender;
  const text = cleanText(description);
  const who = cleanText(techniques?.buyerCategories) || WHO[techniques?.type ?? ''];
  const extendsTo = firstDay(merged, 'maxExtentDate');
  const most = techniques?.maximumParticipants;
  return {
    ...(text ? { description: text } : {}),
    ...(techniques?.method ? { method: techniques.method } : {}),
    ...(techniques?.type ? { type: techniques.type } : {}),
    ...(who ? { who_may_use: who } : {}),
    ...(extendsTo ? { extends_to: extendsTo } : {}),
    ...(most ? { max_suppliers: most } : {}),
  };
}

/** Lots with their suppliers: each award's suppliers in each of its related lots, and nowhere else. */
function frameworkLots(merged: OcdsRelease, parties: PartiesOf): CompiledFramework['lots'] {
  const title = cleanLine(merged.tender.title) || 'Framework';
  const named = merged.tender.lots.map(({ id, title: own, value }, index) => ({
    lotId: id ?? String(index + 1),
    title: cleanLine(own) || (merged.tender.lots.length === 1 ? title : `Lot ${id ?? index + 1}`),
    value: value?.amount ?? value?.amountGross ?? null,
    supplierParties: [] as string[],
  }));
  const lots = named.length > 0 ? named : [{ lotId: '1', title, value: null, supplierParties: [] as string[] }];
  const unstated = { lotId: 'unstated', title: 'Lot not stated', value: null, supplierParties: [] as string[] };
  for (const award of merged.awards) {
    const suppliers = parties.suppliersOf(award).filter((id) => !parties.removed.has(id));
    const related = lots.filter(({ lotId }) => award.relatedLots.includes(lotId));
    const targets = related.length > 0 ? related : lots.length === 1 ? lots : [unstated];
    for (const lot of targets) lot.supplierParties = [...new Set([...lot.supplierParties, ...suppliers])];
  }
  return unstated.supplierParties.length > 0 ? [...lots, unstated] : lots;
}
