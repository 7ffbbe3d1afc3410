import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMetrics } from '../../../jobs/metrics/registry.ts';
import { resumeStatements } from '../../../schema/accounts/watches/lifecycle.ts';
import type { WatchRow } from '../../../schema/accounts/watches/row.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { runHere } from '../../support/run-command.ts';
import { addDelivery, addWatch, openAccount } from './seed.ts';

const NOW = new Date('2026-06-01T08:10:00Z');
let built: Awaited<ReturnType<typeof makeJobServices>>;
let account: string;
let id: string;
const accounts = () => built.services.accounts;
const cli = (...words: string[]) => runHere({ DATA_DIR: built.folder }, ...words);

beforeAll(async () => {
  built = await makeJobServices();
  built.services.clocks = { catalogueNow: () => NOW, wallNow: () => NOW };
  account = await openAccount(accounts());
  ({ id } = await addWatch(accounts(), { account_id: account, webhook: 'https://example.org/a-secret-path' }));
  await addDelivery(accounts(), id, ['a', 'b']);
  await addDelivery(accounts(), id, ['c']);
  await accounts().write([
    {
      sql: `UPDATE watch_delivery SET status = 'delivered', attempts = 1, answer_status = 200, answer_ms = 12 WHERE items = 2`,
    },
  ]);
});
afterAll(() => built?.close());

async function readWatch(): Promise<Pick<WatchRow, 'state' | 'reason'>> {
  const [row] = await accounts().read<WatchRow>({ sql: 'SELECT state, reason FROM watch WHERE id = ?', args: [id] });
  return row ?? expect.fail('no watch');
}

const readMetrics = async () =>
  (await makeMetrics(built.services).render()).split('\n').filter((line) => /^watch/.test(line));

describe('the operator', () => {
  it('lists watches, with the host of a receiver and nothing secret', async () => {
    const { code, stdout } = await cli('watches', 'list', '--account', account);
    expect([code, stdout]).toEqual([0, expect.stringMatching(`${id} .* example.org +active +- +1\n`)]);
    const { stdout: json } = await cli('watches', 'list', '--json');
    expect(JSON.parse(json)).toMatchObject({ watches: [{ id, account_id: account, to: 'example.org', waiting: 1 }] });
    expect(json).not.toMatch(/secret/);
    expect((await cli('watches', 'list', '--stopped')).stdout).toBe('there are no such watches\n');
    expect(await cli('watches', 'list', '--account', 'nobody')).toMatchObject({
      code: 1,
      stderr: 'no account nobody: see `account list`\n',
    });
  });

  it('lists what a watch delivered and what its receiver answered', async () => {
    const { stdout } = await cli('watches', 'deliveries', id);
    expect(stdout.split('\n').slice(1, 3)).toEqual([
      expect.stringMatching(/^wd_\w+ +items +waiting +1 +2 /),
      expect.stringMatching(/^wd_\w+ +items +delivered +2 +2 .* 200 +12 /),
    ]);
    const { deliveries } = JSON.parse((await cli('watches', 'deliveries', id, '--limit', '1', '--json')).stdout);
    expect(deliveries).toMatchObject([{ status: 'waiting', items: 1 }]);
    expect(await cli('watches', 'deliveries', 'wat_1')).toMatchObject({
      code: 1,
      stderr: 'no watch wat_1: see `watches list`\n',
    });
  });

  it('pauses a watch, which its owner cannot resume, and resumes it', async () => {
    expect((await cli('watches', 'pause', id)).stdout).toBe(`watch ${id} is paused\n`);
    expect((await cli('watches', 'pause', id)).stdout).toBe(`watch ${id} was paused before\n`);
    await accounts().write(resumeStatements(id, NOW));
    expect(await readWatch()).toEqual({ state: 'paused', reason: 'by_operator' });
    expect((await cli('status')).stdout).toMatch('stopped: 0 watches wait, 1 paused (see `watches list --stopped`)');
    expect((await cli('watches', 'resume', id)).stdout).toBe(`watch ${id} continues where it stood\n`);
    expect((await cli('watches', 'resume', id)).stdout).toBe(`watch ${id} was not paused\n`);
    expect(await readWatch()).toEqual({ state: 'active', reason: null });
  });

  it('reads from the metrics how watches stand, how long deliveries wait, and what came of them', async () => {
    await accounts().write([
      { sql: 'UPDATE watch_delivery SET next_attempt_at = ?', args: [NOW.getTime() - 90_000] },
      { sql: "UPDATE watch_delivery SET created_at = '2026-06-01T08:00:00Z'" },
    ]);
    expect(await readMetrics()).toEqual(
      expect.arrayContaining([
        'watches{state="active",reason=""} 1',
        'watch_deliveries_waiting 1',
        'watch_deliveries_oldest_waiting_seconds 600',
        'watch_deliveries_overdue_seconds 90',
        'watch_deliveries_last_hour{status="delivered"} 1',
        'watch_deliveries_last_hour{status="failed"} 0',
      ]),
    );
    // The next waits for the one before it, whose receiver fails: nothing is late.
    await addDelivery(accounts(), id, ['d']);
    const failed =
      "UPDATE watch_delivery SET attempts = 1, next_attempt_at = ? WHERE status = 'waiting' AND next_attempt_at = ?";
    await accounts().write([{ sql: failed, args: [NOW.getTime() + 300_000, NOW.getTime() - 90_000] }]);
    expect(await readMetrics()).toEqual(
      expect.arrayContaining(['watch_deliveries_waiting 2', 'watch_deliveries_overdue_seconds 0']),
    );
    await cli('watches', 'pause', id);
    expect(await readMetrics()).toEqual(
      expect.arrayContaining([
        'watches{state="paused",reason="by_operator"} 1',
        'watch_deliveries_waiting 0',
        'watch_deliveries_overdue_seconds 0',
      ]),
    );
  });
});
