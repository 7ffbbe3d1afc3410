import type { Tool } from '@modelcontextprotocol/server';
import { priceSentence } from '../answer/published-schema.ts';
import { type NameCall, nameCalls, toolNames } from '../contract/call-names.ts';
import type { Operation } from '../contract/operation.ts';
import { toolInputSchema, toolOutputSchema } from './schemas.ts';

/** An operation as a tool, compiled once. */
export interface CompiledTool {
  operation: Operation;
  tool: Tool;
  /** What it takes an argument to be that is left out. */
  defaults: Readonly<Record<string, unknown>>;
  /** How it speaks of other tools. */
  nameCall: NameCall;
}

/** The tools of the table by their names. */
export function compileTools(operations: readonly Operation[], prefix: string): Map<string, CompiledTool> {
  const nameCall = toolNames(operations, prefix);
  return new Map(
    operations.map((operation) => {
      const defaults = { ...('detail' in operation.input.shape && { detail: 'brief' }), ...operation.toolDefaults };
      return [
        prefix + operation.name,
        { operation, tool: toTool(operation, prefix, defaults, nameCall), defaults, nameCall },
      ];
    }),
  );
}

function toTool(operation: Operation, prefix: string, defaults: CompiledTool['defaults'], nameCall: NameCall): Tool {
  const changes = operation.bindings.some(({ method }) => method !== 'GET');
  return {
    name: prefix + operation.name,
    title: operation.title,
    description: nameCalls(`${operation.description} ${priceSentence(operation)}`, nameCall),
    inputSchema: toolInputSchema(operation, defaults, nameCall) as Tool['inputSchema'],
    outputSchema: toolOutputSchema(operation) as Tool['outputSchema'],
    annotations: {
      readOnlyHint: !changes,
      destructiveHint: false,
      idempotentHint: !changes,
      openWorldHint: false,
    },
  };
}
