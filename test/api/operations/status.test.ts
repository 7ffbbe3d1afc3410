import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeCoverage } from '../../../api/operations/status/coverage.ts';
import { getStatus } from '../../../api/operations/status/get.ts';
import { readStatus } from '../../../api/reads/status.ts';
import type { CoverageSummary } from '../../../schema/catalogue/coverage.ts';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import { ask, openRoom, type Room } from '../../support/catalogue-services.ts';
import { row } from '../../support/seed.ts';

const SUMMARY: CoverageSummary = {
  covered: { from: '2026-02-20T00:00:00Z', until: '2026-03-02T11:00:00Z' },
  gaps: { count: 1, seconds: 86_400, spans: [{ from: '2026-02-24T00:00:00Z', until: '2026-02-25T00:00:00Z' }] },
  unproved: 0,
  probes: { wanted: 1, fetched: 4, never_published: 2, failed: 0 },
  overdue: 0,
  sequence: [{ year: 2026, lowest: 9_000, highest: 9_999, held: 997, missing: 1, never_published: 2 }],
  leaps: [],
};

let room: Room;
beforeAll(async () => {
  room = await openRoom();
  const named = { title: 't', homepage: 'h', licence: 'l', licence_url: 'u', attribution: 'a', timetable: '* * * * *' };
  const run = { source: 'find_a_tender', state: 'succeeded' };
  await room.services.catalogue.write([
    row('source', { id: 'find_a_tender', ...named, as_of: '2026-03-02T11:00:00Z', releases: 1_001 }),
    row('source', { id: 'companies_house', ...named, as_of: '2026-03-01' }),
    row('coverage_summary', { source: 'find_a_tender', reckoned_at: '2026-03-02T11:00:00Z', summary: SUMMARY }),
    row('coverage_day', { source: 'find_a_tender', day: '2026-02-23', releases: 450 }),
    row('coverage_day', { source: 'find_a_tender', day: '2025-01-01', releases: 9 }),
    row('witness_day', {
      source: 'find_a_tender',
      day: '2026-02-23',
      witness: 'w',
      counted: 451,
      held: 450,
      checked_at: '',
    }),
    row('run', { id: 'a', job: 'ingest', started_at: '2026-03-01T00:00:00Z', releases: 7, ...run }),
    row('run', { id: 'b', job: 'probe', started_at: '2026-03-02T00:00:00Z', releases: 1, ...run }),
  ]);
});
afterAll(() => room.close());

describe('status', () => {
  it('tells of each source its lag, gaps, numbers and last days', async () => {
    const { body } = await ask(room, getStatus, {});
    const [register, source] = body.sources;
    expect(source).toMatchObject({
      lag_seconds: 3_600,
      complete: false,
      gaps: { count: 1, seconds: 86_400 },
      probes: { wanted: 1, never_published: 2 },
      unproved_windows: 0,
      sequence: { 2026: { lowest: 9_000, highest: 9_999, held: 997, missing: 1, never_published: 2 } },
      last_run: { releases: 7 },
    });
    expect(source?.recent_days).toHaveLength(30);
    const days = new Map(source?.recent_days.map((each) => [each.day, each]));
    expect(days.get('2026-02-23')).toEqual({ day: '2026-02-23', releases: 450, witnessed: 451, covered: 'whole' });
    expect(days.get('2026-02-24')).toEqual({ day: '2026-02-24', releases: 0, covered: 'not' });
    expect(days.get('2026-02-19')).toMatchObject({ covered: 'not' });
    expect(days.get('2026-03-02')).toMatchObject({ covered: 'part' });
    expect(register).toMatchObject({ lag_seconds: 129_600, complete: null, gaps: null, sequence: null });
    expect(register?.recent_days).toEqual([]);
  });

  it('goes back by the given days, a year at most', async () => {
    const daysOf = async (days: number) => (await ask(room, getStatus, { days })).body.sources[1]?.recent_days ?? [];
    expect(await daysOf(1)).toEqual([{ day: '2026-03-02', releases: 0, covered: 'part' }]);
    const year = await daysOf(366);
    expect([year.length, year[0]?.day, year.at(-1)?.day]).toEqual([366, '2025-03-02', '2026-03-02']);
    expect(year.filter(({ covered }) => covered === 'whole')).toHaveLength(9);
    expect(getStatus.input.safeParse({ days: 367 }).success).toBe(false);
  });

  it('calls no day whole of which only the number of gaps is known', async () => {
    const spans = [{ from: '2026-02-27T00:00:00Z', until: '2026-02-28T00:00:00Z' }];
    const summary = { ...SUMMARY, gaps: { count: 2, seconds: 172_800, spans } };
    const days = ['2026-02-24', '2026-02-27', '2026-02-28'];
    const { recent_days } = describeCoverage(null, summary, days, [], new Date('2026-03-02T11:00:00Z'));
    expect(recent_days.map(({ covered }) => covered)).toEqual(['part', 'not', 'whole']);
  });

  it('reads runs and days by their indexes', async () => {
    const statements: Statement[] = [];
    const recorder: Database = {
      ...room.services.catalogue,
      read: async (statement) => {
        statements.push(statement);
        return [];
      },
    };
    await readStatus(recorder, '2026-02-01');
    for (const { sql, args = [] } of statements.filter((each) => /FROM run|coverage_day c/.test(each.sql))) {
      const plan = await room.services.catalogue.read<{ detail: string }>({ sql: `EXPLAIN QUERY PLAN ${sql}`, args });
      const scans = plan.map(({ detail }) => detail).filter((step) => /^SCAN (?!s\b|CONSTANT)|TEMP B-TREE/.test(step));
      expect(scans).toEqual([]);
    }
  });
});
