import type { Account } from '../../../schema/accounts/customer/account.ts';
import type { Line } from '../../concurrency/machine.ts';
import type { Services } from '../../contract/operation.ts';
import { TooMany } from '../serving/security.ts';

const WAIT_SECONDS = 10;
const RUNNING = 'A download of your account is running. Wait until it has ended.';
const DOWNLOADS: Line = { name: 'downloads', waitingMost: 0, refuse: () => new TooMany(WAIT_SECONDS, RUNNING) };

/**
 * Sends a file that takes reading all of an account's data. That is expensive, so an account has one such download at a time.
 * @throws TooMany while another runs
 */
export function sendDownload({ machine }: Services, { id }: Account, send: () => Promise<void>): Promise<void> {
  return machine.inTurn(DOWNLOADS, id, send);
}
