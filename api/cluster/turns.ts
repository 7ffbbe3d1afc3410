import type { Peer } from '../concurrency/peer.ts';
import type { OfWorker } from './questions.ts';

type Worker = Peer<OfWorker>;

/** The primary's queues: for each place one worker at a time has the turn, and the others wait in order. */
interface Turns {
  /** Resolves when it is this worker's turn; false at once where too many wait. */
  take(worker: Worker, place: string, waitingMost: number): boolean | Promise<boolean>;
  /** Its turn is over. */
  end(place: string): void;
  /** The worker has ended: its turns are over, and it waits for none. */
  leave(worker: Worker): void;
}

interface Line {
  holder: Worker;
  waiting: { worker: Worker; begin(): void }[];
}

/** A place without work takes up no memory. */
export function makeTurns(): Turns {
  const lines = new Map<string, Line>();
  const end = (place: string) => {
    const line = lines.get(place);
    const next = line?.waiting.shift();
    if (!line || !next) return void lines.delete(place);
    line.holder = next.worker;
    next.begin();
  };
  return {
    take(worker, place, waitingMost) {
      const line = lines.get(place);
      if (!line) {
        lines.set(place, { holder: worker, waiting: [] });
        return true;
      }
      if (line.waiting.length >= waitingMost) return false;
      return new Promise((resolve) => line.waiting.push({ worker, begin: () => resolve(true) }));
    },
    end,
    leave(worker) {
      for (const [place, line] of [...lines]) {
        line.waiting = line.waiting.filter((one) => one.worker !== worker);
        if (line.holder === worker) end(place);
      }
    },
  };
}
