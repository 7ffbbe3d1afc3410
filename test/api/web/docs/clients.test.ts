import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolRows } from '../../../../api/contract/operation.ts';
import { operations } from '../../../../api/operations/index.ts';
import { makeWebApp } from '../../../../api/web/app.ts';
import { type ClientSetup, listClients } from '../../../../api/web/docs/clients.ts';
import { ask } from '../../../support/client.ts';
import { type BuiltServer, buildServer } from '../../../support/services.ts';
import { connect } from '../../mcp/clients.ts';
import { makeVisitor } from '../visitor.ts';

const run = promisify(execFile);
const ADDRESS = 'https://api.example.org/mcp/';
const BEARER = 'Bearer YOUR_KEY';
const setups = new Map(listClients(ADDRESS, 'svc_').map((setup) => [setup.id, setup]));
const textOf = (id: string) => setups.get(id)?.text ?? '';

/** The arguments that a shell makes of a line. */
async function readArguments(line: string): Promise<string[]> {
  const [command = ''] = line.split(' ');
  const { stdout } = await run('sh', ['-c', `${command}() { printf '%s\\n' "$@"; }\n${line}`]);
  return stdout.trimEnd().split('\n');
}

const remote = { url: ADDRESS, headers: { Authorization: BEARER } };
/** What the documentation of each client asks for. */
const FILES: Record<string, unknown> = {
  cursor: { mcpServers: { 'uk-procurement': remote } },
  zed: { context_servers: { 'uk-procurement': remote } },
  windsurf: { mcpServers: { 'uk-procurement': { serverUrl: ADDRESS, headers: remote.headers } } },
  'gemini-cli': { mcpServers: { 'uk-procurement': { httpUrl: ADDRESS, headers: remote.headers } } },
  'vs-code': {
    inputs: [{ type: 'promptString', id: 'uk-procurement-key', description: 'API key', password: true }],
    servers: {
      'uk-procurement': {
        type: 'http',
        url: ADDRESS,
        headers: { Authorization: `Bearer $${'{input:uk-procurement-key}'}` },
      },
    },
  },
  'claude-desktop': {
    mcpServers: {
      'uk-procurement': {
        command: 'npx',
        args: ['-y', 'mcp-remote', ADDRESS, '--transport', 'http-only', '--header', `Authorization:$${'{AUTH}'}`],
        env: { AUTH: BEARER },
      },
    },
  },
  openai: {
    tools: [
      {
        type: 'mcp',
        server_label: 'uk_procurement',
        server_url: ADDRESS,
        authorization: 'YOUR_KEY',
        require_approval: 'never',
      },
    ],
  },
};

let server: BuiltServer;
beforeAll(async () => {
  server = await buildServer({ web: makeWebApp });
});
afterAll(() => server?.close());

const here = (text: string) => text.replaceAll(ADDRESS, `${server.url}/mcp/`).replaceAll('YOUR_KEY', server.key);

describe('the setup of', () => {
  it.each([...setups.values()].filter(({ kind }) => kind === 'json'))(
    '$id is the file that it reads',
    ({ id, text }) => {
      expect(JSON.parse(text)).toEqual(FILES[id]);
    },
  );

  it('Codex is TOML with the address and the variable of the key', () => {
    const lines = textOf('codex').split('\n');
    expect(lines[0]).toBe('[mcp_servers.uk-procurement]');
    const values = Object.fromEntries(lines.slice(1).map((line) => line.split(' = ')));
    expect(values).toEqual({ url: `"${ADDRESS}"`, bearer_token_env_var: '"UK_PROCUREMENT_KEY"' });
  });

  it('Claude Code and the inspector are lines whose header is one argument', async () => {
    const claude = await readArguments(textOf('claude-code'));
    expect(claude).toEqual([
      ...['mcp', 'add', '--transport', 'http', 'uk-procurement', ADDRESS],
      ...['--header', `Authorization: ${BEARER}`],
    ]);
    const inspector = await readArguments(textOf('inspector'));
    expect(inspector.slice(1, 5)).toEqual(['--cli', ADDRESS, '--transport', 'http']);
    expect(inspector.slice(-2)).toEqual(['--header', `Authorization: ${BEARER}`]);
  });

  it('the TypeScript SDK runs and gets an answer', async () => {
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', here(textOf('typescript'))]);
    expect(JSON.parse(stdout)).toMatchObject({ count: 0 });
  });

  it('the Python SDK is Python', async ({ skip }) => {
    const python = await run('python3', ['--version']).catch(() => null);
    if (!python) console.warn('skipped: no python3 to read the Python setup with');
    skip(!python);
    await run('python3', ['-c', 'import ast, sys; ast.parse(sys.argv[1])', textOf('python')]);
    expect(textOf('python')).toContain(`streamable_http_client("${ADDRESS}"`);
  });

  it('every client leads to every tool: address and key stand in each', async () => {
    const client = await connect('2.x legacy', `${server.url}/mcp/`, server.key);
    expect((await client.listTools()).tools).toHaveLength(toolRows(operations).length);
    await client.close();
    const { html } = await makeVisitor(server.url).get('/docs/agents');
    for (const setup of setups.values()) expectWhole(setup, html);
  });

  it('the page names every kind of resource, and counts the prompts', async () => {
    const list = async (method: string) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method });
      const headers = { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' };
      return (await ask(server.url, '/mcp/', server.key, { method: 'POST', body, headers })).body.result;
    };
    const { resources } = await list('resources/list');
    const { resourceTemplates } = await list('resources/templates/list');
    const { html } = await makeVisitor(server.url).get('/docs/agents');
    for (const { uri, uriTemplate = uri } of [...resources, ...resourceTemplates])
      expect(html).toContain(`<code>${/^\w+:\/\//.exec(uriTemplate)}`);
    expect((await list('prompts/list')).prompts).toHaveLength(7);
    expect(html).toContain('Seven prompts');
  });
});

function expectWhole({ id, text, kind }: ClientSetup, html: string): void {
  expect(text).toContain(ADDRESS);
  if (kind !== 'toml' && id !== 'vs-code') expect(text).toContain('YOUR_KEY');
  expect(html).toContain(`id="${id}-setup"`);
  expect(html).toContain(`data-copy="${id}-setup"`);
}
