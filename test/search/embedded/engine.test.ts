import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import type { EmbeddedEngine } from '../../../search/embedded/engine.ts';
import { type AnyHit, SearchUnavailable } from '../../../search/engine.ts';
import { indexUrl, openIndex } from '../../../search/open.ts';
import { makeFolder } from '../../support/databases.ts';
import { LIMITS_MS } from '../../support/time-limits.ts';
import { describeContracts } from '../contract/contracts.ts';
import { describeContract } from '../contract/suite.ts';
import { someDocument } from '../documents.ts';
import { makeTestEngine } from '../test-engine.ts';
import { makeTrial, type Trial } from '../trial.ts';

describeContract('the embedded engine', async () => {
  const folder = await makeFolder();
  const { index, url } = await openIndex(folder.path);
  return { engine: makeTestEngine(index, { url }), remove: folder.remove };
});

describeContracts('the embedded engine', async () => {
  const folder = await makeFolder();
  const { index, url } = await openIndex(folder.path, COLLECTIONS.contracts);
  const engine = makeTestEngine<AnyHit>(index, { url, collection: COLLECTIONS.contracts, readers: 1 });
  return { engine, remove: folder.remove };
});

describe('the readers of the embedded engine', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let engine: EmbeddedEngine;
  /** Asks the same index, and waits for a moment only. */
  let hasty: EmbeddedEngine;
  let trial: Trial;

  beforeAll(async () => {
    folder = await makeFolder();
    const { index, url } = await openIndex(folder.path);
    engine = makeTestEngine(index, { url, readers: 1, deadlineMs: LIMITS_MS.wait });
    hasty = makeTestEngine(null, { url, readers: 1, deadlineMs: 700 });
    trial = makeTrial(engine);
    await trial.fill([someDocument({ notice_id: 'r-1', title: 'Viaduct painting' })]);
  });
  afterAll(async () => {
    await hasty.close();
    await engine.close();
    await folder.remove();
  });

  it('say so while there is no index', async () => {
    const empty = await makeFolder();
    const reader = makeTestEngine(null, { url: indexUrl(empty.path) });
    await expect(makeTrial(reader).find()).rejects.toBeInstanceOf(SearchUnavailable);
    expect(await reader.readCursor()).toBeNull();
    await expect(reader.openBuild()).rejects.toThrow(/for reading/);
    await reader.close();
    await empty.remove();
  });

  it('outlive a signal to every process of a service: this process ends them itself, after the last answer', async () => {
    await trial.find({ text: 'viaduct' });
    const before = engine.readers.pids();
    expect(before).toHaveLength(1);
    for (const pid of before) for (const signal of ['SIGTERM', 'SIGINT'] as const) process.kill(pid, signal);
    for (let asked = 0; asked < 5; asked++) expect((await trial.find({ text: 'viaduct' })).hits).toHaveLength(1);
    expect(engine.readers.pids()).toEqual(before);
  });

  it('are replaced when killed between and during queries', async () => {
    await trial.find();
    const first = readerOf(engine);
    process.kill(first, 'SIGKILL');
    const answers = await Promise.all([trial.find(), trial.find({ text: 'viaduct' })]);
    expect(answers.map(({ total }) => total)).toEqual([1, 1]);
    const second = readerOf(engine);
    expect(second).not.toBe(first);
    process.kill(second, 'SIGSTOP');
    const waiting = trial.find();
    setTimeout(() => process.kill(second, 'SIGKILL'), 50);
    expect((await waiting).total).toBe(1);
  });

  it('leave a warning when they end by themselves, and none when they are closed', async () => {
    await trial.find();
    const warned = once(process, 'warning');
    process.kill(readerOf(engine), 'SIGKILL');
    const [{ name, message }] = (await warned) as [Error];
    expect([name, message]).toEqual([
      'WorkerEnded',
      expect.stringMatching(/^the process of search\/embedded\/reader\.[jt]s ended by itself: SIGKILL$/),
    ]);
    const heard: Error[] = [];
    const hear = (warning: Error) => void heard.push(warning);
    process.on('warning', hear);
    const other = makeTestEngine(null, { url: indexUrl(folder.path), warm: true });
    await makeTrial(other).find();
    await other.close();
    process.off('warning', hear);
    expect(heard).toEqual([]);
  });

  it('are killed past the deadline, and the next query is answered', async () => {
    const pid = await askUntilAnswered(hasty);
    process.kill(pid, 'SIGSTOP');
    await expect(makeTrial(hasty).find()).rejects.toBeInstanceOf(SearchUnavailable);
    expect(await askUntilAnswered(hasty)).not.toBe(pid);
    expect(isRunning(pid)).toBe(false);
  });

  it('are not blamed for a deadline that passed while nobody could hear them', async () => {
    const pid = await askUntilAnswered(hasty);
    const found = makeTrial(hasty).find({ text: 'viaduct' });
    await new Promise((resolve) => setImmediate(resolve));
    const busyUntilMs = performance.now() + 800;
    while (performance.now() < busyUntilMs);
    expect((await found).total).toBe(1);
    expect(readerOf(hasty)).toBe(pid);
  });

  it('end with the engine', async () => {
    const other = await makeFolder();
    const { index, url } = await openIndex(other.path);
    const short = makeTestEngine(index, { url });
    await makeTrial(short).fill([]);
    await Promise.all([makeTrial(short).find(), makeTrial(short).find()]);
    const pids = short.readers.pids();
    expect(pids.length).toBe(2);
    await short.close();
    expect(pids.filter(isRunning)).toEqual([]);
    await expect(makeTrial(short).find()).rejects.toBeInstanceOf(SearchUnavailable);
    await other.remove();
  });
});

/** The id of its one reader. An id of 0 would stand for every process of the test run. */
function readerOf({ readers }: EmbeddedEngine): number {
  const [pid] = readers.pids();
  if (!pid) throw new Error('the engine has no reader');
  return pid;
}

/** The reader that answered; on a busy machine one may take longer to start than a query waits. */
async function askUntilAnswered(engine: EmbeddedEngine): Promise<number> {
  const ask = () =>
    makeTrial(engine)
      .find()
      .then(
        ({ total }) => total,
        () => null,
      );
  await expect.poll(ask).toBe(1);
  return readerOf(engine);
}

/** Whether a process runs; one that has ended and waits to be collected does not. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
