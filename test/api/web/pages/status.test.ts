import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldQuarters, splitWeeks } from '../../../../api/web/charts/heat-map.tsx';
import { makeSeededEngine } from '../engine.ts';
import { seedCatalogue } from '../seed.ts';
import { type Site, startSite } from '../site.ts';
import { wordsIn } from '../visitor.ts';

let site: Site;
let html: string;
beforeAll(async () => {
  site = await startSite({ AS_OF: '2026-11-20T12:00:00Z' }, makeSeededEngine());
  await seedCatalogue(site.services.catalogue);
  html = (await site.visitor().get('/status')).html;
});
afterAll(() => site?.close());

describe('the status page', () => {
  it('tells every source in a line, and how far the search is behind', () => {
    const [, table = ''] = /<table[^>]*>(.*?)<\/table>/s.exec(html) ?? [];
    const lines = [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, line = '']) => line.replace(/<[^>]+>/g, '|'));
    expect(lines).toHaveLength(4);
    expect(lines[2]).toMatch(/Find a Tender.*none yet.*\|now\|.*no, 1 gap.*0/);
    expect(html).toContain('Search: Embedded index: up to date.');
  });

  it('has a day to which a source is up to date, and the front page calls it no more than that', async () => {
    const front = wordsIn((await site.visitor().get('/')).html);
    expect(front).toContain('releases from Find a Tender, up to date to 20 November 2026 at 12:00');
    expect(front).not.toContain('complete to');
  });

  it('names the notice types whose notices are unknown', () => {
    const text = wordsIn(html);
    expect(text).toContain('Unknown Website invitation to tender (type 51): 2 months, the newest November 2026');
    expect(text).not.toContain('(type 53)');
  });

  it('draws a year of days: what they hold, what was not read, and what lies before', () => {
    const cells = html.match(/<rect class="l\d[^"]*" y="[^"]+"><title>[^<]+<\/title>/g) ?? [];
    expect(cells).toHaveLength(366);
    const cellOf = (day: string) => cells.find((cell) => cell.includes(`>${day}:`));
    expect(cellOf('4 March 2026')).toBe('<rect class="l4" y="4em"><title>4 March 2026: 30</title>');
    expect(cellOf('5 March 2026')).toBe('<rect class="l0" y="5.25em"><title>5 March 2026: 0</title>');
    expect(cellOf('6 May 2026')).toBe('<rect class="l0 not" y="4em"><title>6 May 2026: 0, not read</title>');
    expect(cellOf('20 November 2026')).toMatch(
      /^<rect class="l\d part" y="6.5em"><title>20 November 2026: 7, read in pa/,
    );
    expect(cellOf('21 November 2025')).toContain('class="l0 before"');
    expect(html).toContain('40 in 366 days; 1 day not read');
    const heat = /<div class="heat">.*?<\/div>/s.exec(html)?.[0] ?? '';
    expect(heat.length / cells.length).toBeLessThan(90);
    expect(html.match(/<svg height="[^"]+" role="img"><title>Releases of Find a Tender, /g)).toHaveLength(4);
  });

  it('is shown whole on a phone: every cell has its heading, and nothing scrolls out of sight', () => {
    const table = /<table class="stack"[\s\S]*?<\/table>/.exec(html)?.[0] ?? '';
    const labels = [...table.matchAll(/<td[^>]*data-label="([^"]+)"/g)].slice(0, 4).map(([, label]) => label);
    expect(labels).toEqual(['Last successful update', 'Up to date to', 'Complete', 'In quarantine']);
  });

  it('has the same as a table, a line a week', () => {
    const [, week = ''] = /<th scope="row">2 March 2026<\/th>(.*?)<\/tr>/s.exec(html) ?? [];
    expect([...week.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => cell)).toEqual([
      '3',
      '0',
      '30',
      '0',
      '0',
      '0',
      '0',
    ]);
    expect(html).toContain('href="/v1/status?days=366"');
  });
});

describe('a calendar', () => {
  const days = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      day: new Date(Date.UTC(2025, 10, 20 + at)).toISOString().slice(0, 10),
    }));

  it('has its days under their weekdays, whatever day it begins on', () => {
    const [first, second] = splitWeeks(days(9));
    expect(first?.monday).toBe('2025-11-17');
    expect(first?.days.map((day) => day?.day.slice(8) ?? null)).toEqual([null, null, null, '20', '21', '22', '23']);
    expect(second?.days.map((day) => day?.day.slice(8) ?? null)).toEqual(['24', '25', '26', '27', '28', null, null]);
  });

  it.each([
    [1, [1]],
    [5, [5]],
    [15, [15]],
    [53, [14, 13, 13, 13]],
    [54, [15, 13, 13, 13]],
  ])('of %d weeks folds into quarters', (weeks, lengths) => {
    expect(foldQuarters([...Array(weeks).keys()]).map(({ length }) => length)).toEqual(lengths);
  });
});
