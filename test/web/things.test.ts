import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSeededEngine } from './engine.ts';
import { IDS, seedCatalogue } from './seed.ts';
import { type Site, startSite } from './site.ts';

let site: Site;

beforeAll(async () => {
  site = await startSite({}, makeSeededEngine());
  await seedCatalogue(site.house.catalogue);
});
afterAll(() => site?.close());

const get = (path: string) => site.visitor().get(path);
/** What is read between the tags. */
const wordsIn = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

describe('the page of a contract', () => {
  it('tells every notice of it, oldest first, and what each said', async () => {
    const { html } = await get(`/contracts/${IDS.contract}`);
    const items = [...html.matchAll(/<li[^>]*><span class="order">(.*?)<\/li>/g)].map(([item]) => wordsIn(item));
    expect(items).toEqual([
      expect.stringMatching(/^1 20 October 2026 UK4 Tender notice 000123-2026$/),
      expect.stringMatching(/^2 2 November 2026 UK6 .* 000456-2026 with .*Sons &lt;Ltd>$/),
      expect.stringMatching(/^3 2 November 2026 UK10 .* Active · £990,000 \(excluding VAT\) · to 31 March 2029$/),
      expect.stringMatching(/^4 3 November 2026 UK9 .* 000100-2026$/),
    ]);
    expect(html).toContain('href="/notices/000099-2026"');
  });

  it('draws them on a line of time, with the same numbers', async () => {
    const { html } = await get(`/contracts/${IDS.contract}`);
    const picture = /<svg[^>]*role="img"[^>]*><title>Timeline of 4 notices.*?<\/svg>/.exec(html)?.[0] ?? '';
    expect([...picture.matchAll(/>(\d)<\/text>/g)].map(([, number]) => number)).toEqual(['1', '2', '3', '4']);
    expect(picture).toContain('<desc>20 October 2026: UK4 Tender notice. 3 November 2026: UK9');
  });
});
