import {
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import type { Database } from '../../schema/db/interface.ts';
import { CPV_DIVISIONS } from '../../schema/reference/cpv.ts';
import { priceSentence } from '../answer/published-schema.ts';
import { readCpvNode, toDivision } from '../categories/cpv-tree.ts';
import type { Answer } from '../contract/errors.ts';
import type { Context } from '../process/context.ts';
import { askForCredits, callTool, type McpRequest, type Session } from './call-tool.ts';
import type { CompiledTool } from './tools.ts';

const JSON_TYPE = 'application/json';
const DIVISIONS = 'cpv://divisions';
/** A free answer of an operation without input, by its address. */
const WHOLE: Readonly<Record<string, { operation: string; name: string }>> = {
  'status://sources': { operation: 'get_status', name: 'status' },
  'filters://all': { operation: 'describe_filters', name: 'filters' },
};

/** Things read by the same code as look-ups: same price, same keys, same refusals. */
const LOOKUPS = [
  { scheme: 'notice', input: 'notice_id', operation: 'get_notice', title: 'A whole notice' },
  { scheme: 'company', input: 'company_number', operation: 'lookup_company', title: 'A company' },
  { scheme: 'buyer', input: 'buyer_id', operation: 'lookup_buyer', title: 'A buyer' },
] as const;

/** A resource that an operation answers. */
interface Reading {
  tool: CompiledTool;
  given: Record<string, string>;
}

/** The reader, and the protocol era. */
interface ResourceAsk {
  uri: string;
  meta: Record<string, unknown>;
  /** Of a request of protocol 2026-07-28. */
  mcpRequest?: McpRequest;
}

/** The resources with a fixed address; the operations are found by their names. */
export function listResources(find: (operation: string) => CompiledTool | undefined): Resource[] {
  const divisions = {
    uri: DIVISIONS,
    name: 'cpv-divisions',
    title: 'CPV divisions',
    description:
      'The Common Procurement Vocabulary from its top: what each division covers, and where its codes are. Free.',
    mimeType: JSON_TYPE,
  };
  const whole = Object.entries(WHOLE).flatMap(([uri, { operation, name }]): Resource[] => {
    const tool = find(operation)?.tool;
    if (!tool) return [];
    const { title = '', description = '' } = tool;
    return [{ uri, name, title, description, mimeType: JSON_TYPE }];
  });
  return [divisions, ...whole];
}

/** The resources whose address carries an identifier. */
export function listTemplates(find: (operation: string) => CompiledTool | undefined): ResourceTemplateType[] {
  const lookups = LOOKUPS.flatMap(({ scheme, input, operation: name, title }) => {
    const operation = find(name)?.operation;
    if (!operation) return [];
    const described = operation.input.shape[input] as { description?: string } | undefined;
    const description = `${described?.description ?? ''}; ?detail=full after it for everything. ${priceSentence(operation)}`;
    return [{ uriTemplate: `${scheme}://{${input}}`, name: scheme, title, description, mimeType: JSON_TYPE }];
  });
  const cpv = {
    uriTemplate: 'cpv://{code}',
    name: 'cpv',
    title: 'A CPV code',
    description:
      'A CPV code of 2 to 8 digits: the codes above it and those next below it that notices have, each with its name and how many notices have it or one below as their main code. Free.',
    mimeType: JSON_TYPE,
  };
  return [...lookups, cpv];
}

/** Reads a resource for a caller. @throws ProtocolError with the body that the operation refuses with; ResourceNotFoundError. */
export async function readResource(
  context: Context,
  session: Session,
  find: (operation: string) => CompiledTool | undefined,
  { uri, meta, mcpRequest }: ResourceAsk,
): Promise<ReadResourceResult | InputRequiredResult> {
  const own = await readCpv(context.services.catalogue, uri);
  if (own) return toContents(uri, JSON.stringify(own));
  const reading = findReading(uri, find);
  if (!reading) throw new ResourceNotFoundError(uri, `There is no resource ${uri.slice(0, 200)}`);
  const answer = await callTool(context, reading.tool, session, { given: reading.given, meta });
  const asked = mcpRequest && askForCredits(answer, mcpRequest);
  if (asked) return asked;
  if (answer.status !== 200) throw toProtocolError(uri, answer);
  return toContents(uri, answer.body, answer.replayed);
}

async function readCpv(catalogue: Database, uri: string): Promise<object | undefined> {
  if (uri === DIVISIONS) return { divisions: CPV_DIVISIONS.map(toDivision) };
  const code = /^cpv:\/\/(\d{2,8})$/.exec(uri)?.[1];
  return code ? await readCpvNode(catalogue, code) : undefined;
}

function findReading(uri: string, find: (operation: string) => CompiledTool | undefined): Reading | undefined {
  const [scheme, id = ''] = uri.split(/:\/\/(.*)/s);
  const operation = WHOLE[uri]?.operation ?? LOOKUPS.find((lookup) => lookup.scheme === scheme)?.operation;
  const tool = operation && find(operation);
  if (!tool) return undefined;
  const lookup = LOOKUPS.find((one) => one.operation === operation);
  if (!lookup) return { tool, given: {} };
  const [name = '', query] = id.split(/\?(.*)/s);
  return { tool, given: { ...Object.fromEntries(new URLSearchParams(query)), [lookup.input]: decode(name) } };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // No percent-encoding after all.
    return text;
  }
}

function toContents(uri: string, text: string, replayed?: boolean): ReadResourceResult {
  const contents = [{ uri, mimeType: JSON_TYPE, text }];
  return { contents, ...(replayed ? { _meta: { 'idempotent-replayed': true } } : {}) };
}

/**
 * A refusal in JSON-RPC's form; what the operation says stands in `data`. Where the protocol has no code for it the code is
 * HTTP's: those from -32000 on mean lost connections and sessions to clients.
 */
function toProtocolError(uri: string, { status, body }: Answer): ProtocolError {
  const said = JSON.parse(body) as { message?: string; detail?: { msg: string }[]; candidates?: { id: string }[] };
  const message = said.message ?? said.detail?.map(({ msg }) => msg).join('; ') ?? 'Refused';
  if (status === 404) return new ResourceNotFoundError(uri, message + addressesOf(uri, said.candidates));
  if (status === 422) return new ProtocolError(ProtocolErrorCode.InvalidParams, message, said);
  return new ProtocolError(status >= 500 ? ProtocolErrorCode.InternalError : status, message, said);
}

/** The addresses of candidates, for a message: clients know what is not found by `data` that holds the address alone. */
function addressesOf(uri: string, candidates: readonly { id: string }[] = []): string {
  const [scheme] = uri.split('://', 1);
  const addresses = candidates.map(({ id }) => `${scheme}://${encodeURIComponent(id)}`);
  return addresses.length > 0 ? `: ${addresses.join(', ')}` : '';
}
