import type { Operation } from './operation.ts';

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
