import { setTimeout as pause } from 'node:timers/promises';
import { grantStatement } from '../../schema/ledger.ts';
import { type Child, type Crew, makeCrew, startChild } from '../chaos/start-child.ts';
import type { BuiltHouse } from '../house.ts';
import { makeRandom, type Random } from '../upstream/sample/random.ts';
import type { ApiAddress, ApiOrder } from './api-child.ts';
import type { MoneyAsk } from './asks.ts';
import { askKeyed, type Market, makeSeen, runClient, type Seen } from './client.ts';
import { findUnanswered, judge, type Verdict } from './judge.ts';

export interface MoneyOptions {
  /** Holds the databases; its own server stays unused. */
  house: BuiltHouse;
  rows: ApiOrder['rows'];
  asks: readonly MoneyAsk[];
  kills: number;
  clients: number;
  processes: number;
  seed: number;
  /** How long a process works before it is killed, in milliseconds: at most. */
  aliveMs: number;
  /** Does not wait for abandoned claims to run out at the end, but lets them. */
  impatient?: boolean;
  onKill?: (kills: number) => void;
}

export interface MoneyReport extends Verdict {
  kills: number;
  seen: Seen;
}

/** One of the processes, which is another one after each kill. */
interface Slot {
  url: string;
  child: Child;
}

/** Credits of the accounts; the last one is poor, and is given a little after every kill. */
const PURSES = [5_000_000, 5_000_000, 5_000_000, 200];
const ALMS = 60;
const RUN_OUT = "UPDATE idempotency SET claim_expires_at = 0 WHERE state = 'running'";
const CHILD = new URL('./api-child.ts', import.meta.url);

/** Clients call while the processes that answer them are killed at random moments; then everything is counted. */
export async function runMoneyChaos(options: MoneyOptions): Promise<MoneyReport> {
  const { house, clients, processes, rows } = options;
  const random = makeRandom(options.seed);
  const customers = await Promise.all(PURSES.map((credits) => house.addCustomer(credits)));
  const crew = makeCrew(() => startChild(CHILD, childSettings(house)));
  const slots = await Promise.all(Array.from({ length: processes }, () => startSlot(crew, rows)));
  const seen = makeSeen();
  const market: Market = { random, customers, asks: options.asks, urls: () => slots.map(({ url }) => url), seen };
  let stopped = false;
  try {
    const running = Array.from({ length: clients }, (_, index) => runClient(market, `c${index}`, () => stopped));
    const kills = await killAgainAndAgain(options, { crew, slots, random, poor: customers.at(-1)?.accountId ?? '' });
    stopped = true;
    if (options.impatient) await house.accounts.write([{ sql: RUN_OUT }]);
    await Promise.all(running);
    await askUnanswered(house, market);
    return { kills, seen, ...(await judge(house.accounts, customers, seen)) };
  } finally {
    await crew.close();
    for (const { child } of slots) child.kill();
    await Promise.all(slots.map(({ child }) => child.ended));
  }
}

/** A process that was killed may have charged what was then refused to a second call of the same moment: asked again, it answers. */
async function askUnanswered({ accounts }: BuiltHouse, market: Market): Promise<void> {
  for (const call of await findUnanswered(accounts, market.customers, market.seen)) await askKeyed(market, call);
}

function childSettings({ settings }: BuiltHouse): Record<string, string> {
  return {
    DATA_DIR: settings.DATA_DIR,
    PORT: '0',
    PRIVATE_PORT: '0',
    LOG_LEVEL: 'error',
    KEY_REQUESTS_PER_MINUTE: '1000000',
    ...(settings.AS_OF ? { AS_OF: settings.AS_OF.toISOString() } : {}),
  };
}

async function startSlot(crew: Crew, rows: ApiOrder['rows']): Promise<Slot> {
  const child = crew.next();
  child.begin({ rows } satisfies ApiOrder);
  const said = await child.ready;
  if (said === undefined) throw new Error(`an API process did not start: ${(await child.ended).complained}`);
  return { child, url: (JSON.parse(said) as ApiAddress).url };
}

interface Killing {
  crew: Crew;
  slots: Slot[];
  random: Random;
  poor: string;
}

/** Each of the processes has a fate of its own, so that now and then none of them is alive. Answers how often one was killed. */
async function killAgainAndAgain(options: MoneyOptions, { crew, slots, random, poor }: Killing): Promise<number> {
  let begun = 0;
  let kills = 0;
  const haunt = async (slot: Slot) => {
    while (begun < options.kills) {
      begun += 1;
      await pause(random.next() * options.aliveMs);
      slot.child.kill();
      const { code, complained } = await slot.child.ended;
      if (code !== null) throw new Error(`an API process ended by itself: ${complained}`);
      Object.assign(slot, await startSlot(crew, options.rows));
      kills += 1;
      const alms = { key: `alms-${kills}`, accountId: poor, credits: ALMS, at: new Date().toISOString() };
      await options.house.accounts.write([grantStatement(alms)]);
      options.onKill?.(kills);
    }
  };
  await Promise.all(slots.map(haunt));
  return kills;
}
