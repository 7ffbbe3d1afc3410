import { open } from 'node:fs/promises';
import type { Account } from '../../../schema/accounts/customer/account.ts';
import { writeHeld } from '../../../schema/accounts/customer/personal-data.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { ExpectedFault } from '../../process/services.ts';

/**
 * Writes all that is held of a customer to a new file of JSON, readable by its owner alone, on the disk before anything is
 * erased. @throws ExpectedFault where the file exists.
 */
export async function exportAccount(accounts: Database, account: Account, file: string, at: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new ExpectedFault(`${file} exists: nothing was written or erased`) : error;
  });
  try {
    for await (const piece of writeHeld(accounts, account, at)) await handle.write(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
