import { setTimeout as pause } from 'node:timers/promises';
import { storePage } from '../../../ingest/store/page.ts';
import { resumeStatements } from '../../../schema/accounts/watches/lifecycle.ts';
import { readChangeBounds } from '../../../schema/catalogue/changes/read.ts';
import { packageOf, read } from '../../ingest/compile/releases.ts';
import { tender } from '../../jobs/watches/matcher.ts';
import { addWatch, openAccount, SERVICE_SECRET } from '../../jobs/watches/seed.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { type Child, makeCrew, startChild } from '../../support/start-child.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';
import { makeRandom, type Random } from '../../upstream/sample/random.ts';
import { findFaults, type Watched } from './judge.ts';
import { startRandomReceiver } from './receivers.ts';

interface WatchChaosOptions {
  kills: number;
  seed: number;
  watches?: number;
  onKill?: (kills: number) => void;
}

interface WatchChaosReport {
  kills: number;
  notices: number;
  deliveries: number;
  /** Arrivals beyond the first of each delivery. */
  repeated: number;
  /** Watches that were resumed after their receiver said 410, or failed too often. */
  resumed: number;
  faults: string[];
}

const CHILD = 'test/chaos/watches/deliver-process.ts';
/** The longest that a process is left at work, and the share of the kills that hit one that is still starting. */
const AT_WORK_MS = 1_500;
const STARTING = 0.1;
const STARTING_MS = 200;

/** Kills jobs again and again while they match and send, to receivers that fail at random, and judges what came of it. */
export async function runWatchChaos({
  kills,
  seed,
  watches: count = 12,
  onKill,
}: WatchChaosOptions): Promise<WatchChaosReport> {
  const random = makeRandom(seed);
  const built = await makeJobServices();
  const { accounts, catalogue } = built.services;
  let isFailing = true;
  const account = await openAccount(accounts, 10_000_000);
  const watches: Watched[] = [];
  for (let number = 0; number < count; number++) {
    const receiver = await startRandomReceiver(random, { fails: () => isFailing, saysGone: number === 0 });
    const { id, secret } = await addWatch(accounts, { account_id: account, webhook: receiver.url });
    receiver.secret = secret;
    watches.push({ id, receiver });
  }
  const settings = {
    DATA_DIR: built.folder,
    AUTH_SECRET: SERVICE_SECRET,
    WATCH_ADDRESSES: 'any',
    WATCH_DELIVERIES_PER_HOUR: '1000000',
  };
  const crew = makeCrew(() => startChild(CHILD, settings));
  const market = makeMarket(random);
  let resumed = 0;
  try {
    for (let killed = 1; killed <= kills; killed++) {
      await storePage(catalogue, market.next());
      const child = crew.next();
      child.begin({});
      await waitToKill(random, child, () => countArrivals(watches));
      child.kill();
      await child.ended;
      resumed += await skipPauses(built.services);
      onKill?.(killed);
    }
    isFailing = false;
    const last = crew.next();
    last.begin({});
    await drain(built.services);
    last.kill();
    await last.ended;
    const judged = await findFaults(built.services, watches);
    return { kills, notices: market.published(), resumed, ...judged };
  } finally {
    await crew.close();
    for (const { receiver } of watches) await receiver.close();
    await built.close();
  }
}

/** Most are killed at work: after something arrived, however long that takes beside other work. */
async function waitToKill(random: Random, child: Child, arrived: () => number): Promise<void> {
  const before = arrived();
  if (random.chance(STARTING)) return pause(random.next() * STARTING_MS);
  await child.ready;
  const deadline = performance.now() + LIMITS_MS.wait;
  while (arrived() === before && performance.now() < deadline) await pause(5);
  await pause(random.next() * AT_WORK_MS);
}

const countArrivals = (watches: readonly Watched[]) =>
  watches.reduce((sum, { receiver }) => sum + receiver.arrivals.length, 0);

type Services = Awaited<ReturnType<typeof makeJobServices>>['services'];

/** What is waited for in earnest: a killed process's lease, the pauses between attempts, and owners who resume their watch. */
async function skipPauses({ accounts }: Services): Promise<number> {
  const now = new Date();
  const paused = await accounts.read<{ id: string }>({ sql: "SELECT id FROM watch WHERE state = 'paused'" });
  await accounts.write([
    { sql: 'UPDATE lease SET expires_at = 0' },
    { sql: "UPDATE watch_delivery SET next_attempt_at = ? WHERE status = 'waiting'", args: [now.getTime()] },
    ...paused.flatMap(({ id }) => resumeStatements(id, now)),
  ]);
  return paused.length;
}

/** Waits until everything that changed was delivered. @throws Error where that takes too long */
async function drain({ accounts, catalogue }: Services): Promise<void> {
  const { head } = await readChangeBounds(catalogue);
  const sql = `SELECT (SELECT count(*) FROM watch WHERE position < ? OR state <> 'active')
    + (SELECT count(*) FROM watch_delivery WHERE status <> 'delivered') AS open`;
  const deadline = performance.now() + LIMITS_MS.long;
  for (;;) {
    const [row] = await accounts.read<{ open: number }>({ sql, args: [head] });
    if (row?.open === 0) return;
    if (performance.now() > deadline) throw new Error(`${row?.open} watches or deliveries are still open`);
    await pause(50);
  }
}

/** Pages of a source: new tenders, and changes of earlier ones. */
function makeMarket(random: Random) {
  const versions: number[] = [];
  return {
    published: () => versions.length,
    next() {
      const releases = Array.from({ length: random.int(1, 40) }, () => {
        const known = random.int(1, Math.max(1, versions.length));
        const version = versions[known - 1];
        if (version !== undefined && version < 9 && random.chance(0.3)) {
          versions[known - 1] = version + 1;
          return tender(known, `Bridge ${known} in its form ${version + 1}`, { version: version + 1 });
        }
        versions.push(0);
        return tender(versions.length, `Bridge ${versions.length}`);
      });
      const source = 'find_a_tender';
      return { source, fetchedAt: '2026-06-01T00:00:00Z', before: [], after: [], ...read(packageOf(releases), source) };
    },
  };
}
