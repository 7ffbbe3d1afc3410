import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { IngestAnswer, IngestOrder } from '../../chaos/ingest-process.ts';
import { FOLDER, makeScottish } from '../../ingest/crawl/cells/releases.ts';
import { makeData } from '../../ingest/small-world.ts';
import { INGEST, run, withUpstream } from './measure.ts';

const MONTH = '2026-09-15T00:00:00Z';
/** What the portals publish of one type in a month is 200 at the most. */
const COUNTS = [200, 5_000];

/** A month of one notice type that is 25 times what was ever seen, next to a usual one: the answer is read as a stream. */
export async function benchBigMonth(): Promise<void> {
  console.log('\none month of one notice type from loopback without pacing');
  for (const count of COUNTS) {
    const releases = Array.from({ length: count }, (_, at) =>
      makeScottish(at + 1, { day: '2026-09-03', buyer: `Council ${at % 100}` }),
    );
    await withUpstream(makeData({ byMonth: new Map([[FOLDER, releases]]) }), async ({ folder, settings }) => {
      await mkdir(join(folder, 'month'));
      const source = FOLDER.replaceAll('-', '_');
      const order = { folder: join(folder, 'month'), source, since: MONTH, until: MONTH } satisfies IngestOrder;
      const { stored, peakMb, cpuMs } = await run<IngestAnswer>(INGEST, { settings }, order);
      if (stored !== count) throw new Error(`${stored} of ${count} releases were stored`);
      console.log(`  ${count} releases: peak ${peakMb} MB, ${(cpuMs / count).toFixed(2)} ms of processor each`);
    });
  }
}
