import { atTime, dayOf, workingDay } from '../dates.ts';
import { makeBuyers } from '../market/buyers.ts';
import { type Company, makeCompanies } from '../market/companies.ts';
import type { Market } from '../market/types.ts';
import { makeRandom, type Random } from '../random.ts';
import type { Trade } from '../trades/types.ts';
import { makeFrameworks } from './frameworks.ts';
import type { Deal, FrameworkDeal } from './make.ts';

interface WorldOptions {
  seed: number;
  buyers: number;
  companies: number;
  asOf: Date;
  /** How far back the first process begins. */
  spanDays: number;
}

/** Everything that processes are drawn from; the same for the same options, and no larger for more notices. */
export interface World extends Market {
  frameworks: readonly FrameworkDeal[];
}

/** Draws buyers, suppliers and frameworks. */
export function makeWorld({ seed, buyers, companies, asOf, spanDays }: WorldOptions): World {
  const suppliers = makeCompanies(seed, companies);
  const byTrade = new Map<string, Company[]>();
  for (const company of suppliers) byTrade.set(company.trade.key, [...(byTrade.get(company.trade.key) ?? []), company]);
  const market: Market = {
    seed,
    asOfMs: Math.floor(asOf.getTime() / 1000) * 1000,
    spanDays,
    buyers: makeBuyers(seed, buyers),
    companies: suppliers,
    suppliersOf: (trade: Trade) => byTrade.get(trade.key) ?? suppliers.slice(0, 1),
  };
  return { ...market, frameworks: makeFrameworks(market) };
}

/** When a process begins: in office hours for the most part, and the more often the nearer to now. */
export function drawBeginning(random: Random, { asOfMs, spanDays }: Pick<World, 'asOfMs' | 'spanDays'>): number {
  const day = dayOf(asOfMs - spanDays * random.next() ** 1.7 * 86_400_000);
  const weekday = random.chance(0.97) ? workingDay(day) : day;
  const hour = random.chance(0.93) ? random.int(8, 18) : random.int(0, 23);
  const pad = (value: number) => String(value).padStart(2, '0');
  const at = atTime(weekday, `${pad(hour)}:${pad(random.int(0, 59))}:${pad(random.int(0, 59))}`);
  return Math.min(at, asOfMs - random.int(60, 7200) * 1000);
}

/** A framework that a call-off may come from: of its trade, begun when its first notice goes out, and not over. */
export function frameworkFor(random: Random, world: World, trade: Trade, at: number): FrameworkDeal | undefined {
  const awarded = world.frameworks.filter(
    (deal) => deal.trade.key === trade.key && deal.starts <= dayOf(at) && dayOf(at) < deal.ends,
  );
  return awarded.length > 0 ? random.pick(awarded) : undefined;
}

/** A call-off: one of the framework's suppliers, for the buyer's own need. */
export function callOff(random: Random, deal: Deal, framework: FrameworkDeal): Deal {
  const members = framework.awards.flatMap(({ suppliers }) => suppliers);
  const link = random.weigh([
    [55, 'identifier'],
    [27, 'title'],
    [18, 'text'],
  ] as const);
  const told = `Call-off under ${framework.title} (${framework.reference}).`;
  return {
    ...deal,
    title: random.chance(0.5) ? `${deal.title} - ${framework.reference}` : deal.title,
    description: `${deal.description} ${told}`,
    method: 'selective',
    methodDetails: deal.aboveThreshold ? 'Award under framework' : 'Below threshold - award under framework',
    awards: deal.awards.map((award) => ({ ...award, suppliers: [random.pick(members)] })),
    parent: { framework, link },
  };
}

/** A stream of chance for one process. */
export function randomFor(world: Pick<World, 'seed'>, kind: string, index: number): Random {
  return makeRandom(world.seed, kind, index);
}
