import type { z } from 'zod';
import type { ExportStorage } from '../../schema/accounts/exports/storage.ts';
import type { Clocks } from '../../schema/config/clocks.ts';
import type { Settings } from '../../schema/config/settings.ts';
import type { Database, Statement } from '../../schema/db/interface.ts';
import type { Searches } from '../../search/engine.ts';
import type { AnyFilterRow } from '../../search/filters/row.ts';
import type { Summaries } from '../../search/summary/open.ts';
import type { Machine } from '../concurrency/machine.ts';
import type { Rows } from '../reads/export-rows/counter.ts';
import type { LongReads } from './long-reads.ts';

/** Everything an operation may use. Opened when the process starts and passed down; nothing opens on import. */
export interface Services {
  settings: Settings;
  clocks: Clocks;
  /** Read-only. */
  catalogue: Database;
  accounts: Database;
  search: Searches;
  /** Counts rows and reads keys of the catalogue, in other processes. */
  rows: Rows;
  /** Looks up many things at once, in other processes. */
  longReads: LongReads;
  /** Adds up contracts, in another process. */
  summaries: Summaries;
  /** Allowances and turns, which apply to all API processes of this machine together. */
  machine: Machine;
  /** Where jobs write exports. */
  exports: ExportStorage;
  /** Why this process cannot find the files that jobs write there, for an operator; null where it can. Cheap to call. */
  findExportFault(): Promise<string | null>;
  /** Signs list cursors and download links: AUTH_SECRET, or the secret kept in DATA_DIR. */
  secret: string;
}

/** The caller, identified by the key. */
export interface Caller {
  accountId: string;
  keyId: string;
  /** The Idempotency-Key of a call that creates something; absent where none was sent. */
  once?: string;
}

/** One REST address of an operation. Inputs named in the path are path parameters; the rest are the query, or the body of a POST or PATCH. */
export interface Binding {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Under `/v1`, Express style: `/companies/:company_number`. */
  path: string;
  operationId: string;
  summary: string;
  /** For people, where `Operation.description` is for agents; it names other addresses as `{operationId}`. The price sentence is added. */
  description: string;
  /** The inputs of the operation that this address takes, in order. */
  inputs: readonly string[];
  /** Inputs that this address requires although the tool does not (one of two ways to name a thing). */
  required?: readonly string[];
  /** A request that returns rows from the sample, relative to the address: values for `inputs`. */
  example: Record<string, unknown>;
}

/** Whether an address takes its inputs in a body. */
export function takesBody({ method }: Pick<Binding, 'method'>): boolean {
  return method === 'POST' || method === 'PATCH';
}

/** The debit of this answer, as known shortly before its commit. */
interface PendingCharge {
  chargeId: string;
  creditsCharged: number;
}

/**
 * How `detail` and `fields` shorten the answer of a row. Fields that its schema requires are never left out. Inner fields are
 * written with dots, as are those of a list's items.
 */
interface Shortening {
  /** The list or object whose fields `fields` may name without a path; by default the answer itself. */
  of?: string;
  /** Optional fields that a brief answer still has. */
  keep: readonly string[];
  /** Further ones that it has if the answer needs them. */
  keepFor?(answer: Readonly<Record<string, unknown>>): readonly string[];
  /** Most entries of a list in a brief answer; a negative number means the last ones. Lists that `limit` pages are whole. Default 5. */
  most?: Readonly<Record<string, number>>;
  /** Lists that a brief answer shows whole up to this many entries, however long the answer is. */
  whole?: Readonly<Record<string, number>>;
}

/** Something that may have been meant, with what distinguishes it. */
export interface Candidate {
  id: string;
  name: string;
  contract_count?: number;
  framework_places?: number;
  place?: string;
  /** In the register of companies. */
  status?: string;
}

/** Candidates that a refusal lists. */
export const CANDIDATES_MAX = 5;

/** Nothing was found: a 404, free. */
export interface Nothing {
  kind: 'nothing';
  message: string;
  candidates?: Candidate[];
}

/** Nothing found, with the nearest candidates; without any, `way` says how to find an id. */
export function nothingNear(message: string, way: string, candidates: Candidate[]): Nothing {
  if (candidates.length === 0) return { kind: 'nothing', message: `${message}; ${way}` };
  const nearest = candidates.slice(0, CANDIDATES_MAX);
  return { kind: 'nothing', message: `${message}; send the id of a candidate`, candidates: nearest };
}

/** What `run` found. */
export type Found<T> =
  | {
      kind: 'answer';
      body: T;
      /** The price if it depends on what was found; by default the row's `credits`. */
      credits?: number;
      /** `none`: answered free (an empty search, an empty list, a page that is already paid for). */
      charge?: 'none';
      /** Neither the clock nor the caller can change it any more (`Operation.becomesFinal`). */
      isFinal?: boolean;
      /** The balance, if a free answer itself states it, so that both figures agree. */
      creditsRemaining?: number;
      /** Expensive preparation that must be complete before the debit: called once the caller is known to be able to pay. */
      prepare?: () => Promise<void>;
      /** Removes all or part of what `prepare` made, where no debit followed. */
      abandon?: () => Promise<void>;
      /** For the accounts database, in the batch of the debit and after it. Each requires `charge:<chargeId>` in the ledger: a refused debit leaves nothing. */
      alongside?: (charge: PendingCharge) => Statement[];
    }
  | Nothing;

/**
 * One thing a customer can ask for: one tool, one or more REST addresses. Everything else (routes, tools, OpenAPI,
 * price lists, the tests every operation must pass) is derived from this row.
 */
export interface Operation<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  /** The tool's name without its prefix, the ledger's action and the file's name. */
  name: string;
  title: string;
  /** For agents: when to use it, what it returns, and where each id comes from. It names other operations as `{operationId}`. The price sentence is added. */
  description: string;
  /** Whole credits, debited on success; 0 is free. */
  credits: number;
  /** The price in words where it is not one number, e.g. `100 credits per started 1,000 rows`. */
  priceNote?: string;
  /** A free call that creates something: a repeat with its Idempotency-Key creates nothing more and returns the same answer. */
  makesOnce?: true;
  /** For a tool with several addresses: the REST operation of a call, so that a key means one request on both transports. Undefined if it takes no key. */
  madeAs?(input: z.output<I>): { name: string; input: Record<string, unknown> } | undefined;
  /** It has no tool: a rarely used tool would cost tokens for every model that reads the list. */
  restOnly?: true;
  /** Answers without a key. */
  public?: boolean;
  /** Its answer depends only on its input and the catalogue. It is reused while its source rows are unchanged. */
  lasting?: true;
  /** Like `lasting`, except for the clock: an answer that the clock can no longer change says so, and is reused. */
  becomesFinal?: true;
  input: I;
  /** The stated and further fields; undeclared ones are removed before an answer is sent. Credit fields are added. */
  output: O;
  /** Empty where it is only a tool, for the work of several addresses. */
  bindings: readonly Binding[];
  /** Its cursor may be ahead of data that was restored from a backup, or of other ids than its filters have by now: 410. */
  cursorExpires?: true;
  /** Refused with 409 because of the state of a watch or a delivery. */
  conflict?: true;
  /** An input that is not in its path may lead to nothing: 404. */
  findsNothing?: true;
  /** Set where its input has filters: the table with their other names and spellings, for hints. */
  filters?: readonly AnyFilterRow[];
  /** Inputs that other tools describe, by those tools' names: its own description refers to them, and the tool list does not repeat them. */
  describedBy?: { tools: readonly string[]; inputs: readonly string[] };
  /** How `detail` and `fields`, which its input then has, shorten its answer: by default full over REST and brief over MCP. */
  shortening?: Shortening;
  /** What the answer contains, with inner fields after dots: all that the tool list says about it. Default: what its schema requires. */
  stated?: readonly string[];
  /** Defaults of the tool, where an agent needs others than a REST caller. */
  toolDefaults?: Readonly<Record<string, unknown>>;
  /** Arguments of an example tool call that returns rows from the sample. */
  example: Record<string, unknown>;
  /** Faults that no single input shows (one of two, minimum above maximum, a forged cursor). @throws InvalidInput, before replay, credits and work are considered. */
  check?(input: z.output<I>, services: Services, caller: Caller): void;
  /** Credits that the caller must have before `run`, if the input decides (a page already paid for, a quote); default `credits`. */
  creditsNeeded?(input: z.output<I>, services: Services, caller: Caller): number;
  /** The whole JSON text that `run` would produce, if ingest has compiled and checked it; undefined where the answer has to be built. */
  readText?(input: z.output<I>, services: Services): Promise<string | undefined>;
  /** `isGone` says whether the client has disconnected and will not return for the answer. */
  run(input: z.output<I>, services: Services, caller: Caller, isGone?: () => boolean): Promise<Found<z.input<O>>>;
}

/** Whether a call can be identified by an Idempotency-Key. */
export function takesKey({ credits, makesOnce }: Pick<Operation, 'credits' | 'makesOnce'>): boolean {
  return credits > 0 || makesOnce === true;
}

/** The rows that are tools. */
export function toolRows(operations: readonly Operation[]): Operation[] {
  return operations.filter(({ restOnly }) => !restOnly);
}

/** Declares an operation and keeps its own input and output types in the table. */
export function defineOperation<I extends z.ZodObject, O extends z.ZodObject>(
  operation: Operation<I, O>,
): Operation<I, O> {
  return operation;
}

/**
 * How a transport names an operation to its callers. A text refers to an operationId in braces, `{search_companies}`, and each
 * transport shows the name that its callers use.
 */
export type NameCall = (operationId: string) => string | undefined;

/** A text as a transport shows it; braces around anything else stay. */
export function nameCalls(text: string, name: NameCall): string {
  return text.replace(/\{(\w+)\}/g, (braced, operationId: string) => name(operationId) ?? braced);
}

/** How REST names a call in descriptions: `GET /v1/companies/search`. */
export function restNames(operations: readonly Operation[]): NameCall {
  const names = new Map(
    operations.flatMap(({ bindings }) =>
      bindings.map(({ operationId, method, path }) => [operationId, `${method} ${openPath(path)}`] as const),
    ),
  );
  return (operationId) => names.get(operationId);
}

/** MCP's names: `svc_lookup_company`, whichever of its addresses is meant. */
export function toolNames(operations: readonly Operation[], prefix: string): NameCall {
  const names = new Map(
    operations.flatMap(({ name, bindings }) =>
      bindings.map(({ operationId }) => [operationId, prefix + name] as const),
    ),
  );
  return (operationId) => names.get(operationId);
}

/** A row's path as OpenAPI writes it: `/v1/companies/{company_number}`. */
export function openPath(path: string): string {
  return `/v1${path.replace(/:(\w+)/g, '{$1}')}`;
}
