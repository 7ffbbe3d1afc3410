import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { buildGeneration } from '../../../../ingest/rebuild/generation.ts';
import { openCompiler } from '../../../../ingest/workers/compiler.ts';
import { onFinder, onTender, PAGE } from '../../../ingest/store/relations/both-services.ts';
import { makeFolder } from '../../../support/databases.ts';
import { makeLate, openJobs, storeReleases } from './filled-services.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => folder.remove());

/** More than a batch holds. */
const BETWEEN = 450;

/** Fills a catalogue with these and many others between them, and rebuilds it; answers with the ocids of each batch. */
async function rebuildBatches(onContractsFinder: unknown[], onFindATender: unknown[]): Promise<string[][]> {
  const jobs = await openJobs(folder.path);
  await storeReleases(jobs, 'contracts_finder', onContractsFinder);
  await storeReleases(jobs, 'find_a_tender', [...makeLate(1, BETWEEN), ...onFindATender]);
  await jobs.close();
  const batches: string[][] = [];
  const compiler = openCompiler({ workers: 1 });
  const { same } = await buildGeneration({
    livePath: join(folder.path, 'catalogue.db'),
    path: join(folder.path, 'built.db'),
    generation: 2,
    compiler: {
      ...compiler,
      compile(job) {
        if (job.of === 'processes') batches.push(job.processes.map(({ ocid }) => ocid));
        return compiler.compile(job);
      },
    },
  });
  expect(same).toBe(true);
  return batches;
}

it('compiles what is linked in one batch, whichever names the other, and every ocid once', async () => {
  const date = '2024-03-01T00:00:00Z';
  const [named, naming] = [onTender('900201', date), onTender('900202', date)];
  const namesLater = onFinder(1, date, { tender: { description: `See ${PAGE}/900201-2024` } });
  const isNamedLater = onFinder(3, date);
  Object.assign(naming, { relatedProcesses: [{ identifier: isNamedLater.ocid }] });
  const alone = onFinder(5, date);
  const batches = await rebuildBatches([namesLater, isNamedLater, alone], [named, naming]);
  expect(batches.length).toBeGreaterThan(1);
  expect(batches[0]).toEqual(expect.arrayContaining([named.ocid, naming.ocid, alone.ocid]));
  const compiled = batches.flat();
  expect(compiled).toHaveLength(BETWEEN + 5);
  expect(new Set(compiled).size).toBe(compiled.length);
});

it('compiles a framework with what is called off from it by its number', async () => {
  const date = '2024-03-01T00:00:00Z';
  const techniques = { hasFrameworkAgreement: true, frameworkAgreement: { maximumParticipants: 4 } };
  const framework = onTender('900201', date, { tender: { id: 'RM6099', title: 'RM6099 Cleaning', techniques } });
  const callOff = onFinder(1, date, { tender: { description: 'Call-off from the framework RM6099.' } });
  const [first] = await rebuildBatches([callOff], [framework]);
  expect(first).toEqual(expect.arrayContaining([callOff.ocid, framework.ocid]));
});
