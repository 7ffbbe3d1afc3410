import { type IdMap, isOpen, makeIdMap, secondsUntil, type Usage, type Windows } from '../concurrency/machine.ts';
import type { Peer } from '../concurrency/peer.ts';
import type { OfPrimary, OfWorker, Returned, Share } from './questions.ts';

/** Requests in one share while many are left. */
const SHARE_MIN = 16;
/** How old a worker's knowledge of what others have used may be, as it tells a client what is left. */
const KNOWN_MS = 1_000;

type Asked = OfPrimary['share'][0];
type Worker = Peer<OfWorker>;

/** The allowance of one id in one window, as the primary counts it. */
interface Allowance {
  /** Requests not yet given to any worker. */
  rest: number;
  endsMs: number;
  /** Workers that may still have part of their share. */
  holders: Set<Worker>;
  collecting: Promise<void> | undefined;
}

/**
 * The primary's side: an allowance is handed out in shares, which shrink as it runs out. When nothing is left, the workers
 * return what they have not used. So no id gets more or less than its allowance, and few requests have to ask. @param processes
 * - workers that may use one allowance
 */
export function makeAllowances(processes: number): (worker: Worker, asked: Asked) => Promise<Share> {
  const named = new Map<string, IdMap<Allowance>>();
  return async (worker, { name, most, windowSeconds, id, returned }) => {
    const all = named.get(name) ?? makeIdMap<Allowance>();
    named.set(name, all);
    const known = all.get(id);
    const nowMs = Date.now();
    const isHeld = known !== undefined && isOpen(known, windowSeconds, nowMs);
    const allowance: Allowance = isHeld
      ? known
      : { rest: most, endsMs: nowMs + windowSeconds * 1_000, holders: new Set(), collecting: undefined };
    if (!isHeld) all.set(id, allowance);
    else if (returned?.endsMs === allowance.endsMs) allowance.rest += returned.requests;
    while (allowance.rest === 0 && (allowance.collecting || allowance.holders.size > 0)) {
      allowance.collecting ??= collect(allowance, { name, id });
      await allowance.collecting;
    }
    const requests = Math.min(allowance.rest, shareOf(allowance.rest, most, processes));
    allowance.rest -= requests;
    if (requests > 0) allowance.holders.add(worker);
    return { requests, rest: allowance.rest, endsMs: allowance.endsMs };
  };
}

/** Small, so that the remainder reported to a client is nearly exact, but at least a thousandth, so that asking costs little. */
function shareOf(rest: number, most: number, processes: number): number {
  const equal = Math.floor(rest / (2 * processes));
  return Math.max(1, Math.min(equal, Math.max(SHARE_MIN, Math.floor(most / 1_000))));
}

async function collect(allowance: Allowance, of: { name: string; id: string }): Promise<void> {
  const holders = [...allowance.holders];
  allowance.holders.clear();
  // A worker that has ended may have used its whole share.
  const returned = await Promise.all(holders.map((worker) => worker.ask('giveBack', of).catch(() => 0)));
  allowance.rest += returned.reduce((sum, one) => sum + one, 0);
  allowance.collecting = undefined;
}

/** A worker's side of every allowance. */
export interface Shares {
  makeWindows(name: string, most: number, windowSeconds: number): Windows;
  /** Requests left of an id's share, which this worker may no longer use. */
  giveBack(asked: { name: string; id: string }): number;
}

/** A worker's share, minus what was used of it. */
interface WorkerShare extends Share {
  /** When it was given, in milliseconds since the epoch. */
  atMs: number;
  windowSeconds: number;
  /** Nobody has any left, so the primary need not be asked again. */
  isSpent: boolean;
}

/** Counts requests against this worker's shares, and asks the primary when one is used up. */
export function makeShares(primary: Pick<Peer<OfPrimary>, 'ask'>): Shares {
  const named = new Map<string, IdMap<WorkerShare>>();
  return {
    makeWindows(name, most, windowSeconds) {
      const shares = makeIdMap<WorkerShare>();
      named.set(name, shares);
      const asking = new Map<string, Promise<void>>();
      const ask = async (id: string) => {
        const returned = toReturn(shares.get(id));
        shares.delete(id);
        try {
          const share = await primary.ask('share', { name, most, windowSeconds, id, returned });
          shares.set(id, { ...share, atMs: Date.now(), windowSeconds, isSpent: share.requests === 0 });
        } finally {
          asking.delete(id);
        }
      };
      const askOnce = (id: string) => {
        const asked = asking.get(id) ?? ask(id);
        asking.set(id, asked);
        return asked;
      };
      const wait = async (id: string): Promise<Usage> => {
        for (;;) {
          await askOnce(id);
          const usage = use(shares.get(id), most);
          if (usage) return usage;
        }
      };
      return { take: (id) => use(shares.get(id), most) ?? wait(id) };
    },
    giveBack({ name, id }) {
      const share = named.get(name)?.get(id);
      if (!share || !isOpen(share, share.windowSeconds, Date.now())) return 0;
      named.get(name)?.delete(id);
      return share.requests;
    },
  };
}

const toReturn = (share: WorkerShare | undefined): Returned | null =>
  share ? { requests: share.requests, endsMs: share.endsMs } : null;

/** Uses one request of a share; undefined where the primary has to be asked. */
function use(share: WorkerShare | undefined, most: number): Usage | undefined {
  const nowMs = Date.now();
  if (!share || !isOpen(share, share.windowSeconds, nowMs)) return undefined;
  const waitSeconds = secondsUntil(share.endsMs, nowMs);
  if (share.isSpent) return { count: most + 1, waitSeconds };
  if (share.requests === 0 || nowMs - share.atMs >= KNOWN_MS) return undefined;
  share.requests -= 1;
  return { count: most - share.requests - share.rest, waitSeconds };
}
