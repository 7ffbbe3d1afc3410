import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acquireLease, releaseLease } from '../../../jobs/process/lease.ts';
import { ingestSource } from '../../../jobs/tasks/run.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { runHere } from '../../support/run-command.ts';
import { makeSample } from '../../upstream/sample/make.ts';
import { startUpstream } from '../../upstream/server.ts';
import { upstreamSettings } from '../../upstream/settings.ts';

let upstream: Awaited<ReturnType<typeof startUpstream>>;
let built: Awaited<ReturnType<typeof makeJobServices>>;
let environment: Record<string, string>;

beforeAll(async () => {
  const data = makeSample({ notices: 200, buyers: 20, companies: 40 });
  upstream = await startUpstream({ data });
  environment = {
    ...upstreamSettings(upstream.url),
    PROCUREMENT_GAP_SECONDS: '0',
    FIRST_WINDOW_DAYS: '30',
    AS_OF: data.asOf.toISOString(),
  };
  built = await makeJobServices(environment);
});
afterAll(async () => {
  await built.close();
  await upstream.close();
});

const cli = (...args: string[]) => runHere({ ...environment, DATA_DIR: built.folder }, ...args);
const count = async (sql: string) => (await built.services.catalogue.read<{ n: number }>({ sql }))[0]?.n;

describe('cli ingest', () => {
  it('says who is at it where another process is, and asks nothing upstream', async () => {
    const lease = await acquireLease(built.services.catalogue, 'ingest:contracts_finder', {
      holder: 'the night shift',
    });
    const before = upstream.requests.length;
    const answer = await cli('ingest', 'contracts-finder');
    expect(answer).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^contracts-finder is being ingested by the night shift, whose lease ends at 2.*Z unless it is renewed; try again when that has ended\n$/,
      ),
    });
    expect(upstream.requests.length).toBe(before);
    if (lease) await releaseLease(built.services.catalogue, lease);
  });

  it('stores a span, brings the index up to date, and shows how far it is in plain lines', async () => {
    const since = new Date(Date.parse(environment.AS_OF ?? '') - 90 * 86_400_000).toISOString().slice(0, 10);
    const answer = await cli('ingest', 'find-a-tender', '--since', since);
    expect(answer.stdout).toMatch(
      /^find-a-tender: \d+ requests?, \d+ releases? \([\d.]+\/s\), \d+ windows? left \(\d+%.*\)$/m,
    );
    expect(answer.stdout).toMatch(/^find-a-tender: succeeded, \d+ requests, \d+ releases; \d+ stored/m);
    expect(answer.stdout).toMatch(/^search: up to date$/m);
    expect(answer.code).toBe(0);
    expect(await count('SELECT count(*) AS n FROM release')).toBeGreaterThan(0);
    expect(await count('SELECT count(*) AS n FROM lease')).toBe(0);
    const before = upstream.requests.length;
    // As `status` and `runs` spell it.
    const again = await cli('ingest', 'find_a_tender', '--since', since, '--until', since);
    expect(again.stdout).toBe(
      'find-a-tender: nothing to ask for, as all of this span is stored (--again asks for it once more)\n',
    );
    expect(upstream.requests.length).toBe(before);
    const span = await cli('ingest', 'find-a-tender', '--since', '2026-12-01', '--until', '2026-11-01');
    expect(span).toMatchObject({ code: 2, stderr: '--since must not be after --until\n' });
  });

  it.each([
    ['find-a-tender', 'find_a_tender', '2026-11-01T09:00:00Z'],
    // Asked month by month, without an overlap.
    ['sell2wales', 'sell2wales', '2026-11-01T12:00:00Z'],
  ])('asks for no span of %s that ends before its run would begin', async (name, source, begins) => {
    const put = `INSERT INTO cursor (source, value, updated_at) VALUES (?, ?, ?)
      ON CONFLICT (source) DO UPDATE SET value = excluded.value`;
    const cursor = '2026-11-01T12:00:00Z';
    await built.services.catalogue.write([{ sql: put, args: [source, cursor, cursor] }]);
    expect(await cli('ingest', name, '--until', '2026-11-01T08:59:59Z')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `without --since a run begins at ${begins}: --until must not lie before that\n`,
    });
    expect((await cli('ingest', name, '--until', begins)).code).toBe(0);
  });
});

describe('a scheduled ingest', () => {
  it('names a run whose process was killed', async () => {
    await built.services.catalogue.write([
      {
        sql: "INSERT INTO run (id, job, source, started_at, state) VALUES ('killed', 'ingest', 'contracts_finder', '2026-11-19T00:00:00Z', 'running')",
      },
    ]);
    const done = await ingestSource(built.services, 'contracts_finder');
    expect(done).toMatchObject({ acquired: true, result: { state: 'succeeded' } });
    expect(await count("SELECT count(*) AS n FROM run WHERE id = 'killed' AND state = 'abandoned'")).toBe(1);
    expect(await count("SELECT count(*) AS n FROM run WHERE state = 'running'")).toBe(0);
  });

  it('that has lost its lease stores nothing more and moves no cursor', async () => {
    const { catalogue } = built.services;
    const before = await catalogue.read({ sql: 'SELECT * FROM cursor ORDER BY source' });
    const robbed = ingestSource(built.services, 'find_a_tender');
    await catalogue.write([{ sql: "UPDATE lease SET token = 'stolen'" }]);
    await expect(robbed).rejects.toThrow('lease lost');
    expect(await catalogue.read({ sql: 'SELECT * FROM cursor ORDER BY source' })).toEqual(before);
  });
});
