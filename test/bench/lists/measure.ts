import type { AskedCompany, LongReads } from '../../../api/contract/long-reads.ts';
import { readSettings } from '../../../schema/config/settings.ts';
import { fillAwards } from '../../generated/names/awards.ts';
import { fillNames } from '../../generated/names/fill.ts';
import type { NamedCompany } from '../../generated/names/make.ts';
import { needCompiled } from '../../support/compiled.ts';
import { makeDatabase } from '../../support/databases.ts';
import { fillFolder } from '../kept-folder.ts';
import { type AskedName, askedNames } from '../names/asked.ts';
import { fittingNames } from '../names/measure.ts';
import { ownMegabytes, showBoth, showLoad, type Times, timeEach } from '../show-times.ts';

const COMPANIES = 1_000_000;
/** Questions of each kind. */
const EACH = 60;
const BATCHES = 12;
/** Nobody waits here: a slow answer is to be measured, not refused. */
const PATIENT_MS = 600_000;

type Readers = typeof import('../../../api/find/readers.ts');
type Ask = Parameters<LongReads['listCompanies']>[0];

const LISTS: Readonly<Record<string, Omit<Ask, 'limit'>>> = {
  'without a filter': {},
  'a region': { region: ['UKI'] },
  'a state': { status: ['liquidation'] },
  'a trade': { sic: ['62'] },
  'a trade, region and state': { sic: ['43'], region: ['UKD'], status: ['active'] },
  'twenty divisions of trades': { sic: Array.from({ length: 20 }, (_, at) => String(10 + at * 2)) },
  'years of incorporation': { incorporated_from: '2000-01-01', incorporated_to: '2009-12-31' },
  'everything, none won': {
    sic: ['70'],
    region: ['UKI'],
    status: ['active'],
    sme: true,
    won: false,
    incorporated_from: '1990-01-01',
  },
  'won in a category': { cpv: ['45'] },
  'won in a category and year': { cpv: ['72'], won_from: '2025-01-01', won_to: '2025-12-31' },
  'a word': { query: 'premier' },
  'a beginning of many names': { query: 'sil' },
  'a beginning and a region': { query: 'north', region: ['UKM'] },
  'two words': { query: 'blue care' },
  'a number': { query: '00012' },
};

/** Lists of companies and look-ups of a hundred, over a generated register, in their processes. */
export async function benchLists(companies = COMPANIES): Promise<void> {
  const { path, known: drawn, remove } = await fillFolder(`lists-${companies}`, (folder) => fill(folder, companies));
  console.log(`\nlists of companies over a register of ${companies} generated companies; ${EACH} of each kind`);
  const settings = readSettings({ DATA_DIR: path });
  // Readers are next to their module: through the loader they would run otherwise than in the service.
  const { makeLongReadPool, openLongReads } = (await import(needCompiled('api/find/readers.ts'))) as Readers;
  const readers = makeLongReadPool(settings, PATIENT_MS);
  const longReads = openLongReads(settings, readers);
  await firstList(longReads, 'read for the first time');
  const timing: Timing = { longReads, pids: readers.pids };
  await timeLists(timing);
  await timeLookUps(timing, drawn);
  console.log(`  both processes: ${ownMegabytes(readers.pids())} MB of their own  (${showLoad()})`);
  await longReads.close();
  const again = openLongReads(settings, makeLongReadPool(settings, PATIENT_MS));
  await firstList(again, 'first list of a new process');
  await again.close();
  await remove();
}

/** @returns companies to ask for */
async function fill(folder: string, companies: number): Promise<NamedCompany[]> {
  const catalogue = await makeDatabase(folder, 'catalogue');
  const drawn = await fillNames(catalogue, await fittingNames(folder, companies), 2_400);
  console.log(`  ${await fillAwards(catalogue)} contracts`);
  await catalogue.close();
  return drawn;
}

/** What is asked, and the processes that answer. */
interface Timing {
  longReads: LongReads;
  pids(): number[];
}

/** Of the compiled project, whose classes are others. */
const isUnavailable = (error: unknown) => error instanceof Error && error.constructor.name === 'SearchUnavailable';

/** Asks until there is an answer; the columns are read meanwhile. */
async function firstList(longReads: LongReads, what: string): Promise<void> {
  const startMs = performance.now();
  for (;;) {
    const [asked] = await Promise.allSettled([longReads.listCompanies({ limit: 25 })]);
    if (asked.status === 'fulfilled') break;
    if (!isUnavailable(asked.reason)) throw asked.reason;
  }
  console.log(`  ${what}: ${((performance.now() - startMs) / 1_000).toFixed(1)} s`);
  for (;;) {
    const [asked] = await Promise.allSettled([longReads.listCompanies({ limit: 25, cpv: ['45'] })]);
    if (asked.status === 'fulfilled') return;
    if (!isUnavailable(asked.reason)) throw asked.reason;
  }
}

async function timeLists({ longReads, pids }: Timing): Promise<void> {
  const all: Times[] = [];
  for (const [kind, ask] of Object.entries(LISTS)) {
    let total = 0;
    const times = await timeEach(EACH, pids, async () => {
      total = (await longReads.listCompanies({ limit: 25, ...ask })).total;
    });
    all.push(...times);
    console.log(`    ${kind.padEnd(30)} ${showBoth(times)}   ${total} found`);
  }
  console.log(`    ${'all'.padEnd(30)} ${showBoth(all)}`);
}

async function timeLookUps({ longReads, pids }: Timing, drawn: readonly NamedCompany[]): Promise<void> {
  const numbers = drawn.slice(0, 100).map(({ number }): AskedCompany => ({ id: number }));
  const named = Object.fromEntries(askedNames(drawn, 100));
  const asks: Record<string, AskedCompany[]> = {
    'one number': numbers.slice(0, 1),
    '100 numbers': numbers,
    '100 exact names': namesOf(named.exact),
    '100 beginnings': namesOf(named.prefix),
    '100 misspelt names': namesOf(named.near),
    '100 unknown names': namesOf(named.unknown),
  };
  for (const [kind, rows] of Object.entries(asks)) {
    console.log(
      `    ${kind.padEnd(30)} ${showBoth(await timeEach(BATCHES, pids, () => longReads.lookUpCompanies(rows)))}`,
    );
  }
}

function namesOf(asked: readonly AskedName[] = []): AskedCompany[] {
  return asked.map(({ name }) => ({ name }));
}
