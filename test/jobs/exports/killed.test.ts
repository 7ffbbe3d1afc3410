import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createAccount } from '../../../schema/accounts/customer/account.ts';
import { readExport } from '../../../schema/accounts/exports/states.ts';
import { exportFolder } from '../../../schema/accounts/exports/storage.ts';
import { readBalance } from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { scriptArguments } from '../../support/compiled.ts';
import { makeEnvironment } from '../../support/environment.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { chargeExport, insertBuyers } from '../../support/paid-exports.ts';

const ROWS = 60_000;

function startWriter(folder: string) {
  const child = spawn(process.execPath, scriptArguments('test/jobs/exports/writer-process.ts'), {
    env: makeEnvironment({ DATA_DIR: folder }),
  });
  const said: string[] = [];
  child.stdout.on('data', (bytes: Buffer) => said.push(bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => said.push(bytes.toString()));
  return { child, said, ended: once(child, 'close') };
}

/** Until a file is being written beside its place. */
async function untilHalfWritten(folder: string): Promise<string> {
  for (;;) {
    const [part] = (await readdir(folder).catch(() => [] as string[])).filter((name) => name.endsWith('.part'));
    if (part && (await stat(join(folder, part))).size > 100_000) return part;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

it('an export whose writer was killed half-way is written again, without a second charge', async () => {
  const { services, folder, close } = await makeJobServices();
  const { accounts } = services;
  const at = '2026-11-21T00:00:00Z';
  const { id: accountId } = await createAccount(accounts, { name: 'A', signupCredits: 10_000, at });
  const keys = await insertBuyers(services.catalogue, ROWS);
  await chargeExport(accounts, { id: 'exp_1', accountId, format: 'csv', keys, credits: 6_000 });

  const first = startWriter(folder);
  await untilHalfWritten(exportFolder(services.settings));
  first.child.kill('SIGKILL');
  await first.ended;
  expect(await readExport(accounts, 'exp_1')).toMatchObject({ status: 'processing' });

  const other = startWriter(folder);
  await other.ended;
  expect(other.said.join('')).toMatch(/^held by process \d+/);
  // What the lease's time to live does on its own, sooner.
  await accounts.write([{ sql: 'UPDATE lease SET expires_at = 0' }]);
  const second = startWriter(folder);
  await second.ended;
  expect(second.said.join('')).toBe('ended 1\n');

  const row = await readExport(accounts, 'exp_1');
  expect(row).toMatchObject({ status: 'completed', rows: ROWS, refunded: 0 });
  const text = await readFile(join(exportFolder(services.settings), row?.file ?? ''), 'utf8');
  expect(text.split('\r\n')).toHaveLength(ROWS + 2);
  expect(await readBalance(accounts, accountId)).toBe(4_000);
  expect((await verifyLedger(accounts)).faults).toEqual([]);
  await close();
});
