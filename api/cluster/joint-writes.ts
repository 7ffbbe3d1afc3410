import type { Outcome, Statement } from '../../schema/db/interface.ts';
import { makeCommitter, type WriteGroup } from '../concurrency/group-commit.ts';
import { toError, toFault } from '../concurrency/peer.ts';
import { startWriter } from '../concurrency/writer.ts';
import { fromSent, type SentWrite, toSent } from '../metering/groupings.ts';
import type { OfPrimary } from './questions.ts';

/** Writes to the accounts' file for all workers. What arrives during a write is one batch, and debits of several workers one row. */
export function makeJointWriter(url: string) {
  // The worker that asks has already found it migrated.
  const open = async () => {
    const writer = await startWriter(url);
    return { writer, committer: makeCommitter(writer) };
  };
  let opened: ReturnType<typeof open> | undefined;
  const committerNow = async () => {
    opened ??= open().catch((error: unknown) => {
      // The next write tries again.
      opened = undefined;
      throw error;
    });
    return (await opened).committer;
  };
  return {
    write: async (statements: readonly Statement[]): Promise<Outcome[]> => (await committerNow()).commit(statements),
    async writeGroup(writes: readonly SentWrite[]): Promise<OfPrimary['writeGroup'][1]> {
      const committer = await committerNow();
      const one = async (sent: SentWrite) => {
        const { statements, grouped } = fromSent(sent);
        return grouped
          ? committer.commitRow(grouped.grouping, grouped.row, grouped.bytes)
          : committer.commit(statements);
      };
      const settled = await Promise.allSettled(writes.map(one));
      return settled.map((each) =>
        each.status === 'fulfilled' ? { value: each.value } : { fault: toFault(each.reason) },
      );
    },
    async close() {
      const { writer, committer } = (await opened) ?? {};
      await committer?.drain();
      await writer?.close();
    },
  };
}

/** How a worker has its calls written by the primary. @param ask - sends them there */
export function writeJointly(ask: (writes: SentWrite[]) => Promise<OfPrimary['writeGroup'][1]>): WriteGroup {
  return async (writes) => {
    const settled = await ask(writes.map(toSent));
    return settled.map((one) =>
      'fault' in one ? { status: 'rejected', reason: toError(one.fault) } : { status: 'fulfilled', value: one.value },
    );
  };
}
