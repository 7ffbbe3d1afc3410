import { editionOf, type PublishedRelease, type TypedRelease, type UpstreamData } from '../data.ts';
import { dayOf } from './dates.ts';
import { makeWorld, type World } from './deals/world.ts';
import { companyProfile, registerRow } from './market/register.ts';
import type { Planned, Source } from './notices/planned.ts';
import { planProcess } from './notices/processes.ts';

export interface SampleOptions {
  seed?: number;
  /** About how many notices the procurement services hold together. */
  notices?: number;
  buyers?: number;
  companies?: number;
  asOf?: Date;
}

interface GeneratorOptions {
  seed?: number;
  /** Exactly how many releases come. */
  count: number;
  buyers?: number;
  companies?: number;
  asOf?: Date;
  spanDays?: number;
}

/** One generated release and the service it belongs to. */
export interface GeneratedRelease extends PublishedRelease {
  source: Source;
  /** The notice type of a service that is asked by month and type. */
  type?: string;
}

/** The sample's own now: fixed, so that its tenders are live on any day. */
export const SAMPLE_AS_OF = new Date('2026-11-20T09:00:00Z');
const SEED = 20_261_120;
const SPAN_DAYS = 425;

/** The line that says what the sample is. */
export function describeSample(): string {
  return 'This is an invented sample: every buyer, supplier, place, notice and number in it is made up. Only its shapes are those of the public services.';
}

/** The generated sample, the same for the same options. */
export function makeSample(options: SampleOptions = {}): UpstreamData {
  const { notices = 3000, asOf = SAMPLE_AS_OF } = options;
  const world = makeSampleWorld(options);
  const planned = planAll(world, notices);
  const releases = numberInOrder(planned);
  const registered = world.companies.flatMap((company) =>
    company.number ? [{ company, number: company.number }] : [],
  );
  const today = dayOf(world.asOfMs);
  return {
    asOf,
    about: describeSample(),
    findATender: releases.filter(({ source }) => source === 'find_a_tender'),
    contractsFinder: releases.filter(({ source }) => source === 'contracts_finder'),
    byMonth: listByMonth(releases),
    bulk: registered.map(({ company, number }) => registerRow(company, number, today)),
    bulkEdition: editionOf(asOf),
    profiles: new Map(registered.map(({ company, number }) => [number, companyProfile(company, number, today)])),
  };
}

/** The releases of the services that are asked by month and type, by the folders of their addresses. */
export function listByMonth(releases: readonly GeneratedRelease[]): Map<string, TypedRelease[]> {
  const byMonth = new Map<string, TypedRelease[]>();
  for (const { source, type, ...published } of releases) {
    if (type === undefined) continue;
    const folder = source.replaceAll('_', '-');
    const known = byMonth.get(folder) ?? [];
    known.push({ ...published, type });
    byMonth.set(folder, known);
  }
  return byMonth;
}

/** The buyers, suppliers and frameworks of the sample of some options. */
export function makeSampleWorld(options: SampleOptions = {}): World {
  const { seed = SEED, buyers = 300, companies = 1200, asOf = SAMPLE_AS_OF } = options;
  return makeWorld({ seed, buyers, companies, asOf, spanDays: SPAN_DAYS });
}

function planAll(world: World, notices: number): Planned[] {
  const planned: Planned[] = [];
  for (let index = 0; planned.length < notices; index++) planned.push(...planProcess(world, index));
  return planned.slice(0, notices).sort((a, b) => a.at - b.at);
}

/** Numbers follow the order of publication: one run a year on Find a Tender, one run for ever on Contracts Finder. */
function makeNumberer(): (planned: Planned) => GeneratedRelease {
  const runs = new Map<string, { serial: number; process: number }>();
  return (planned) => {
    const year = Number(dayOf(planned.at).slice(0, 4));
    const run = planned.source === 'find_a_tender' ? String(year) : planned.source;
    const last = runs.get(run) ?? { serial: 0, process: planned.process };
    const serial = planned.twin && last.process !== planned.process ? last.serial : last.serial + 1;
    runs.set(run, { serial, process: planned.process });
    const { source, type } = planned;
    return { ...planned.build(serial, year), source, ...(type === undefined ? {} : { type }) };
  };
}

function numberInOrder(planned: readonly Planned[]): GeneratedRelease[] {
  const number = makeNumberer();
  return planned.map(number);
}

/**
 * Releases one after another, a process at a time, with memory that does not grow with `count`.
 * The span is five years unless given, so that notice numbers do not run out at a million.
 */
export function* generateReleases(options: GeneratorOptions): Generator<GeneratedRelease> {
  const { seed = SEED, count, buyers = 300, companies = 1200, asOf = SAMPLE_AS_OF, spanDays = 1825 } = options;
  const world = makeWorld({ seed, buyers, companies, asOf, spanDays });
  const number = makeNumberer();
  let made = 0;
  for (let index = 0; ; index++) {
    for (const planned of planProcess(world, index)) {
      if (made === count) return;
      made += 1;
      yield number(planned);
    }
  }
}
