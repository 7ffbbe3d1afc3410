import { type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server';
import type { Answer } from '../contract/errors.ts';

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** What a request of protocol 2026-07-28 says of its client. */
export interface Asker {
  /** The reserved fields of the request's `_meta`. */
  envelope?: object;
  /** What the client's user answered to an earlier result of the same request. */
  inputResponses?: Record<string, unknown>;
}

/**
 * Out of credits: a client that can open an address for its user is asked to open the one where credits are bought, and asks
 * again by itself when the user is back. It is asked once: the second answer is the refusal. Undefined where nothing is to be
 * opened. The initialize-based versions have no such result, and without a session nobody knows what their client can open:
 * they read `top_up_url` in the refusal.
 */
export function askForCredits(answer: Answer, { envelope, inputResponses }: Asker): InputRequiredResult | undefined {
  if (answer.status !== 402 || inputResponses !== undefined || !opensAddresses(envelope)) return undefined;
  const { error, message, top_up_url: url } = JSON.parse(answer.body) as Record<string, string>;
  // More credits do not lift a key's own cap.
  if (error !== 'insufficient_credits' || message === undefined || url === undefined) return undefined;
  return inputRequired({ inputRequests: { top_up: inputRequired.elicitUrl({ message, url }) } });
}

function opensAddresses(envelope: object | undefined): boolean {
  const capabilities = (envelope as Record<string, { elicitation?: { url?: object } }> | undefined)?.[CAPABILITIES];
  return capabilities?.elicitation?.url !== undefined;
}
