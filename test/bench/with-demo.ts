import { join } from 'node:path';
import { GRANTED_MAX, grantStatement } from '../../schema/accounts/ledger/transfers.ts';
import { openDatabase } from '../../schema/db/open.ts';
import { type RunningDemo, startDemo } from '../demo/child.ts';
import { makeFolder } from '../support/databases.ts';

/** A running demo whose key has credits and rate enough for any load, and the folder that its data are in. */
export async function withDemo(work: (demo: RunningDemo, folder: string) => Promise<void>): Promise<void> {
  const folder = await makeFolder();
  const demo = await startDemo(folder.path, { env: { KEY_REQUESTS_PER_MINUTE: '10000000' } });
  try {
    const data = join(folder.path, 'demo');
    await grantMuch(`file:${data}/accounts.db`);
    await work(demo, data);
  } finally {
    await demo.stop();
    await folder.remove();
  }
}

async function grantMuch(url: string): Promise<void> {
  const accounts = await openDatabase({ url, durability: 'full' });
  const rows = await accounts.read<{ id: string }>({ sql: "SELECT id FROM account WHERE substr(id, 1, 1) <> '@'" });
  const at = new Date().toISOString();
  await accounts.write(
    rows.map(({ id }) => grantStatement({ key: `bench:${id}`, accountId: id, credits: GRANTED_MAX, at })),
  );
  await accounts.close();
}
