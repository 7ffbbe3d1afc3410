/** A clock that several actors share: it moves on when all of them sleep, to the moment at which the first one wakes. */
export interface SharedClock {
  /** What the clock on the wall shows. */
  wallNow(): Date;
  /** Time that really went by, whatever the wall says: what an upstream counts by. */
  elapsedMs(): number;
  /** Sets the wall clock forward, or back. */
  shift(byMs: number): void;
  /** Waits on this clock; called within `act`. */
  sleep(waitMs: number): Promise<void>;
  /** The clock stands still while any actor is awake. */
  act<T>(work: () => Promise<T>): Promise<T>;
}

const START_MS = Date.parse('2026-11-20T12:00:00Z');

interface Sleeper {
  atMs: number;
  wake(): void;
}

export function makeSharedClock(): SharedClock {
  let elapsedMs = 0;
  let shiftMs = 0;
  let awake = 0;
  const sleepers: Sleeper[] = [];
  const rest = () => {
    awake -= 1;
    if (awake > 0 || sleepers.length === 0) return;
    sleepers.sort((a, b) => a.atMs - b.atMs);
    const first = sleepers.shift();
    elapsedMs = Math.max(elapsedMs, first?.atMs ?? 0);
    awake += 1;
    first?.wake();
  };
  return {
    wallNow: () => new Date(START_MS + elapsedMs + shiftMs),
    elapsedMs: () => elapsedMs,
    shift: (byMs) => {
      shiftMs += byMs;
    },
    sleep: (waitMs) =>
      new Promise((wake) => {
        sleepers.push({ atMs: elapsedMs + waitMs, wake });
        rest();
      }),
    async act(work) {
      awake += 1;
      try {
        return await work();
      } finally {
        rest();
      }
    },
  };
}
