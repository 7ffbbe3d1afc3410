import type { Database } from '../../schema/db/interface.ts';
import type { AnyFilterRow } from '../../search/filters/row.ts';
import { someOf } from '../../search/filters/shapes.ts';
import type { Operation } from '../contract/operation.ts';
import { type KnownSource, readSources } from '../reads/sources.ts';
import { inputsOf } from './inputs.ts';

/** The services that a filter by source takes. */
type Services = readonly Pick<KnownSource, 'id' | 'title' | 'aliases'>[];

/** An operation's latest description, and the services it was written for. */
const described = new WeakMap<Operation, { key: string; operation: Operation }>();

/**
 * An operation whose filters by source take these services: its input refuses any other, its texts and hints name them.
 * The same object each time for the same services. As it is where it has no such filter or no service is known.
 */
export function withSources(operation: Operation, services: Services): Operation {
  const rows = operation.filters?.filter(({ name, values }) => values === 'source' && name in operation.input.shape);
  if (!rows || rows.length === 0 || services.length === 0) return operation;
  const key = JSON.stringify(services);
  const last = described.get(operation);
  if (last?.key === key) return last.operation;
  const named = new Map(rows.map((row) => [row.name, nameServices(row, services)]));
  const inputs = inputsOf([...named.values()]);
  const made: Operation = {
    ...operation,
    input: operation.input.extend(inputs),
    filters: operation.filters?.map((row) => named.get(row.name) ?? row) ?? [],
  };
  for (const each of [operation, made]) described.set(each, { key, operation: made });
  return made;
}

function nameServices(row: AnyFilterRow, services: Services): AnyFilterRow {
  const ids = services.map(({ id }) => id);
  return {
    ...row,
    input: (z) => someOf(z, ids, `Such as ${ids.at(-1)}; all in {describe_filters}`, ...ids.slice(-1)),
    words: `${row.words} The services: ${ids.join(', ')}.`,
    called: Object.fromEntries(services.map(({ id, title, aliases }) => [id, [title, ...aliases]])),
  };
}

/** The operation that judges these inputs: the services are read only where an input names one. */
export async function knowSources(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  catalogue: Database,
): Promise<Operation> {
  const isAsked = operation.filters?.some(({ name, values }) => values === 'source' && name in given);
  return isAsked ? withSources(operation, await readServices(catalogue)) : operation;
}

/**
 * Answers the operations as they are described now: the same array until the services of the catalogue change.
 * While the catalogue cannot be read they stay as they were, and `onFault` learns why.
 */
export function makeDescriber(
  catalogue: Database,
  operations: readonly Operation[],
  onFault: (error: unknown) => void,
): () => Promise<readonly Operation[]> {
  let last = { key: '', operations };
  return async () => {
    try {
      const services = await readServices(catalogue);
      const key = JSON.stringify(services);
      if (key !== last.key) last = { key, operations: operations.map((each) => withSources(each, services)) };
    } catch (error) {
      onFault(error);
    }
    return last.operations;
  };
}

/** What is derived from the operations; derived again when they are described again. */
export function madeOf<T>(make: (operations: readonly Operation[]) => T): (operations: readonly Operation[]) => T {
  let last: { operations: readonly Operation[]; made: T } | undefined;
  return (operations) => {
    if (last?.operations !== operations) last = { operations, made: make(operations) };
    return last.made;
  };
}

async function readServices(catalogue: Database): Promise<Services> {
  return (await readSources(catalogue)).filter(({ kind }) => kind === 'notices');
}
