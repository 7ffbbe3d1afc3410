import { randomUUID } from 'node:crypto';
import {
  isJSONRPCErrorResponse,
  isJSONRPCResponse,
  type JSONRPCResponse,
  type Server,
} from '@modelcontextprotocol/server';
import type { Caller } from '../../api/contract/operation.ts';
import { LIMITS_MS } from '../support/time-limits.ts';
import type { AskClient, Request } from './fixtures/types.ts';

interface Asked {
  accountId: string;
  deliver(answer: JSONRPCResponse): void;
}

/** What tools asked their clients and wait for, by the ids of those requests, which nobody can guess. */
const waiting = new Map<string, Asked>();

/**
 * Lets a tool of the initialize-based versions ask its client on the stream of the call. The client answers in a POST of
 * its own; without a session the id of the request leads it back, as long as it comes to this process.
 */
export function askOver(server: Server, { id: relatedRequestId }: Request, { accountId }: Caller): AskClient {
  return async (method, params) => {
    const id = randomUUID();
    let timer: NodeJS.Timeout | undefined;
    const response = new Promise<JSONRPCResponse>((deliver, refuse) => {
      waiting.set(id, { accountId, deliver });
      timer = setTimeout(() => refuse(new Error(`the client did not answer ${method}`)), LIMITS_MS.wait);
    });
    try {
      await server.transport?.send({ jsonrpc: '2.0', id, method, params }, { relatedRequestId });
      const answer = await response;
      if (isJSONRPCErrorResponse(answer)) throw new Error(`the client refused ${method}: ${answer.error.message}`);
      return answer.result;
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
    }
  };
}

/** Delivers an answer that a tool of the same account waits for; false for any other message. */
export function takeAnswer(message: unknown, { accountId }: Caller): boolean {
  if (!isJSONRPCResponse(message)) return false;
  const asked = waiting.get(String(message.id));
  if (asked?.accountId !== accountId) return false;
  asked.deliver(message);
  return true;
}
