import { beginAt, numberSteps, shiftDeal } from '../deals/course.ts';
import { shorten } from '../deals/facts.ts';
import { FRAMEWORK_COUNT } from '../deals/frameworks.ts';
import { type Deal, makeDeal } from '../deals/make.ts';
import { cfSteps, frameworkSteps, type Kind, STORIES, type Step, stepsOf } from '../deals/stories.ts';
import { callOff, drawBeginning, frameworkFor, randomFor, type World } from '../deals/world.ts';
import type { Random } from '../random.ts';
import { tradesOf } from '../trades/all.ts';
import { buildCfNotice, buildNotice, isCfKind } from './build.ts';
import type { CfDeal } from './contracts-finder.ts';
import { spoilContractsFinder, spoilFindATender } from './defects.ts';
import type { Planned } from './planned.ts';
import { planPortal } from './portals/plan.ts';
import { siteOf } from './portals/sites.ts';

const CF_SHARE = 0.27;
/** Of what Welsh bodies buy: the rest is above the thresholds of the Act, and on Find a Tender alone. */
const WELSH_PORTAL_SHARE = 0.6;
const REGISTER_OCID = 'ocds-h6vhtk-ef0001';

/** The notices of the process with this index that are out by now. A process depends on the world and its index alone. */
export function planProcess(world: World, index: number): Planned[] {
  const random = randomFor(world, 'process', index);
  const framework = index < FRAMEWORK_COUNT ? world.frameworks[index] : undefined;
  if (framework) return plan(world, random, framework, frameworkSteps(random, framework));
  const isFirst = index - FRAMEWORK_COUNT < world.buyers.length;
  const buyer = isFirst ? world.buyers[index - FRAMEWORK_COUNT] : often(random, world.buyers);
  if (!buyer) return [];
  const site = siteOf(buyer);
  // Scotland keeps the regulations of 2015: Find a Tender has copies of what is published there.
  if (site && (isFirst || buyer.devolved === 'GB-SCT' || random.chance(WELSH_PORTAL_SHARE)))
    return planPortal(world, random, { index, buyer, site, isFirst });
  const fromCf = random.chance(CF_SHARE) && buyer.place.region !== 'Scotland';
  const story = fromCf ? 'old_tender' : random.weigh(STORIES);
  const trade = random.pick(tradesOf(buyer.kind));
  const competed = fromCf
    ? random.chance(0.8)
    : !['direct', 'signed', 'called_off'].includes(story) || random.chance(0.4);
  const deal = placed(
    random,
    world,
    makeDeal(random, world, { index, buyer, trade, tenderAt: drawBeginning(random, world), competed }),
    story,
  );
  const calledOff = fromCf ? deal.method === 'selective' : story === 'called_off';
  const parent = calledOff ? frameworkFor(random, world, trade, fromCf ? deal.tenderAt : deal.awardAt) : undefined;
  if (fromCf) return planCf(world, random, parent ? callOff(random, deal, parent) : deal, parent !== undefined);
  const whole = parent
    ? callOff(random, deal, parent)
    : story === 'old_award' && buyer.kind === 'utility'
      ? inRegister(deal)
      : deal;
  const planned = plan(world, random, whole, stepsOf(random, story, whole));
  return isOldStory(story) && whole.ocid === deal.ocid ? [...planned, ...planCfToo(world, whole)] : planned;
}

const isOldStory = (story: string) => story === 'old_tender' || story === 'old_award';
const BOTH_SHARE = 0.5;

/** Procurements under the old regulations are published on both services, and half of the second ones name the first. */
function planCfToo(world: World, deal: Deal): Planned[] {
  const random = randomFor(world, 'both', deal.index);
  if (!random.chance(BOTH_SHARE) || deal.parent) return [];
  const named = `The notice on Find a Tender: https://www.find-tender.service.gov.uk/procurement/${deal.ocid}`;
  const description = random.chance(0.5) ? `${deal.description}\n${named}` : deal.description;
  return planCf(world, random, { ...deal, description }, true);
}

/** Stories that start at the award were tendered before: the drawn beginning is when their first notice goes out. */
function placed(random: Random, world: World, deal: Deal, story: string): Deal {
  if (!['direct', 'signed', 'called_off', 'old_award'].includes(story)) return deal;
  return beginAt(random, world, deal, story === 'direct' || story === 'called_off' ? 'awardAt' : 'signAt');
}

/** Awards of several utilities under the one ocid of their qualification register, with lots numbered in words (`ocds-h6vhtk-02874c`). */
function inRegister(deal: Deal): Deal {
  const lotId = new Map(deal.lots.map(({ id, title }) => [id, `${id} - ${title}`]));
  return {
    ...deal,
    ocid: REGISTER_OCID,
    lots: deal.lots.map((lot) => ({ ...lot, id: lotId.get(lot.id) ?? lot.id })),
    awards: deal.awards.map((award) => ({ ...award, lotIds: award.lotIds.map((id) => lotId.get(id) ?? id) })),
  };
}

function often<T>(random: Random, list: readonly T[]): T | undefined {
  return list[Math.floor(list.length * random.next() ** 1.6)];
}

/** Notices that tell of the life of a contract. */
const LIFE: ReadonlySet<Kind> = new Set(['UK8', 'UK9', 'UK10', 'UK11']);

function plan(world: World, random: Random, drawn: Deal, steps: readonly Step[]): Planned[] {
  // Under the old regulations the other service may publish the same deal.
  const isToldOf = steps.some(({ kind }) => LIFE.has(kind) || kind.startsWith('old_'));
  const deal = shorten(randomFor(world, 'term', drawn.index), drawn, isToldOf);
  const late = random.chance(0.01);
  return numberSteps(steps, world.asOfMs).map(({ kind, at, nth }) => ({
    process: deal.index,
    source: 'find_a_tender',
    at,
    twin: kind === 'UK7' && deal.index % 200 === 77,
    build: (serial, year) => {
      if (isCfKind(kind)) throw new Error(`${kind} is not a Find a Tender notice`);
      const id = `${500_000 + serial}-${year}`;
      const said = late ? at + 26 * 3_600_000 : at;
      const release = buildNotice(kind, deal, { id, at: said, nth, sighting: serial % 3 });
      return {
        ...spoilFindATender(randomFor(world, `defects ${kind} ${nth}`, deal.index), release, serial),
        publishedAt: new Date(at),
      };
    },
  }));
}

function planCf(world: World, random: Random, deal: Deal, asDrawn = false): Planned[] {
  const cf: CfDeal = {
    ...deal,
    ocid: `ocds-b5fd17-${random.guid()}`,
    tenderGuid: random.guid(),
    awardGuid: random.guid(),
  };
  const moved =
    asDrawn || random.chance(0.5) ? cf : { ...cf, ...shiftDeal(cf, drawBeginning(random, world) - cf.signAt) };
  return numberSteps(cfSteps(random, moved), world.asOfMs).map(({ kind, at, nth }) => ({
    process: deal.index,
    source: 'contracts_finder',
    at,
    build: (serial) => {
      if (!isCfKind(kind)) throw new Error(`${kind} is not a Contracts Finder notice`);
      const release = buildCfNotice(kind, moved, { serial: 900_000 + serial, at, nth });
      return {
        ...spoilContractsFinder(randomFor(world, `defects ${kind} ${nth}`, deal.index), release, serial),
        publishedAt: new Date(at),
      };
    },
  }));
}
