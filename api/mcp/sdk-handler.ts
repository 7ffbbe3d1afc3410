import { type FetchLikeMcpHandler, type NodeMcpRequestHandler, toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isLegacyRequest,
  legacyStatelessFallback,
  type McpRequestContext,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { type AnswerForm, toEvents } from './headers.ts';

type MakeServer = (mcpContext: McpRequestContext) => Server;
type FetchOptions = Parameters<FetchLikeMcpHandler['fetch']>[1];

export interface McpHandler {
  serve: Readonly<Record<AnswerForm, NodeMcpRequestHandler>>;
  close(): Promise<void>;
}

/** Whether an answer of the earlier era comes as a stream of events, by its message. */
export type Streams = (message: unknown) => boolean;

/**
 * Both protocol eras from one factory, statelessly. No tool speaks before its result, so that both answer one JSON body,
 * or one event: the SDK's own serving of the earlier era, left to what `streams`, would always write events.
 */
export function makeMcpHandler(makeServer: MakeServer, log: Logger, streams: Streams): McpHandler {
  const modern = createMcpHandler(makeServer, {
    legacy: 'reject',
    onerror: (error) => log.debug({ err: error }, 'an MCP request was refused'),
  });
  const streaming = legacyStatelessFallback(makeServer);
  const fetch = async (request: Request, options: FetchOptions) => {
    if (!(await isLegacyRequest(request, options?.parsedBody))) return modern.fetch(request, options);
    return streams(options?.parsedBody) ? streaming(request, options) : serveLegacy(makeServer, request, options);
  };
  const onerror = (error: Error) => log.error({ err: error }, 'an MCP request failed');
  const fetchEvents = async (request: Request, options: FetchOptions) => toEvents(await fetch(request, options));
  const serve = {
    json: toNodeHandler({ fetch }, { onerror }),
    events: toNodeHandler({ fetch: fetchEvents }, { onerror }),
  };
  return { serve, close: () => modern.close() };
}

async function serveLegacy(makeServer: MakeServer, request: Request, options: FetchOptions): Promise<Response> {
  const { authInfo, parsedBody } = options ?? {};
  const server = makeServer({ era: 'legacy', requestInfo: request, ...(authInfo ? { authInfo } : {}) });
  // Without a generator of session ids the transport keeps none.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody, ...(authInfo ? { authInfo } : {}) });
  } finally {
    await server.close();
  }
}
