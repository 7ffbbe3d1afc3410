import { SearchUnavailable } from '../engine.ts';
import { readLiveMark, readLiveUrl } from './store/files.ts';

/** Runs work on the live index, one after the other. */
export type WithLive<T> = <R>(work: (opened: T) => Promise<R>) => Promise<R>;

/** What a reader holds of the live index: opened at the first question, and again once another index has taken its place. */
export function followLive<T extends { close(): Promise<void> }>(
  url: string,
  open: (liveUrl: string) => Promise<T>,
): WithLive<T> {
  let held: { mark: string; opened: T } | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <R>(work: () => Promise<R>): Promise<R> => {
    const done = turn.then(work);
    // The query that met a failure gets it, not the next one.
    turn = Promise.allSettled([done]);
    return done;
  };
  const letGo = async () => {
    if (!held || held.mark === readLiveMark(url)) return;
    const { opened } = held;
    held = undefined;
    await opened.close();
  };
  return (work) =>
    inTurn(async () => {
      await letGo();
      held ??= await openLive(url, open);
      return work(held.opened);
    });
}

/** Tried again where the index was succeeded, and its file removed, between the look and the opening. */
async function openLive<T>(url: string, open: (liveUrl: string) => Promise<T>): Promise<{ mark: string; opened: T }> {
  for (;;) {
    const mark = readLiveMark(url);
    try {
      return { mark, opened: await open(await readLiveUrl(url)) };
    } catch (error) {
      if (!(error instanceof SearchUnavailable) || mark === readLiveMark(url)) throw error;
    }
  }
}
