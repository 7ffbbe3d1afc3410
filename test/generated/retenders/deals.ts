import { addDays, dayOf } from '../../upstream/sample/dates.ts';
import { type Deal, makeDeal } from '../../upstream/sample/deals/make.ts';
import type { Buyer } from '../../upstream/sample/market/buyers.ts';
import type { Market } from '../../upstream/sample/market/types.ts';
import type { Random } from '../../upstream/sample/random.ts';
import { TRADES } from '../../upstream/sample/trades/all.ts';
import { CPV } from '../../upstream/sample/trades/cpv.ts';
import type { Need, Trade } from '../../upstream/sample/trades/types.ts';
import { fillTitle, siteOf } from './titles.ts';

/** One procurement of a generated market. */
export interface Procurement {
  deal: Deal;
  /** How far it has come: what is `tendered` has no award yet. */
  life: 'awarded' | 'tendered' | 'planned';
  /** The earlier procurement whose notice its text names. */
  quotes?: Procurement;
}

/** A later procurement and the earlier one whose need it buys again. */
interface RetenderPair {
  later: Procurement;
  earlier: Procurement;
}

export interface Retenders {
  procurements: Procurement[];
  truth: RetenderPair[];
}

export const DAY_MS = 86_400_000;

/** What is drawn from, and what was drawn so far. */
export interface Table {
  random: Random;
  market: Market;
  drawn: Retenders;
  used: Set<string>;
  /** Of the first procurement: ocids follow from it. */
  firstIndex: number;
}

export interface Subject {
  buyer: Buyer;
  trade: Trade;
  need: Need;
  title: string;
  year: number;
}

/** A need that its buyer has not bought yet. */
export function drawSubject({ random, market, used }: Table): Subject {
  for (;;) {
    const buyer = random.pick(market.buyers);
    const trade = random.pick(TRADES);
    const need = random.pick(trade.needs);
    const key = `${buyer.ppon} ${need.title}`;
    if (used.has(key)) continue;
    used.add(key);
    return { buyer, trade, need, title: fillTitle(need, buyer, siteOf(random, buyer)), year: random.int(2024, 2026) };
  }
}

/** A procurement that was awarded and ended, or ends soon. */
export function add(table: Table, subject: Subject, more: Partial<Deal> & { title: string }): Procurement {
  const { random, market, drawn, firstIndex } = table;
  const { buyer, trade, need } = subject;
  const index = firstIndex + drawn.procurements.length;
  const deal = makeDeal(random, market, { index, buyer, trade, tenderAt: market.asOfMs, competed: true });
  const [from, to] = more.starts ? [deal.starts, more.starts] : [deal.ends, more.ends ?? deal.ends];
  const shiftDays = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
  const moved = shift(deal, shiftDays);
  const codes = need.cpv.map((code) => [code, CPV[code]] as const);
  const whole = {
    ...moved,
    cpv: codes,
    description: `${more.title}. ${need.scope.replace(/\{\w+\}/g, '12')}`,
    ...more,
  };
  const life = whole.signAt < market.asOfMs ? 'awarded' : 'tendered';
  const procurement: Procurement = { deal: whole, life };
  drawn.procurements.push(procurement);
  return procurement;
}

function shift(deal: Deal, days: number): Deal {
  const ms = days * DAY_MS;
  const { tenderAt, deadlineAt, awardAt, signAt, starts, ends, extendsTo } = deal;
  return {
    ...deal,
    tenderAt: tenderAt + ms,
    deadlineAt: deadlineAt + ms,
    awardAt: awardAt + ms,
    signAt: signAt + ms,
    starts: addDays(starts, days),
    ends: addDays(ends, days),
    ...(extendsTo ? { extendsTo: addDays(extendsTo, days) } : {}),
  };
}

/** The day on which a contract ends whose successor is, or may be, published by now. */
export function drawEnd({ random, market }: Table): string {
  return addDays(dayOf(market.asOfMs), random.int(-500, 150));
}

/** The day on which the next contract begins: after the end, an option to extend, or later than any notice says. */
export function nextStart(random: Random, { ends, extendsTo }: Deal): string {
  const used = extendsTo && random.chance(0.6) ? extendsTo : ends;
  const [least, most] = random.weigh([
    [70, [0, 30]],
    [14, [31, 120]],
    [10, [121, 330]],
    [6, [-40, -1]],
  ] as const);
  return addDays(used, random.int(least, most));
}
