import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { REVENUE } from '../../../schema/accounts/ledger/transfers.ts';
import { WORLD_NOW } from '../../generated/notices/make.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { makeEnvironment } from '../../support/environment.ts';
import { runCli } from '../../support/run-command.ts';
import { serviceSettings, startApi } from '../calls/api-process.ts';
import { fill } from './measure.ts';
import { LOOKUPS_A_SECOND, loadAlone, loadUntil, showLoadOf } from './steady-lookups.ts';

const NOTICES = 1_000;
const BATCH_LINES = 10_000;

/** Charges of the only key, each a line as a metered call writes it. */
const CHARGES = `
  WITH RECURSIVE line (n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM line WHERE n + 1 < ?1 + ?2)
  INSERT INTO transfer (key, kind, from_account, to_account, credits, action, request_id, key_id, created_at)
  SELECT printf('charge:ch_%032x', n), 'charge', k.account_id, '${REVENUE}', 1, 'lookup_company',
    printf('00000000-0000-4000-8000-%012x', n), k.id, '2026-01-01T00:00:00.000Z'
  FROM line CROSS JOIN api_key k`;

/** A backup of a ledger, and what metered look-ups beside it have to wait. */
export async function benchBackup(lines = 600_000): Promise<void> {
  console.log(
    `\na backup of ${lines} lines of the ledger, and ${LOOKUPS_A_SECOND} metered look-ups a second beside it`,
  );
  const folder = await makeFolder();
  try {
    const caller = await fill(folder.path, NOTICES);
    await fillLedger(folder.path, lines);
    const settings = makeEnvironment({ ...serviceSettings(folder.path), AS_OF: WORLD_NOW.toISOString() });
    const api = await startApi(settings);
    try {
      const lookup = { ...caller, url: api.url };
      // A process that has just started compiles its own code.
      await loadAlone(lookup);
      console.log(`  alone       ${showLoadOf(await loadAlone(lookup))}`);
      const file = join(folder.path, 'backup.db');
      const startMs = performance.now();
      const backedUp = runCli(settings, 'backup', file);
      const beside = await loadUntil(lookup, backedUp);
      const { code, stderr } = await backedUp;
      if (code !== 0) throw new Error(stderr);
      const [took, { size }] = [performance.now() - startMs, await stat(file)];
      console.log(`  backed up in ${(took / 1_000).toFixed(1)} s, ${Math.round(size / 1e6)} MB`);
      console.log(`    look-ups  ${showLoadOf(beside)}`);
    } finally {
      await api.stop();
    }
  } finally {
    await folder.remove();
  }
}

async function fillLedger(folder: string, lines: number): Promise<void> {
  const accounts = await makeDatabase(folder, 'accounts');
  for (let from = 0; from < lines; from += BATCH_LINES) {
    await accounts.write([{ sql: CHARGES, args: [from, Math.min(BATCH_LINES, lines - from)] }]);
  }
  await accounts.close();
}
