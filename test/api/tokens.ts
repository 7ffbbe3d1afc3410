import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getEncoding } from 'js-tiktoken';
import type { Operation } from '../../api/contract/operation.ts';
import type { BuiltServer } from '../support/services.ts';
import { ROOT } from '../support/source-files.ts';
import { type Inputs, toReal } from './transports.ts';

const encoding = getEncoding('o200k_base');

/** Tokens of a text, or of a value's JSON, as a public tokenizer counts them. */
export function countTokens(value: unknown): number {
  return encoding.encode(typeof value === 'string' ? value : JSON.stringify(value)).length;
}

/** Tokens as they were last looked at: of the tools by their names, and of their longest default answers by operation. */
export interface TokenFigures {
  tools: Record<string, number>;
  answers: Record<string, number>;
}

const FILE = join(ROOT, 'test/api/tokens.json');

/** The committed figures. */
export function readFigures(): TokenFigures {
  if (!existsSync(FILE)) return { tools: {}, answers: {} };
  return JSON.parse(readFileSync(FILE, 'utf8')) as TokenFigures;
}

export function writeFigures(figures: TokenFigures): void {
  writeFileSync(FILE, `${JSON.stringify(figures, null, 2)}\n`);
}

/** How an operation finds the longest of its answers: an input and the things of the sample that are most written about. */
const LONGEST: Readonly<Record<string, readonly [string, string]>> = {
  notice_id: ['notice_id', 'SELECT notice_id AS id FROM notice ORDER BY length(detail) DESC LIMIT 12'],
  company_number: ['company_number', 'SELECT id FROM company ORDER BY contract_count DESC LIMIT 6'],
  buyer_id: ['buyer_id', 'SELECT id FROM buyer ORDER BY contract_count DESC LIMIT 6'],
  framework_id: ['framework_id', 'SELECT id FROM framework LIMIT 12'],
};
const SEARCHES: readonly Inputs[] = [{ query: 'services' }, { query: '*', status: 'any' }, {}];

/** Calls of a tool that leave everything to its defaults, the longest answers of the sample among them. */
export async function listDefaultCalls(server: BuiltServer, operation: Operation, real: Inputs): Promise<Inputs[]> {
  const { limit: _limit, ...example } = toReal(operation, operation.example, real);
  const way = Object.keys(LONGEST).find((name) => name in operation.input.shape && !('query' in operation.input.shape));
  const [input, sql] = LONGEST[way ?? ''] ?? [];
  const things = input && sql ? await server.catalogue.read<{ id: string }>({ sql }) : [];
  const inputs = Object.keys(operation.input.shape);
  const searches = operation.name.startsWith('search_')
    ? SEARCHES.filter((asked) => Object.keys(asked).every((name) => inputs.includes(name)))
    : [];
  const named = things.map(({ id }) => ({ [input ?? '']: id }));
  return [example, ...searches, ...named].filter((call) => operation.input.safeParse(call).success);
}
