import { expect, it } from 'vitest';
import { rematchSuppliers } from '../../../ingest/register/suppliers.ts';
import { storePage } from '../../../ingest/store/page.ts';
import { applyTakedown } from '../../../ingest/store/takedown.ts';
import type { Database } from '../../../schema/db/interface.ts';
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

async function readPlan(catalogue: Database, sql: string): Promise<string[]> {
  const count = new Set(sql.match(/\?\d*/g)).size === 1 ? (sql.match(/\?/g) ?? []).length : 2;
  const args = Array.from({ length: count }, () => '[]');
  const plan = await catalogue.read<{ detail: string }>({ sql: `EXPLAIN QUERY PLAN ${sql}`, args });
  return plan.map(({ detail }) => detail).filter((step) => !step.includes('json_each'));
}

it('storing a page reads through indexes alone, however large the catalogue', async () => {
  const folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  const asked = new Set<string>();
  const watched: Database = {
    ...catalogue,
    read: (statement) => {
      asked.add(statement.sql);
      return catalogue.read(statement);
    },
  };
  for (const release of [...releases, naming]) {
    const page = read(packageOf([release]));
    await storePage(watched, { source: 'x', fetchedAt: '2026-03-02T00:00:00Z', ...page, before: [], after: [] });
  }
  const from = { stage: 'numbers', at: '' } as const;
  await rematchSuppliers(watched, { since: -1, from, before: [], moveTo: () => ({ sql: 'SELECT 1' }) });
  expect(asked.size).toBeGreaterThan(15);
  for (const sql of asked) {
    const steps = await readPlan(catalogue, sql);
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
  const asked = new Set<string>();
  const watched: Database = {
    ...catalogue,
    read: (statement) => {
      asked.add(statement.sql);
      return catalogue.read(statement);
    },
    write: (statements) => {
      for (const { sql } of statements) asked.add(sql);
      return catalogue.write(statements);
    },
  };
  const page = read(packageOf([...releases, naming]));
  await storePage(catalogue, { source: 'x', fetchedAt: '2026-03-02T00:00:00Z', ...page, before: [], after: [] });
  await breakProcess(catalogue, 'ocds-h6vhtk-000301');
  const head = { id: 'tk_1', reason: '', takenAt: '2026-11-20T00:00:00Z', takenBy: '' };
  const options = { before: [], signal: new AbortController().signal };
  for (const noticeId of ['000300-2026', '000301-2026'])
    await applyTakedown(watched, { ...head, kind: 'notice', target: { noticeId } }, options);
  expect(asked.size).toBeGreaterThan(40);
  for (const sql of asked) {
    const whole = /^SCAN (notice|contract|framework|process|party|release|change)$/;
    for (const step of await readPlan(catalogue, sql))
      expect([sql, step]).not.toEqual([sql, expect.stringMatching(whole)]);
  }
  await catalogue.close();
  await folder.remove();
});
