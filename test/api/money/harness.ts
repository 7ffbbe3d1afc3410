import { setTimeout as pause } from 'node:timers/promises';
import { grantStatement } from '../../../schema/accounts/ledger/transfers.ts';
import type { BuiltServer } from '../../support/services.ts';
import { type Crew, makeCrew } from '../../support/start-child.ts';
import { makeRandom, type Random } from '../../upstream/sample/random.ts';
import type { ApiOrder } from './api-child.ts';
import { askKeyed, type Market, makeSeen, runClient, type Seen } from './client.ts';
import { findUnanswered, judge, type Verdict } from './judge.ts';
import type { MoneyAsk } from './metered-calls.ts';
import { type ApiProcess, killAll, loadApi, startApi } from './processes.ts';

interface MoneyOptions {
  /** Holds the databases; its own server stays unused. */
  server: BuiltServer;
  rows: ApiOrder['rows'];
  asks: readonly MoneyAsk[];
  kills: number;
  clients: number;
  processes: number;
  seed: number;
  /** How many calls a process answers before it is killed: at most. */
  answersMost: number;
  /** Does not wait for abandoned claims to run out at the end, but lets them. */
  impatient?: boolean;
  onKill?: (kills: number) => void;
}

export interface MoneyReport extends Verdict {
  kills: number;
  seen: Seen;
}

/** Credits of the accounts; the last one is poor, and is given a little after every kill. */
const PURSES = [5_000_000, 5_000_000, 5_000_000, 200];
const ALMS = 60;
const WITHIN_MS = 20;
const RUN_OUT = "UPDATE idempotency SET claim_expires_at = 0 WHERE state = 'running'";

/** Clients call while the processes that answer them are killed at random moments; then everything is counted. */
export async function runMoneyChaos(options: MoneyOptions): Promise<MoneyReport> {
  const { server, clients, processes, rows } = options;
  const random = makeRandom(options.seed);
  const customers = await Promise.all(PURSES.map((credits) => server.addCustomer(credits)));
  const crew = makeCrew(() => loadApi(server));
  const slots = await Promise.all(Array.from({ length: processes }, () => startApi(crew.next(), rows)));
  const seen = makeSeen();
  const answered = new Map<string, number>();
  const onAnswer = (url: string) => void answered.set(url, (answered.get(url) ?? 0) + 1);
  const urls = () => slots.map(({ url }) => url);
  const market: Market = { random, customers, asks: options.asks, urls, seen, onAnswer };
  const poor = customers.at(-1)?.accountId ?? '';
  let stopped = false;
  try {
    const running = Array.from({ length: clients }, (_, index) => runClient(market, `c${index}`, () => stopped));
    const kills = await killAgainAndAgain(options, { crew, slots, random, answered, poor });
    stopped = true;
    if (options.impatient) await server.accounts.write([{ sql: RUN_OUT }]);
    await Promise.all(running);
    await askUnanswered(server, market);
    return { kills, seen, ...(await judge(server.accounts, customers, seen)) };
  } finally {
    await crew.close();
    await killAll(slots);
  }
}

/** A process that was killed may have charged what was then refused to a second call of the same moment: asked again, it answers. */
async function askUnanswered({ accounts }: BuiltServer, market: Market): Promise<void> {
  for (const call of await findUnanswered(accounts, market.customers, market.seen)) await askKeyed(market, call);
}

interface Killing {
  crew: Crew;
  slots: ApiProcess[];
  random: Random;
  /** Calls answered so far, by where. */
  answered: ReadonlyMap<string, number>;
  poor: string;
}

/** Each of the processes has a fate of its own, so that now and then none of them is alive. Answers how often one was killed. */
async function killAgainAndAgain(
  options: MoneyOptions,
  { crew, slots, random, answered, poor }: Killing,
): Promise<number> {
  let begun = 0;
  let kills = 0;
  const haunt = async (slot: ApiProcess) => {
    while (begun < options.kills) {
      begun += 1;
      const due = random.int(0, options.answersMost);
      while ((answered.get(slot.url) ?? 0) < due) await pause(1);
      // Somewhere within a call, not just behind one.
      await pause(random.next() * WITHIN_MS);
      slot.child.kill();
      const { code, complained } = await slot.child.ended;
      if (code !== null) throw new Error(`an API process ended by itself: ${complained}`);
      Object.assign(slot, await startApi(crew.next(), options.rows));
      kills += 1;
      const alms = { key: `alms-${kills}`, accountId: poor, credits: ALMS, at: new Date().toISOString() };
      await options.server.accounts.write([grantStatement(alms)]);
      options.onKill?.(kills);
    }
  };
  await Promise.all(slots.map(haunt));
  return kills;
}
