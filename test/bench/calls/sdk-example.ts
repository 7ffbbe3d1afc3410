import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { Operation, Services } from '../../../api/contract/operation.ts';

const CALLER = { accountId: 'bench', keyId: 'bench' };

/** The SDK's own stateless example with our tools: a server made for each request, nothing metered, nobody identified. */
export function makeSdkExample(services: Services, operations: readonly Operation[]) {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'example', version: '1.0.0' });
    for (const operation of operations) register(server, services, operation);
    return server;
  });
  const handle = toNodeHandler(handler);
  return createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
}

function register(server: McpServer, services: Services, operation: Operation): void {
  const { name, title, description, input, output } = operation;
  const config = { title, description, inputSchema: input, outputSchema: output };
  server.registerTool(`svc_${name}`, config, async (given) => {
    const found = await operation.run(given as Record<string, unknown>, services, CALLER);
    const body = found.kind === 'answer' ? (found.body as Record<string, unknown>) : { message: found.message };
    const content = [{ type: 'text' as const, text: JSON.stringify(body) }];
    return found.kind === 'answer' ? { content, structuredContent: body } : { content, isError: true };
  });
}
