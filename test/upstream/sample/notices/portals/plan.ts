import type { Json } from '../../../data.ts';
import { beginAt, numberSteps, shiftDeal } from '../../deals/course.ts';
import { type Deal, makeDeal } from '../../deals/make.ts';
import { drawBeginning, randomFor, type World } from '../../deals/world.ts';
import type { Buyer } from '../../market/buyers.ts';
import type { Random } from '../../random.ts';
import { tradesOf } from '../../trades/all.ts';
import { buildNotice } from '../build.ts';
import { spoilFindATender } from '../defects.ts';
import type { Planned } from '../planned.ts';
import { noteOf, portalRelease } from './release.ts';
import {
  BEFORE_DIRECT_AWARD,
  CORRECTION,
  type Form,
  isWebsite,
  MODIFICATION,
  RARE,
  type Site,
  SOCIAL,
  STANDARD,
  UTILITIES,
} from './sites.ts';
import type { PortalIssue, Stage } from './tender.ts';

const DAY_MS = 86_400_000;
/** Beyond those that either service has used. */
const NUMBERS_FROM = 1_000_000;
/** More than any procurement has notices. */
const NUMBERS_EACH = 16;
/** Copies of a second procurement of the same family, which Find a Tender now and then begins for the award. */
const SECOND_FAMILY = 0xd00000;

interface Step {
  kind: Stage;
  at: number;
}

const STORIES = [
  [56, 'competed'],
  [24, 'awarded'],
  [10, 'direct'],
  [10, 'planned'],
] as const;
/** A `whole` one has every notice that its form knows. */
type Story = (typeof STORIES)[number][1] | 'whole';

/** What Find a Tender makes of a notice that is sent on to it: of one that only tells of an award nothing. */
const COPIED = {
  planning: 'old_planning',
  tender: 'old_tender',
  correction: 'old_tender+',
  direct: null,
  award: 'old_award',
  modification: null,
} as const;

/** What a buyer is about to publish on its portal, and whether it is the first thing. */
interface Drawn {
  index: number;
  buyer: Buyer;
  site: Site;
  isFirst: boolean;
}

/** The notices of a procurement on its nation's portal, each above the thresholds with its copy on Find a Tender. */
export function planPortal(world: World, random: Random, drawn: Drawn): Planned[] {
  const { index, buyer, site, isFirst } = drawn;
  const story: Story = isFirst ? 'whole' : random.weigh(STORIES);
  const trade = random.pick(tradesOf(buyer.kind));
  const competed = story !== 'direct';
  const deal = begun(
    random,
    world,
    story,
    makeDeal(random, world, { index, buyer, trade, tenderAt: drawBeginning(random, world), competed }),
  );
  const form = isFirst ? inTurn(site, index) : drawForm(random, deal, site);
  const first = NUMBERS_FROM + index * NUMBERS_EACH;
  const isCopied = deal.aboveThreshold && !isWebsite(form.award);
  return numberSteps(stepsOf(random, story, form, deal), world.asOfMs).flatMap(({ kind, at, nth }, place) => {
    const issue = { stage: kind, type: typeOf(form, kind), at, number: first + place, first };
    const original: Planned = {
      process: index,
      source: site.source,
      type: issue.type,
      at,
      build: () => ({ release: portalRelease(site, deal, issue), publishedAt: new Date(at) }),
    };
    return isCopied ? [original, ...copyOf(world, site, deal, issue, nth)] : [original];
  });
}

function begun(random: Random, world: World, story: Story, deal: Deal): Deal {
  // Weeks, for notices go out on working days.
  if (story === 'whole') return deal.signAt + 60 * DAY_MS < world.asOfMs ? deal : shiftDeal(deal, -30 * 7 * DAY_MS);
  if (story === 'awarded') return beginAt(random, world, deal, 'signAt');
  return story === 'direct' ? beginAt(random, world, deal, 'awardAt') : deal;
}

/** The first procurements go through all forms, so that a sample of some size has every notice type. */
function inTurn({ own }: Site, index: number): Form {
  const forms = [...own, ...RARE, UTILITIES, SOCIAL, STANDARD];
  return forms[index % forms.length] as Form;
}

function drawForm(random: Random, { aboveThreshold, buyer, trade }: Deal, { website, own }: Site): Form {
  if (!aboveThreshold) return random.chance(0.9) ? website : random.pick(own);
  if (random.chance(0.06)) return random.pick(RARE);
  return buyer.kind === 'utility' ? UTILITIES : trade.lightTouch ? SOCIAL : STANDARD;
}

function stepsOf(random: Random, story: Story, form: Form, deal: Deal): Step[] {
  const { tenderAt, deadlineAt, awardAt, signAt } = deal;
  const happens = (share: number) => story === 'whole' || random.chance(share);
  const award: Step[] = [{ kind: 'award', at: signAt }];
  const changed: Step[] = happens(0.2) ? [{ kind: 'modification', at: signAt + 60 * DAY_MS }] : [];
  const ended = isWebsite(form.award) ? award : [...award, ...changed];
  const planning: Step[] = form.planning ? [{ kind: 'planning', at: tenderAt - 45 * DAY_MS }] : [];
  const correction: Step[] = happens(0.22) ? [{ kind: 'correction', at: (tenderAt + deadlineAt) / 2 }] : [];
  const tender: Step[] = [{ kind: 'tender', at: tenderAt }, ...correction];
  if (!form.tender || story === 'awarded') return ended;
  if (story === 'direct') return isWebsite(form.award) ? award : [{ kind: 'direct', at: awardAt }, ...ended];
  if (story === 'planned') return [...planning, ...tender];
  return [...(happens(0.4) ? planning : []), ...tender, ...(happens(0.9) ? ended : [])];
}

function typeOf({ planning, tender, award }: Form, stage: Stage): string {
  const types: Record<Stage, string | undefined> = {
    planning,
    tender,
    award,
    correction: CORRECTION,
    direct: BEFORE_DIRECT_AWARD,
    modification: MODIFICATION,
  };
  return types[stage] ?? award;
}

/**
 * The copy of a notice, which appears a day or two later. A Scottish one names its original by link and number. Of the Welsh
 * ones half state the number, and nothing else tells.
 */
function copyOf(world: World, site: Site, deal: Deal, issue: PortalIssue, nth: number): Planned[] {
  const kind = COPIED[issue.stage];
  const at = issue.at + (1 + (deal.index % 2)) * DAY_MS;
  if (kind === null || at > world.asOfMs) return [];
  const isSecond = kind === 'old_award' && deal.index % 11 === 4;
  const own = isSecond ? { ...deal, ocid: `ocds-h6vhtk-${(SECOND_FAMILY + deal.index).toString(16)}` } : deal;
  const build = (serial: number, year: number) => {
    const id = `${500_000 + serial}-${year}`;
    const copy = buildNotice(kind, own, { id, at, nth: kind.endsWith('+') ? nth + 1 : nth, sighting: serial % 3 });
    const random = randomFor(world, `defects ${issue.stage} ${nth}`, deal.index);
    return {
      ...spoilFindATender(random, { ...copy, ...evidenceOf(site, deal, issue) }, serial),
      publishedAt: new Date(at),
    };
  };
  return [{ process: deal.index, source: 'find_a_tender', at, build }];
}

function evidenceOf(site: Site, { index }: Deal, issue: PortalIssue): Json {
  if (site.label === 'WA') return index % 2 === 0 ? { description: noteOf(site, issue) } : {};
  return {
    description: noteOf(site, issue),
    links: [{ rel: 'canonical', href: site.recordOf(site.ocidOf(issue.first)) }],
  };
}
