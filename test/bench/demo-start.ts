import { startDemo } from '../demo/child.ts';
import { makeFolder } from '../support/databases.ts';
import { showLoad } from './show-times.ts';

/** How long the demo takes to its welcome, on an empty folder and on its own of before; of that its ingest alone. */
export async function benchStart(): Promise<void> {
  const folder = await makeFolder();
  try {
    for (const title of ['first run (ingests the sample)', 'second run (finds its data)']) {
      const demo = await startDemo(folder.path);
      const [ingested = ''] = /Ingested and indexed in .*/.exec(demo.output) ?? [];
      console.log(`demo, ${title}: ready in ${(demo.readyMs / 1_000).toFixed(1)} s. ${ingested} (${showLoad()})`);
      await demo.stop();
    }
  } finally {
    await folder.remove();
  }
}
