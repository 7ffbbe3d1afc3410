import type { IncomingMessage } from 'node:http';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  isSpecType,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import type { Answer } from '../contract/errors.ts';
import { send } from '../http/respond.ts';
import type { Context } from '../process/context.ts';
import {
  askForCredits,
  callTool,
  isRecord,
  SERVER_INFO,
  type Session,
  type ToolCall,
  toToolResult,
  unknownTool,
} from './call-tool.ts';
import { type AnswerForm, writeMessage } from './headers.ts';
import type { CompiledTool } from './tools.ts';

const METHOD = 'tools/call';
/** The version whose requests carry an envelope in `_meta`, which headers repeat. */
const ENVELOPED = '2026-07-28';
/** Parts of a request that ask for more than one answer. */
const NOT_PLAIN = ['task', 'inputResponses', 'requestState'] as const;

interface PlainCall extends ToolCall {
  id: string | number;
  /** Of protocol 2026-07-28. */
  modern: boolean;
}

/**
 * A `tools/call` that needs one answer and nothing else: handled here, it costs a fraction of the SDK's time. Undefined for
 * everything else, and for any fault in a request, its headers or its envelope: the SDK refuses those.
 */
export function readPlainCall({ headers }: IncomingMessage, message: unknown): PlainCall | undefined {
  const { jsonrpc, id, method, params } = (message ?? {}) as Record<string, unknown>;
  if (jsonrpc !== '2.0' || method !== METHOD || !isRecord(params)) return undefined;
  if (NOT_PLAIN.some((part) => part in params)) return undefined;
  if (typeof id !== 'string' && !Number.isInteger(id)) return undefined;
  const { name, arguments: given = {}, _meta: meta = {} } = params;
  if (typeof name !== 'string' || !isRecord(meta)) return undefined;
  const modern = PROTOCOL_VERSION_META_KEY in meta;
  const isPlain = modern ? agrees(headers, name, meta) : isOfEarlierVersion(headers);
  return isPlain ? { id: id as string | number, name, given: given ?? {}, meta, modern } : undefined;
}

/** Whether the headers repeat the body, as protocol 2026-07-28 requires, and the envelope is complete. */
function agrees(headers: IncomingMessage['headers'], name: string, meta: Record<string, unknown>): boolean {
  return (
    meta[PROTOCOL_VERSION_META_KEY] === ENVELOPED &&
    headers['mcp-protocol-version'] === ENVELOPED &&
    headers['mcp-method'] === METHOD &&
    headers['mcp-name'] === name &&
    isEnvelope(meta)
  );
}

/** Whether an envelope with only the usual fields is complete; one with more is left to the SDK. */
function isEnvelope({
  [CLIENT_CAPABILITIES_META_KEY]: capabilities,
  [CLIENT_INFO_META_KEY]: client,
  progressToken = 0,
  ...more
}: Record<string, unknown>): boolean {
  if (LOG_LEVEL_META_KEY in more || (typeof progressToken !== 'string' && !Number.isInteger(progressToken)))
    return false;
  return (client === undefined || isSpecType.Implementation(client)) && isSpecType.ClientCapabilities(capabilities);
}

function isOfEarlierVersion(headers: IncomingMessage['headers']): boolean {
  const version = headers['mcp-protocol-version'];
  return version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version));
}

/** Answers a plain call with one message. */
export async function answerPlainCall(
  context: Context,
  tools: ReadonlyMap<string, CompiledTool>,
  session: Session,
  asked: PlainCall,
  form: AnswerForm,
): Promise<void> {
  const { response } = session.exchange;
  const tool = tools.get(asked.name);
  const outcome = tool
    ? `"result":${toResult(await callTool(context, tool, session, asked), asked)}`
    : `"error":${JSON.stringify({ code: ProtocolErrorCode.InvalidParams, message: unknownTool(asked.name, tools) })}`;
  const json = `{"jsonrpc":"2.0","id":${JSON.stringify(asked.id)},${outcome}}`;
  if (!response.destroyed) send(response, { status: 200, ...writeMessage(json, form) });
}

/** What the SDK adds to every result of protocol 2026-07-28. */
const SERVED = `${JSON.stringify(SERVER_INFO_META_KEY)}:${JSON.stringify(SERVER_INFO)}`;

function toResult(answer: Answer, { modern, meta }: PlainCall): string {
  if (!modern) return toToolResult(answer, false);
  const asking = askForCredits(answer, { envelope: meta });
  if (asking) return JSON.stringify(asking);
  return `${toToolResult(answer, true, SERVED).slice(0, -1)},"resultType":"complete"}`;
}
