import type { IncomingMessage } from 'node:http';
import { type InputFault, Invalid, type Locate } from '../../contract/errors.ts';
import { type Binding, type Operation, takesBody } from '../../contract/operation.ts';
import type { CallRequest } from '../../metering/call.ts';
import { missingInput, UNKNOWN_NAMED, unknownInputs } from '../../validation/faults.ts';
import { inputTypes, type JsonType, readText } from '../../validation/inputs.ts';
import { assertFew, readJsonBody } from '../body.ts';
import { splitUrl } from '../respond.ts';

/** Names of the inputs in an address's path. */
export function pathInputs({ path }: Binding): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

/** Where each input of an address is sent: in its path, its query or its body. */
export function whereInputs(binding: Binding): Locate {
  const inPath = new Set(pathInputs(binding));
  const elsewhere = takesBody(binding) ? 'body' : 'query';
  return (name) => (inPath.has(name) ? 'path' : elsewhere);
}

/** What an address accepts, calculated once for all its requests. */
export interface Intake {
  readonly types: Readonly<Record<string, JsonType>>;
  readonly inPath: readonly string[];
  /** The names that its query or body may have. */
  readonly takes: readonly string[];
  readonly required: readonly string[];
  readonly hasBody: boolean;
  readonly filters: Operation['filters'];
}

/** Works out once what an address accepts. */
export function makeIntake(operation: Operation, binding: Binding): Intake {
  const inPath = pathInputs(binding);
  const takes = binding.inputs.filter((name) => !inPath.includes(name));
  const hasBody = takesBody(binding);
  return {
    types: inputTypes(operation),
    inPath,
    takes,
    required: binding.required ?? [],
    hasBody,
    filters: operation.filters,
  };
}

/**
 * The inputs of a request by name, in JSON's types, with faults in their names at this address. @throws Refusal 413 and 415,
 * Invalid 422 where the body is not a JSON object.
 */
export async function readInputs(
  request: IncomingMessage,
  intake: Intake,
  params: Record<string, string>,
): Promise<Pick<CallRequest, 'given' | 'faults'>> {
  const { types, inPath, takes, required, hasBody, filters } = intake;
  const query = readQuery(request, types);
  if (hasBody) refuseQuery(Object.keys(query));
  const sent = hasBody ? await readBody(request) : query;
  const given: Record<string, unknown> = {};
  const names = Object.keys(sent);
  for (const name of names) if (takes.includes(name)) given[name] = sent[name];
  const unknown = names.filter((name) => !takes.includes(name)).map((name) => [name]);
  const place = hasBody ? 'body' : 'query';
  const faults: InputFault[] = unknownInputs(unknown, takes, filters).map((fault) => ({ ...fault, place }));
  for (const name of inPath) given[name] = readText([params[name] ?? ''], types[name] ?? 'string');
  for (const name of required) if (!(name in given)) faults.push(missingInput(name));
  return { given, faults };
}

function readQuery(request: IncomingMessage, types: Intake['types']): Record<string, unknown> {
  const { query } = splitUrl(request);
  if (query === '') return {};
  assertFew(query.split('&').length, 'query');
  const texts = new URLSearchParams(query);
  const names = new Set(texts.keys());
  return Object.fromEntries([...names].map((name) => [name, readText(texts.getAll(name), types[name] ?? 'string')]));
}

/** The inputs of a POST or PATCH belong in its body; if an address also had some, part of the request would be ignored. */
function refuseQuery(names: string[]): void {
  if (names.length === 0) return;
  const msg = 'This address takes its parameters in the body';
  throw new Invalid(
    names.slice(0, UNKNOWN_NAMED).map((name) => ({ loc: ['query', name], msg, type: 'extra_forbidden' })),
  );
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const body = await readJsonBody(request);
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Invalid([{ loc: ['body'], msg: 'The body should be a JSON object', type: 'model_type' }]);
  assertFew(Object.keys(body).length, 'body');
  return body as Record<string, unknown>;
}
