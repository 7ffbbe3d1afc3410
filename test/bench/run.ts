import { tmpdir } from 'node:os';
import { setup as compile } from '../support/compiled.ts';
import { benchBilling } from './calls/billing.ts';
import { benchLookups } from './calls/lookups.ts';
import { benchProcesses } from './calls/processes.ts';
import { benchWhileIngesting } from './calls/while-ingesting.ts';
import { benchStart } from './demo-start.ts';
import { benchBackup } from './exports/backup.ts';
import { benchExports } from './exports/measure.ts';
import { benchImports } from './imports.ts';
import { benchBigMonth } from './ingest/big-month.ts';
import { benchIngest } from './ingest/measure.ts';
import { benchLists } from './lists/measure.ts';
import { benchMachines } from './machines/measure.ts';
import { benchMatching } from './matching/measure.ts';
import { benchCompanySearch } from './names/measure.ts';
import { benchWeb } from './pages/measure.ts';
import { benchSearch } from './search/demo.ts';
import { benchMillion, benchNotices } from './search/million.ts';
import { benchRelevance } from './search/relevance.ts';
import { benchSuccessions } from './successions.ts';
import { benchSummary } from './summary/measure.ts';
import { benchChanges } from './watches/changes.ts';
import { benchDeliveries } from './watches/deliver.ts';
import { benchMatches } from './watches/match.ts';
import { withDemo } from './with-demo.ts';

const asked = process.argv.slice(2);
/** Search at a size that a full run has time for; `npm run bench -- million` asks a million notices. */
const SMALLER = { notices: 50_000, each: 20 };
/** A number after the names: how many rows of its kind a benchmark makes, or over how many connections it asks. */
const count = asked.flatMap((word) => (/^\d+$/.test(word) ? [Number(word)] : [])).at(-1);
const sized = count === undefined ? undefined : { notices: count };
const { MEILI_URL: url, MEILI_KEY: key } = process.env;
const meili = url ? { url, key } : undefined;

/** The shorter benchmarks, side by side in one run, or those named after the command. Prints figures; judges nothing. */
const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  start: benchStart,
  demo: () =>
    withDemo(async (demo, folder) => {
      await benchLookups(demo, folder);
      await benchSearch(demo);
    }),
  ingesting: () => benchWhileIngesting(count),
  billing: benchBilling,
  export: () => benchExports(count),
  backup: () => benchBackup(count),
  ingest: async () => {
    await benchIngest({ ...(count === undefined ? {} : { releases: count }) });
    await benchBigMonth();
  },
  matching: () => benchMatching(count),
  relevance: () => benchRelevance(meili),
  search: async () => {
    for (const of of ['notices', 'contracts'] as const) await benchNotices({ ...SMALLER, ...sized, of, meili });
  },
  lists: () => benchLists(count),
  names: () => benchCompanySearch({ companies: count }),
};
const NAMED: typeof BENCHES = {
  ...BENCHES,
  imports: benchImports,
  machines: () => benchMachines({ releases: count }),
  lookups: () => withDemo((demo, folder) => benchLookups(demo, folder, count)),
  million: () => benchMillion({ ...sized, meili }),
  successions: () => benchSuccessions({ procurements: count }),
  processes: () => benchProcesses(count),
  notices: () => benchNotices({ ...sized, meili }),
  contracts: () => benchNotices({ ...sized, of: 'contracts', meili }),
  summary: () => benchSummary(count),
  changes: () => benchChanges(count),
  watches: async () => {
    await benchMatches();
    await benchDeliveries();
    await benchChanges(count);
  },
  web: () => benchWeb({ notices: count }),
};

const wanted = asked.filter((word) => !/^\d+$/.test(word));
const unknown = wanted.filter((name) => !NAMED[name]);
if (unknown.length > 0) {
  console.error(`no such benchmark: ${unknown.join(', ')}. There are ${Object.keys(NAMED).join(', ')}.`);
  process.exit(2);
}
console.log(`Node ${process.version}, ${process.platform} ${process.arch}\n`);
// On a disk, as in production: in memory, where tests have their folders, a durable write would cost nothing.
process.env.TMPDIR ??= tmpdir();
// Processes run compiled, as the service does: the loader of a checkout makes every function dearer.
const removeCompiled = await compile();
for (const name of wanted.length > 0 ? wanted : Object.keys(BENCHES)) await NAMED[name]?.();
await removeCompiled();
