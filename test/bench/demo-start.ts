import { startDemo } from '../demo/child.ts';
import { makeFolder } from '../support/databases.ts';

/** How long the demo takes to its welcome, on an empty folder and on its own of before. */
export async function benchStart(): Promise<void> {
  const folder = await makeFolder();
  try {
    for (const title of ['first run (ingests the sample)', 'second run (finds its data)']) {
      const demo = await startDemo(folder.path);
      console.log(`demo, ${title}: ready in ${(demo.readyMs / 1_000).toFixed(1)} s`);
      await demo.stop();
    }
  } finally {
    await folder.remove();
  }
}
