import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Committer, makeCommitter } from '../../../api/concurrency/group-commit.ts';
import {
  CLAIM_MS,
  type Claim,
  claimKey,
  claimStatement,
  keepClaim,
  makeClaim,
  makeFingerprint,
  releaseStatement,
  underClaim,
} from '../../../api/metering/idempotency.ts';
import type { Context } from '../../../api/process/context.ts';
import type { Clocks } from '../../../schema/config/clocks.ts';
import { type Database, OutcomeUnknown } from '../../../schema/db/interface.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

const START = Date.parse('2026-11-21T12:00:00Z');
let folder: Awaited<ReturnType<typeof makeFolder>>;
let accounts: Database;
let committer: Committer;
let nowMs = START;
const clocks: Clocks = { wallNow: () => new Date(nowMs), catalogueNow: () => new Date(nowMs) };

beforeAll(async () => {
  folder = await makeFolder();
  accounts = await makeDatabase(folder.path, 'accounts');
  committer = makeCommitter(accounts);
});
afterAll(async () => {
  await committer.drain();
  await accounts.close();
  await folder.remove();
});

/** A second call of the key, from any process: whether it gets the claim. */
async function take(key: string): Promise<Claim | null> {
  const claim = makeClaim({ accountId: 'acc', key });
  const [taken] = await committer.commit([claimStatement(claim, 'f', clocks.wallNow(), nowMs)]);
  return taken?.changes === 1 ? claim : null;
}
const expiryOf = async (key: string) => {
  const sql = 'SELECT claim_expires_at AS ms FROM idempotency WHERE key = ?';
  return (await accounts.read<{ ms: number }>({ sql, args: [key] }))[0]?.ms;
};

describe('a claim on a key', () => {
  it('is one caller’s until its time is up, and then the next one’s', async () => {
    nowMs = START;
    const first = await take('dead');
    nowMs = START + CLAIM_MS - 1;
    expect([first !== null, await take('dead')]).toEqual([true, null]);
    nowMs = START + CLAIM_MS;
    const second = await take('dead');
    expect(second?.token).not.toBe(first?.token);
  });

  it('is renewed while its call lives, however long, and no longer', async () => {
    nowMs = START;
    const claim = await take('long');
    if (!claim) throw new Error('not taken');
    const renewed = { committer: { ...committer, commit: vi.fn(committer.commit) }, clocks, everyMs: 2 };
    const stop = keepClaim(renewed, claim, (error) => expect(error).toBeUndefined());
    for (const elapsedMs of [CLAIM_MS - 1, 2 * CLAIM_MS, 20 * CLAIM_MS]) {
      nowMs = START + elapsedMs;
      await vi.waitUntil(async () => (await expiryOf('long')) === nowMs + CLAIM_MS);
      expect(await take('long')).toBeNull();
    }
    stop();
    await committer.drain();
    const calls = renewed.committer.commit.mock.calls.length;
    nowMs += CLAIM_MS;
    expect((await take('long'))?.token).not.toBe(claim.token);
    expect(renewed.committer.commit.mock.calls).toHaveLength(calls);
  });

  it.each([
    ['was charged', async () => ({ charged: true }), true],
    ['was free', async () => ({ charged: false }), false],
    ['failed', () => Promise.reject(new Error('no work')), false],
  ])('is renewed no more once its call %s, and released unless it was charged', async (how, work, isKept) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const log = { warn: (fields: object) => expect(fields).toBeUndefined() };
    const call = { context: { committer, log, services: { clocks } } as unknown as Context, requestId: 'request' };
    const claim = await take(how);
    if (!claim) throw new Error('not taken');
    await underClaim(call, claim, work).catch((error: Error) => expect(error.message).toBe('no work'));
    const left = vi.getTimerCount();
    vi.useRealTimers();
    expect([left, (await expiryOf(how)) !== undefined]).toEqual([0, isKept]);
  });

  it('is the caller’s own where the database did not say that it wrote it', async () => {
    let isLost = true;
    const write: Database['write'] = async (statements) => {
      const outcomes = await accounts.write(statements);
      if (!isLost) return outcomes;
      isLost = false;
      throw new OutcomeUnknown('no answer');
    };
    const books = { accounts, committer: makeCommitter({ write }) };
    const keyed = { accountId: 'acc', key: 'unconfirmed', fingerprint: 'f', loc: [] };
    expect(await claimKey(books, keyed, clocks.wallNow())).toMatchObject({ key: 'unconfirmed' });
  });

  it('that was lost is neither renewed nor released by the one who lost it', async () => {
    nowMs = START;
    const lost = await take('lost');
    if (!lost) throw new Error('not taken');
    nowMs += CLAIM_MS;
    const winner = await take('lost');
    const stop = keepClaim({ committer, clocks, everyMs: 1 }, lost, (error) => expect(error).toBeUndefined());
    nowMs += 1;
    await new Promise((resolve) => setTimeout(resolve, 20));
    stop();
    await committer.commit([releaseStatement(lost, 'running')]);
    expect([winner !== null, await expiryOf('lost')]).toEqual([true, nowMs - 1 + CLAIM_MS]);
  });
});

it('a request is the same whatever the order of its names, also of those within it', () => {
  const one = makeFingerprint('make_thing', { tags: ['a', 'b'], of: { name: 'x', postcode: 'y' } });
  expect(makeFingerprint('make_thing', { of: { postcode: 'y', name: 'x' }, tags: ['a', 'b'] })).toBe(one);
  expect(makeFingerprint('make_thing', { of: { postcode: 'y', name: 'x' }, tags: ['b', 'a'] })).not.toBe(one);
});
