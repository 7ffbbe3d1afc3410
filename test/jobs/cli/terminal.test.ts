import { describe, expect, it } from 'vitest';
import { parseSince, parseUntil } from '../../../jobs/cli/shared/arguments.ts';
import { plainLog } from '../../../jobs/cli/shared/command.ts';
import { describeLeft } from '../../../jobs/cli/shared/progress.ts';
import { formatTable } from '../../../jobs/cli/shared/text.ts';
import { openLog } from '../../../schema/process/log.ts';

describe('a moment on the command line', () => {
  it('is the start or the end of a London day, or an instant', () => {
    expect(parseSince('2026-07-01').toISOString()).toBe('2026-06-30T23:00:00.000Z');
    expect(parseUntil('2026-07-01').toISOString()).toBe('2026-07-01T22:59:59.000Z');
    expect(parseSince('2026-01-01T09:00:00+01:00').toISOString()).toBe('2026-01-01T08:00:00.000Z');
  });

  it.each(['2026-02-30', '2026-13-01', '2026-01-01T09:00:00', '2026-01-01T25:00:00Z', 'yesterday', ''])(
    'is not %j',
    (text) => {
      expect(() => parseSince(text)).toThrow('Expected a date');
    },
  );
});

it.each([
  [0.001, 1_000, ''],
  [0.5, 30_000, '30 s left'],
  [0.1, 60_000, '9 min left'],
  [0.01, 600_000, '17 h left'],
  [1, 600_000, ''],
])('%f of the work after %i ms means %j', (fraction, elapsedMs, left) => {
  expect(describeLeft(fraction, elapsedMs)).toBe(left);
});

it('a table aligns words left and numbers right, and shows what is absent as a dash', () => {
  const rows = [
    { long_name: 'a', count: 5 },
    { long_name: null, count: 12 },
  ];
  expect(formatTable(rows, ['long_name', 'count'])).toEqual([
    'long name  count',
    'a              5',
    '-             12',
  ]);
});

it('a table may have any number of rows', () => {
  const rows = Array.from({ length: 200_000 }, (_, count) => ({ count }));
  expect(formatTable(rows, ['count']).at(-1)).toBe('199999');
});

it('a row of a table is one line, whatever a customer called a watch', () => {
  const rows = [{ name: 'Cleaning\nwat_2  paused', state: 'active' }];
  expect(formatTable(rows, ['name', 'state'])).toEqual([
    'name                       state',
    'Cleaning\\x0awat_2  paused  active',
  ]);
});

it('a log line of a command is a sentence, and what the command prints itself is not printed twice', () => {
  const written: string[] = [];
  const log = openLog(
    { LOG_LEVEL: 'warn' },
    'cli',
    plainLog((line) => written.push(line)),
  );
  log.warn({ url: 'http://a/?key=secret', waitMs: 15_000 }, 'too many requests (429); waiting');
  log.error({ source: 'find_a_tender', state: 'failed', stored: 0 }, 'ingest of Find a Tender failed');
  log.error({ err: new Error('no\u001broom') }, 'export failed');
  expect(written).toEqual([
    'too many requests (429); waiting: http://a/?key=[hidden], 15 s\n',
    'export failed: no\\x1broom\n',
  ]);
});
