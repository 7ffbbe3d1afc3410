import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Router } from 'express';
import { type Account, readKeys } from '../../../../schema/accounts/customer/account.ts';
import { LINE_KINDS } from '../../../../schema/accounts/ledger/lines.ts';
import {
  type BalancedLine,
  isWanted,
  type LedgerFilter,
  readLedgerWhere,
  readWholeLedger,
} from '../../../../schema/accounts/ledger/pages.ts';
import { DELIVERY_ACTION } from '../../../../schema/accounts/watches/outbox.ts';
import { isoInstant } from '../../../../schema/config/clocks.ts';
import { toCsvLine } from '../../../../schema/text/csv.ts';
import { yieldToEventLoop } from '../../../concurrency/machine.ts';
import type { Services } from '../../../contract/operation.ts';
import { operations } from '../../../operations/index.ts';
import type { Web } from '../../context.ts';
import { makeRouter } from '../../serving/router.ts';
import { sendDownload } from '../downloads.ts';
import type { MakeSigned, SignedHandler } from '../signed-in.ts';
import { chargeIdOf, type LedgerChoices, ledgerPage } from './ledger.tsx';

const PAGE_LINES = 50;
/** Charged actions: calls, and deliveries of watches. */
const PRICED = [...operations.filter(({ credits }) => credits > 0).map(({ name }) => name), DELIVERY_ACTION];
const COLUMNS = 'entry,at,kind,operation,key,charge_id,request_id,corrects,credits,balance_after,note'.split(',');

/** The ledger as pages and as a CSV file. */
export function makeLedgerRoutes(web: Web, signed: MakeSigned): Router {
  const router = makeRouter();
  router.get('/dashboard/ledger', signed(showLedger(web), 'ledger'));
  router.get('/dashboard/ledger.csv', signed(sendLedger(web), 'ledger'));
  return router;
}

function showLedger({ services, send }: Web): SignedHandler {
  return async ({ account, person }, request, response) => {
    const choices = await readChoices(services, account);
    const filter = readFilter(request, choices);
    const page = { limit: PAGE_LINES + 1, before: readBefore(request) };
    const found = await readLedgerWhere(services.accounts, account.id, filter, page);
    const lines = found.slice(0, PAGE_LINES);
    const next = found.length > PAGE_LINES ? (lines.at(-1)?.id ?? null) : null;
    await send(response, ledgerPage(person, { lines, next, filter, choices }));
  };
}

/** Sends the chosen lines as a file. */
function sendLedger({ services }: Web): SignedHandler {
  return ({ account }, request, response) =>
    sendDownload(services, account, async () => {
      const choices = await readChoices(services, account);
      const filter = readFilter(request, choices);
      const file = `ledger${filter.month ? `-${filter.month}` : ''}.csv`;
      response.attachment(file).type('text/csv; charset=utf-8');
      await pipeline(Readable.from(writeLedger(services, account, filter, choices)), response);
    });
}

/** Reads the whole ledger from its first line, because each line states the balance after it. */
async function* writeLedger({ accounts }: Services, account: Account, filter: LedgerFilter, { keys }: LedgerChoices) {
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  yield toCsvLine(COLUMNS);
  for await (const lines of readWholeLedger(accounts, account.id)) {
    const wanted = lines.filter((line) => isWanted(line, filter));
    if (wanted.length > 0) yield wanted.map((line) => toCsvLine(toCells(line, names))).join('');
    await yieldToEventLoop();
  }
}

function toCells(line: BalancedLine, names: ReadonlyMap<string, string>) {
  const { id, created_at, kind, action, key_id, request_id, corrects, credits, balance, note } = line;
  const key = key_id && (names.get(key_id) ?? key_id);
  const chargeId = kind === 'charge' ? chargeIdOf(line) : null;
  return [id, created_at, kind, action, key, chargeId, request_id, corrects, credits, balance, note];
}

/** Paid operations, the months since the account was opened, and its keys. */
async function readChoices({ accounts, clocks }: Services, account: Account): Promise<LedgerChoices> {
  const at = isoInstant(clocks.wallNow());
  const keys = await readKeys(accounts, account.id, at);
  return { actions: PRICED, months: listMonths(account.created_at, at), keys };
}

/** Months (`YYYY-MM`) between two instants, newest first. */
function listMonths(from: string, to: string): string[] {
  const months: string[] = [];
  const at = new Date(`${to.slice(0, 7)}-01T00:00:00Z`);
  while (at.toISOString().slice(0, 7) >= from.slice(0, 7)) {
    months.push(at.toISOString().slice(0, 7));
    at.setUTCMonth(at.getUTCMonth() - 1);
  }
  return months;
}

/** The filters of the address; unknown values are ignored. */
function readFilter({ query }: Request, { actions, months, keys }: LedgerChoices): LedgerFilter {
  const keyIds = keys.map(({ id }) => id);
  return {
    kind: LINE_KINDS.find((kind) => kind === query.kind),
    action: actions.find((name) => name === query.operation),
    keyId: keyIds.find((id) => id === query.key),
    month: months.find((month) => month === query.month),
  };
}

function readBefore({ query }: Request): number | undefined {
  const { before } = query;
  return typeof before === 'string' && /^\d{1,15}$/.test(before) ? Number(before) : undefined;
}
