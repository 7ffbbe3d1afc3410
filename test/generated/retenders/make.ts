import type { Deal } from '../../upstream/sample/deals/make.ts';
import type { Market } from '../../upstream/sample/market/types.ts';
import type { Random } from '../../upstream/sample/random.ts';
import { TRADES } from '../../upstream/sample/trades/all.ts';
import { CPV, type CpvCode } from '../../upstream/sample/trades/cpv.ts';
import { add, DAY_MS, drawEnd, drawSubject, nextStart, type Retenders, type Subject, type Table } from './deals.ts';
import { callOffs, generic, lotsApart, otherPlace, parallel, phases, sibling, variation } from './near-misses.ts';
import { titlesOfPair } from './titles.ts';

/** How often each is drawn. Only the first has a truth; all of it is assumed. */
const STORY_RATES = [
  [46, 'retender'],
  [9, 'other_place'],
  [7, 'parallel'],
  [7, 'lots_apart'],
  [7, 'variation'],
  [6, 'generic'],
  [6, 'phases'],
  [8, 'sibling'],
  [4, 'call_offs'],
] as const;
type Story = (typeof STORY_RATES)[number][1];

/** Nobody publishes a plan longer before the contract that it is to lead to. */
const PLANNED_DAYS = 450;

/** Draws procurements of every story until there are so many. A buyer has each need once, but for what a story repeats. */
export function makeRetenders(random: Random, market: Market, most: number, firstIndex = 0): Retenders {
  const table: Table = { random, market, drawn: { procurements: [], truth: [] }, used: new Set(), firstIndex };
  while (table.drawn.procurements.length < most) STORIES[random.weigh(STORY_RATES)](table);
  return table.drawn;
}

function retender(table: Table): void {
  const { random, drawn } = table;
  const subject = drawSubject(table);
  const [before, after] = titlesOfPair(random, subject.title, subject.buyer, subject.year);
  const earlier = add(table, subject, { title: before, ends: drawEnd(table) });
  const next = nextStart(random, earlier.deal);
  if (Date.parse(next) > table.market.asOfMs + PLANNED_DAYS * DAY_MS) return;
  const later = add(table, withBuyer(random, subject), { title: after, starts: next, cpv: againCpv(random, subject) });
  drawn.truth.push({ later, earlier });
  if (later.deal.tenderAt > table.market.asOfMs) later.life = 'planned';
  if (random.chance(0.06)) later.quotes = earlier;
}

/** The same buyer, now and then under another number, or as the body that it was merged into. */
function withBuyer(random: Random, subject: Subject): Subject {
  const { buyer } = subject;
  const ppon = `${buyer.ppon.slice(0, -4)}${random.pick(['WXYZ', 'ZYXW', 'VWXZ'])}`;
  const known = random.weigh([
    [90, buyer],
    [7, { ...buyer, ppon }],
    [3, { ...buyer, ppon, name: `Greater ${buyer.place.name} Joint Authority` }],
  ]);
  return { ...subject, buyer: known };
}

/** Codes of the same need: the same, a higher level, another of the same trade, or none near. */
function againCpv(random: Random, { need, trade }: Subject): Deal['cpv'] {
  const name = (code: string) => [code, CPV[code as CpvCode] ?? 'A wider branch'] as const;
  const [main = ''] = need.cpv;
  return random.weigh([
    [55, need.cpv.map(name)],
    [20, [name(main.slice(0, random.int(2, 4)).padEnd(8, '0'))]],
    [21, [name(random.pick(trade.needs.flatMap(({ cpv }) => cpv)))]],
    [4, [name(random.pick(TRADES.flatMap(({ needs }) => needs.flatMap(({ cpv }) => cpv))))]],
  ]);
}

const STORIES: Readonly<Record<Story, (table: Table) => void>> = {
  retender,
  other_place: otherPlace,
  parallel,
  lots_apart: lotsApart,
  variation,
  generic,
  phases,
  sibling,
  call_offs: callOffs,
};
