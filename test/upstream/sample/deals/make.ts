import { addDays, addMonths, atTime, dayOf, workingDay } from '../dates.ts';
import type { Buyer } from '../market/buyers.ts';
import type { Company } from '../market/companies.ts';
import { REGIONS } from '../market/places.ts';
import type { Market } from '../market/types.ts';
import { makeRandom, type Random } from '../random.ts';
import { CPV } from '../trades/cpv.ts';
import type { Trade } from '../trades/types.ts';
import { drawTerms, type Terms } from './terms.ts';
import { drawNeed, wordsOf } from './titles.ts';

const DAY_MS = 86_400_000;
/** Thresholds for 2026 and 2027, VAT included: central, other, works (PPN on new thresholds). */
const THRESHOLD = { central: 135_018, other: 207_720, works: 5_193_000 };

export interface Lot {
  id: string;
  title: string;
  net: number;
  region: string;
}

export interface Award {
  id: string;
  lotIds: readonly string[];
  suppliers: readonly Company[];
  net: number;
  bids: number;
}

/** One contracting process, everything its notices will say: notices are built from it, never from each other. */
export interface Deal {
  index: number;
  ocid: string;
  reference: string;
  buyer: Buyer;
  trade: Trade;
  title: string;
  description: string;
  /** Codes and descriptions, the main one first. */
  cpv: readonly (readonly [string, string])[];
  region: string;
  lots: readonly Lot[];
  awards: readonly Award[];
  net: number;
  currency: string;
  aboveThreshold: boolean;
  terms: Terms;
  portal: string;
  tenderAt: number;
  deadlineAt: number;
  awardAt: number;
  signAt: number;
  starts: string;
  ends: string;
  extendsTo?: string;
  method: 'open' | 'selective' | 'limited' | 'direct';
  methodDetails: string;
  framework?: FrameworkFacts;
  /** The framework or market this is a call-off of, and how notices say so. */
  parent?: { framework: FrameworkDeal; link: 'identifier' | 'title' | 'text' };
}

interface FrameworkFacts {
  kind: 'framework' | 'market';
  type: 'open' | 'closed';
  method: string;
  maximumParticipants: number;
  buyerCategories: string;
  feePercent: number;
}

export type FrameworkDeal = Deal & { framework: FrameworkFacts };

interface DealPlan {
  index: number;
  buyer: Buyer;
  trade: Trade;
  /** When bids are asked for; the other dates follow. */
  tenderAt: number;
  lots?: number;
  suppliers?: number;
  competed: boolean;
}

/** Draws a whole process. The ocid's digits lie beyond those that the real service has used. */
export function makeDeal(random: Random, market: Market, plan: DealPlan): Deal {
  const { buyer, trade, index } = plan;
  const need = drawNeed(random, trade, buyer.kind);
  const net = drawNet(random, need.value ?? trade.value);
  const dates = drawDates(random, plan.tenderAt, random.pick(trade.months));
  const region = random.chance(0.6) ? buyer.place.itl : buyer.place.itl.slice(0, 3);
  const lots = drawLots(random, trade, plan.lots ?? drawLotCount(random, net), net, region);
  const deal: Omit<Deal, 'awards' | 'method' | 'methodDetails' | 'aboveThreshold' | 'terms'> & { sme: boolean } = {
    index,
    ocid: `ocds-h6vhtk-${(0xf00000 + index).toString(16)}`,
    reference: drawReference(random, buyer),
    buyer,
    trade,
    ...wordsOf(random, { need, buyer, year: dayOf(plan.tenderAt).slice(0, 4) }),
    cpv: (random.chance(0.4) ? need.cpv.slice(0, 1) : need.cpv).map((code) => [code, CPV[code]] as const),
    region,
    lots,
    net,
    currency: random.chance(0.989) ? 'GBP' : random.pick(['USD', 'EUR', 'AED']),
    sme: random.chance(0.75),
    portal: `https://${random.pick(['eprocure', 'contracts-portal', 'in-tenders'])}.example/respond/${random.hex(10).toUpperCase()}`,
    tenderAt: plan.tenderAt,
    ...dates,
  };
  const aboveThreshold =
    net * 1.2 >
    (trade.category === 'works' ? THRESHOLD.works : buyer.centralGovernment ? THRESHOLD.central : THRESHOLD.other);
  const awards = drawAwards(random, market, { ...deal, competed: plan.competed, suppliers: plan.suppliers ?? 1 });
  const terms = drawTerms(makeRandom(market.seed, 'terms', index), { ...deal, awards }, market.asOfMs);
  return { ...deal, aboveThreshold, awards, terms, ...procedureOf(random, aboveThreshold, plan.competed) };
}

/** Log-uniform over the usual range, with the roundness of budgets or the pence of bids. */
function drawNet(random: Random, [least, most]: readonly [number, number]): number {
  const raw = least * (most / least) ** (random.next() ** 1.4);
  const step = raw > 1_000_000 ? 50_000 : raw > 100_000 ? 5_000 : 500;
  return random.chance(0.6) ? Math.round(raw / step) * step : Math.round(raw * 100) / 100;
}

function drawDates(random: Random, tenderAt: number, months: number) {
  const closing = workingDay(addDays(dayOf(tenderAt), random.int(18, 48)));
  const deadlineAt = atTime(
    closing,
    random.pick(['12:00:00', '12:00:00', '14:00:00', '17:00:00', '10:00:00', '23:59:00']),
  );
  const awardAt = atTime(
    workingDay(addDays(closing, random.int(25, 75))),
    `${random.int(10, 17)}:${random.int(10, 59)}:${random.int(10, 59)}`,
  );
  const signAt = awardAt + random.int(10, 24) * DAY_MS;
  const starts = addDays(dayOf(signAt), random.int(3, 45));
  const ends = addDays(addMonths(starts, months), -1);
  const extendsTo = random.chance(0.55) ? addMonths(ends, random.pick([12, 12, 24, 24, 36])) : undefined;
  return { deadlineAt, awardAt, signAt, starts, ends, ...(extendsTo ? { extendsTo } : {}) };
}

function drawLotCount(random: Random, net: number): number {
  return net > 150_000 && random.chance(0.16) ? random.int(2, 5) : 1;
}

function drawLots(random: Random, trade: Trade, count: number, net: number, region: string): Lot[] {
  return Array.from({ length: count }, (_, index) => {
    const named = trade.lots[index];
    const title = named ?? `${trade.lots[index % trade.lots.length]} - ${REGIONS[index % REGIONS.length]?.[1]}`;
    return {
      id: String(index + 1),
      title,
      net: Math.round((net / count) * 100) / 100,
      region: count > 3 && random.chance(0.3) ? random.pick(REGIONS)[0] : region,
    };
  });
}

function drawReference(random: Random, { kind }: Buyer): string {
  const digits = (count: number) => Array.from({ length: count }, () => random.int(0, 9)).join('');
  if (kind === 'nhs') return random.pick([`C${digits(6)}`, `F/${digits(3)}/CMG/26/AB`]);
  if (kind === 'central') return random.pick([`project_${digits(5)}`, `CCTS26A${digits(2)}`, `PROC.${digits(4)}`]);
  return random.pick([`DN${digits(6)}`, `ITT_${digits(5)}`, `REQ${digits(7)}`, `tender_${digits(6)}/${digits(7)}`]);
}

interface AwardPlan extends Pick<Deal, 'trade' | 'lots' | 'net'> {
  competed: boolean;
  suppliers: number;
}

/** One award a lot, now and then one for several lots, a consortium, or several suppliers side by side. */
function drawAwards(random: Random, market: Market, plan: AwardPlan): Award[] {
  const known = market.suppliersOf(plan.trade);
  const shift = plan.competed ? 0.84 + random.next() * 0.2 : 1;
  return plan.lots.map((lot, index) => ({
    id: String(index + 1),
    lotIds: [lot.id],
    suppliers: someOften(
      random,
      known,
      plan.suppliers > 1
        ? plan.suppliers
        : random.weigh([
            [95, 1],
            [4.7, 2],
            [0.3, 3],
          ]),
    ),
    net: Math.round(lot.net * shift * 100) / 100,
    bids: plan.competed ? random.int(1, 9) : 1,
  }));
}

/** Some different members, the first of the list far oftener than the last. */
function someOften<T>(random: Random, list: readonly T[], count: number): T[] {
  const drawn = new Set<T>();
  for (let tries = 0; drawn.size < Math.min(count, list.length) && tries < 400; tries++) {
    const member = list[Math.floor(list.length * random.next() ** 1.7)];
    if (member !== undefined) drawn.add(member);
  }
  return [...drawn];
}

function procedureOf(random: Random, above: boolean, competed: boolean): Pick<Deal, 'method' | 'methodDetails'> {
  if (!competed)
    return above
      ? { method: 'direct', methodDetails: 'Direct award' }
      : { method: 'direct', methodDetails: 'Below threshold - without competition' };
  if (!above)
    return random.chance(0.7)
      ? { method: 'open', methodDetails: 'Below threshold - open competition' }
      : { method: 'limited', methodDetails: 'Below threshold - limited competition' };
  return random.chance(0.58)
    ? { method: 'open', methodDetails: 'Open procedure' }
    : { method: 'selective', methodDetails: 'Competitive flexible procedure' };
}
