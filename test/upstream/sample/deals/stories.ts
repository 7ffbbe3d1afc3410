import type { Random } from '../random.ts';
import type { Deal } from './make.ts';

const DAY_MS = 86_400_000;

/** What a notice is, under the Act (`UK…`, `+` a later version), the old regulations (`old_…`) or on Contracts Finder (`cf_…`). */
export type Kind =
  | 'UK1'
  | 'UK2'
  | 'UK2+'
  | 'UK3'
  | 'UK4'
  | 'UK4+'
  | 'UK5'
  | 'UK6'
  | 'UK6+'
  | 'UK7'
  | 'UK8'
  | 'UK9'
  | 'UK10'
  | 'UK11'
  | 'UK12'
  | 'UK13'
  | 'UK14'
  | 'UK15'
  | 'UK16'
  | 'UK17'
  | 'old_planning'
  | 'old_tender'
  | 'old_tender+'
  | 'old_award'
  | 'old_award+'
  | 'cf_planning'
  | 'cf_tender'
  | 'cf_tender+'
  | 'cf_award'
  | 'cf_award+'
  | 'cf_2017';

/** One notice of a process: its kind and when it goes out. */
export interface Step {
  kind: Kind;
  at: number;
}

/** How a process runs. */
type Story =
  | 'competed'
  | 'direct'
  | 'signed'
  | 'called_off'
  | 'old_award'
  | 'old_tender'
  | 'pipeline'
  | 'engagement'
  | 'compliance';

/** Stories by how often a process has them; the tags that result come near those measured over four weekdays of September 2026. */
export const STORIES: readonly (readonly [weight: number, story: Story])[] = [
  [20, 'competed'],
  [8, 'direct'],
  [32, 'signed'],
  [13, 'called_off'],
  [15, 'old_award'],
  [5, 'old_tender'],
  [3, 'pipeline'],
  [5, 'engagement'],
  [0.4, 'compliance'],
];

/** The steps of a process in order of time; later ones may lie beyond now and are cut by the caller. */
export function stepsOf(random: Random, story: Story, deal: Deal): Step[] {
  switch (story) {
    case 'competed':
      return [
        ...before(random, deal),
        ...tendered(random, deal),
        ...(random.chance(0.1) ? stopped(deal) : [...awarded(random, deal), ...life(random, deal)]),
      ];
    case 'direct':
      return [
        at('UK5', deal.awardAt),
        ...(random.chance(0.35) ? [at('UK6', deal.awardAt + 3 * DAY_MS)] : []),
        ...signed(random, deal, 0.7),
        ...life(random, deal),
      ];
    case 'signed':
      return [at('UK7', deal.signAt), ...life(random, deal)];
    case 'called_off':
      return [
        ...(random.chance(0.55) ? [at('UK6', deal.awardAt)] : []),
        ...signed(random, deal, 0.85),
        ...life(random, deal),
      ];
    case 'old_award':
      return [
        at('old_award', deal.signAt),
        ...(random.chance(0.12) ? [at('old_award+', deal.signAt + 20 * DAY_MS)] : []),
      ];
    case 'old_tender':
      return [
        ...(random.chance(0.2) ? [at('old_planning', deal.tenderAt - 40 * DAY_MS)] : []),
        ...oldTendered(random, deal),
      ];
    case 'pipeline':
      return [at('UK1', deal.tenderAt - random.int(60, 200) * DAY_MS), ...tendered(random, deal)];
    case 'engagement':
      return [...engaged(random, deal), ...tendered(random, deal)];
    case 'compliance':
      return [at('UK17', deal.tenderAt)];
  }
}

/** A framework's whole life: planned, tendered, awarded lot by lot. */
export function frameworkSteps(random: Random, deal: Deal): Step[] {
  if (deal.framework?.kind === 'market') return marketSteps(deal);
  if (deal.index % 6 === 5) return [at('old_tender', deal.tenderAt), at('old_award', deal.signAt)];
  return [
    ...before(random, deal),
    ...tendered(random, deal),
    at('UK6', deal.awardAt),
    ...(deal.index % 4 ? [at('UK7', deal.signAt)] : []),
  ];
}

function marketSteps(deal: Deal): Step[] {
  const { tenderAt, signAt, index } = deal;
  const opened = at('UK4', tenderAt);
  const changes = [25, 70, 130].map((days) => at('UK15', signAt + days * DAY_MS));
  return [
    at('UK13', tenderAt - 35 * DAY_MS),
    opened,
    at('UK14', signAt),
    ...changes,
    ...(index % 5 === 2 ? [at('UK16', signAt + 200 * DAY_MS)] : []),
  ];
}

function at(kind: Kind, ms: number): Step {
  return { kind, at: ms };
}

function before(random: Random, deal: Deal): Step[] {
  const engagement = random.chance(0.32) ? engaged(random, deal) : [];
  return [...engagement, ...(random.chance(0.08) ? [at('UK3', deal.tenderAt - 41 * DAY_MS)] : [])];
}

function engaged(random: Random, deal: Deal): Step[] {
  const first = deal.tenderAt - random.int(50, 120) * DAY_MS;
  return [at('UK2', first), ...(random.chance(0.3) ? [at('UK2+', first + 9 * DAY_MS)] : [])];
}

function tendered(random: Random, deal: Deal): Step[] {
  const open = deal.deadlineAt - deal.tenderAt;
  const updates = random.weigh([
    [72, 0],
    [22, 1],
    [6, 2],
  ]);
  const later = Array.from({ length: updates }, (_, n) => at('UK4+', deal.tenderAt + ((n + 1) * open) / (updates + 2)));
  return [at('UK4', deal.tenderAt), ...later];
}

function stopped(deal: Deal): Step[] {
  return [at('UK12', deal.deadlineAt + 30 * DAY_MS)];
}

function awarded(random: Random, deal: Deal): Step[] {
  const updates = random.chance(0.3) ? [at('UK6+', deal.awardAt + 5 * DAY_MS)] : [];
  return [at('UK6', deal.awardAt), ...updates, ...signed(random, deal, 0.75)];
}

function signed(random: Random, deal: Deal, share: number): Step[] {
  return random.chance(share) ? [at('UK7', deal.signAt + random.int(2, 26) * DAY_MS)] : [];
}

/** What happens to a contract once it runs. */
function life(random: Random, deal: Deal): Step[] {
  const days = (count: number) => deal.signAt + (30 + count) * DAY_MS;
  const steps = [
    ...(random.chance(0.035) ? [at('UK10', days(random.int(20, 200)))] : []),
    ...(random.chance(0.012) ? [at('UK9', days(random.int(60, 200)))] : []),
    ...(random.chance(0.008) ? [at('UK8', days(random.int(60, 200)))] : []),
    ...(random.chance(0.04) ? [at('UK11', days(random.int(30, 240)))] : []),
  ];
  return steps.filter((step) => step.at < Date.parse(deal.ends));
}

function oldTendered(random: Random, deal: Deal): Step[] {
  const update = random.chance(0.2) ? [at('old_tender+', (deal.tenderAt + deal.deadlineAt) / 2)] : [];
  return [at('old_tender', deal.tenderAt), ...update, ...(random.chance(0.7) ? [at('old_award', deal.signAt)] : [])];
}

/** A Contracts Finder process: an opportunity with its edits, an award, or both. */
export function cfSteps(random: Random, deal: Deal): Step[] {
  if (random.chance(0.03)) return [at('cf_2017', deal.signAt)];
  if (deal.method !== 'direct' && random.chance(0.06)) return [at('cf_planning', deal.tenderAt - 20 * DAY_MS)];
  const award = [
    at('cf_award', deal.signAt),
    ...(random.chance(0.16) ? [at('cf_award+', deal.signAt + 15 * DAY_MS)] : []),
  ];
  if (deal.method === 'direct' || random.chance(0.42)) return award;
  const open = deal.deadlineAt - deal.tenderAt;
  const edits = random.weigh([
    [66, 0],
    [20, 1],
    [9, 2],
    [4, 4],
    [1, 9],
  ]);
  const edited = Array.from({ length: edits }, (_, n) =>
    at('cf_tender+', deal.tenderAt + ((n + 1) * open) / (edits + 2)),
  );
  return [at('cf_tender', deal.tenderAt), ...edited, ...(random.chance(0.75) ? award : [])];
}
