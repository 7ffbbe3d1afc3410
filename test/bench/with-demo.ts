import { openDatabase } from '../../schema/db.ts';
import { grantStatement } from '../../schema/ledger.ts';
import { makeFolder } from '../databases.ts';
import { type RunningDemo, startDemo } from '../demo/child.ts';

/** A running demo whose key has credits and rate enough for any load. */
export async function withDemo(work: (demo: RunningDemo) => Promise<void>): Promise<void> {
  const folder = await makeFolder();
  const demo = await startDemo(folder.path, { env: { KEY_REQUESTS_PER_MINUTE: '10000000' } });
  try {
    await grantMuch(`file:${folder.path}/demo/accounts.db`);
    await work(demo);
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
    rows.map(({ id }) => grantStatement({ key: `bench:${id}`, accountId: id, credits: 1_000_000_000, at })),
  );
  await accounts.close();
}
