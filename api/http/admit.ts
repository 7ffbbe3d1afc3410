import type { IncomingMessage } from 'node:http';
import { type Allowance, assertAllowed } from '../access/limits.ts';
import type { Caller } from '../contract/operation.ts';
import type { Kit } from '../process/context.ts';

/** The allowance that a request was counted against is told in its answer even where it is refused. */
export type OnAllowance = (allowance: Allowance) => void;

/** Who calls, within the allowances of the key and of its account. @throws Refusal 401, then 429. */
export async function admitCaller(
  kit: Kit,
  request: IncomingMessage,
  address: string,
  onAllowance: OnAllowance,
): Promise<Caller> {
  let caller: Caller;
  try {
    caller = await kit.callers.identify(request.headers.authorization);
  } catch (error) {
    onAllowance(kit.addressLimits.take(address));
    throw error;
  }
  const allowance = kit.keyLimits.take(caller.keyId);
  onAllowance(allowance);
  assertAllowed(allowance);
  // Many keys of one account, each within its own.
  const together = kit.accountLimits.take(caller.accountId);
  if (together.exceeded) onAllowance(together);
  assertAllowed(together);
  return caller;
}

/** Lets in a request that needs no key, within an allowance of its address. @throws Refusal 429. */
export async function admitAnyone(
  kit: Pick<Kit, 'addressLimits'>,
  address: string,
  onAllowance: OnAllowance,
): Promise<null> {
  const allowance = kit.addressLimits.take(address);
  onAllowance(allowance);
  assertAllowed(allowance);
  return null;
}
