import type { IncomingMessage } from 'node:http';
import { readJsonBody } from './body.ts';
import type { Ask } from './call.ts';
import { Invalid, type Locate } from './errors.ts';
import { missingInput, unknownInput } from './input-faults.ts';
import { inputTypes, readText } from './input-types.ts';
import type { InputFault } from './invalid-input.ts';
import type { Binding, Operation } from './operation.ts';
import { splitUrl } from './respond.ts';

/** Names of the inputs that stand in an address's path. */
export function pathInputs({ path }: Binding): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

/** Where each input of an address is sent: in its path, its query or its body. */
export function whereInputs(binding: Binding): Locate {
  const inPath = new Set(pathInputs(binding));
  const elsewhere = binding.method === 'POST' ? 'body' : 'query';
  return (name) => (inPath.has(name) ? 'path' : elsewhere);
}

/**
 * The inputs of a request by name, of JSON's types, with what is wrong about their names at this address.
 * @throws Refusal 413 and 415, Invalid 422 where the body is no JSON object.
 */
export async function readInputs(
  request: IncomingMessage,
  { operation, binding }: { operation: Operation; binding: Binding },
  params: Record<string, string>,
): Promise<Pick<Ask, 'given' | 'faults'>> {
  const types = inputTypes(operation);
  const inPath = pathInputs(binding).map(
    (name) => [name, readText([params[name] ?? ''], types[name] ?? 'string')] as const,
  );
  const query = readQuery(request, types);
  if (binding.method === 'POST') refuseQuery(Object.keys(query));
  const rest = binding.method === 'POST' ? await readBody(request) : query;
  const named = new Map<string, unknown>([...Object.entries(rest), ...inPath]);
  const takes = binding.inputs.filter((name) => !inPath.some(([taken]) => taken === name));
  const faults: InputFault[] = [];
  for (const name of Object.keys(rest)) {
    if (takes.includes(name)) continue;
    faults.push(unknownInput([name], takes));
    if (!inPath.some(([taken]) => taken === name)) named.delete(name);
  }
  for (const name of binding.required ?? []) if (!named.has(name)) faults.push(missingInput(name));
  return { given: Object.fromEntries(named), faults };
}

function readQuery(request: IncomingMessage, types: ReturnType<typeof inputTypes>): Record<string, unknown> {
  const { query } = splitUrl(request);
  if (query === '') return {};
  const texts = new URLSearchParams(query);
  const names = new Set(texts.keys());
  return Object.fromEntries([...names].map((name) => [name, readText(texts.getAll(name), types[name] ?? 'string')]));
}

/** What a POST is told stands in its body; an address that says more would be half heard. */
function refuseQuery(names: string[]): void {
  if (names.length === 0) return;
  const msg = 'This address takes its parameters in the body';
  throw new Invalid(names.map((name) => ({ loc: ['query', name], msg, type: 'extra_forbidden' })));
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const body = await readJsonBody(request);
  if (body === undefined) return {};
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  throw new Invalid([{ loc: ['body'], msg: 'The body should be a JSON object', type: 'model_type' }]);
}
