import { afterEach, describe, expect, it } from 'vitest';
import type { Fault } from './faults.ts';
import { ask } from './fetch-package.ts';
import { makeSample } from './sample/make.ts';
import { startUpstream, type Upstream, type UpstreamOptions } from './server.ts';

const sample = makeSample({ notices: 60 });
const WINDOW = '/api/1.0/ocdsReleasePackages?limit=5';
const SEARCH = '/Published/Notices/OCDS/Search?limit=5';
let upstream: Upstream | undefined;
afterEach(async () => {
  await upstream?.close();
  upstream = undefined;
});

async function start(options: Partial<UpstreamOptions> = {}): Promise<string> {
  upstream = await startUpstream({ data: sample, ...options });
  return upstream.url;
}

describe('limits', () => {
  it('are twelve in two minutes for both procurement services together, then 429 with the wait', async () => {
    let nowMs = 1_000_000;
    const url = await start({ enforceLimits: true, now: () => nowMs });
    for (let n = 0; n < 12; n++) expect((await ask(url + (n % 2 ? WINDOW : SEARCH))).status).toBe(200);
    const refused = await ask(url + SEARCH);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('120');
    expect(refused.text).toMatch(/^Rate limit of 12 exceeded/);
    nowMs += 120_000;
    expect((await ask(url + WINDOW)).status).toBe(200);
    expect(upstream?.requests).toHaveLength(14);
    expect(upstream?.requests.filter(({ status }) => status === 429)).toHaveLength(1);
  });

  it('count a notice by its number like a window, and are 240 for all paths together', async () => {
    let nowMs = 1_000_000;
    const url = await start({ enforceLimits: true, now: () => nowMs });
    for (let n = 0; n < 12; n++) await ask(`${url}/api/1.0/ocdsReleasePackages/${900_000 + n}-2026`);
    expect((await ask(`${url}/api/1.0/ocdsReleasePackages/000001-2026`)).status).toBe(429);
    const day = `${url}/Harvester/Notices/Data/CSV/2026/11/19`;
    for (let n = 0; n < 228; n++) expect((await ask(day)).status).not.toBe(429);
    const refused = await ask(day);
    expect(refused.status).toBe(429);
    expect(refused.text).toMatch(/^Rate limit of 240 exceeded/);
    nowMs += 120_000;
    expect((await ask(day)).status).not.toBe(429);
  });

  it('are 600 in five minutes on the register', async () => {
    const url = await start({ enforceLimits: true, now: () => 5000 });
    const headers = { authorization: `Basic ${Buffer.from('k:').toString('base64')}` };
    for (let n = 0; n < 600; n++) await ask(`${url}/company/00000000`, headers);
    expect((await ask(`${url}/company/00000000`, headers)).status).toBe(429);
  });

  it('block the user agents that the load balancer blocks', async () => {
    const url = await start({ enforceLimits: true });
    expect((await ask(url + WINDOW, { 'user-agent': 'Bun/1.2.3' })).status).toBe(403);
    expect((await ask(url + WINDOW, { 'user-agent': 'a-reader/1.0 (mail@reader.example)' })).status).toBe(200);
  });

  it('are off by default', async () => {
    const url = await start();
    for (let n = 0; n < 20; n++) expect((await ask(url + WINDOW)).status).toBe(200);
  });
});

describe('faults', () => {
  const raw = (url: string) =>
    fetch(url).then(async (response) => ({
      status: response.status,
      headers: response.headers,
      text: await response.text(),
    }));
  const set = (fault: Fault) => upstream?.setFaults([{ path: /ocdsReleasePackages/, fault }]);

  it('spoil a body: broken, cut short, HTML', async () => {
    const url = await start();
    set({ kind: 'broken_json' });
    const broken = await raw(url + WINDOW);
    expect(() => JSON.parse(broken.text)).toThrow();
    set({ kind: 'truncated' });
    await expect(raw(url + WINDOW)).rejects.toThrow();
    set({ kind: 'html' });
    expect(await raw(url + WINDOW)).toMatchObject({ status: 200, text: expect.stringContaining('<html>') });
  });

  it('refuse with a status and a wait, or cut the connection', async () => {
    const url = await start();
    set({ kind: 'status', status: 429, retryAfterSeconds: 7 });
    const refused = await raw(url + WINDOW);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7']);
    set({ kind: 'status', status: 503 });
    expect((await raw(url + WINDOW)).status).toBe(503);
    set({ kind: 'reset' });
    await expect(raw(url + WINDOW)).rejects.toThrow();
    expect(upstream?.requests.at(-1)?.status).toBe(0);
  });

  it('wait, count, skip, and leave other paths alone', async () => {
    const url = await start({
      faults: [{ path: /ocdsReleasePackages/, fault: { kind: 'status', status: 503 }, skip: 1, times: 2 }],
    });
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push((await raw(url + WINDOW)).status);
    expect(statuses).toEqual([200, 503, 503, 200]);
    expect((await raw(url + SEARCH)).status).toBe(200);
    set({ kind: 'delay', delayMs: 300 });
    const answered: string[] = [];
    const asked = [WINDOW, SEARCH].map((path) => raw(url + path).then(() => answered.push(path)));
    await Promise.all(asked);
    expect(answered).toEqual([SEARCH, WINDOW]);
  });

  it('add a release without an ocid, or of an unknown type, before the others', async () => {
    const url = await start();
    const before = (await ask(url + WINDOW)).releases;
    set({ kind: 'release_without_ocid' });
    const [first, ...rest] = (await ask(url + WINDOW)).releases;
    expect(first?.ocid).toBeUndefined();
    expect(rest).toEqual(before);
    set({ kind: 'unknown_notice_type' });
    expect((await ask(url + WINDOW)).text).toContain('"noticeType":"UK99"');
  });
});
