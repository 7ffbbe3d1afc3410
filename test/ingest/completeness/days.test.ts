import { afterEach, describe, expect, it } from 'vitest';
import { judgeDay, readDays } from '../../../ingest/completeness/days.ts';
import { findMissing } from '../../../ingest/completeness/stored.ts';
import { nearNumbers } from '../../../ingest/crawl/buffer.ts';
import { runSource } from '../../../ingest/run.ts';
import { registerSources } from '../../../ingest/runs/record.ts';
import type { WindowsSource } from '../../../ingest/source.ts';
import { findATender } from '../../../ingest/sources/find-a-tender.ts';
import { sources } from '../../../ingest/sources/index.ts';
import { AS_OF, makeData, makeNotices, makeWorld, type World } from '../small-world.ts';

const HOUR_MS = 3_600_000;
const usual = { least: 20, most: 2_000 };

describe('a day', () => {
  it('is unusual with few releases on a working day, not on one when nobody publishes', () => {
    expect(judgeDay('2026-11-18', 3, usual)).toBe('FEWER THAN 20');
    expect(judgeDay('2026-11-18', 20, usual)).toBeNull();
    expect(judgeDay('2026-11-15', 0, usual)).toBeNull();
    expect(judgeDay('2026-12-25', 0, usual)).toBeNull();
    expect(judgeDay('2026-11-15', 2_001, usual)).toBe('MORE THAN 2000');
  });

  describe('of a catalogue', () => {
    let world: World;
    afterEach(() => world.close());

    it('is judged only where the whole of it was fetched', async () => {
      world = await makeWorld(makeData({ findATender: makeNotices(30, HOUR_MS) }));
      await registerSources(world.catalogue, sources);
      await runSource(world.context, 'find_a_tender', { since: new Date(AS_OF.getTime() - 40 * HOUR_MS) });
      const context = { ...world.context, expected: { least: 25, most: 2_000 } };
      const days = await readDays(context, findATender, { since: '2026-11-17', until: '2026-11-21' });
      expect(days).toMatchObject([
        { day: '2026-11-21', releases: 0, asked: 'not', note: null },
        { day: '2026-11-20', weekday: 'Fri', releases: 12, asked: 'part', note: null },
        { day: '2026-11-19', weekday: 'Thu', releases: 18, asked: 'whole', note: 'FEWER THAN 25' },
        { day: '2026-11-18', releases: 0, asked: 'part', note: null },
        { day: '2026-11-17', releases: 0, asked: 'not', note: null },
      ]);
    });
  });
});

describe('numbers', () => {
  const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
  const covered = [{ from: new Date('2026-01-01T00:00:00Z'), until: new Date('2026-02-01T00:00:00Z') }];
  const numbersOn = (numbers: number[], ...days: string[]) => ({ year: 2026, numbers, atMs: days.map(day) });

  it('are missing from the first of the year on, where its start is covered', () => {
    const found = findMissing(numbersOn([3, 5], '2026-01-02', '2026-01-03'), day('2026-01-01'), covered);
    expect(found).toEqual({ numbers: [1, 2, 4], leaps: [] });
  });

  it('are not missing beyond what is covered', () => {
    const found = findMissing(
      numbersOn([3, 5, 9], '2026-01-02', '2026-03-03', '2026-03-04'),
      day('2025-12-31'),
      covered,
    );
    expect(found.numbers).toEqual([]);
  });

  it('near those of a full window are those it left out, and a page below', () => {
    const sequence = findATender.sequence as NonNullable<WindowsSource['sequence']>;
    const near = nearNumbers(sequence, ['000203-2026', '000201-2026', '000009-2026', 'x']);
    expect(near).toHaveLength(1 + 100 + 8);
    expect(near).toContain('000202-2026');
    expect(near).toContain('000101-2026');
    expect(near).not.toContain('000100-2026');
    expect(near).not.toContain('000204-2026');
  });
});
