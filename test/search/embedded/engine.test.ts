import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import { type EmbeddedEngine, makeEmbeddedEngine } from '../../../search/embedded/engine.ts';
import { type AnyHit, SearchUnavailable } from '../../../search/engine.ts';
import { indexUrl, openIndex } from '../../../search/open.ts';
import { makeFolder } from '../../support/databases.ts';
import { describeContracts } from '../contract/contracts.ts';
import { describeContract } from '../contract/suite.ts';
import { someDocument } from '../documents.ts';
import { makeTrial, type Trial } from '../trial.ts';

describeContract('the embedded engine', async () => {
  const folder = await makeFolder();
  const { index, url } = await openIndex(folder.path);
  return { engine: makeEmbeddedEngine(index, { url }), remove: folder.remove };
});

describeContracts('the embedded engine', async () => {
  const folder = await makeFolder();
  const { index, url } = await openIndex(folder.path, COLLECTIONS.contracts);
  const engine = makeEmbeddedEngine<AnyHit>(index, { url, collection: COLLECTIONS.contracts, readers: 1 });
  return { engine, remove: folder.remove };
});

describe('the readers of the embedded engine', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let engine: EmbeddedEngine;
  let trial: Trial;

  beforeAll(async () => {
    folder = await makeFolder();
    const { index, url } = await openIndex(folder.path);
    engine = makeEmbeddedEngine(index, { url, readers: 1, deadlineMs: 700 });
    trial = makeTrial(engine);
    await trial.fill([someDocument({ notice_id: 'r-1', title: 'Viaduct painting' })]);
  });
  afterAll(async () => {
    await engine.close();
    await folder.remove();
  });

  it('say so while there is no index', async () => {
    const empty = await makeFolder();
    const reader = makeEmbeddedEngine(null, { url: indexUrl(empty.path) });
    await expect(makeTrial(reader).find()).rejects.toBeInstanceOf(SearchUnavailable);
    expect(await reader.readCursor()).toBeNull();
    await expect(reader.openBuild()).rejects.toThrow(/for reading/);
    await reader.close();
    await empty.remove();
  });

  it('correct words and say which', async () => {
    const { hits, meta } = await trial.find({ text: 'viadcut paintng' });
    expect(hits.map(({ notice_id }) => notice_id)).toEqual(['r-1']);
    expect(meta.corrections).toEqual([
      { from: 'viadcut', to: 'viaduct' },
      { from: 'paintng', to: 'painting' },
    ]);
  });

  it('find a postcode that stands in a text without its space', async () => {
    const joined = someDocument({ notice_id: 'joined', title: 'Harbour', description: 'Deliver to ZE29AB' });
    await trial.add([joined]);
    expect((await trial.find({ text: 'ZE2 9AB' })).hits.map(({ notice_id }) => notice_id)).toEqual(['joined']);
    await trial.add([], [joined.id]);
  });

  it('look for what a rare word is a slip of, after those that hold it', async () => {
    const rows = Array.from({ length: 20 }, (_, index) =>
      someDocument({ notice_id: `s-${index}`, title: `Stationery ${index}` }),
    );
    await trial.add([...rows, someDocument({ notice_id: 'slip', title: 'Supply of stationary' })]);
    const { hits, total, meta } = await trial.find({ text: 'stationary' });
    expect(hits[0]?.notice_id).toBe('slip');
    expect(total).toBe(21);
    expect(meta.corrections).toEqual([{ from: 'stationary', to: 'stationery' }]);
    await trial.add([], [...rows.map(({ id }) => id), someDocument({ notice_id: 'slip' }).id]);
  });

  it('are replaced when killed between and during queries', async () => {
    await trial.find();
    const [first] = engine.readers.pids();
    process.kill(first ?? 0, 'SIGKILL');
    const answers = await Promise.all([trial.find(), trial.find({ text: 'viaduct' })]);
    expect(answers.map(({ total }) => total)).toEqual([1, 1]);
    const [second] = engine.readers.pids();
    expect(second).not.toBe(first);
    process.kill(second ?? 0, 'SIGSTOP');
    const waiting = trial.find();
    setTimeout(() => process.kill(second ?? 0, 'SIGKILL'), 50);
    expect((await waiting).total).toBe(1);
  });

  it('are killed past the deadline, and the next query is answered', async () => {
    const [pid] = engine.readers.pids();
    process.kill(pid ?? 0, 'SIGSTOP');
    await expect(trial.find()).rejects.toBeInstanceOf(SearchUnavailable);
    expect((await trial.find()).total).toBe(1);
    expect(isRunning(pid ?? 0)).toBe(false);
  });

  it('are not blamed for a deadline that passed while nobody could hear them', async () => {
    await trial.find();
    const [pid] = engine.readers.pids();
    const found = trial.find({ text: 'viaduct' });
    await new Promise((resolve) => setImmediate(resolve));
    const busyUntilMs = performance.now() + 800;
    while (performance.now() < busyUntilMs);
    expect((await found).total).toBe(1);
    expect(engine.readers.pids()).toEqual([pid]);
  });

  it('end with the engine', async () => {
    const other = await makeFolder();
    const { index, url } = await openIndex(other.path);
    const short = makeEmbeddedEngine(index, { url });
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

/** Whether a process runs; one that has ended and waits to be collected does not. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
