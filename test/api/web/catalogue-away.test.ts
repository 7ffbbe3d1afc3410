import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DatabaseAway } from '../../../schema/db/interface.ts';
import { makeSeededEngine } from './engine.ts';
import { type Site, startSite } from './site.ts';

const SAID = 'http://catalogue.internal:8080 does not answer';

describe.each([
  ['that never answered', false],
  ['that answered before', true],
])('with a catalogue %s', (_before, answered) => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite({}, makeSeededEngine());
    const { catalogue } = site.services;
    await catalogue.write([{ sql: "INSERT INTO meta (name, value) VALUES ('sample', 'A sample of our own.')" }]);
    if (answered) await site.visitor().get('/terms');
    // What is kept of it for half a minute is old by now.
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
    site.services.catalogue.read = () => Promise.reject(new DatabaseAway(SAID));
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await site?.close();
  });

  it.each(['/', '/status', '/notices', '/notices/000001-2026'])(
    '%s says when to come again, in a page of ours',
    async (path) => {
      const { status, headers, html } = await site.visitor().get(path);
      expect([status, headers.get('retry-after')]).toEqual([503, '2']);
      expect(html).toContain('Not available for a moment');
      expect(html).not.toContain(SAID);
      expect(html.includes('A sample of our own.')).toBe(answered);
    },
  );

  it('a page without data is shown', async () => {
    const { status, html } = await site.visitor().get('/sign-in');
    expect([status, html.includes('A sample of our own.')]).toEqual([200, answered]);
  });
});
