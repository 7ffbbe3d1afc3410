import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.close());

describe('the search of the API reference', () => {
  const find = async (words: string) => {
    const { status, html } = await site.visitor().get(`/docs?query=${encodeURIComponent(words)}`);
    return { status, html, found: [...html.matchAll(/<a href="\/docs\/(\w+)">/g)].map(([, id]) => id) };
  };

  it.each([
    ['bulk', 'bulk_export'],
    ['/v1/balance', 'get_balance'],
    ['EXPORT csv', 'bulk_export'],
    ['value_min tenders', 'search_tenders'],
    ['credits_remaining', 'search_companies'],
  ])('finds "%s" in names, addresses, descriptions, inputs and answer fields', async (words, id) => {
    const { status, found } = await find(words);
    expect([status, found]).toEqual([200, expect.arrayContaining([id])]);
  });

  it('narrows with each word, and says when nothing matches', async () => {
    const [one, two] = [await find('export'), await find('export filters')];
    expect(two.found.length).toBeLessThan(one.found.length);
    expect((await find('zebra')).html).toContain('0 matching calls');
  });

  it('repeats at most 300 characters of its words, escaped', async () => {
    const { html } = await find(`<b>${'x'.repeat(5_000)}`);
    expect(html).toContain('&lt;b>x');
    expect(html).not.toContain('x'.repeat(301));
  });
});

describe('a link to the former viewer', () => {
  it('leads to the reference, where its fragment is a row', async () => {
    const { status, headers } = await fetch(`${site.url}/docs/try`, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([301, '/docs']);
    expect((await site.visitor().get('/docs')).html).toContain('id="/exports/bulk_export"');
  });
});
