import type { CoverageSummary } from '../../../schema/catalogue/coverage.ts';
import type { Statement } from '../../../schema/db/interface.ts';

/** Read from 2 March on, but for a day in May; 30 are dated on the 4th of March. */
const SUMMARY: CoverageSummary = {
  covered: { from: '2026-03-02T00:00:00Z', until: '2026-11-20T12:00:00Z' },
  gaps: { count: 1, seconds: 86_400, spans: [{ from: '2026-05-05T23:00:00Z', until: '2026-05-06T23:00:00Z' }] },
  unproved: 0,
  probes: { wanted: 0, fetched: 0, never_published: 0, failed: 0 },
  overdue: 0,
  sequence: [],
  leaps: [],
  types: [
    {
      type: '51',
      title: 'Website invitation to tender',
      state: 'unknown',
      releases: 12,
      unknown_months: 2,
      newest_unknown: '2026-11',
      last_good_at: '2026-02-20T10:00:00Z',
      error: '500',
    },
    {
      type: '53',
      title: 'Website contract award notice',
      state: 'held',
      releases: 4,
      unknown_months: 0,
      newest_unknown: null,
      last_good_at: '2026-11-20T10:00:00Z',
      error: null,
    },
  ],
};

/** What one source holds day by day, as the nightly reckoning leaves it. */
export function coverageRows(): Statement[] {
  const day = (day: string, releases: number) => ({
    sql: "INSERT INTO coverage_day (source, day, releases) VALUES ('find_a_tender', ?, ?)",
    args: [day, releases],
  });
  return [
    {
      sql: "INSERT INTO coverage_summary (source, reckoned_at, summary) VALUES ('find_a_tender', '2026-11-20T12:00:00Z', ?)",
      args: [JSON.stringify(SUMMARY)],
    },
    day('2026-03-02', 3),
    day('2026-03-04', 30),
    day('2026-11-20', 7),
  ];
}
