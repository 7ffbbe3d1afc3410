import type { CallToolResult, InputRequiredResult, ServerContext, Tool } from '@modelcontextprotocol/server';

export type Request = ServerContext['mcpReq'];
/** Asks the client of a call something while the call waits, and answers its result. */
export type AskClient = (method: string, params: Record<string, unknown>) => Promise<Record<string, unknown>>;
type Result = CallToolResult | InputRequiredResult;

/** A tool that the conformance suite asks for by its name. */
export interface Fixture {
  inputSchema?: Tool['inputSchema'];
  run(request: Request, given: Record<string, unknown>, ask: AskClient): Result | Promise<Result>;
}

export const say = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

/** A 1 by 1 PNG, and a WAV without a sample. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
export const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
