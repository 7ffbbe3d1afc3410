import { expect, it } from 'vitest';
import { rematchSuppliers } from '../../../ingest/register/suppliers.ts';
import { storePage } from '../../../ingest/store/page.ts';
import { applyTakedown } from '../../../ingest/store/takedown.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { explain, type Watched, watch } from '../../api/watched-statements.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { actRelease, BRIGHT, COUNCIL, packageOf, read, reference, supplier } from '../compile/releases.ts';
import { breakProcess } from './moving.ts';

/** An award to somebody known by name alone, and one to a company: every kind of look-up comes up. */
const releases = [BRIGHT, supplier('', 'Nobody Known Ltd', { id: 'GB-FTS-77', identifier: null })].map(
  (winner, index) =>
    actRelease(`00030${index}-2026`, '2026-03-01T09:00:00Z', {
      ocid: `ocds-h6vhtk-00030${index}`,
      tag: ['award', 'contract'],
      buyer: reference({ ...COUNCIL, id: 'GB-FTS-78' }),
      parties: [{ ...COUNCIL, id: 'GB-FTS-78' }, winner],
      relatedProcesses: [{ id: '1', relationship: ['framework'], title: 'RM1234' }],
      awards: [{ id: '1', status: 'active', suppliers: [reference(winner)] }],
    }),
);

/** One that names a notice of the other service: both are counted together. */
const naming = actRelease('000309-2026', '2026-03-01T09:00:00Z', {
  ocid: 'ocds-h6vhtk-000309',
  description: 'https://www.contractsfinder.service.gov.uk/Notice/11111111-2222-4333-8444-555555555555',
});

/** The steps of each statement that was asked, once, without those that read its arguments. */
async function readPlans(catalogue: Database, asked: readonly Watched[]): Promise<[sql: string, steps: string[]][]> {
  const bySql = [...new Map(asked.map((statement) => [statement.sql, statement])).values()];
  return Promise.all(
    bySql.map(async (statement): Promise<[string, string[]]> => {
      const steps = await explain(catalogue, statement);
      return [statement.sql, steps.filter((step) => !/json_each|VIRTUAL TABLE|CONSTANT ROW/.test(step))];
    }),
  );
}

it('storing a page reads through indexes alone, however large the catalogue', async () => {
  const folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  const watched = watch(catalogue);
  for (const release of [...releases, naming]) {
    const page = read(packageOf([release]));
    await storePage(watched.database, {
      source: 'x',
      fetchedAt: '2026-03-02T00:00:00Z',
      ...page,
      before: [],
      after: [],
    });
  }
  const from = { stage: 'numbers', at: '' } as const;
  await rematchSuppliers(watched.database, { since: -1, from, before: [], moveTo: () => ({ sql: 'SELECT 1' }) });
  const plans = await readPlans(catalogue, watched.take());
  expect(plans.length).toBeGreaterThan(15);
  for (const [sql, steps] of plans) {
    for (const step of steps) {
      expect([sql, step]).not.toEqual([sql, expect.stringMatching(/^SCAN /)]);
      // An index of which only the kind is used reads everything of that kind.
      expect([sql, step]).not.toEqual([sql, expect.stringMatching(/\(kind=\?\)/)]);
    }
  }
  await catalogue.close();
  await folder.remove();
});

it('a takedown reads no notices, contracts or processes but its own, however many there are', async () => {
  const folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  const watched = watch(catalogue);
  const page = read(packageOf([...releases, naming]));
  await storePage(catalogue, { source: 'x', fetchedAt: '2026-03-02T00:00:00Z', ...page, before: [], after: [] });
  await breakProcess(catalogue, 'ocds-h6vhtk-000301');
  const head = { id: 'tk_1', reason: '', takenAt: '2026-11-20T00:00:00Z', takenBy: '' };
  const options = { before: [], signal: new AbortController().signal };
  for (const noticeId of ['000300-2026', '000301-2026'])
    await applyTakedown(watched.database, { ...head, kind: 'notice', target: { noticeId } }, options);
  const plans = await readPlans(catalogue, watched.take());
  expect(plans.length).toBeGreaterThan(40);
  for (const [sql, steps] of plans) {
    const whole = /^SCAN (notice|contract|framework|process|party|release|change)$/;
    for (const step of steps) expect([sql, step]).not.toEqual([sql, expect.stringMatching(whole)]);
  }
  await catalogue.close();
  await folder.remove();
});
