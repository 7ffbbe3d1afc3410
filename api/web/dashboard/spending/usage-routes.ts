import type { Router } from 'express';
import { readKeys } from '../../../../schema/accounts/customer/account.ts';
import { readUsage, type Usage, type UsagePart } from '../../../../schema/accounts/ledger/usage.ts';
import { isoInstant } from '../../../../schema/config/clocks.ts';
import type { Web } from '../../context.ts';
import { makeRouter } from '../../serving/router.ts';
import type { MakeSigned, SignedHandler } from '../signed-in.ts';
import { usagePage } from './usage.tsx';

const SPANS = [30, 90];
const DAY_MS = 86_400_000;

/** What was spent, by day, operation and key. */
export function makeUsageRoutes(web: Web, signed: MakeSigned): Router {
  const router = makeRouter();
  router.get('/dashboard/usage', signed(showUsage(web), 'usage'));
  return router;
}

function showUsage({ services, send }: Web): SignedHandler {
  return async ({ account, person }, request, response) => {
    const { accounts, clocks } = services;
    const now = clocks.wallNow();
    const span = SPANS.find((days) => String(days) === request.query.days) ?? 30;
    const all = listDays(now, span);
    const [from = '', to = ''] = [all[0], all.at(-1)];
    const read = (by: UsagePart) => readUsage(accounts, { accountId: account.id, from, to, by });
    const [days, operations, keys] = await Promise.all([read('day'), read('action'), read('key_id')]);
    const keyNames = new Map((await readKeys(accounts, account.id, isoInstant(now))).map(({ id, name }) => [id, name]));
    await send(response, usagePage(person, { span, spans: SPANS, days: fill(all, days), operations, keys, keyNames }));
  };
}

/** Days (`YYYY-MM-DD`, UTC) up to today. */
function listDays(now: Date, count: number): string[] {
  const dayOf = (at: number) => new Date(now.getTime() - (count - 1 - at) * DAY_MS).toISOString().slice(0, 10);
  return Array.from({ length: count }, (_, at) => dayOf(at));
}

/** Every day, those without charges too. */
function fill(days: readonly string[], used: readonly (Usage & { part: string })[]) {
  const held = new Map(used.map((day) => [day.part, day]));
  return days.map((part) => held.get(part) ?? { part, calls: 0, credits: 0 });
}
