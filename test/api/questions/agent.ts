import { getEncoding } from 'js-tiktoken';
import type { McpClient } from '../mcp/clients.ts';

/** A tool by its name without prefix; what it answered, a refusal as well. */
// biome-ignore lint/suspicious/noExplicitAny: questions look into answers of every shape
export type Call = (tool: string, args?: Record<string, unknown>) => Promise<any>;

/** A research question and the shortest way to its answer. */
export interface Question {
  ask: string;
  find(call: Call): Promise<unknown>;
}

export const titlesOf = ({ items }: { items: { title: string }[] }): string[] => items.map(({ title }) => title);

/** What a question came to: what an agent writes (arguments) and reads (answers), in tokens. */
export interface Figures {
  answer: unknown;
  calls: string[];
  credits: number;
  tokens: number;
}

const encoding = getEncoding('o200k_base');
const countTokens = (text: string) => encoding.encode(text).length;
/** Names that differ at every run, of one length. */
const RANDOM = /\b(ch_|ex_|key_)\w+|[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** Asks a question through a client, counting. */
export async function findAnswer(client: McpClient, { find }: Question): Promise<Figures> {
  const figures: Figures = { answer: null, calls: [], credits: 0, tokens: 0 };
  const call: Call = async (tool, args = {}) => {
    const { text } = await client.call(`svc_${tool}`, args);
    const body = JSON.parse(text);
    figures.calls.push(tool);
    figures.credits += body.credits_charged ?? 0;
    figures.tokens += countTokens(JSON.stringify(args)) + countTokens(text.replace(RANDOM, '$1'));
    return body;
  };
  figures.answer = JSON.parse(JSON.stringify(await find(call)));
  return figures;
}
