import { setTimeout as pause } from 'node:timers/promises';
import type { Customer } from '../../support/services.ts';
import type { Random } from '../../upstream/sample/random.ts';
import { type Answered, type MoneyAsk, type Sent, send } from './metered-calls.ts';

/** A call under a key, asked again until it is settled. */
export interface KeyedCall {
  customer: Customer;
  ask: MoneyAsk;
  key: string;
  /** Every different text that a success came with: one, no matter who asked, or how often. */
  texts: Set<string>;
  /** How many of them were first answers and no replays: one at most. */
  fresh: number;
  settled: boolean;
}

/** A success of a call without a key. */
export interface UnkeyedSuccess {
  customer: Customer;
  answer: Answered;
}

/** A call without a key of which its client does not know whether it was charged. */
export interface UnknownCall {
  customer: Customer;
  tool: string;
  why: 'cut' | 'unsure';
  /** Of an answer that is unsure. */
  requestId?: string;
}

/** What all clients together did and saw. */
export interface Seen {
  sent: number;
  /** Calls whose connection was cut before the answer. */
  cut: number;
  /** Calls without a key whose answer was cut, or said that the outcome is unknown: each may have been charged, once. */
  unknown: UnknownCall[];
  /** Calls that found nobody listening. */
  unheard: number;
  replays: number;
  statuses: Map<number, number>;
  keyed: KeyedCall[];
  unkeyed: UnkeyedSuccess[];
  faults: string[];
}

export interface Market {
  random: Random;
  customers: readonly Customer[];
  asks: readonly MoneyAsk[];
  /** Where a process answers just now; one may be dead, which a client does not know. */
  urls(): readonly string[];
  seen: Seen;
  /** Hears of every call that was answered, and by whom. */
  onAnswer(url: string): void;
}

const KEYED_SHARE = 0.6;
/** How often a keyed call is sent twice at the same moment, and a settled one once more. */
const TWIN_SHARE = 0.15;
const AGAIN_SHARE = 0.3;
/** Unsettled calls that a client keeps for later. */
const PENDING_MAX = 12;
const PAUSE_MS = 50;
const NOBODY_MS = 200;
/** Not the answer yet; and what a call here may come to. */
const LATER: ReadonlySet<number> = new Set([409, 429, 503]);
const DUE: ReadonlySet<number> = new Set([200, 402, 404, 409, 503]);
/** Of an account one is made at a time, and few may wait: beyond them it is refused with 429, free. */
const IN_LINE = 'svc_bulk_export';

export const makeSeen = (): Seen => ({
  sent: 0,
  cut: 0,
  unheard: 0,
  replays: 0,
  statuses: new Map(),
  keyed: [],
  unkeyed: [],
  unknown: [],
  faults: [],
});

/** One client: calls with and without keys over both doors until it is told to stop, and then until every keyed call is settled. */
export async function runClient(market: Market, name: string, stopped: () => boolean): Promise<void> {
  const { random, seen } = market;
  let pending: KeyedCall[] = [];
  while (!stopped() || pending.length > 0) {
    const late = stopped() || pending.length >= PENDING_MAX;
    const old = pending.length > 0 && (late || random.chance(0.5)) ? random.pick(pending) : undefined;
    if (!old && !random.chance(KEYED_SHARE)) {
      await askUnkeyed(market);
      continue;
    }
    const call = old ?? makeCall(market, `${name}-${seen.keyed.length}`);
    await askKeyed(market, call);
    pending = call.settled ? pending.filter((each) => each !== call) : [...new Set([...pending, call])];
    if (late && !call.settled) await pause(PAUSE_MS);
  }
}

function makeCall({ random, customers, asks, seen }: Market, key: string): KeyedCall {
  const of = { customer: random.pick(customers), ask: random.pick(asks), key };
  const call: KeyedCall = { ...of, texts: new Set(), fresh: 0, settled: false };
  seen.keyed.push(call);
  return call;
}

async function askUnkeyed(market: Market): Promise<void> {
  const { random, customers, asks, seen } = market;
  const customer = random.pick(customers);
  const answer = await ask(market, random.pick(asks), customer);
  if (answer?.status === 200) seen.unkeyed.push({ customer, answer });
}

/** Asks a keyed call, now and then twice at once, and what is settled now and then once more. */
export async function askKeyed(market: Market, call: KeyedCall): Promise<void> {
  const { random } = market;
  const once = () => ask(market, call.ask, call.customer, call.key);
  const answers = await Promise.all(random.chance(TWIN_SHARE) ? [once(), once()] : [once()]);
  for (const answer of answers) record(call, answer);
  if (call.texts.size > 0 && random.chance(AGAIN_SHARE)) record(call, await once());
}

function record(call: KeyedCall, answer: Answered | undefined): void {
  if (!answer || LATER.has(answer.status)) return;
  call.settled = true;
  if (answer.status !== 200) return;
  call.texts.add(answer.text);
  if (!answer.replayed) call.fresh += 1;
}

/** One call to one of the processes; undefined where its connection was cut. */
async function ask(
  { random, urls, seen, onAnswer }: Market,
  what: MoneyAsk,
  customer: Customer,
  idempotencyKey?: string,
): Promise<Answered | undefined> {
  const transport = random.pick(['rest', 'mcp'] as const);
  const sent: Sent = { url: random.pick(urls()), transport, ask: what, apiKey: customer.key, idempotencyKey };
  seen.sent += 1;
  try {
    const answer = await send({ ...sent, keyInMeta: random.chance(0.5) });
    onAnswer(sent.url);
    seen.statuses.set(answer.status, (seen.statuses.get(answer.status) ?? 0) + 1);
    if (answer.replayed) seen.replays += 1;
    if (!idempotencyKey && answer.status === 503 && !answer.text.includes('Nothing was charged'))
      seen.unknown.push({ customer, tool: what.tool, why: 'unsure', requestId: answer.requestId });
    const isRefusedInLine = answer.status === 429 && what.tool === IN_LINE;
    if (!DUE.has(answer.status) && !isRefusedInLine)
      seen.faults.push(`${what.tool}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer;
  } catch (error) {
    const isUnheard = (error as { code?: string }).code === 'ECONNREFUSED';
    if (isUnheard) seen.unheard += 1;
    else seen.cut += 1;
    if (!isUnheard && idempotencyKey === undefined) seen.unknown.push({ customer, tool: what.tool, why: 'cut' });
    // Nobody answers for a moment after a kill; clients that ask again at once would only be in the way of the start.
    await pause(NOBODY_MS * random.next());
    return undefined;
  }
}
