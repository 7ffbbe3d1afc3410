import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** What a tool answered, whichever client asked. */
interface ToolAnswer {
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
  text: string;
  _meta?: Record<string, unknown>;
}

export interface McpClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  call(name: string, args: Record<string, unknown>, meta?: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export const GENERATIONS = ['2026-07-28', '2.x legacy', '1.x'] as const;
export type Generation = (typeof GENERATIONS)[number];

const ME = { name: 'test', version: '1.0.0' };

/** An official client of a generation, connected. */
export async function connect(generation: Generation, url: string, key: string): Promise<McpClient> {
  const options = { requestInit: { headers: { authorization: `Bearer ${key}` } } };
  if (generation === '1.x') {
    const client = new FirstClient(ME);
    // The transport's own types and exactOptionalPropertyTypes disagree in 1.x.
    await client.connect(new FirstTransport(new URL(url), options) as Parameters<FirstClient['connect']>[0]);
    return wrap(client);
  }
  const mode = generation === '2026-07-28' ? { pin: '2026-07-28' } : 'legacy';
  const client = new Client(ME, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), options));
  return wrap(client);
}

interface AnyClient {
  listTools(): Promise<unknown>;
  callTool(params: {
    name: string;
    arguments: Record<string, unknown>;
    _meta?: Record<string, unknown>;
  }): Promise<unknown>;
  close(): Promise<void>;
}

function wrap(client: AnyClient): McpClient {
  return {
    listTools: async () => (await client.listTools()) as { tools: { name: string }[] },
    async call(name, args, meta) {
      const result = await client.callTool({ name, arguments: args, ...(meta ? { _meta: meta } : {}) });
      const { content, ...rest } = result as ToolAnswer & { content: { text: string }[] };
      return { ...rest, text: content[0]?.text ?? '' };
    },
    close: () => client.close(),
  };
}
