import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { Answer } from './errors.ts';
import { toolInputSchema, toolOutputSchema } from './mcp-schemas.ts';
import type { Operation } from './operation.ts';
import { priceSentence } from './published.ts';

/** An operation as a tool, compiled once. */
export interface CompiledTool {
  operation: Operation;
  tool: Tool;
}

/** The tools of the table by their names. */
export function compileTools(operations: readonly Operation[], prefix: string): Map<string, CompiledTool> {
  return new Map(
    operations.map((operation) => [prefix + operation.name, { operation, tool: toTool(operation, prefix) }]),
  );
}

function toTool(operation: Operation, prefix: string): Tool {
  const changes = operation.bindings.some(({ method }) => method !== 'GET');
  return {
    name: prefix + operation.name,
    title: operation.title,
    description: `${operation.description} ${priceSentence(operation)}`,
    inputSchema: toolInputSchema(operation) as Tool['inputSchema'],
    outputSchema: toolOutputSchema(operation) as Tool['outputSchema'],
    annotations: {
      readOnlyHint: !changes,
      destructiveHint: false,
      idempotentHint: !changes,
      openWorldHint: false,
    },
  };
}

/**
 * An answer as a tool result: structured, and the same JSON as text. A refusal is structured for `modern` clients only:
 * older ones check it against the output schema and would lose the message.
 */
export function toToolResult({ status, body, replayed }: Answer, modern: boolean): CallToolResult {
  const text: CallToolResult = { content: [{ type: 'text', text: body }] };
  const structuredContent = JSON.parse(body) as Record<string, unknown>;
  if (status !== 200) return { ...text, isError: true, ...(modern ? { structuredContent } : {}) };
  return { ...text, structuredContent, ...(replayed ? { _meta: { 'idempotent-replayed': true } } : {}) };
}
