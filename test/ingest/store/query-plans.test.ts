import { expect, it } from 'vitest';
import { rematchSuppliers } from '../../../ingest/register/suppliers.ts';
import { storePage } from '../../../ingest/store/page.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { actRelease, BRIGHT, COUNCIL, packageOf, read, reference, supplier } from '../compile/releases.ts';

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
    const plan = await catalogue.read<{ detail: string }>({
      sql: `EXPLAIN QUERY PLAN ${sql}`,
      args: Array.from(
        { length: new Set(sql.match(/\?\d*/g)).size === 1 ? (sql.match(/\?/g) ?? []).length : 2 },
        () => '[]',
      ),
    });
    const steps = plan.map(({ detail }) => detail).filter((step) => !step.includes('json_each'));
    for (const step of steps) {
      expect([sql, step]).not.toEqual([sql, expect.stringMatching(/^SCAN /)]);
      // An index of which only the kind is used reads everything of that kind.
      expect([sql, step]).not.toEqual([sql, expect.stringMatching(/\(kind=\?\)/)]);
    }
  }
  await catalogue.close();
  await folder.remove();
});
