import { afterEach, describe, expect, it } from 'vitest';
import { runSource } from '../../ingest/run.ts';
import type { Fault } from '../upstream/faults.ts';
import { makeData, makeNotices, makeWorld, type World, type WorldOptions, worldSettings } from './small-world.ts';

const HOUR_MS = 3_600_000;
const PATH = /ocdsReleasePackages/;
let world: World;
afterEach(() => world.close());

const open = async (options: WorldOptions = {}) => {
  world = await makeWorld(makeData({ findATender: makeNotices(40, HOUR_MS) }), options);
};
const run = () => runSource(world.context, 'find_a_tender');
const cursor = async () => (await world.rows<{ value: string }>('SELECT value FROM cursor'))[0]?.value;
const moveTo = (url: string) => {
  world.context.settings = worldSettings(url, world.context.settings.DATA_DIR, { PROCUREMENT_GAP_SECONDS: '0' });
};

describe('an upstream that answers with something else', () => {
  it.each<[string, Fault, RegExp]>([
    ['an error in JSON, as 200', { kind: 'error_json' }, /not an OCDS package: an error answer/],
    ['an error page, as 200', { kind: 'html' }, /gave no usable answer in 5 attempts: a web page came instead of data/],
    [
      'an error page after a byte order mark and a comment, as 200',
      { kind: 'body', of: () => Buffer.from('\ufeff<!-- closed --><html>Maintenance</html>') },
      /gave no usable answer in 5 attempts: a web page came instead of data/,
    ],
    ['nothing at all, as 200', { kind: 'empty' }, /not an OCDS package: an empty body/],
    [
      'what is announced as gzip and is none',
      { kind: 'gzip_garbage' },
      /5 attempts: .*(Z_DATA_ERROR|incorrect header)/,
    ],
    ['a redirect for ever', { kind: 'redirect' }, /moved elsewhere \(302\); its address is a setting/],
  ])('%s: says so in the run, loses nothing, and the next run heals', async (_name, fault, message) => {
    await open({ faults: [{ path: PATH, fault, skip: 2 }] });
    expect(await run()).toMatchObject({ state: 'failed', error: expect.stringMatching(message) });
    const before = (await cursor()) ?? '';
    expect(before < '2026-11-20T12:00:00Z').toBe(true);
    expect(await world.rows('SELECT state, error FROM run')).toEqual([
      { state: 'failed', error: expect.stringMatching(message) },
    ]);
    world.upstream.setFaults([]);
    expect(await run()).toMatchObject({ state: 'succeeded', error: null });
    expect(await world.count('release')).toBe(40);
    expect(await cursor()).toBe('2026-11-20T12:00:00Z');
  });

  it('a redirect is not followed past the limiter: one request, one answer', async () => {
    await open({ faults: [{ path: PATH, fault: { kind: 'redirect' } }] });
    expect(await run()).toMatchObject({ state: 'failed', requests: 1 });
    expect(world.upstream.requests).toHaveLength(1);
  });
});

describe('an upstream that cannot be reached', () => {
  it.each([
    [
      'no such host',
      () => 'http://no-such-host.invalid',
      /no-such-host\.invalid gave no usable answer.*(ENOTFOUND|EAI_AGAIN)/,
    ],
    ['no TLS where it is due', (url: string) => url.replace('http:', 'https:'), /5 attempts: fetch failed: \S+/],
  ])('%s: the run says which, and where, and moves no cursor', async (_name, change, message) => {
    await open();
    moveTo(change(world.upstream.url));
    expect(await run()).toMatchObject({ state: 'failed', error: expect.stringMatching(message) });
    expect(await cursor()).toBeUndefined();
    moveTo(world.upstream.url);
    expect(await run()).toMatchObject({ state: 'succeeded', stored: 40 });
  });
});

describe('a run outside of what its source is known for', () => {
  it('says so in its row, though it succeeded; one inside says nothing', async () => {
    await open();
    world.context.expected = { least: 100, most: 2_000 };
    const warning = '20 releases a day, expected 100 to 2000';
    expect(await run()).toMatchObject({ state: 'succeeded', warning });
    expect(await world.rows('SELECT warning FROM run')).toEqual([{ warning }]);
    await world.close();
    await open();
    world.context.expected = { least: 1, most: 2_000 };
    expect(await run()).toMatchObject({ state: 'succeeded', warning: null });
  });
});
