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
import type { Aside } from './aside.ts';

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
  /** Looks many things up, in other processes. */
  aside: Aside;
  /** Adds up contracts, in another process. */
  summaries: Summaries;
  /** Allowances and turns, which hold for all API processes of this machine together. */
  machine: Machine;
  /** Where jobs write exports. */
  exports: ExportStorage;
  /** Why what jobs write there is not found by this process, for an operator; null where it is. Cheap to ask. */
  findExportFault(): Promise<string | null>;
  /** Signs list cursors and download links: AUTH_SECRET, or the secret kept in DATA_DIR. */
  secret: string;
}

/** Who is calling, known from the key. */
export interface Caller {
  accountId: string;
  keyId: string;
  /** The Idempotency-Key of a call that makes something once; absent where none was sent. */
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
  /** A call that answers rows on the sample, relative to it: values for `inputs`. */
  example: Record<string, unknown>;
}

/** Whether an address takes its inputs in a body. */
export function takesBody({ method }: Pick<Binding, 'method'>): boolean {
  return method === 'POST' || method === 'PATCH';
}

/** The debit of this answer, as known when it is about to commit. */
export interface PendingCharge {
  chargeId: string;
  creditsCharged: number;
}

/**
 * How the answer of a row is made shorter, by `detail` and `fields`. What its schema requires is never left out. Names of
 * inner fields stand after dots, those of a list's items too.
 */
export interface Shortening {
  /** Where the fields stand that `fields` names without their path: a list's items or an object; without it the answer's own. */
  of?: string;
  /** Fields that may be absent and that a brief answer has all the same. */
  keep: readonly string[];
  /** Most entries of a list in a brief answer, below zero the last ones; the lists that `limit` pages are whole. Default 5. */
  most?: Readonly<Record<string, number>>;
  /** Lists that a brief answer shows whole up to this many entries, however long the answer is. */
  whole?: Readonly<Record<string, number>>;
}

/** Something that may have been meant: what tells it from its like. */
export interface Candidate {
  id: string;
  name: string;
  contract_count?: number;
  framework_places?: number;
  place?: string;
  /** In the register of companies. */
  status?: string;
}

/** Candidates that a refusal names. */
export const CANDIDATES_MOST = 5;

/** Nothing was found: a 404, free. */
export interface Nothing {
  kind: 'nothing';
  message: string;
  candidates?: Candidate[];
}

/** Nothing found, with the nearest candidates; without any, `way` says how to find an id. */
export function nothingNear(message: string, way: string, candidates: Candidate[]): Nothing {
  if (candidates.length === 0) return { kind: 'nothing', message: `${message}; ${way}` };
  const nearest = candidates.slice(0, CANDIDATES_MOST);
  return { kind: 'nothing', message: `${message}; send the id of a candidate`, candidates: nearest };
}

/** What `run` found. */
export type Found<T> =
  | {
      kind: 'answer';
      body: T;
      /** The price where it depends on what was found; default the row's `credits`. */
      credits?: number;
      /** `none`: answered free (an empty search, an empty list, a page already paid for). */
      charge?: 'none';
      /** Neither clock nor caller can change it any more (`Operation.settles`). */
      settled?: boolean;
      /** The balance, where a free answer itself states it: both then say the same. */
      creditsRemaining?: number;
      /** What must be there before the debit and is dear to make: asked for once the caller can pay the price. */
      prepare?: () => Promise<void>;
      /** Removes what `prepare` made, all or some of it, where no debit came of it. */
      abandon?: () => Promise<void>;
      /**
       * Statements for the accounts database that commit in the same batch as the debit, right after it. Each is
       * conditional on the ledger holding `charge:<chargeId>`, so that a refused debit leaves nothing behind.
       */
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
  /** For agents: when to use it, what it answers, where each id comes from. It names other operations as `{operationId}`. The price sentence is added. */
  description: string;
  /** Whole credits, debited on success; 0 is free. */
  credits: number;
  /** The price in words where it is not one number, e.g. `100 credits per started 1,000 rows`. */
  priceNote?: string;
  /** A free call that makes something: repeated with its Idempotency-Key it makes nothing else and answers the same. */
  makesOnce?: true;
  /** For a tool that stands for several addresses: the operation that a call would be over REST, so that a key means one request on both transports; undefined if that operation takes no key. */
  madeAs?(input: z.output<I>): { name: string; input: Record<string, unknown> } | undefined;
  /** No tool of its own: what is rarely asked for would cost every model that reads the list. */
  restOnly?: true;
  /** Answers without a key. */
  public?: boolean;
  /** Its answer depends on its input and the catalogue alone, neither on clocks, caller, accounts nor search: given again while what it was made from is unchanged. */
  lasting?: true;
  /** As `lasting`, but for what the clock decides: an answer that it can no longer change says so, and is given again. */
  settles?: true;
  input: I;
  /** The stated and further fields; what it does not know is stripped before an answer leaves. Credit fields are added. */
  output: O;
  /** None where it is a tool alone, for what several addresses do. */
  bindings: readonly Binding[];
  /** Its cursor may be ahead of data that was restored from a backup: 410. */
  cursorExpires?: true;
  /** Refused with 409 by how a watch or a delivery stands. */
  conflict?: true;
  /** Set where its input has filters: the table that knows other names and writings of them, for hints. */
  filters?: readonly AnyFilterRow[];
  /** Inputs that other tools describe, by the names of those: its own description names them, and the tool list does not repeat it. */
  describedBy?: { tools: readonly string[]; inputs: readonly string[] };
  /** How `detail` and `fields`, which its input then has, make its answer shorter: full over REST, brief over MCP unless said. */
  shortening?: Shortening;
  /** What the answer states, inner fields after dots: all that the tool list tells of it. Default: what its schema requires. */
  stated?: readonly string[];
  /** Defaults of the tool, where an agent is better served than by those of the addresses. */
  toolDefaults?: Readonly<Record<string, unknown>>;
  /** Arguments of an example tool call that answers rows on the sample. */
  example: Record<string, unknown>;
  /** What no single input can tell (one of two, least above most, a forged cursor). @throws InvalidInput, before replay, credits and work are looked at. */
  check?(input: z.output<I>, services: Services, caller: Caller): void;
  /** Credits that must be there before `run`, where the input decides (a page already paid for, a quote); default `credits`. */
  creditsNeeded?(input: z.output<I>, services: Services, caller: Caller): number;
  /** The JSON text that `run` would come to, where ingest has compiled and checked it; undefined where the answer is to be made. */
  readText?(input: z.output<I>, services: Services): Promise<string | undefined>;
  /** `isGone` says whether the client has gone away and will not come back for the answer. */
  run(input: z.output<I>, services: Services, caller: Caller, isGone?: () => boolean): Promise<Found<z.input<O>>>;
}

/** Whether a call is known by an Idempotency-Key. */
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
 * How a transport names an operation to its callers. A text that speaks of one names an operationId in braces,
 * `{search_companies}`, and each transport shows what its callers call.
 */
export type NameCall = (operationId: string) => string | undefined;

/** A text as a transport shows it; braces around anything else stay. */
export function nameCalls(text: string, name: NameCall): string {
  return text.replace(/\{(\w+)\}/g, (braced, operationId: string) => name(operationId) ?? braced);
}

/** REST's names: `GET /v1/companies/search`. */
export function restNames(operations: readonly Operation[]): NameCall {
  const names = new Map(
    operations.flatMap(({ bindings }) =>
      bindings.map(({ operationId, method, path }) => [operationId, `${method} ${openPath(path)}`] as const),
    ),
  );
  return (operationId) => names.get(operationId);
}

/** MCP's names: `svc_lookup_company`, whichever address of it is meant. */
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
