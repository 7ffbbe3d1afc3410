import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { askKeyed, type Market, makeSeen, runClient, type Seen } from '../api/money/client.ts';
import { findUnanswered, judge, type Verdict } from '../api/money/judge.ts';
import type { MoneyAsk } from '../api/money/metered-calls.ts';
import { runCli } from '../support/run-command.ts';
import type { Customer } from '../support/services.ts';
import { makeRandom, type Random } from '../upstream/sample/random.ts';
import type { ApiMachine, Layout } from './layout.ts';
import { until } from './until.ts';

/** The parts of the layout that may be killed at any moment. */
const VICTIMS = ['accounts', 'catalogue', 'search', 'store', 'api', 'jobs'] as const;
type Victim = (typeof VICTIMS)[number];

interface KillOptions {
  /** How often each part is killed. */
  each: number;
  victims?: readonly Victim[];
  clients: number;
  seed: number;
  asks: readonly MoneyAsk[];
  onKill?: (victim: Victim, kills: number) => void;
}

export interface KillReport extends Verdict {
  kills: Record<string, number>;
  seen: Seen;
  /** Exports that were paid for and not refunded. */
  exports: number;
  /** The output of `ledger verify`, after its exit code. */
  verified: string;
}

/** Credits of the accounts; the last one is poor. */
const PURSES = [5_000_000, 5_000_000, 5_000_000, 400];
/** Answers between two kills, and how long a part stays away, at most. */
const ANSWERS = 60;
const AWAY_MS = 1_500;
const RUN_OUT = "UPDATE idempotency SET claim_expires_at = 0 WHERE state = 'running'";

/**
 * Clients call both machines while every part of the layout is killed again and again, one at a time. Then everything is
 * counted: charges against observed successes, paid exports against what can be downloaded.
 */
export async function runKills(layout: Layout, options: KillOptions): Promise<KillReport> {
  const random = makeRandom(options.seed);
  const customers = await Promise.all(PURSES.map((credits) => layout.addCustomer(credits)));
  const seen = makeSeen();
  let answers = 0;
  const market: Market = {
    random,
    customers,
    seen,
    asks: options.asks,
    urls: () => layout.apis.map(({ url }) => url),
    onAnswer: () => {
      answers += 1;
    },
  };
  let stopped = false;
  const clients = Array.from({ length: options.clients }, (_, index) => runClient(market, `c${index}`, () => stopped));
  const kills: Record<string, number> = {};
  for (const victim of makeOrder(random, { victims: listVictims(layout), ...options })) {
    const due = answers + random.int(1, ANSWERS);
    await until(`${ANSWERS} answers before ${victim} is killed`, async () => answers >= due);
    await killOnce(layout, victim, random);
    kills[victim] = (kills[victim] ?? 0) + 1;
    options.onKill?.(
      victim,
      Object.values(kills).reduce((sum, count) => sum + count, 0),
    );
    await untilReady(layout.apis);
  }
  stopped = true;
  await layout.accounts.write([{ sql: RUN_OUT }]);
  await Promise.all(clients);
  for (const call of await findUnanswered(layout.accounts, customers, seen)) await askKeyed(market, call);
  const verdict = await judge(layout.accounts, customers, seen);
  const { count, faults } = await judgeExports(layout, customers);
  const { code, stdout, stderr } = await runCli(await cliSettings(layout), 'ledger', 'verify');
  const verified = `${code}: ${stdout || stderr}`;
  const wrong = code === 0 ? [] : [`ledger verify: ${verified}`];
  return { ...verdict, kills, seen, exports: count, verified, faults: [...verdict.faults, ...faults, ...wrong] };
}

/** Settings of an operator's command on a separate machine. */
export async function cliSettings({ shared, makeMachineFolder }: Layout): Promise<Record<string, string>> {
  return { ...shared, LOG_LEVEL: 'warn', DATA_DIR: await makeMachineFolder('operator') };
}

function makeOrder(random: Random, { victims, each }: KillOptions & { victims: readonly Victim[] }): Victim[] {
  const order = victims.flatMap((victim) => Array<Victim>(each).fill(victim));
  for (let last = order.length - 1; last > 0; last--) {
    const other = random.int(0, last);
    [order[last], order[other]] = [order[other] as Victim, order[last] as Victim];
  }
  return order;
}

/** The parts of a layout that can be killed, except servers from outside. */
export function listVictims({ servers }: Layout): Victim[] {
  return VICTIMS.filter((victim) => servers || (victim !== 'accounts' && victim !== 'catalogue'));
}

/** Kills one part, leaves it down for a moment, and starts it again. */
async function killOnce(layout: Layout, victim: Victim, random: Random): Promise<void> {
  const { servers, bucket, apis, jobs } = layout;
  const api = random.pick(apis);
  const store = { kill: async () => bucket.goAway(), start: () => bucket.comeBack() };
  const part = { ...servers, jobs, api, store, search: searchOf(layout, api) }[victim];
  if (!part) throw new Error(`the ${victim} server was given: it is not for us to kill`);
  await part.kill();
  await pause(random.next() * AWAY_MS);
  await part.start();
}

/** Processes that answer searches: Meilisearch where configured, and a machine's readers, with the one that fills its index. */
function searchOf({ meili }: Layout, api: ApiMachine) {
  return {
    async kill() {
      await Promise.all([api.killSearchReaders(), api.index?.kill(), meili?.kill()]);
    },
    async start() {
      await Promise.all([api.index?.start(), meili?.start()]);
    },
  };
}

/** Waits until every API machine reports that it is ready. */
export async function untilReady(apis: readonly ApiMachine[]): Promise<void> {
  for (const { privateUrl } of apis) {
    let said = '';
    await until(
      () => `${privateUrl} to be ready: ${said}`,
      async () => {
        const answer = await fetch(`${privateUrl}/readyz`).catch(() => undefined);
        said = (await answer?.text()) ?? 'nobody there';
        return answer?.ok ?? false;
      },
    );
  }
}

interface PaidExport {
  id: string;
  account_id: string;
  status: string;
}

const PAID = `SELECT id, account_id, status FROM export WHERE status <> 'staged'
  AND account_id IN (SELECT value FROM json_each(?)) ORDER BY id`;
const WAITING = "SELECT count(*) AS waiting FROM export WHERE status = 'processing'";

/** Every paid export ends, and its file is complete and the same from each machine. */
async function judgeExports({ accounts, apis, jobs }: Layout, customers: readonly Customer[]) {
  const countWaiting = async () => (await accounts.read<{ waiting: number }>({ sql: WAITING }))[0]?.waiting ?? 0;
  for (let waiting = await countWaiting(); waiting > 0; waiting = await countWaiting()) {
    const last = () => `the next of ${waiting} exports to be written: ${jobs.said().slice(-2_000)}`;
    await until(last, async () => (await countWaiting()) < waiting);
  }
  const ids = JSON.stringify(customers.map(({ accountId }) => accountId));
  const rows = await accounts.read<PaidExport>({ sql: PAID, args: [ids] });
  const faults: string[] = [];
  for (const { id, account_id: account, status } of rows) {
    // A failed one is refunded, which the proof of the ledger looks at.
    if (status !== 'completed') {
      faults.push(`export ${id}: ${status}`);
      continue;
    }
    const key = customers.find(({ accountId }) => accountId === account)?.key ?? '';
    const files = await Promise.all(apis.map(({ url }) => download(url, id, key)));
    if (new Set(files).size !== 1 || !files[0]?.startsWith('200')) faults.push(`export ${id}: ${files.join(', ')}`);
  }
  return { count: rows.length, faults };
}

/** The status of a download from one machine, and the digest of what came. */
export async function download(url: string, id: string, key: string): Promise<string> {
  const asked = await fetch(`${url}/v1/exports/${id}`, { headers: { authorization: `Bearer ${key}` } });
  const { download_url: address } = (await asked.json()) as { download_url?: string };
  if (!address) return `${asked.status} without an address`;
  const file = await fetch(address);
  const bytes = new Uint8Array(await file.arrayBuffer());
  return `${file.status} ${createHash('sha256').update(bytes).digest('hex')}`;
}
