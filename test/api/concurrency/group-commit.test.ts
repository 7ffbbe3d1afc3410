import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeCommitter } from '../../../api/concurrency/group-commit.ts';
import { type Database, DatabaseAway, DatabaseBusy, OutcomeUnknown } from '../../../schema/db/interface.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let accounts: Database;
beforeAll(async () => {
  folder = await makeFolder();
  accounts = await makeDatabase(folder.path, 'accounts');
});
afterAll(async () => {
  await accounts.close();
  await folder.remove();
});

const LEASE = {
  sql: "INSERT INTO lease (name, token, holder, expires_at) VALUES ('a', '', '', 0) ON CONFLICT DO NOTHING",
};
const away = () => new DatabaseAway('nobody there');
const unsure = () => new OutcomeUnknown('no answer');
const busy = () => new DatabaseBusy('held');

/** A commit to a server that fails so often in these ways, one after the other, and then works. */
const commitThrough = (faults: Error[]) => {
  const left = [...faults];
  const failing: Database = {
    ...accounts,
    write: (statements) => {
      const fault = left.shift();
      return fault ? Promise.reject(fault) : accounts.write(statements);
    },
  };
  return makeCommitter(failing).commit([LEASE]);
};

/** Counts the calls of each commit, while each of so many callers calls again once it has its answer. */
const countGroups = async (writesApart: boolean, { callers, calls }: { callers: number; calls: number }) => {
  const sizes: number[] = [];
  const slow: Database = {
    ...accounts,
    writesApart,
    async write(statements) {
      // The other half of the callers comes while the first commit is on its way.
      await new Promise((resolve) => setImmediate(resolve));
      return accounts.write(statements);
    },
  };
  const committer = makeCommitter(slow, (size) => sizes.push(size));
  const caller = async (_: unknown, place: number) => {
    for (let turn = 0; turn < 2 * (place % 2); turn++) await new Promise((resolve) => setImmediate(resolve));
    for (let call = 0; call < calls; call++) await committer.commit([LEASE]);
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return sizes;
};

describe('commits that follow each other and', () => {
  it('are made elsewhere soon hold all callers, who call again once they are answered', async () => {
    const sizes = await countGroups(true, { callers: 16, calls: 4 });
    expect(sizes).toEqual([8, 16, 16, 16, 8]);
    expect(await countGroups(true, { callers: 4, calls: 2 })).toEqual([2, 4, 2]);
  });

  it('are made here wait for nobody', async () => {
    expect(await countGroups(false, { callers: 16, calls: 2 })).toEqual([8, 8, 8, 8]);
  });
});

describe('a commit to a server', () => {
  it.each([
    ['was away', [away(), away(), away()]],
    ['did not say', [unsure(), unsure()]],
    ['did not say and then was away', [unsure(), away(), away()]],
  ])('that %s for a moment is made when it is back', async (_how, faults) => {
    expect(await commitThrough(faults)).toHaveLength(1);
  });

  it.each([
    ['was never reached: nothing was written', [away(), away(), away(), away()], DatabaseAway],
    ['may have written it before it went away', [unsure(), away(), away(), away()], OutcomeUnknown],
    ['may have written it before another writer held it', [away(), unsure(), busy()], OutcomeUnknown],
    ['was held by another writer from the start', [busy()], DatabaseBusy],
  ])('that %s is told as that', async (_how, faults, kind) => {
    await expect(commitThrough(faults)).rejects.toThrow(kind);
  });

  it('that let its deadline pass is not repeated: its caller has waited long enough', async () => {
    let nowMs = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    const write = vi.fn(async () => {
      nowMs += 10_000;
      throw unsure();
    });
    await expect(makeCommitter({ ...accounts, write }).commit([LEASE])).rejects.toThrow(OutcomeUnknown);
    clock.mockRestore();
    expect(write).toHaveBeenCalledOnce();
  });
});

it('calls of a group that may have been written are not tried one by one: that could charge them twice', async () => {
  const write = vi.fn(() => Promise.reject(unsure()));
  const committer = makeCommitter({ ...accounts, write });
  const told = await Promise.allSettled([committer.commit([LEASE]), committer.commit([LEASE])]);
  expect(told).toMatchObject([{ reason: expect.any(OutcomeUnknown) }, { reason: expect.any(OutcomeUnknown) }]);
  expect(write.mock.calls).toEqual(Array(4).fill([[LEASE, LEASE]]));
});

it('what the database refuses for good is asked of it once', async () => {
  const write = vi.fn(() => Promise.reject(new Error('no such table')));
  await expect(makeCommitter({ ...accounts, write }).commit([LEASE])).rejects.toThrow('no such table');
  expect(write).toHaveBeenCalledOnce();
});

it('more calls than a group takes are several, and the end waits for them all', async () => {
  const sizes: number[] = [];
  const committer = makeCommitter(accounts, (size) => sizes.push(size));
  let written = 0;
  for (let call = 0; call < 300; call++) void committer.commit([LEASE]).then(() => written++);
  await committer.drain();
  expect([sizes, written]).toEqual([[256, 44], 300]);
});

it('every call of a group hears where it could not be written elsewhere', async () => {
  const committer = makeCommitter(accounts, undefined, () => Promise.reject(away()));
  const told = await Promise.allSettled([committer.commit([LEASE]), committer.commit([LEASE])]);
  expect(told).toMatchObject([{ reason: expect.any(DatabaseAway) }, { reason: expect.any(DatabaseAway) }]);
});

describe('rows of many calls', () => {
  const LINES = (rows: readonly number[]) => ({ statements: rows.map(() => LEASE), results: () => [...rows] });

  it('are no more than a server takes at once', async () => {
    const sizes: number[] = [];
    const committer = makeCommitter(accounts, (size) => sizes.push(size));
    const bytes = [900_000, 900_000, 900_000, 5_000_000, 10, 10];
    expect(await Promise.all(bytes.map((one, place) => committer.commitRow(LINES, place, one)))).toEqual([
      0, 1, 2, 3, 4, 5,
    ]);
    expect(sizes).toEqual([2, 1, 1, 2]);
    sizes.length = 0;
    const stored = { sql: 'SELECT ?', args: [new Uint8Array(1_500_000)] };
    await Promise.all([committer.commit([stored]), committer.commit([stored]), committer.commit([LEASE])]);
    expect(sizes).toEqual([1, 2]);
  });

  it('harm no others where they cannot be made into statements, or their results cannot be read', async () => {
    const refusing = () => {
      throw new Error('no such rows');
    };
    const unread = () => ({ statements: [LEASE], results: refusing });
    const write = vi.fn(accounts.write);
    const committer = makeCommitter({ ...accounts, write });
    const settled = await Promise.allSettled([committer.commitRow(LINES, 1), committer.commitRow(refusing, 2)]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    write.mockClear();
    const told = await Promise.allSettled([committer.commitRow(LINES, 1), committer.commitRow(unread, 2)]);
    expect(told.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(write).toHaveBeenCalledOnce();
  });
});
