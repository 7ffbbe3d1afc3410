import { ProtocolError, ProtocolErrorCode, type Server, type Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { defineOperation } from '../../api/contract/operation.ts';
import { callTool, parseToolResult, type Session } from '../../api/mcp/call-tool.ts';
import { compileMore, type McpExtras } from '../../api/mcp/server.ts';
import { type CompiledTool, compileTools } from '../../api/mcp/tools.ts';
import type { Context } from '../../api/process/context.ts';
import { waitingFixtures } from './fixtures/ask-while-working.ts';
import { contentFixtures } from './fixtures/content.ts';
import { askingFixtures } from './fixtures/input-required.ts';
import { getFixturePrompt, PROMPTS, RESOURCES, readFixture, TEMPLATES } from './fixtures/resources-and-prompts.ts';
import type { Fixture } from './fixtures/types.ts';
import { askOver, takeAnswer } from './requests-to-client.ts';

const FIXTURES: Readonly<Record<string, Fixture>> = { ...contentFixtures, ...askingFixtures, ...waitingFixtures };

/** What every call of a fixture is paid with, through the metering of all. */
export const FIXTURE_CREDITS = 1;
const paid = defineOperation({
  name: 'fixture',
  title: 'A fixture',
  description: 'What a fixture costs.',
  credits: FIXTURE_CREDITS,
  input: z.strictObject({}),
  output: z.object({ paid: z.boolean() }),
  bindings: [],
  example: {},
  run: async () => ({ kind: 'answer', body: { paid: true } }),
});

/** The tools, resources and prompts that the public conformance suite asks for, beside ours. */
export const conformanceExtras: McpExtras = {
  owns: (tool) => tool in FIXTURES,
  takeAnswer,
  streams: (message) => FIXTURES_THAT_SPEAK.has(nameOf(message)),
  compileMore(context, tools) {
    const addOurs = compileMore(context, tools);
    const price = compileTools([paid], '').get('fixture');
    if (!price) throw new Error('the price of a fixture is missing');
    return (server, session, era) => {
      const ours = collectHandlers((collecting) => addOurs(collecting, session, era));
      const add = (method: string, handler: Handler) => server.setRequestHandler(method as never, handler as never);
      for (const [method, handler] of ours) add(method, handler);
      server.registerCapabilities(era === 'legacy' ? { logging: {}, resources: { subscribe: true } } : {});
      addTools(add, { context, tools, price, session, server });
      addOthers(add, ours, era);
    };
  },
};

// biome-ignore lint/suspicious/noExplicitAny: handlers of every method
type Handler = (request: any, context: any) => any;
type Add = (method: string, handler: Handler) => void;

const FIXTURES_THAT_SPEAK = new Set([
  'test_tool_with_logging',
  'test_tool_with_progress',
  ...Object.keys(waitingFixtures),
]);

function nameOf(message: unknown): string {
  return String((message as { params?: { name?: unknown } } | undefined)?.params?.name);
}

/** The handlers that would have been set on a server. */
function collectHandlers(add: (server: Server) => void): Map<string, Handler> {
  const handlers = new Map<string, Handler>();
  const setRequestHandler = (method: string, handler: Handler) => void handlers.set(method, handler);
  add({ setRequestHandler } as unknown as Server);
  return handlers;
}

const NO_INPUT: Tool['inputSchema'] = { type: 'object' };

interface Metered {
  context: Context;
  tools: ReadonlyMap<string, CompiledTool>;
  price: CompiledTool;
  session: Session;
  server: Server;
}

function addTools(add: Add, { context, tools, price, session, server }: Metered): void {
  add('tools/list', () => ({
    tools: [
      ...[...tools.values()].map(({ tool }) => tool),
      ...Object.entries(FIXTURES).map(([name, { inputSchema = NO_INPUT }]) => ({
        name,
        description: 'A fixture of the conformance suite.',
        inputSchema,
      })),
    ],
  }));
  add('tools/call', async ({ params }, { mcpReq }) => {
    const fixture = FIXTURES[params.name];
    const tool = tools.get(params.name);
    if (!fixture && !tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    const asked = { given: tool ? (params.arguments ?? {}) : {}, meta: mcpReq._meta ?? {} };
    const answer = await callTool(context, tool ?? price, session, asked);
    if (!fixture || answer.status !== 200) return parseToolResult(answer, false);
    return fixture.run(mcpReq, params.arguments ?? {}, askOver(server, mcpReq, session.caller));
  });
}

function addOthers(add: Add, ours: ReadonlyMap<string, Handler>, era: 'modern' | 'legacy'): void {
  const our = async (method: string, request: unknown, context: unknown) => ours.get(method)?.(request, context);
  add('resources/list', async (request, context) => ({
    resources: [...(await our('resources/list', request, context)).resources, ...RESOURCES],
  }));
  add('resources/templates/list', async (request, context) => ({
    resourceTemplates: [...(await our('resources/templates/list', request, context)).resourceTemplates, ...TEMPLATES],
  }));
  add(
    'resources/read',
    (request, context) => readFixture(request.params.uri) ?? our('resources/read', request, context),
  );
  add('prompts/list', async (request, context) => ({
    prompts: [...(await our('prompts/list', request, context)).prompts, ...PROMPTS],
  }));
  add('prompts/get', (request, context) => {
    const { name, arguments: given = {} } = request.params;
    return getFixturePrompt(name, given, context.mcpReq) ?? our('prompts/get', request, context);
  });
  add('completion/complete', (request, context) =>
    String(request.params.ref.name).startsWith('test_')
      ? { completion: { values: [], hasMore: false } }
      : our('completion/complete', request, context),
  );
  if (era === 'modern') return;
  for (const method of ['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']) add(method, () => ({}));
}
