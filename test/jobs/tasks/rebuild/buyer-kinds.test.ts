import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyJobs, type FilledJobs, findTemplate, rebuild } from './filled-services.ts';

let filled: FilledJobs;
beforeEach(async () => {
  filled = await copyJobs(await findTemplate(10));
});
afterEach(() => filled.close());

describe('a rebuild', () => {
  it.each(['notice', 'contract', 'framework'])(
    'says of a %s whose buyer was of another kind that it changed, and of no other',
    async (kind) => {
      const { jobs } = filled;
      const readAll = () =>
        jobs.catalogue.read<{ id: string; buyer_kind: string | null; seq: number }>({
          sql: `SELECT id, buyer_kind, seq FROM ${kind} WHERE gone = 0 ORDER BY buyer_kind IS NULL, id`,
        });
      const [first, ...others] = await readAll();
      const { id = '', buyer_kind = null } = first ?? {};
      await jobs.catalogue.write([{ sql: `UPDATE ${kind} SET buyer_kind = 'devolved' WHERE id = ?`, args: [id] }]);
      const { tables } = await rebuild(jobs, { check: true });
      expect(tables.find(({ table }) => table === kind)).toMatchObject({ onlyLive: 1, onlyNew: 1 });
      await rebuild(jobs);
      const [again, ...same] = await readAll();
      expect(same).toEqual(others);
      expect(again).toMatchObject({ id, buyer_kind });
      expect(buyer_kind).not.toBeNull();
      expect(
        await jobs.catalogue.read({
          sql: "SELECT id, change, changed, former ->> '$.buyer_kind' AS was FROM change WHERE kind = ? AND seq = ?",
          args: [kind, again?.seq ?? 0],
        }),
      ).toEqual([{ id, change: 'updated', changed: 'buyer_kind', was: 'devolved' }]);
    },
  );

  it('leaves the kind out of a contract that is gone, as nothing of its buyer stays', async () => {
    const { jobs } = filled;
    const sql = 'SELECT id, ocid FROM contract WHERE gone = 0 AND buyer_kind IS NOT NULL ORDER BY id LIMIT 1';
    const [lost] = await jobs.catalogue.read<{ id: string; ocid: string }>({ sql });
    await jobs.catalogue.write([{ sql: 'DELETE FROM release WHERE ocid = ?', args: [lost?.ocid ?? ''] }]);
    await rebuild(jobs);
    expect(
      await jobs.catalogue.read({
        sql: 'SELECT gone, buyer_id, buyer_kind FROM contract WHERE id = ?',
        args: [lost?.id ?? ''],
      }),
    ).toEqual([{ gone: 1, buyer_id: null, buyer_kind: null }]);
  });
});
