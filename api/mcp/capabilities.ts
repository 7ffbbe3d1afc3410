import { type McpRequestContext, ProtocolError, type Server } from '@modelcontextprotocol/server';
import { makeWindows } from '../access/limits.ts';
import type { Context } from '../process/context.ts';
import type { Session } from './call-tool.ts';
import { COMPLETIONS_PER_MINUTE, completeArgument } from './completions.ts';
import { getPrompt, PROMPTS } from './prompts.ts';
import { listResources, listTemplates, readResource } from './resources.ts';
import type { CompiledTool } from './tools.ts';

export const MORE_CAPABILITIES = { resources: {}, prompts: {}, completions: {} };

/** Lets a server of one request answer more than tools. */
export type AddMore = (server: Server, session: Session, era: McpRequestContext['era']) => void;

/** Resources, prompts and completions, compiled once. */
export function compileMore(context: Context, tools: ReadonlyMap<string, CompiledTool>): AddMore {
  const prefix = context.services.settings.TOOL_PREFIX;
  const find = (operation: string) => tools.get(prefix + operation);
  const resources = listResources(find);
  const resourceTemplates = listTemplates(find);
  const known = new Set([...PROMPTS.map(({ name }) => name), ...resourceTemplates.map((one) => one.uriTemplate)]);
  const completions = makeWindows(60);
  const tell = (operation: string) => {
    const credits = find(operation)?.operation.credits;
    return prefix + operation + (credits ? ` (${credits} credits)` : '');
  };

  return (server, session, era) => {
    server.setRequestHandler('resources/list', () => ({ resources }));
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
    server.setRequestHandler('resources/read', ({ params: { uri } }, { mcpReq }) => {
      const asker = era === 'modern' ? { asker: mcpReq } : {};
      return readResource(context, session, find, { uri, meta: mcpReq._meta ?? {}, ...asker });
    });
    server.setRequestHandler('prompts/list', () => ({ prompts: [...PROMPTS] }));
    server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params.name, params.arguments ?? {}, tell));
    server.setRequestHandler('completion/complete', ({ params }) => {
      const { count, waitSeconds } = completions.take(session.caller.accountId);
      if (count > COMPLETIONS_PER_MINUTE)
        throw new ProtocolError(429, `Too many completions; try again in ${waitSeconds} s`);
      return completeArgument(context.services.catalogue, params, (ref) => known.has(ref));
    });
  };
}
