import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeWaitingExports } from '../../../jobs/exports/writer.ts';
import { withLease } from '../../../jobs/process/lease.ts';
import { cleanAccounts } from '../../../jobs/tasks/upkeep.ts';
import { createAccount, readAccount, setAccountState } from '../../../schema/accounts/customer/account.ts';
import { closeAccount } from '../../../schema/accounts/customer/erase.ts';
import { readExport } from '../../../schema/accounts/exports/states.ts';
import { type ExportStorage, exportFolder } from '../../../schema/accounts/exports/storage.ts';
import { readBalance } from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import { readOwed } from '../../../schema/accounts/payments.ts';
import { isoInstant } from '../../../schema/config/clocks.ts';
import { makeJobServices } from '../../support/job-services.ts';
import { chargeExport, insertBuyers } from '../../support/paid-exports.ts';
import { runHere } from '../../support/run-command.ts';
import { oweCredits } from '../owed-credits.ts';

let built: Awaited<ReturnType<typeof makeJobServices>>;
let accountId: string;

beforeEach(async () => {
  built = await makeJobServices();
  const { accounts, catalogue } = built.services;
  accountId = (await createAccount(accounts, { name: 'A', signupCredits: 1_000, at: '2026-11-21T00:00:00Z' })).id;
  const keys = await insertBuyers(catalogue, 1_500);
  await chargeExport(accounts, { id: 'ex_1', accountId, format: 'csv', keys, credits: 200 });
});
afterEach(() => built.close());

const write = (exports: ExportStorage = built.services.exports) =>
  withLease(built.services.accounts, 'exports', { holder: 'a test' }, (holding) =>
    writeWaitingExports({ ...built.services, exports }, holding),
  );

/** A storage in which something happens after the first piece of a file. */
function disturbed(disturb: () => Promise<void> | void): ExportStorage {
  const { exports } = built.services;
  return {
    ...exports,
    write: (name, pieces) =>
      exports.write(
        name,
        (async function* () {
          let count = 0;
          for await (const piece of pieces) {
            yield piece;
            if (++count === 2) await disturb();
          }
        })(),
      ),
  };
}

async function expectRefunded(message: RegExp): Promise<void> {
  const { accounts, settings } = built.services;
  const row = await readExport(accounts, 'ex_1');
  expect(row).toMatchObject({ status: 'failed', refunded: 200, file: null, error: expect.stringMatching(message) });
  expect(await readdir(exportFolder(settings)).catch(() => [])).toEqual([]);
  expect(await readBalance(accounts, accountId)).toBe(1_000);
  expect((await verifyLedger(accounts)).faults).toEqual([]);
}

describe('an export that is not written to its end', () => {
  it('for a full disk is refunded, and nothing of it is left', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    await write(disturbed(() => Promise.reject(full)));
    await expectRefunded(/^the file could not be written; the charge was refunded in full$/);
  });

  it('of an account that owes credits is refunded, and what is owed is taken from that', async () => {
    await oweCredits(built.services.accounts, accountId, 150);
    await write(disturbed(() => Promise.reject(new Error('no more'))));
    const { accounts } = built.services;
    expect(await readBalance(accounts, accountId)).toBe(50);
    expect([await readOwed(accounts), (await verifyLedger(accounts)).faults]).toEqual([0, []]);
  });

  it('for an account that is closed meanwhile is refunded', async () => {
    await write(disturbed(() => setAccountState(built.services.accounts, accountId, 'closed').then(() => undefined)));
    await expectRefunded(/^the account was closed; /);
  });

  it('but completed for an account that was closed at its last row goes with the next upkeep', async () => {
    const { accounts, exports, clocks } = built.services;
    const closedLast: ExportStorage = {
      ...exports,
      async write(name, pieces) {
        const written = await exports.write(name, pieces);
        const account = await readAccount(accounts, accountId);
        if (account) await closeAccount(accounts, account, { at: isoInstant(clocks.wallNow()), secret: 's' });
        return written;
      },
    };
    await write(closedLast);
    expect(await readExport(accounts, 'ex_1')).toMatchObject({ status: 'completed', filters: '{}' });
    await withLease(accounts, 'upkeep', { holder: 'a test' }, ({ fence }) => cleanAccounts(built.services, fence));
    expect(await readExport(accounts, 'ex_1')).toMatchObject({ status: 'expired' });
  });

  it('as the operator cancels it is refunded at once', async () => {
    const cancel = () => runHere({ DATA_DIR: built.folder }, 'export', 'cancel', 'ex_1');
    await write(
      disturbed(async () => {
        const { stdout } = await cancel();
        expect(stdout).toContain('cancelled ex_1; 200 credits were refunded');
        expect(await readBalance(built.services.accounts, accountId)).toBe(1_000);
      }),
    );
    await expectRefunded(/^the export was cancelled by the operator; /);
    const again = await cancel();
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('no export ex_1 is waiting')]);
    expect((await runHere({ DATA_DIR: built.folder }, 'export', 'list')).stdout).toMatch(/ex_1 .* 200 .* failed/);
  });

  it('as it is cancelled twice, and at the moment of its completion, ends once, and nothing fails', async () => {
    const { exports } = built.services;
    const cancel = () => runHere({ DATA_DIR: built.folder }, 'export', 'cancel', 'ex_1');
    let answers: Awaited<ReturnType<typeof cancel>>[] = [];
    const cancelledLast: ExportStorage = {
      ...exports,
      async write(name, pieces) {
        const written = await exports.write(name, pieces);
        answers = await Promise.all([cancel(), cancel()]);
        await exports.remove(written.file);
        return written;
      },
    };
    expect(await write(cancelledLast)).toMatchObject({ acquired: true });
    expect(answers.map(({ code, stderr }) => `${code} ${stderr}`).toSorted()).toEqual([
      '0 ',
      '1 no export ex_1 is waiting or being written: see `export list`\n',
    ]);
    await expectRefunded(/^the export was cancelled by the operator; /);
  });
});

it('an export of an account that is frozen meanwhile is written all the same', async () => {
  await write(disturbed(() => setAccountState(built.services.accounts, accountId, 'frozen').then(() => undefined)));
  expect(await readExport(built.services.accounts, 'ex_1')).toMatchObject({ status: 'completed', refunded: 0 });
});
