import type { IncomingMessage } from 'node:http';
import { type Allowance, assertAllowed } from '../access/limits.ts';
import type { Caller } from '../contract/operation.ts';
import type { Context } from '../process/context.ts';

/** Receives the allowance that a request was counted against; even a refusal states it. */
export type OnAllowance = (allowance: Allowance) => void;

/** Who calls, within the allowances of the key and of its account. @throws Refusal 401, then 429. */
export async function admitCaller(
  context: Context,
  request: IncomingMessage,
  address: string,
  onAllowance: OnAllowance,
): Promise<Caller> {
  let caller: Caller;
  try {
    caller = await context.callers.identify(request.headers.authorization);
  } catch (error) {
    onAllowance(context.addressLimits.take(address));
    throw error;
  }
  const allowance = context.keyLimits.take(caller.keyId);
  onAllowance(allowance);
  assertAllowed(allowance);
  // Many keys of one account, each within its own.
  const together = context.accountLimits.take(caller.accountId);
  if (together.exceeded) onAllowance(together);
  assertAllowed(together);
  return caller;
}

/** Lets in a request that needs no key, within an allowance of its address. @throws Refusal 429. */
export async function admitAnyone(
  context: Pick<Context, 'addressLimits'>,
  address: string,
  onAllowance: OnAllowance,
): Promise<null> {
  const allowance = context.addressLimits.take(address);
  onAllowance(allowance);
  assertAllowed(allowance);
  return null;
}
