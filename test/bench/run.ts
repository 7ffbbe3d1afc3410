import { benchBeside } from './beside.ts';
import { benchIngest } from './ingest.ts';
import { benchLookups } from './lookups.ts';
import { benchMatching } from './matching.ts';
import { benchRelevance } from './relevance.ts';
import { benchSearch } from './search.ts';
import { benchStart } from './start.ts';
import { withDemo } from './with-demo.ts';

/** Every benchmark of the house, side by side in one run. Prints figures; judges nothing. */
console.log(`Node ${process.version}, ${process.platform} ${process.arch}\n`);
await benchStart();
await withDemo(async (demo) => {
  await benchLookups(demo);
  await benchSearch(demo);
});
await benchBeside();
await benchIngest();
await benchMatching();
await benchRelevance();
