import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listServices } from '../../../ingest/sources/index.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { runHere } from '../../support/run-command.ts';
import { makeSample } from '../../upstream/sample/make.ts';
import { startUpstream } from '../../upstream/server.ts';
import { upstreamSettings } from '../../upstream/settings.ts';

const DAY_MS = 86_400_000;
const sample = makeSample({ notices: 900 });
const FROM = sample.asOf.getTime() - 20 * DAY_MS;
const recent = <T extends { publishedAt: Date }>(releases: Iterable<T>) =>
  [...releases].filter(({ publishedAt }) => publishedAt.getTime() > FROM);
const findATender = recent(sample.findATender);
const contractsFinder = recent(sample.contractsFinder);
const idAt = (of: typeof findATender) => String(of[Math.floor(of.length / 2)]?.release.id);
const lost = [idAt(findATender), idAt(contractsFinder)];

let upstream: Awaited<ReturnType<typeof startUpstream>>;
let built: Awaited<ReturnType<typeof makeJobServices>>;
let environment: Record<string, string>;

beforeAll(async () => {
  upstream = await startUpstream({
    data: { ...sample, findATender, contractsFinder },
    unlisted: (id) => lost.includes(id),
  });
  environment = {
    ...upstreamSettings(upstream.url),
    FIRST_WINDOW_DAYS: '21',
    AS_OF: sample.asOf.toISOString(),
    LOG_LEVEL: 'silent',
  };
  built = await makeJobServices(environment);
});
afterAll(async () => {
  await built.close();
  await upstream.close();
});

const cli = (...args: string[]) => runHere({ ...environment, DATA_DIR: built.folder }, ...args);

describe('cli coverage', () => {
  it('says that nothing is covered before the first run', async () => {
    const answer = await cli('coverage', 'find-a-tender');
    expect(answer).toMatchObject({ code: 3, stderr: 'something is missing: find-a-tender\n' });
    expect(answer.stdout).toMatch(/^Find a Tender: 0 stored, last successful run never$/m);
    expect(answer.stdout).toMatch(/asked whole {6}nothing yet/);
  });

  it('names what is missing and exits with 3, until it was fetched by id', async () => {
    for (const { cliName } of listServices()) await cli('ingest', cliName, '--no-sync');
    const before = await cli('coverage');
    expect(before).toMatchObject({ code: 3, stderr: 'something is missing: find-a-tender\n' });
    expect(before.stdout).toContain(`missing          ${lost[0]} (sequence gap; not asked for yet)`);
    expect(before.stdout).toMatch(/numbers of 2026 {2}\d+ to \d+: \d+ stored, 1 missing, 0 never published/);
    expect(before.stdout).toMatch(/^ {2}2026-11-18 {2}Wed +\d+ +- +- +whole/m);

    const since = new Date(FROM + DAY_MS).toISOString().slice(0, 10);
    expect(await cli('witness', '--since', since)).toMatchObject({ code: 0 });
    expect(await cli('coverage', 'contracts-finder')).toMatchObject({ code: 3 });
    const probed = await cli('probe', '--no-sync');
    expect(probed.stdout).toMatch(/^find-a-tender: succeeded, 1 asked for, 1 found and stored, 0 quarantined$/m);
    expect(probed.stdout).toMatch(/^contracts-finder: succeeded, 1 asked for, 1 found and stored, 0 quarantined$/m);

    const after = await cli('coverage');
    expect(after).toMatchObject({ code: 0, stderr: '' });
    expect(after.stdout).toMatch(/stored, 0 missing, 0 never published/);
    expect(await cli('probe', '--no-sync')).toMatchObject({ code: 0, stdout: expect.stringMatching(/nothing to ask/) });
  });

  it('shows a span, as JSON on request, with the count of the daily listing', async () => {
    const answer = await cli(
      'coverage',
      'contracts-finder',
      '--since',
      '2026-11-16',
      '--until',
      '2026-11-19',
      '--json',
    );
    const { sources } = JSON.parse(answer.stdout);
    expect(sources).toMatchObject([{ source: 'contracts-finder', complete: true, missing: [] }]);
    expect(sources[0].days.map(({ day }: { day: string }) => day)).toEqual([
      '2026-11-19',
      '2026-11-18',
      '2026-11-17',
      '2026-11-16',
    ]);
    for (const { witnessed, unheld } of sources[0].days) expect([typeof witnessed, unheld]).toEqual(['number', 0]);
  });

  it('shows no day before the first of a service, however early the span begins', async () => {
    const answer = await cli('coverage', 'sell2wales', '--since', '0001-01-01', '--until', '2019-01-02', '--json');
    const [{ days }] = JSON.parse(answer.stdout).sources;
    expect(days.map(({ day }: { day: string }) => day)).toEqual(['2019-01-02', '2019-01-01']);
  });

  it('finds a hole in time', async () => {
    await built.services.catalogue.write([
      {
        sql: `UPDATE window SET until = '2026-11-10T00:00:00Z' WHERE source = 'find_a_tender' AND "from" < '2026-11-10'`,
      },
      {
        sql: `UPDATE window SET "from" = '2026-11-11T00:00:00Z' WHERE source = 'find_a_tender'
          AND "from" >= '2026-11-10' AND "from" < '2026-11-11'`,
      },
    ]);
    const answer = await cli('coverage', 'find-a-tender', '--since', '2026-11-09', '--until', '2026-11-11');
    expect(answer.code).toBe(3);
    expect(answer.stdout).toMatch(/gaps in time {5}\d+, together/);
    expect(answer.stdout).toMatch(/^ {2}2026-11-10 +Tue +\d+ +- +- +(not|part)/m);
  });

  it('refuses what makes no sense', async () => {
    expect(await cli('coverage', '--since', '2026-11-19', '--until', '2026-11-01')).toMatchObject({ code: 2 });
    expect((await cli('witness', 'find-a-tender')).stderr).toBe('find_a_tender has no daily file to compare with\n');
    expect((await cli('probe', 'companies-house')).stderr).toMatch(/publishes no notices/);
  });
});
