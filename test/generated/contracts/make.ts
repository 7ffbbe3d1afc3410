import type { ValueClass } from '../../../schema/catalogue/details.ts';
import { PROCEDURES } from '../../../schema/catalogue/enums.ts';
import type { contract } from '../../../schema/catalogue/tables/procurement.ts';
import { CPV_DIVISIONS } from '../../../schema/reference/cpv.ts';
import { DIRECT_AWARD_GROUNDS } from '../../../schema/reference/notice-types.ts';
import { listRegions } from '../../../schema/reference/regions.ts';
import { type Dice, drawKind } from '../draw.ts';

export type ContractColumns = Omit<typeof contract.$inferInsert, 'gone'> & { gone?: number };

/** How many buyers, suppliers and frameworks so many contracts have: a few have many contracts, most have few. */
const BUYERS = 30_000;
const COMPANIES = 200_000;
const FRAMEWORKS = 2_000;
const DAYS = 3_650;
const LAST_DAY_MS = Date.UTC(2026, 10, 22);
const DAY_MS = 86_400_000;

const CLASSES: Record<ValueClass, number> = {
  sum: 0.72,
  unstated: 0.08,
  shared: 0.08,
  framework_ceiling: 0.06,
  estimate: 0.05,
  absurd: 0.01,
};
const CURRENCIES = { GBP: 0.985, EUR: 0.01, USD: 0.005 };
const SOURCES = { find_a_tender: 0.45, contracts_finder: 0.55 };
/** One contract in so many is on another service too, or on two. */
const ON_TWO = 23;
const ON_THREE = 71;
/** One supplier in so many says whether it is a social enterprise, and one in so many is one. */
const SAYS_VCSE = 2;
const IS_VCSE = 6;
const DIRECT = 7;
const REGIONS = listRegions();

/** Contracts of a made-up market, the same for the same dice. */
export function makeContract(dice: Dice, number: number): ContractColumns {
  const valueClass = drawKind<ValueClass>(dice, CLASSES);
  const dated = dayAt(LAST_DAY_MS - dice.below(DAYS) * DAY_MS);
  const cpvs = Array.from({ length: dice.chance(0.8) ? 1 : 2 + dice.below(4) }, () => drawCode(dice));
  const regions = Array.from({ length: dice.chance(0.9) ? 1 : dice.below(4) }, () => drawRegion(dice));
  const others = valueClass === 'shared' ? 1 + dice.below(4) : 0;
  const companies = new Set(Array.from({ length: 1 + others }, () => skewed(dice, COMPANIES)));
  const suppliers = [...companies].map((one) => ({
    company_id: `GB-COH-${String(one).padStart(8, '0')}`,
    name: `Supplier ${one}`,
    ...(one % SAYS_VCSE === 0 ? { is_vcse: one % IS_VCSE === 0 } : {}),
  }));
  const buyer = skewed(dice, BUYERS);
  const role = valueClass === 'framework_ceiling' ? 'establishes' : dice.chance(0.1) ? 'call_off' : null;
  const ocid = `ocds-h6vhtk-${number.toString(16).padStart(6, '0')}`;
  const source = drawKind(dice, SOURCES);
  return {
    id: `${ocid}-1`,
    process_id: ocid,
    ocid,
    source,
    also_on: otherServices(number, source),
    notice_id: `${String(number % 1_000_000).padStart(6, '0')}-2026`,
    award_id: '1',
    title: `Contract ${number}`,
    buyer_id: dice.chance(0.99) ? `GB-FTS-${buyer}` : null,
    buyer: `Buyer ${buyer}`,
    supplier: suppliers[0]?.name ?? null,
    suppliers: JSON.stringify(dice.chance(0.98) ? suppliers : []),
    value: valueClass === 'unstated' ? null : Math.round(10 ** (3 + 5 * dice.roll()) * 100) / 100,
    currency: valueClass === 'unstated' ? null : drawKind(dice, CURRENCIES),
    value_basis: 'net',
    value_class: valueClass,
    awarded: dated,
    starts: dice.chance(0.9) ? dayAt(Date.parse(dated) + dice.below(60) * DAY_MS) : null,
    ends: dice.chance(0.8) ? dayAt(Date.parse(dated) + (100 + dice.below(1_500)) * DAY_MS) : null,
    status: dice.chance(0.02) ? 'terminated' : 'active',
    sort_date: dated,
    cpv: dice.chance(0.98) ? (cpvs[0] ?? null) : null,
    region: regions[0]?.code ?? null,
    framework_id: role ? `ocds-h6vhtk-f${dice.below(FRAMEWORKS)}` : null,
    framework_role: role,
    procedure: dice.chance(0.7) ? dice.pick(PROCEDURES) : null,
    bids_received: dice.chance(0.4) ? dice.below(20) : null,
    sme: dice.chance(0.6) ? dice.below(2) : null,
    detail: JSON.stringify({ lots: [], warnings: [], cpvs, regions, ...termsOf(number, dated) }),
    digest: '',
    seq: 1,
  };
}

/** The other services that a contract is on, as JSON. */
function otherServices(number: number, source: string): string | null {
  const other = source === 'find_a_tender' ? 'contracts_finder' : 'find_a_tender';
  if (number % ON_THREE === 0) return JSON.stringify([other, 'sell2wales']);
  return number % ON_TWO === 0 ? JSON.stringify([other]) : null;
}

/** One contract in so many was awarded directly, on the next ground or two; the award of every other could be challenged for eight days. */
function termsOf(number: number, dated: string) {
  const at = (number / DIRECT) % DIRECT_AWARD_GROUNDS.length;
  const grounds = DIRECT_AWARD_GROUNDS.slice(at, at + 1 + (number % 2));
  return {
    ...(number % DIRECT === 0 ? { direct_award_grounds: grounds } : {}),
    ...(number % 2 === 0 ? {} : { standstill_until: dayAt(Date.parse(dated) + 8 * DAY_MS) }),
  };
}

function dayAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Low numbers are far more frequent. */
function skewed(dice: Dice, most: number): number {
  return Math.floor(Math.max(1, most) * dice.roll() ** 3);
}

function drawCode(dice: Dice): string {
  const division = CPV_DIVISIONS[dice.below(CPV_DIVISIONS.length)]?.code ?? '45';
  return division + String(dice.below(300) * 1_000).padStart(6, '0');
}

function drawRegion(dice: Dice): { code?: string; name: string } {
  return REGIONS[dice.below(REGIONS.length)] ?? { name: 'Somewhere' };
}
