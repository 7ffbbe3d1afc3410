import type { Buyer } from '../market/buyers.ts';
import type { Company } from '../market/companies.ts';
import type { Random } from '../random.ts';
import { type Condition, conditionsOf, GUARANTEES, OPTIONS, PERFORMANCE, VAGUE } from '../trades/conditions.ts';
import type { Trade } from '../trades/types.ts';

/** What is said of bidding and of the contract besides its course. Most notices state only some of it. */
export interface Terms {
  sme: boolean;
  vcse: boolean;
  regimes: readonly string[];
  treaties: readonly string[];
  /** From 0 to 1: the conditions stand in notices of a regime that states them more often than this. */
  rarity: number;
  conditions: readonly Condition[];
  /** Weights of a hundred. */
  price: number;
  socialValue: number;
  /** Whether each criterion has its weight in a field of its own. */
  weighed: boolean;
  enquiries: boolean;
  validDays: number | undefined;
  guarantees: string | undefined;
  performance: string | undefined;
  options: string | undefined;
  /** How many lots one bidder may bid for and win; neither where there is one lot. */
  lotsBid?: number;
  lotsWon?: number;
  sheltered: boolean;
  /** Below the thresholds: who alone may take part. */
  reserved: { smeVcse: boolean; local: boolean } | undefined;
}

/** What of a deal decides on its terms. */
interface Drawn {
  trade: Trade;
  buyer: Buyer;
  description: string;
  sme: boolean;
  net: number;
  awardAt: number;
  lots: readonly unknown[];
  awards: readonly { suppliers: readonly Company[] }[];
}

/** Draws the terms of a deal. Its description and its awards do not contradict them. */
export function drawTerms(random: Random, deal: Drawn, asOfMs: number): Terms {
  const { trade, buyer, description, sme } = deal;
  const { category, lightTouch = false } = trade;
  const often = <T>(share: number, value: T): T | undefined => (random.chance(share) ? value : undefined);
  const reserved = drawReserved(random, deal, asOfMs);
  const isSuitable = description.includes('considered suitable') || reserved?.smeVcse === true;
  const isWeighed = description.includes('60% quality and 40% price');
  const isConcession = /\bconcession\b/i.test(description);
  return {
    sme: sme || isSuitable,
    vcse: lightTouch || isSuitable,
    reserved,
    regimes: [
      isConcession && 'concession',
      lightTouch && 'lightTouch',
      buyer.kind === 'utility' && 'utilities',
    ].flatMap((regime) => regime || []),
    treaties: ['GPA', ...(random.chance(0.18) ? ['CPTPP'] : [])],
    rarity: random.next(),
    conditions: conditionsOf(random, deal),
    price: isWeighed ? 40 : random.pick([20, 30, 40, 40, 50, 60]),
    socialValue: isWeighed ? 0 : 10,
    weighed: random.chance(0.76),
    enquiries: random.chance(0.79),
    validDays: often(0.66, random.pick([60, 90, 90, 90, 120, 120, 180])),
    guarantees: often(category === 'works' ? 0.3 : 0.04, GUARANTEES[category]),
    performance: often(0.32, random.chance(0.4) ? VAGUE : PERFORMANCE[category]),
    options: often(0.1, OPTIONS[category]),
    sheltered: random.chance(0.03),
    ...drawLotLimits(random, deal),
  };
}

/** What was awarded already shows who could take part. */
function drawReserved(random: Random, { sme, awards, buyer, awardAt }: Drawn, asOfMs: number): Terms['reserved'] {
  const winners = awardAt < asOfMs ? awards.flatMap(({ suppliers }) => suppliers) : [];
  const [isReserved, forSmall, nearby] = [random.chance(0.3), random.chance(0.4), random.chance(0.4)];
  if (!isReserved) return undefined;
  const smeVcse = forSmall && sme && winners.every((one) => one.sme || one.vcse);
  const local = nearby && winners.every(({ place }) => place.county === buyer.place.county);
  return { smeVcse, local };
}

/** Never below what one supplier won. */
function drawLotLimits(random: Random, { lots, awards }: Drawn): Pick<Terms, 'lotsBid' | 'lotsWon'> {
  const winners = awards.flatMap(({ suppliers }) => suppliers);
  const least = Math.max(1, ...winners.map((one) => winners.filter((other) => other === one).length));
  const below = Math.max(least, lots.length - 1);
  const [bidFor, winUpTo] = [random.int(least, below), random.int(least, below)];
  const [isBidLimited, isWinLimited] = [random.chance(0.35), random.chance(0.3)];
  if (lots.length < 2) return {};
  const most = isBidLimited ? bidFor : lots.length;
  return {
    ...(isBidLimited ? { lotsBid: bidFor } : {}),
    ...(isWinLimited ? { lotsWon: Math.min(winUpTo, most) } : {}),
  };
}
