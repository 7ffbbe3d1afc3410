import type { Response } from 'express';
import { type Account, readKeys } from '../../../../schema/accounts/customer/account.ts';
import { readLedger } from '../../../../schema/accounts/ledger/transfers.ts';
import { isoInstant } from '../../../../schema/config/clocks.ts';
import type { Web } from '../../context.ts';
import type { Refusal } from '../form-answers.ts';
import type { Person } from '../frame.tsx';
import type { WantedKey } from './list.tsx';
import { overviewPage } from './overview-page.tsx';

const RECENT_LINES = 8;

/** The dashboard's first page: balance, keys, the newest lines of the ledger. `told` says why a form was not taken, and what stood in it, or what came of one. */
export async function showOverview(
  { services, send }: Web,
  { account, person }: { account: Account; person: Person },
  response: Response,
  { refusal, ...told }: { refusal?: Refusal; note?: string; wanted?: Partial<WantedKey> } = {},
): Promise<void> {
  const { accounts, clocks } = services;
  const now = isoInstant(clocks.wallNow());
  const keys = await readKeys(accounts, account.id, now);
  const recent = await readLedger(accounts, account.id, { limit: RECENT_LINES });
  const page = overviewPage(person, { balance: account.balance, keys, recent, now, fault: refusal?.fault, ...told });
  await send(response, page, refusal?.status ?? 200);
}
