import type { IncomingMessage } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeLimits, networkKey } from '../../../api/access/limits.ts';
import { makeOwnMachine, makeWindows } from '../../../api/concurrency/machine.ts';
import { clientAddress } from '../../../api/http/exchange.ts';
import { createKey } from '../../../schema/accounts/customer/account.ts';
import { ask } from '../../support/client.ts';
import { buildServer } from '../../support/services.ts';
import { testRows } from '../test-operations.ts';

describe('an allowance', () => {
  it('is sent as structured fields: its policy, what is left and when it is whole again', async () => {
    const limits = makeLimits(makeOwnMachine(), { name: 'keys', policy: 'key', requests: 2 });
    const taken = [await limits.take('a'), await limits.take('a'), await limits.take('a')];
    expect(taken.map(({ exceeded }) => exceeded)).toEqual([false, false, true]);
    expect(taken[0]?.headers).toEqual({ 'RateLimit-Policy': '"key";q=2;w=60', RateLimit: '"key";r=1;t=60' });
    expect(taken[2]?.headers.RateLimit).toMatch(/^"key";r=0;t=\d+$/);
    expect(taken[2]?.retryAfterSeconds).toBeGreaterThan(0);
    expect((await limits.take('b')).exceeded).toBe(false);
  });

  it('has room for so many ids: the least recent one is forgotten', () => {
    const windows = makeWindows(60, 3);
    for (const id of ['a', 'b', 'c', 'a', 'd']) windows.take(id);
    expect(['a', 'd', 'c', 'b'].map((id) => windows.take(id).count)).toEqual([3, 2, 2, 1]);
  });

  it('begins again where the clock was set back, so that nobody waits until it is where it was', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T10:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    const windows = makeWindows(60);
    windows.take('a');
    vi.setSystemTime('2026-11-21T09:00:00Z');
    expect([windows.take('a'), windows.take('a')]).toEqual([
      { count: 1, waitSeconds: 60 },
      { count: 2, waitSeconds: 60 },
    ]);
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['2001:db8:1::2:3:4:5', '2001:db8:1:0:6:7:8:9', true],
    ['::ffff:192.0.2.1', '192.0.2.1', true],
    ['::FFFF:192.0.2.1', '192.0.2.1', true],
    ['192.0.2.1', '192.0.2.2', false],
  ])('of an address counts one customer’s network as one: %s and %s', async (one, other, isSame) => {
    for (const policy of ['address', 'address-day'] as const) {
      const limits = makeLimits(makeOwnMachine(), { name: 'addresses', policy, requests: 1 });
      await limits.take(one);
      expect((await limits.take(other)).exceeded).toBe(isSame);
    }
  });
});

it.each([
  ['192.0.2.1', '192.0.2.200', true],
  ['192.0.2.1', '192.0.3.1', false],
  ['::ffff:192.0.2.1', '192.0.2.200', true],
  ['2001:db8:1:200::1', '2001:db8:1:2ff::9', true],
  ['2001:db8:1:200::1', '2001:db8:1:300::1', false],
  ['2001:db8:a:200::1', '2001:db8:b:200::1', false],
  ['2001:db8::1', '2001:db8::2', true],
])('sign-ups from %s and %s count for one network: %s', (one, other, isSame) => {
  expect(networkKey(one) === networkKey(other)).toBe(isSame);
});

describe('the client’s address', () => {
  const from = (forwarded: string | undefined) =>
    ({
      headers: { 'x-forwarded-for': forwarded },
      socket: { remoteAddress: '10.0.0.1' },
    }) as unknown as IncomingMessage;

  it.each([
    [0, '1.1.1.1', '10.0.0.1'],
    [1, '6.6.6.6, 1.1.1.1', '1.1.1.1'],
    [2, '6.6.6.6, 1.1.1.1, 10.0.0.2', '1.1.1.1'],
    [2, undefined, '10.0.0.1'],
  ])('behind %i proxies', (hops, forwarded, address) => {
    expect(clientAddress(from(forwarded), hops)).toBe(address);
  });
});

describe('too many requests', () => {
  it("are 429 for an account's keys together, five times as many; its refusals count, no other account's", async () => {
    const small = await buildServer({ operations: testRows, settings: { KEY_REQUESTS_PER_MINUTE: '2' } });
    const at = new Date().toISOString();
    const { accountId, services } = small;
    const prefix = services.settings.KEY_PREFIX;
    const keys = [small.key];
    for (const name of ['b', 'c', 'd', 'e', 'f'])
      keys.push((await createKey(services.accounts, { accountId, name, prefix, at })).key);
    const waits: [number, string | null][] = [];
    for (const key of keys.flatMap((one) => [one, one])) {
      const { status, headers } = await ask(small.url, '/v1/things/a?limit=0', key);
      waits.push([status, headers.get('ratelimit')?.split(';')[0] ?? null]);
    }
    expect(waits.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => [422, '"key"']));
    expect(waits.slice(10)).toEqual([
      [429, '"account"'],
      [429, '"account"'],
    ]);
    const { key } = await small.addCustomer(50);
    expect((await ask(small.url, '/v1/things/a', key)).status).toBe(200);
    await small.close();
  });

  it('are 429 for an address whose pages ask whether they may call /mcp, or may not, or look at it', async () => {
    const small = await buildServer({ operations: testRows, settings: { KEY_REQUESTS_PER_MINUTE: '3' } });
    const from = (method: string, origin: string) =>
      ask(small.url, '/mcp/', undefined, { method, headers: { origin } });
    const answers = [
      await from('OPTIONS', 'http://localhost:6274'),
      await from('POST', 'https://evil.example'),
      await from('GET', 'http://localhost:6274'),
      await from('POST', 'https://evil.example'),
      await from('OPTIONS', 'http://localhost:6274'),
      await from('GET', 'http://localhost:6274'),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get('ratelimit')?.split(';t')[0]])).toEqual([
      [204, '"address";r=2'],
      [403, '"address";r=1'],
      [405, '"address";r=0'],
      [429, '"address";r=0'],
      [429, '"address";r=0'],
      [429, '"address";r=0'],
    ]);
    await small.close();
  });
});
