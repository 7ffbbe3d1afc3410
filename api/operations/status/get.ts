import { z } from 'zod';
import { day, instant } from '../../../schema/answers/shapes.ts';
import { isoInstant } from '../../../schema/config/clocks.ts';
import { joinAttributions } from '../../../schema/reference/licence.ts';
import { readIndexLag } from '../../../search/index/health.ts';
import { defineOperation } from '../../contract/operation.ts';
import { type LastRun, readStatus } from '../../reads/status.ts';
import { searchEngine } from '../search/shapes.ts';
import { shape } from '../shared/inputs.ts';
import { coverageShape, describeCoverage, listRecentDays, recentDays } from './coverage.ts';

export const lastRun = z.object({
  state: z.enum(['running', 'succeeded', 'empty', 'failed', 'abandoned']),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  releases: z.int(),
  stored: z.int(),
  quarantined: z.int(),
});

export const storedDays = z.object({ from: day, to: day, days: z.int() });
export const engineLag = z.object({
  engine: searchEngine,
  collection: z.enum(['notices', 'contracts']).describe('What the index holds'),
  lag_rows: z.int().nullable(),
});

export const sourceStatus = z.object({
  source: z.string(),
  title: z.string(),
  homepage: z.string(),
  licence: z.string(),
  licence_url: z.string(),
  attribution: z.string(),
  as_of: z.string().nullable().describe('Everything published before this instant is held'),
  last_success_at: z.string().nullable(),
  timetable: z.string().describe('When it is asked, as a cron line'),
  releases: z.int(),
  quarantined: z.int().describe('Records that could not be read and are held for a look'),
  coverage: storedDays.nullable(),
  last_run: lastRun.nullable(),
  ...coverageShape,
});

export const getStatus = defineOperation({
  name: 'get_status',
  title: 'Freshness and coverage',
  description:
    'Use this to see how fresh and complete the data is: per source up to when everything is held, lag, gaps, the last days and the last run.',
  credits: 0,
  public: true,
  input: z.strictObject({ days: recentDays, detail: shape.detail }),
  output: z.object({
    now: instant.describe('The instant against which tenders are live'),
    attribution: z.string(),
    sources: z.array(sourceStatus),
    search: z
      .array(engineLag)
      .describe('How many changed rows each engine has not received (null: it cannot be asked); the first one answers'),
  }),
  bindings: [
    {
      method: 'GET',
      path: '/status',
      operationId: 'get_status',
      summary: 'Freshness and coverage per source',
      description:
        'Answers how fresh and complete the data of each source is: the instant up to which everything is held, the lag, gaps, the last days and the last run. Needs no key.',
      inputs: ['days', 'detail'],
      example: { days: 1 },
    },
  ],
  stated: ['now', 'sources.source', 'sources.as_of', 'sources.complete', 'sources.coverage'],
  shortening: { keep: [], most: { sources: 20, 'sources.recent_days': -3, 'sources.unknown_types': 3 } },
  example: {},
  async run(input, { catalogue, clocks, search }) {
    const now = clocks.catalogueNow();
    const days = listRecentDays(now, input.days);
    const status = await readStatus(catalogue, days[0] ?? '');
    const sources = status.sources.map((row) => describeSource(row, status, days, now));
    const lags = await readIndexLag(catalogue, search);
    const attribution = joinAttributions(sources.map((source) => source.attribution));
    return { kind: 'answer', body: { now: isoInstant(now), attribution, sources, search: lags } };
  },
});

type Status = Awaited<ReturnType<typeof readStatus>>;

function describeSource(
  row: Status['sources'][number],
  status: Status,
  days: readonly string[],
  now: Date,
): z.input<typeof sourceStatus> {
  const own = ({ source }: { source: string }) => source === row.id;
  const { first = null, last = null, days: storedDayCount = 0 } = status.coverage.find(own) ?? {};
  const run = status.runs.find(own);
  return {
    source: row.id,
    title: row.title,
    homepage: row.homepage,
    licence: row.licence,
    licence_url: row.licence_url,
    attribution: row.attribution,
    as_of: row.as_of,
    last_success_at: row.last_success_at,
    timetable: row.timetable,
    releases: row.releases,
    quarantined: status.quarantine.find(own)?.held ?? 0,
    coverage: first && last ? { from: first, to: last, days: storedDayCount } : null,
    last_run: run ? pickRun(run) : null,
    ...describeCoverage(row.as_of, status.summaries.get(row.id), days, status.days.filter(own), now),
  };
}

function pickRun({ state, started_at, ended_at, releases, stored, quarantined }: LastRun) {
  return { state, started_at, ended_at, releases, stored, quarantined };
}
