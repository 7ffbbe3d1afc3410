import type { Settings } from '../../../schema/env.ts';
import type { Operation } from '../../operation.ts';
import { Heading, type Page } from '../layout.tsx';
import { Scroll } from '../parts.tsx';
import { FIRST_CALL } from './first-call.ts';
import { priceOf } from './pages.tsx';

/** How an agent is connected over MCP, and which tools it then has. */
export function agentsPage(operations: readonly Operation[], settings: Settings): Page {
  const address = `${settings.BASE_URL}/mcp/`;
  return {
    title: 'Connect your agent',
    description: 'The same data as tools over MCP',
    section: 'docs',
    body: (
      <>
        <p class="kind">
          <a href="/docs">API reference</a>
        </p>
        <Heading title="Connect your agent">
          <p class="lead">
            Every endpoint is also a tool over MCP (streamable HTTP), with the same key and the same prices.
          </p>
        </Heading>
        <p>
          Address: <code>{address}</code>. Put your key where it says <code>YOUR_KEY</code>.
        </p>
        <h2>Claude Code</h2>
        <pre>
          <code>{`claude mcp add --transport http uk-procurement ${address} --header "Authorization: Bearer YOUR_KEY"`}</code>
        </pre>
        <h2>Cursor, and other clients with an mcpServers file</h2>
        <pre>
          <code>{clientFile('mcpServers', address)}</code>
        </pre>
        <h2>VS Code (.vscode/mcp.json)</h2>
        <pre>
          <code>{clientFile('servers', address)}</code>
        </pre>
        <h2>By hand</h2>
        <pre>
          <code>{handCall(address, settings.TOOL_PREFIX)}</code>
        </pre>
        <h2>Tools</h2>
        <Tools operations={operations} prefix={settings.TOOL_PREFIX} />
      </>
    ),
  };
}

function clientFile(root: string, address: string): string {
  const server = { type: 'http', url: address, headers: { Authorization: 'Bearer YOUR_KEY' } };
  return JSON.stringify({ [root]: { 'uk-procurement': server } }, null, 2);
}

function handCall(address: string, prefix: string): string {
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: `${prefix}${FIRST_CALL.name}`, arguments: FIRST_CALL.example },
  };
  return [
    `curl '${address}' -H 'Authorization: Bearer YOUR_KEY'`,
    `-H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream'`,
    `-d '${JSON.stringify(call)}'`,
  ].join(' \\\n  ');
}

function Tools({ operations, prefix }: { operations: readonly Operation[]; prefix: string }) {
  return (
    <Scroll label="Tools">
      <table>
        <thead>
          <tr>
            <th scope="col">Tool, and what for</th>
            <th scope="col">Price</th>
          </tr>
        </thead>
        <tbody>
          {operations.map((operation) => (
            <tr key={operation.name}>
              <th scope="row">
                <code>
                  {prefix}
                  {operation.name}
                </code>
                <span class="hint">{operation.title}</span>
              </th>
              <td class="price">{priceOf({ credits: operation.credits, priceNote: operation.priceNote })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
