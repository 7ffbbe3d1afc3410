import { runIngest } from './run-ingest.ts';
import { runMachines } from './run-machines.ts';
import { runMoney } from './run-money.ts';
import { runWatches } from './watches/run.ts';

/**
 * `npm run chaos [kills] [seed]` kills ingests, `npm run chaos -- money [kills] [seed]` API processes that bill,
 * `npm run chaos -- watches [kills] [seed]` jobs that match and send watches.
 * `npm run chaos -- machines [copies] [kills of each] [seed]` kills each part of the layout of several machines, with LIBSQL_BIN
 * (or LIBSQL_URLS, two empty databases) and S3_URL; with MEILI_BIN a Meilisearch too.
 * Exit code 1 where anything is lost, doubled or otherwise not as it would be undisturbed.
 */
const [first, ...rest] = process.argv.slice(2);
const named = { money: runMoney, machines: runMachines, watches: runWatches }[first ?? ''];
const isRight = await (named ? named(rest) : runIngest(process.argv.slice(2)));
process.exitCode = isRight ? 0 : 1;
