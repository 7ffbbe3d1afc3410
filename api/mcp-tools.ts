import type { Tool } from '@modelcontextprotocol/server';
import { toolInputSchema, toolOutputSchema } from './mcp-schemas.ts';
import type { Operation } from './operation.ts';
import { priceSentence } from './published.ts';

/** An operation as a tool, compiled once. */
export interface CompiledTool {
  operation: Operation;
  tool: Tool;
  /** What it takes an argument to be that is left out. */
  defaults: Readonly<Record<string, unknown>>;
}

/** The tools of the table by their names. */
export function compileTools(operations: readonly Operation[], prefix: string): Map<string, CompiledTool> {
  return new Map(
    operations.map((operation) => {
      const defaults = { ...('detail' in operation.input.shape && { detail: 'brief' }), ...operation.toolDefaults };
      return [prefix + operation.name, { operation, tool: toTool(operation, prefix, defaults), defaults }];
    }),
  );
}

function toTool(operation: Operation, prefix: string, defaults: CompiledTool['defaults']): Tool {
  const changes = operation.bindings.some(({ method }) => method !== 'GET');
  return {
    name: prefix + operation.name,
    title: operation.title,
    description: `${operation.description} ${priceSentence(operation)}`,
    inputSchema: toolInputSchema(operation, defaults) as Tool['inputSchema'],
    outputSchema: toolOutputSchema(operation) as Tool['outputSchema'],
    annotations: {
      readOnlyHint: !changes,
      destructiveHint: false,
      idempotentHint: !changes,
      openWorldHint: false,
    },
  };
}
