import { addDays, addMonths, dayOf } from '../../upstream/sample/dates.ts';
import type { Deal } from '../../upstream/sample/deals/make.ts';
import { add, DAY_MS, drawEnd, drawSubject, nextStart, type Table } from './deals.ts';
import { fillTitle, GENERIC_TITLES, otherPlaces, siteOf } from './titles.ts';

/** The same service for two places, one after the other. */
export function otherPlace(table: Table): void {
  const subject = drawSubject(table);
  const [one, two] = otherPlaces(table.random, subject.title, subject.buyer);
  const earlier = add(table, subject, { title: one, ends: drawEnd(table) });
  add(table, subject, { title: two, starts: nextStart(table.random, earlier.deal) });
}

/** The same goods bought every month or two, each for a year: some end just when another begins. */
export function parallel(table: Table): void {
  const { random } = table;
  const subject = drawSubject(table);
  const first = addDays(dayOf(table.market.asOfMs), -random.int(700, 800));
  const months = random.int(1, 2);
  for (let nth = 0; nth < 10; nth++) {
    const starts = addMonths(first, nth * months * 2);
    add(table, subject, { title: subject.title, starts, ends: addMonths(starts, 12) });
  }
}

/** Lots of one need, published as procurements of their own at one time. */
export function lotsApart(table: Table): void {
  const { random } = table;
  const subject = drawSubject(table);
  const starts = addDays(drawEnd(table), -600);
  for (let lot = 1; lot <= 3; lot++)
    add(table, subject, { title: `${subject.title} - Lot ${lot}`, starts: addDays(starts, random.int(0, 20)) });
}

/** A change of a running contract that is published as a procurement of its own. */
export function variation(table: Table): void {
  const { random } = table;
  const subject = drawSubject(table);
  const { deal } = add(table, subject, { title: subject.title, ends: drawEnd(table) });
  const title = `${subject.title} - ${random.pick(['Contract Variation', 'Modification', 'Contract Extension'])}`;
  const changed = add(table, subject, { title, starts: deal.starts, ends: deal.extendsTo ?? deal.ends });
  const days = random.int(100, 300) * DAY_MS;
  const { tenderAt, deadlineAt, awardAt, signAt } = deal;
  Object.assign(changed.deal, {
    tenderAt: tenderAt + days,
    deadlineAt: deadlineAt + days,
    awardAt: awardAt + days,
    signAt: signAt + days,
    awards: deal.awards,
    lots: deal.lots,
  });
}

/** A title that its buyer gives to many different things, one after another. */
export function generic(table: Table): void {
  const { random } = table;
  const subject = drawSubject(table);
  const title = random.pick(GENERIC_TITLES);
  let starts = addDays(dayOf(table.market.asOfMs), -random.int(1400, 1800));
  for (let nth = 0; nth < 5; nth++) {
    const { deal } = add(table, subject, { title, starts });
    starts = addDays(deal.ends, random.int(-200, 100));
    if (Date.parse(starts) > table.market.asOfMs) return;
  }
}

/** The next part of a piece of work. */
export function phases(table: Table): void {
  const { random } = table;
  const subject = drawSubject(table);
  const word = random.pick(['Phase', 'Stage', 'Package', 'Tranche']);
  const { deal } = add(table, subject, { title: `${subject.title} ${word} 1`, ends: drawEnd(table) });
  add(table, subject, { title: `${subject.title} ${word} 2`, starts: addDays(deal.ends, random.int(-60, 60)) });
}

/** Another need of the same trade that begins as the first one ends. */
export function sibling(table: Table): void {
  const { random } = table;
  const subject = drawSubject(table);
  const need = random.pick(subject.trade.needs.filter((one) => one !== subject.need));
  table.used.add(`${subject.buyer.ppon} ${need.title}`);
  const { deal } = add(table, subject, { title: subject.title, ends: drawEnd(table) });
  const title = fillTitle(need, subject.buyer, siteOf(random, subject.buyer));
  add(table, { ...subject, need }, { title, starts: addDays(deal.ends, random.int(0, 30)) });
}

/** A framework, and what its own buyer calls off from it towards its end. */
export function callOffs(table: Table): void {
  const { random } = table;
  const subject = drawSubject(table);
  const { deal } = add(table, subject, {
    title: `${subject.title} Framework`,
    ends: drawEnd(table),
    framework: {
      kind: 'framework',
      type: 'closed',
      method: 'withReopeningCompetition',
      maximumParticipants: 6,
      buyerCategories: 'The authority alone',
      feePercent: 0,
    },
  });
  const framework = { ...deal, framework: deal.framework as NonNullable<Deal['framework']> };
  const parent = { framework, link: random.pick(['identifier', 'title', 'text'] as const) };
  const description = `${subject.title}. Call-off under ${deal.title} (${deal.reference}).`;
  const starts = addDays(deal.ends, -random.int(1, 40));
  add(table, subject, { title: subject.title, starts, description, parent, method: 'selective' });
}
