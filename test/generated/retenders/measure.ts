import { readOcdsPage } from '../../../ingest/parse/page.ts';
import { storePage } from '../../../ingest/store/page.ts';
import { followSuccessions } from '../../../ingest/succession/follow.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { makeWorld } from '../../upstream/sample/deals/world.ts';
import { SAMPLE_AS_OF } from '../../upstream/sample/make.ts';
import { makeRandom } from '../../upstream/sample/random.ts';
import type { Procurement, Retenders } from './deals.ts';
import { makeRetenders } from './make.ts';
import { publishRetenders, type RetenderNotice } from './publish.ts';

/** How many successions were found among generated re-tenders and near misses, and how many rightly. */
export interface RetenderFigures {
  /** Pairs of procurements that the generator made one the successor of the other, and both of which were published. */
  wanted: number;
  found: number;
  right: number;
  /** Titles of the wrong ones and of those not found, the later first. */
  wrong: string[];
  missed: string[];
  byMethod: Record<string, { found: number; right: number }>;
}

const PAGE_RELEASES = 100;

/** A generated market and its notices. */
export function drawRetenders(seed: number, procurements: number) {
  const asOf = SAMPLE_AS_OF;
  const world = makeWorld({ seed, buyers: 150, companies: 600, asOf, spanDays: 425 });
  const drawn = makeRetenders(makeRandom(seed, 'retenders'), world, procurements);
  return { drawn, ...publishRetenders(drawn, seed, asOf.getTime()) };
}

/** Stores a generated market in an empty catalogue, finds its successions and counts them. */
export async function measureRetenders(
  catalogue: Database,
  seed: number,
  procurements: number,
): Promise<RetenderFigures> {
  const { drawn, notices, ocids } = drawRetenders(seed, procurements);
  await storeRetenders(catalogue, notices);
  await followSuccessions({ catalogue, fence: null });
  return count(catalogue, drawn, ocids);
}

/** Stores notices in the order given, those of one service after those of the other. */
export async function storeRetenders(catalogue: Database, notices: readonly RetenderNotice[]): Promise<void> {
  const sources = [...new Set(notices.map(({ source }) => source))];
  const sorted = sources.flatMap((source) => notices.filter((one) => one.source === source));
  for (let first = 0; first < sorted.length; ) {
    const { source = '' } = sorted[first] ?? {};
    const own = sorted.slice(first, first + PAGE_RELEASES).filter((one) => one.source === source);
    const bytes = Buffer.from(JSON.stringify({ releases: own.map(({ release }) => release) }));
    const page = readOcdsPage(bytes, { source, url: 'http://localhost/' });
    if (page.quarantined.length > 0) throw new Error(`quarantined: ${page.quarantined[0]?.reason}`);
    await storePage(catalogue, { ...page, source, fetchedAt: SAMPLE_AS_OF.toISOString(), before: [], after: [] });
    first += own.length;
  }
}

const FOUND = `SELECT DISTINCT s.process_id AS later, c.process_id AS earlier, s.method FROM succession s
  CROSS JOIN contract c ON c.id = s.contract_id`;
const AWARDED = 'SELECT DISTINCT process_id AS id FROM contract WHERE gone = 0';

async function count(catalogue: Database, { procurements, truth }: Retenders, ocids: ReadonlyMap<Procurement, string>) {
  const found = await catalogue.read<{ later: string; earlier: string; method: string }>({ sql: FOUND });
  const awarded = new Set((await catalogue.read<{ id: string }>({ sql: AWARDED })).map(({ id }) => id));
  const of = new Map(procurements.map((one) => [ocids.get(one) ?? '', one]));
  const say = (later: string, earlier: string) => [later, earlier].map((id) => describe(of.get(id))).join(' <- ');
  const pairs = truth.map(({ later, earlier }) => [ocids.get(later) ?? '', ocids.get(earlier) ?? ''] as const);
  const published = new Set(
    (await catalogue.read<{ id: string }>({ sql: 'SELECT id FROM process' })).map(({ id }) => id),
  );
  const wanted = new Map(
    pairs.filter(([l, e]) => published.has(l) && awarded.has(e)).map(([l, e]) => [`${l} ${e}`, say(l, e)]),
  );
  const figures: RetenderFigures = { wanted: wanted.size, found: 0, right: 0, wrong: [], missed: [], byMethod: {} };
  for (const { later, earlier, method } of found) {
    const own = figures.byMethod[method] ?? { found: 0, right: 0 };
    figures.byMethod[method] = own;
    const isRight = wanted.delete(`${later} ${earlier}`);
    figures.found += 1;
    own.found += 1;
    figures.right += isRight ? 1 : 0;
    own.right += isRight ? 1 : 0;
    if (!isRight) figures.wrong.push(`${method}: ${say(later, earlier)}`);
  }
  figures.missed.push(...wanted.values());
  return figures;
}

function describe(one: Procurement | undefined): string {
  if (!one) return 'unknown';
  const { title, starts, ends, extendsTo, cpv, buyer } = one.deal;
  return `${title} [${buyer.name}] ${starts} to ${ends}${extendsTo ? ` or ${extendsTo}` : ''} ${cpv[0]?.[0]}`;
}
