import type { OcdsRelease } from '../../schema/ocds.ts';
import { cleanLine } from './text.ts';
import type { CallOff } from './types.ts';

const TITLE = /\bframeworks?\b/i;
const MARKET_TITLE = /\b(dynamic purchasing system|dynamic market|DPS)\b/i;
/** An award to as many suppliers as this is a framework in all but its flag (the rule of the public dbt mart). */
const MANY_SUPPLIERS = 3;

export interface FrameworkSigns {
  kind: 'framework' | 'dynamic_market';
  evidence: string[];
  /** Whether flag, notice type or title say so: then of every award. The number of suppliers only speaks for its own award. */
  isStated: boolean;
}

/** Whether an award to so many suppliers sets up the framework of its process. */
export function establishes(signs: FrameworkSigns | null, suppliers: number): boolean {
  return signs !== null && (signs.isStated || suppliers >= MANY_SUPPLIERS);
}

/**
 * Whether a process sets up a framework or dynamic market, and by what sign. A call-off never does.
 * @param most suppliers of the award that has most of them
 */
export function frameworkSigns(
  merged: OcdsRelease,
  noticeTypes: readonly string[],
  most: number,
  callOff: CallOff | null,
): FrameworkSigns | null {
  const { techniques, title } = merged.tender;
  const market = noticeTypes.filter((type) => /^UK1[3-6]$/.test(type));
  const flags = [
    ...(techniques?.dynamicPurchasing ? ['flag: dynamic purchasing system'] : []),
    ...(techniques?.framework ? ['flag: framework agreement'] : []),
    ...market.map((type) => `notice type ${type}`),
  ];
  const isMarket = techniques?.dynamicPurchasing === true || market.length > 0;
  if (flags.length > 0) return { kind: isMarket ? 'dynamic_market' : 'framework', evidence: flags, isStated: true };
  if (callOff) return null;
  const line = cleanLine(title);
  const titled = [
    ...(MARKET_TITLE.test(line) ? ['title: dynamic purchasing system'] : []),
    ...(TITLE.test(line) ? ['title: framework'] : []),
  ];
  const evidence = [...titled, ...(most >= MANY_SUPPLIERS ? [`one award to ${most} suppliers`] : [])];
  if (evidence.length === 0) return null;
  return { kind: MARKET_TITLE.test(line) ? 'dynamic_market' : 'framework', evidence, isStated: titled.length > 0 };
}
