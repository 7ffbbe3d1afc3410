import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { type Bar, Bars, describeBars } from '../../../../api/web/charts/bars.tsx';
import { HeatMap } from '../../../../api/web/charts/heat-map.tsx';
import { RankedBars } from '../../../../api/web/charts/ranked-bars.tsx';
import { endLabel, placeBands, scaleLength, thinFigure, thinLabel } from '../../../../api/web/charts/scale.ts';
import { stackMarks, Timeline } from '../../../../api/web/charts/timeline.tsx';
import { fillYears } from '../../../../api/web/records/organisation/by-year.tsx';

const bar = (name: string, amount: number): Bar => ({ name, amount, short: `£${amount}`, long: `${amount} pounds` });
const now = new Date('2026-06-01T12:00:00Z');

describe('bars', () => {
  const html = renderToString(
    h(Bars, { title: 'Value in GBP', bars: [bar('2024', 10), bar('2025', 0), bar('2026', 40)] }),
  );

  it('have a name, a description and a word for each, and no size that would shrink their letters', () => {
    expect(html).toContain('role="img"><title>Value in GBP</title>');
    expect(html).toContain('<desc>From 2024 to 2026. Most in 2026: 40 pounds.</desc>');
    expect(html).toContain('<title>2024: 10 pounds</title>');
    expect(html).not.toMatch(/viewBox|style=/);
  });

  it('are as high as their amounts, and nothing has no height', () => {
    const heights = [...html.matchAll(/<rect[^>]* height="([\d.]+)em"/g)].map(([, height]) => Number(height));
    expect(heights[2]).toBeGreaterThan(0);
    expect(heights).toEqual([(heights[2] ?? 0) / 4, 0, heights[2]]);
  });

  it('show what is more than nothing, however little, and draw nothing downwards', () => {
    const tiny = renderToString(h(Bars, { title: 'x', bars: [bar('a', 1), bar('b', 1e12), bar('c', -5)] }));
    const heights = [...tiny.matchAll(/<rect[^>]* height="([\d.]+)em"/g)].map(([, height]) => Number(height));
    expect(heights).toEqual([0.15, 8.5, 0]);
  });

  it('of no year are no picture, of one are a sentence', () => {
    expect(renderToString(h(Bars, { title: 'x', bars: [] }))).toBe('');
    expect(describeBars([bar('2026', 3)])).toBe('2026: 3 pounds.');
  });
});

describe('labels', () => {
  it('are thinned from the newest backwards: always there, where there is room, or not at all', () => {
    const seen = (count: number, kind: string | null) =>
      Array.from({ length: count }, (_, at) => thinLabel(at, count)).filter((label) => label === kind).length;
    expect(thinLabel(11, 12)).toBe('label');
    for (const count of [1, 5, 12, 26, 40]) {
      expect(seen(count, 'label')).toBeLessThanOrEqual(5);
      expect(seen(count, 'label') + seen(count, 'label wide')).toBeLessThanOrEqual(10);
    }
  });
});

describe('figures on many bars', () => {
  const month = Array.from({ length: 30 }, (_, at) => (at === 22 ? 90 : at === 28 || at === 20 ? 40 : 10));

  it('are left out where they would lie on a taller neighbour, of few bars never; the greatest has its own', () => {
    expect([5, 20, 22, 29].map((at) => thinFigure(at, month))).toEqual([
      'label wide',
      'label roomy',
      'label',
      'label roomy',
    ]);
    expect(thinFigure(21, month)).toBeNull();
    expect(thinFigure(1, [90, 10, 90])).toBe('label');
    const years = [1, 2, 3, 90, 4, 5, 6];
    expect(years.map((_, at) => thinFigure(at, years))).toEqual([
      'label',
      'label wide',
      'label wide',
      'label',
      'label wide',
      'label wide',
      'label',
    ]);
    const quarter = Array.from({ length: 90 }, (_, at) => (at === 88 ? 90 : 10));
    expect([88, 89].map((at) => thinFigure(at, quarter))).toEqual(['label', null]);
  });

  it('and their names do not stick out at the ends', () => {
    expect([0, 15, 29].map((at) => endLabel(at, 30))).toEqual(['start', undefined, 'end']);
    expect(endLabel(0, 5)).toBeUndefined();
    const html = renderToString(h(Bars, { title: 'x', bars: month.map((amount, at) => bar(`day ${at}`, amount)) }));
    expect(html).toMatch(/<text class="label name" x="99[^"]*%" text-anchor="end"[^>]*>day 29<\/text>/);
  });
});

describe('places', () => {
  it('stand side by side within the width, and a few do not grow fat', () => {
    for (const count of [1, 3, 12, 40]) {
      const bands = placeBands(count);
      expect(bands).toHaveLength(count);
      expect(bands.every(({ x, width }) => x >= 0 && x + width <= 100 && width <= 20)).toBe(true);
    }
  });

  it('are lengths of nothing where all is nothing', () => {
    expect([0, 5].map(scaleLength(0, 100))).toEqual([0, 100]);
    expect(scaleLength(0, 100)(0)).toBe(0);
  });
});

describe('years', () => {
  const year = (name: string) => ({ year: name, contract_count: 1, sum: {} });

  it('come oldest first, with those between in which nothing happened', () => {
    expect(fillYears([year('2026'), year('2023')]).map(({ year, contract_count }) => [year, contract_count])).toEqual([
      ['2023', 1],
      ['2024', 0],
      ['2025', 0],
      ['2026', 1],
    ]);
  });

  it('leave out what is no year, and do not draw centuries', () => {
    expect(fillYears([year('1900'), year('2026'), year('')]).map(({ year }) => year)).toEqual(['1900', '2026']);
    expect(fillYears([year('')])).toEqual([]);
  });
});

describe('ranked bars', () => {
  const row = (key: string, amount: number) => ({ key, name: key, amount, meaning: `${amount} of 4`, cells: [amount] });
  const draw = (...rows: ReturnType<typeof row>[]) =>
    renderToString(h(RankedBars, { label: 'Buyers', heads: ['Name', 'Contracts'], rows }));

  it('are a table whose every name has a bar that says its share', () => {
    const html = draw(row('Ambleford', 4), row('Brackley', 1), row('Corby', 1));
    expect(html).toContain(
      '<th scope="row">Ambleford<svg role="img" height="0.4rem"><title>4 of 4</title><rect width="100%"',
    );
    expect(html).toContain('<title>1 of 4</title><rect width="25%"');
  });

  it('are left out where all are alike, and the table where there is nobody', () => {
    expect(draw(row('Ambleford', 1), row('Brackley', 1))).not.toContain('<svg');
    expect(draw()).toBe('');
  });
});

it('a calendar says how many of its days were not read, also of one', () => {
  const days = (['not', 'whole'] as const).map((state, at) => ({
    day: `2026-03-0${at + 2}`,
    amount: at,
    state,
    tooltip: '',
  }));
  const html = renderToString(h(HeatMap, { title: 'Releases', days }));
  expect(html).toContain('<title>Releases, 2 March 2026 to 3 March 2026: 1, 1 day not read</title>');
});

describe('a line of time', () => {
  const moment = (day: string) => ({ day, name: `Notice of ${day}` });
  const draw = (days: string[], spans: { name: string; from: string; to: string }[] = []) =>
    renderToString(h(Timeline, { title: 'Timeline', moments: days.map(moment), spans, now }));
  const contract = { name: 'Contract', from: '2026-02-01', to: '2027-01-31' };

  it('numbers what happened, names what lasts, and says where we are', () => {
    const html = draw(['2026-01-01', '2026-05-01'], [contract]);
    expect(html).toContain('<desc>1 January 2026: Notice of 2026-01-01. 1 May 2026: Notice of 2026-05-01. Contract: ');
    expect(html).toContain('>Contract: 1 Feb 2026 to 31 Jan 2027</text>');
    expect(html).toContain('today</text>');
  });

  it('keeps every mark within the picture, and those of one day apart', () => {
    const html = draw(['2026-01-01', '2026-01-01', '2026-01-02', '2026-05-01'], [contract]);
    const marks = [...html.matchAll(/<circle cx="([\d.]+)%" cy="([\d.]+)em"/g)].map(([, x, y]) => [Number(x), y]);
    expect(marks.every(([x]) => Number(x) >= 0 && Number(x) <= 100)).toBe(true);
    expect(new Set(marks.map(String)).size).toBe(4);
    expect(stackMarks([10, 11, 12, 30])).toEqual([0, 1, 2, 0]);
  });

  it('lets a long contract run out of the picture rather than press its notices together', () => {
    const html = draw(['2026-01-01', '2026-05-01'], [{ ...contract, to: '2056-01-31' }]);
    const [first, last] = [...html.matchAll(/<circle cx="([\d.]+)%"/g)].map(([, x]) => Number(x));
    expect((last ?? 0) - (first ?? 0)).toBeGreaterThan(30);
    expect(html).toContain('to 31 Jan 2056');
  });

  it('leaves out days that cannot be, and draws nothing for one notice alone', () => {
    const absurd = [
      { name: 'Contract', from: '2026-02-01', to: '2999-12-31' },
      { name: 'Back', from: '2026-02-01', to: '2025-01-01' },
      { name: 'None', from: 'soon', to: 'later' },
    ];
    expect(draw(['2026-01-01'], absurd)).toBe('');
    expect(draw(['2026-01-01', '2026-05-01'], absurd)).not.toMatch(/Contract|Back|None|NaN/);
  });
});
