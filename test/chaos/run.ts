import { runIngest } from './run-ingest.ts';
import { runMoney } from './run-money.ts';

/**
 * `npm run chaos [kills] [seed]` kills ingests, `npm run chaos -- money [kills] [seed]` API processes that bill.
 * Exit code 1 where anything is lost, doubled or otherwise not as it would be undisturbed.
 */
const [first, ...rest] = process.argv.slice(2);
const isRight = first === 'money' ? await runMoney(rest) : await runIngest(process.argv.slice(2));
process.exitCode = isRight ? 0 : 1;
