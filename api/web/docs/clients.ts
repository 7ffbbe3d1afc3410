import { FIRST_CALL } from './snippet.tsx';

/** The setup of one MCP client. */
export interface ClientSetup {
  id: string;
  name: string;
  /** Where to put the text. */
  where: string;
  kind: 'shell' | 'json' | 'toml' | 'typescript' | 'python';
  text: string;
  /** A note. */
  note?: string;
}

const NAME = 'uk-procurement';
const HEADERS = { Authorization: 'Bearer YOUR_KEY' };
const json = (value: unknown) => JSON.stringify(value, null, 2);

/**
 * Setups of the main clients, in the form of their documentation of November 2026. `address` is the
 * server's, `YOUR_KEY` stands for the key.
 */
export function listClients(address: string, prefix: string): ClientSetup[] {
  return [...listCommands(address), ...listEditors(address), ...listHosts(address), ...listCode(address, prefix)];
}

function listCommands(address: string): ClientSetup[] {
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      where: 'In a terminal; --scope user makes it known in every folder.',
      kind: 'shell',
      text: `claude mcp add --transport http ${NAME} ${address} --header "Authorization: Bearer YOUR_KEY"`,
    },
    {
      id: 'codex',
      name: 'Codex',
      where: 'In ~/.codex/config.toml, with the key in the variable UK_PROCUREMENT_KEY.',
      kind: 'toml',
      text: `[mcp_servers.${NAME}]\nurl = "${address}"\nbearer_token_env_var = "UK_PROCUREMENT_KEY"`,
    },
    {
      id: 'inspector',
      name: 'MCP inspector',
      where: 'In a terminal with Node 22.19 or newer: lists the tools.',
      kind: 'shell',
      text: `npx @modelcontextprotocol/inspector@2 --cli ${address} --transport http --method tools/list --header "Authorization: Bearer YOUR_KEY"`,
    },
  ];
}

function listEditors(address: string): ClientSetup[] {
  const remote = { url: address, headers: HEADERS };
  return [
    {
      id: 'cursor',
      name: 'Cursor',
      where: 'In ~/.cursor/mcp.json, or .cursor/mcp.json of a project.',
      kind: 'json',
      text: json({ mcpServers: { [NAME]: remote } }),
    },
    {
      id: 'vs-code',
      name: 'VS Code',
      where: 'In .vscode/mcp.json; it asks for the key once and keeps it safe.',
      kind: 'json',
      text: json({
        inputs: [{ type: 'promptString', id: 'uk-procurement-key', description: 'API key', password: true }],
        servers: {
          [NAME]: { type: 'http', url: address, headers: { Authorization: 'Bearer $' + '{input:uk-procurement-key}' } },
        },
      }),
    },
    {
      id: 'gemini-cli',
      name: 'Gemini CLI',
      where: 'In ~/.gemini/settings.json.',
      kind: 'json',
      // For `url` it expects the older transport.
      text: json({ mcpServers: { [NAME]: { httpUrl: address, headers: HEADERS } } }),
    },
    {
      id: 'windsurf',
      name: 'Windsurf',
      where: 'In ~/.codeium/windsurf/mcp_config.json.',
      kind: 'json',
      text: json({ mcpServers: { [NAME]: { serverUrl: address, headers: HEADERS } } }),
    },
    {
      id: 'zed',
      name: 'Zed',
      where: 'In settings.json.',
      kind: 'json',
      text: json({ context_servers: { [NAME]: remote } }),
    },
  ];
}

function listHosts(address: string): ClientSetup[] {
  return [
    {
      id: 'claude-desktop',
      name: 'Claude Desktop',
      where: 'In claude_desktop_config.json (Settings, Developer, Edit Config). Needs Node.',
      kind: 'json',
      text: json({
        mcpServers: {
          [NAME]: {
            command: 'npx',
            args: ['-y', 'mcp-remote', address, '--transport', 'http-only', '--header', 'Authorization:$' + '{AUTH}'],
            env: { AUTH: 'Bearer YOUR_KEY' },
          },
        },
      }),
      note: 'Its custom connectors sign in with OAuth, and the file takes no remote addresses: mcp-remote carries the key.',
    },
    {
      id: 'openai',
      name: 'OpenAI Responses API',
      where: 'Among the tools of a request; the server must be reachable from the internet.',
      kind: 'json',
      text: json({
        tools: [
          {
            type: 'mcp',
            server_label: NAME.replace('-', '_'),
            server_url: address,
            authorization: 'YOUR_KEY',
            require_approval: 'never',
          },
        ],
      }),
      note: 'ChatGPT itself signs in to its connectors with OAuth and takes no key.',
    },
  ];
}

function listCode(address: string, prefix: string): ClientSetup[] {
  const tool = `${prefix}${FIRST_CALL.name}`;
  const inputs = JSON.stringify(FIRST_CALL.example);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: FIRST_CALL.example } };
  return [
    {
      id: 'typescript',
      name: 'TypeScript SDK',
      where: 'npm install @modelcontextprotocol/client',
      kind: 'typescript',
      text: [
        `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';`,
        '',
        `const client = new Client({ name: 'my-agent', version: '1.0.0' });`,
        `const headers = { Authorization: 'Bearer YOUR_KEY' };`,
        `await client.connect(new StreamableHTTPClientTransport(new URL('${address}'), { requestInit: { headers } }));`,
        `const { structuredContent } = await client.callTool({ name: '${tool}', arguments: ${inputs} });`,
        'console.log(JSON.stringify(structuredContent));',
        'await client.close();',
      ].join('\n'),
    },
    {
      id: 'python',
      name: 'Python SDK',
      where: 'pip install mcp (2 or newer)',
      kind: 'python',
      text: `import asyncio, json
from mcp import Client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

async def main():
    http = create_mcp_http_client(headers={"Authorization": "Bearer YOUR_KEY"})
    async with Client(streamable_http_client("${address}", http_client=http)) as client:
        answer = await client.call_tool("${tool}", ${inputs})
        print(json.dumps(answer.structured_content))

asyncio.run(main())`,
    },
    {
      id: 'by-hand',
      name: 'By hand',
      where: 'In a terminal: one call of a tool.',
      kind: 'shell',
      text: [
        `curl '${address}' -H 'Authorization: Bearer YOUR_KEY'`,
        `-H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream'`,
        `-d '${JSON.stringify(call)}'`,
      ].join(' \\\n  '),
    },
  ];
}
