import { makeKeyedChargeId } from '../../../api/metering/idempotency.ts';
import { LEDGER_LINES } from '../../../schema/accounts/ledger/lines.ts';
import { chargeKey } from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { Customer } from '../../support/services.ts';
import type { KeyedCall, Seen, UnkeyedSuccess, UnknownCall } from './client.ts';

/** What the ledger says of all that was seen. */
export interface Verdict {
  charges: number;
  /** Successes that a client saw, each key counted once. */
  successes: number;
  /** Charges of calls without a key whose client does not know of them, each with the call that it is of. */
  unseen: string[];
  credits: number;
  /** Everything that is not as it must be; empty is the only good answer. */
  faults: string[];
}

interface Charge {
  key: string;
  action: string;
  from_account: string;
  credits: number;
  request_id: string;
}

interface Priced {
  charge_id: string;
  credits_charged: number;
}

/** Holds what clients saw against the ledger: each success charged once, each key at most once, nothing besides. */
export async function judge(accounts: Database, customers: readonly Customer[], seen: Seen): Promise<Verdict> {
  const charges = await readCharges(accounts, customers);
  const unkeyed = seen.unkeyed.flatMap((success) => judgeUnkeyed(charges, success));
  const keyed = seen.keyed.flatMap((call) => judgeKeyed(charges, call));
  const keys = new Set(seen.keyed.map((call) => chargeOf(call)));
  const seenUnkeyed = new Set(seen.unkeyed.map(({ answer }) => chargeKey(priceOf(answer.text).charge_id)));
  const others = [...charges.values()].filter(({ key }) => !keys.has(key) && !seenUnkeyed.has(key));
  const { unseen, unasked } = matchUnknown(others, seen.unknown);
  const { faults: broken } = await verifyLedger(accounts);
  return {
    charges: charges.size,
    successes: seenUnkeyed.size + seen.keyed.filter(({ texts }) => texts.size > 0).length,
    unseen,
    credits: [...charges.values()].reduce((sum, { credits }) => sum + credits, 0),
    faults: [
      ...seen.faults,
      ...unkeyed,
      ...keyed,
      ...(seenUnkeyed.size === seen.unkeyed.length ? [] : ['two answers name one charge']),
      ...unasked.map((key) => `${key}: charged, and of no call whose outcome is unknown`),
      ...broken.map(({ fault, subject, detail }) => `${fault}: ${subject} (${detail})`),
    ],
  };
}

async function readCharges(accounts: Database, customers: readonly Customer[]): Promise<Map<string, Charge>> {
  const ids = JSON.stringify(customers.map(({ accountId }) => accountId));
  const rows = await accounts.read<Charge>({
    sql: `SELECT key, action, from_account, credits, request_id FROM (${LEDGER_LINES})
          WHERE kind = 'charge' AND from_account IN (SELECT value FROM json_each(?))`,
    args: [ids],
  });
  return new Map(rows.map((row) => [row.key, row]));
}

/** Finds for each charge that nobody saw a call of unknown outcome: of the same request where that is known, else of the same account and tool. */
function matchUnknown(charges: readonly Charge[], calls: readonly UnknownCall[]) {
  const left = [...calls];
  const unseen: string[] = [];
  const unasked: string[] = [];
  for (const { key, action, from_account: account, request_id: request, credits } of charges) {
    const isOfRequest = ({ requestId }: UnknownCall) => requestId === request;
    const isAlike = ({ why, customer, tool }: UnknownCall) =>
      why === 'cut' && customer.accountId === account && tool.endsWith(action);
    const found = left.find(isOfRequest) ?? left.find(isAlike);
    if (!found) unasked.push(key);
    else {
      left.splice(left.indexOf(found), 1);
      unseen.push(`${key}: ${credits} credits for ${action}, its answer was ${found.why}`);
    }
  }
  return { unseen, unasked };
}

function judgeUnkeyed(charges: Map<string, Charge>, { customer, answer }: UnkeyedSuccess): string[] {
  const { charge_id: id, credits_charged: credits } = priceOf(answer.text);
  const charge = charges.get(chargeKey(id));
  if (!charge) return [`${id}: answered and not charged`];
  const right = charge.credits === credits && charge.from_account === customer.accountId;
  return right && charge.request_id === answer.requestId ? [] : [`${id}: charged otherwise than its answer says`];
}

function judgeKeyed(charges: Map<string, Charge>, call: KeyedCall): string[] {
  const { key, texts, fresh, settled } = call;
  const charge = charges.get(chargeOf(call));
  const [text] = texts;
  const wrong: [boolean, string][] = [
    [!settled, 'never settled'],
    [texts.size > 1, 'two different answers'],
    [fresh > 1, 'answered with a new answer instead of the first'],
    [text === undefined && charge !== undefined, 'charged and never answered'],
    [text !== undefined && charge === undefined, 'answered and not charged'],
    [text !== undefined && priceOf(text).credits_charged !== charge?.credits, 'charged otherwise than its answer says'],
  ];
  return wrong.flatMap(([holds, what]) => (holds ? [`${key}: ${what}`] : []));
}

/** Ledger key of the one charge that a key may come to. */
function chargeOf({ customer, key }: KeyedCall): string {
  return chargeKey(makeKeyedChargeId({ accountId: customer.accountId, key }));
}

/** Whether a keyed call was charged although no client has seen its success. */
export async function findUnanswered(
  accounts: Database,
  customers: readonly Customer[],
  seen: Seen,
): Promise<KeyedCall[]> {
  const charges = await readCharges(accounts, customers);
  return seen.keyed.filter((call) => call.texts.size === 0 && charges.has(chargeOf(call)));
}

function priceOf(text: string): Priced {
  return JSON.parse(text) as Priced;
}
