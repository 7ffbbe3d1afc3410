import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { buildGeneration } from '../../../../ingest/rebuild/generation.ts';
import { openCompiler } from '../../../../ingest/workers/compiler.ts';
import { copyJobs, type FilledJobs, findTemplate, rebuild } from './filled-services.ts';

let template: string;
let filled: FilledJobs;
beforeAll(async () => {
  template = await findTemplate();
});
beforeEach(async () => {
  filled = await copyJobs(template);
});
afterEach(() => filled.close());

it('a rebuild in several processes is the catalogue of one process', async () => {
  const plan = {
    livePath: join(filled.folder, 'catalogue.db'),
    generation: 2,
  } as const;
  const paths = [1, 2].map((workers) => ({ workers, path: join(filled.folder, `built-${workers}.db`) }));
  const built = await Promise.all(
    paths.map(({ workers, path }) => buildGeneration({ ...plan, path, compiler: openCompiler({ workers }) })),
  );
  const { releases, digest } = await rebuild(filled.jobs, { check: true });
  expect(releases).toBe(70);
  expect(built).toMatchObject([
    { same: true, releases, digest },
    { same: true, releases, digest },
  ]);
});

it('a rebuild takes out what takedowns remove by the rules of this program', async () => {
  const { jobs } = filled;
  const [before] = await jobs.catalogue.read<{ ocid: string; title: string }>({
    sql: "SELECT ocid, title FROM notice WHERE title <> '' ORDER BY id LIMIT 1",
  });
  if (!before) throw new Error('the sample has no notice');
  const target = { salt: 's', names: [], texts: [before.title], emails: [], telephones: [] };
  const sql = `INSERT INTO takedown (id, kind, target, reason, taken_at, taken_by) VALUES ('t', 'person', ?, 'x', 'now', 'me')`;
  await jobs.catalogue.write([{ sql, args: [JSON.stringify(target)] }]);
  expect(await rebuild(jobs)).toMatchObject({ moved: true });
  const titles = await jobs.catalogue.read<{ title: string }>({ sql: 'SELECT title FROM notice WHERE gone = 0' });
  expect(titles.filter(({ title }) => title.includes(before.title))).toEqual([]);
  expect(titles.some(({ title }) => title.includes('[withheld '))).toBe(true);
  expect(await rebuild(jobs, { check: true })).toMatchObject({ same: true });
});
