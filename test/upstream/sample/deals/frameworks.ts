import { addDays, addMonths, atTime, dayOf } from '../dates.ts';
import type { Buyer } from '../market/buyers.ts';
import type { Market } from '../market/types.ts';
import { makeRandom, type Random } from '../random.ts';
import { TRADES } from '../trades/all.ts';
import { CPV } from '../trades/cpv.ts';
import type { Trade } from '../trades/types.ts';
import { type Award, type Deal, type FrameworkDeal, makeDeal } from './make.ts';

/** How many frameworks and dynamic markets a world has: they are its first processes. */
export const FRAMEWORK_COUNT = 32;
const MARKETS_FROM = 27;
/** The value stated is the estimated maximum of all call-offs. */
const LIFETIME = 40;
const DAY_MS = 86_400_000;

const NAMES: Record<string, string> = {
  highways: 'Highways Works and Services',
  building: 'Construction Works and Associated Services',
  planned_works: 'Planned Works, Roofing and Fire Safety',
  flood: 'Flood and Coastal Works',
  mains: 'Water Infrastructure Works',
  building_services: 'Mechanical and Electrical Services',
  energy_works: 'Decarbonisation and Low Carbon Heat',
  cleaning: 'Workplace Services',
  waste: 'Waste and Recycling Services',
  grounds: 'Grounds Maintenance and Arboriculture',
  security: 'Security and Reception Services',
  catering: 'Catering Services and Food',
  transport: 'Passenger Transport Services',
  leisure: 'Leisure, Culture and Events',
  care: 'Home Care and Support Providers',
  children: 'Placements for Children and Young People',
  health: 'Community Health Services',
  staff: 'Temporary Workers and Permanent Recruitment',
  training: 'Training and Apprenticeships',
  consulting: 'Management Consultancy and Research',
  design: 'Estates Professional Services',
  professional: 'Legal, Audit and Insurance Services',
  software: 'Digital Systems and Support',
  technology: 'Technology Products and Associated Services',
  medical: 'Medical Equipment and Consumables',
  vehicles: 'Vehicle Purchase and Fleet',
  energy: 'Supply of Energy',
  furniture: 'Furniture, Interiors and Workwear',
  media: 'Language, Print and Media Services',
};

/** The frameworks of a world: a purchasing body, several lots, several suppliers on each. */
export function makeFrameworks(world: Market): FrameworkDeal[] {
  return Array.from({ length: FRAMEWORK_COUNT }, (_, index) => makeFramework(world, index));
}

function makeFramework(world: Market, index: number): FrameworkDeal {
  const random = makeRandom(world.seed, 'framework', index);
  const buyer = ownerOf(world.buyers, index);
  const trade = TRADES[(index * 5) % TRADES.length] as Trade;
  const market = index >= MARKETS_FROM;
  const age = world.spanDays - 5 - Math.floor((index % MARKETS_FROM) ** 1.8 * (world.spanDays / 420));
  const tenderAt = atTime(
    dayOf(world.asOfMs - Math.max(age, 25) * DAY_MS),
    `10:${String(10 + index).padStart(2, '0')}:00`,
  );
  const lots = Math.min(random.int(2, 4), trade.lots.length + 1);
  const base = makeDeal(random, world, {
    index,
    buyer,
    trade,
    tenderAt,
    lots,
    suppliers: random.int(3, 5),
    competed: true,
  });
  const share = Math.ceil((base.net * LIFETIME) / lots / 250_000) * 250_000;
  const reference = referenceOf(buyer, index);
  const name = NAMES[trade.key] ?? base.title;
  const title = market
    ? `${name} Dynamic Market`
    : random.pick([`${name} Framework`, `${name} ${index % 4 === 1 ? 'Framework Agreement' : reference}`, name]);
  return {
    ...base,
    reference,
    title,
    description: describe(random, base, market),
    cpv: codesOf(trade),
    net: lots * share,
    lots: base.lots.map((lot) => ({ ...lot, net: share })),
    aboveThreshold: true,
    method: 'open',
    methodDetails: 'Open procedure',
    ...termOf(base, market ? 96 : 48),
    awards: sideBySide(base, share),
    framework: {
      kind: market ? 'market' : 'framework',
      type: random.chance(0.7) ? 'open' : 'closed',
      method: random.pick([
        'withReopeningCompetition',
        'withoutReopeningCompetition',
        'withAndWithoutReopeningCompetition',
      ]),
      maximumParticipants: random.int(8, 60),
      buyerCategories:
        'All public bodies in the United Kingdom, including local authorities, the NHS, schools and emergency services.',
      feePercent: random.pick([0, 0.5, 1, 1.5]),
    },
  };
}

/** Longer than a contract's, with the same option to extend it. */
function termOf({ starts, ends, extendsTo }: Deal, months: number): Pick<Deal, 'ends' | 'extendsTo'> {
  const extraDays = extendsTo ? (Date.parse(extendsTo) - Date.parse(ends)) / DAY_MS : 0;
  const longer = addMonths(starts, months);
  return { ends: longer, ...(extendsTo ? { extendsTo: addDays(longer, extraDays) } : {}) };
}

function ownerOf(buyers: readonly Buyer[], index: number): Buyer {
  const bodies = buyers.filter(({ kind }) => kind === 'consortium');
  const owner = index % 3 === 2 ? buyers[(index * 7) % buyers.length] : bodies[index % Math.max(bodies.length, 1)];
  return (owner ?? buyers[0]) as Buyer;
}

/** References in the style of the trade; the numbers lie beyond those in use. */
function referenceOf({ name }: Buyer, index: number): string {
  if (name === 'Crown Purchasing Service') return `RM9${String(100 + index * 7)}`;
  const initials = name.replace(/[^A-Z]/g, '');
  return `${initials || 'FW'}-${1000 + index * 13}`;
}

function describe(random: Random, base: Deal, market: boolean): string {
  const kind = market ? 'dynamic market' : 'framework agreement';
  const covered = codesOf(base.trade).map(([, description]) => description.toLowerCase());
  return [
    `${base.buyer.name} is establishing a ${kind} for use by the wider public sector.`,
    `It covers ${covered.join('; ')}.`,
    `The ${kind} is divided into ${base.lots.length} lots. No volume is guaranteed and the value stated is the estimated maximum over its whole life.`,
    random.chance(0.5) ? 'A management charge applies to all call-off contracts.' : '',
  ]
    .join(' ')
    .trim();
}

/** The codes of everything its trade covers. */
function codesOf({ needs }: Trade): [string, string][] {
  return [...new Set(needs.flatMap(({ cpv }) => cpv))].map((code) => [code, CPV[code]]);
}

/** One award a supplier and lot, as frameworks are published: no single supplier has the money. */
function sideBySide({ awards }: Deal, net: number): Award[] {
  const pairs = awards.flatMap((award) => award.suppliers.map((company) => ({ ...award, suppliers: [company] })));
  return pairs.map((award, index) => ({ ...award, id: String(index + 1), net }));
}
