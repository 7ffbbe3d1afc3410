import { setImmediate as nextTurn } from 'node:timers/promises';

let line: Promise<void> = Promise.resolve();

/**
 * A turn of the event loop for one step of long work. Whoever has such work stands in one line, so that between two other
 * answers there is one step, however many are at it.
 */
export function takeTurn(): Promise<void> {
  line = line.then(() => nextTurn());
  return line;
}
