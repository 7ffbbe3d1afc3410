import type { Operation } from '../../api/contract/operation.ts';
import { operations } from '../../api/operations/index.ts';
import { withSources } from '../../api/validation/known-sources.ts';
import { listServices } from '../../ingest/sources/index.ts';

/** The operations as described by a server that has every service of the sources table. */
export const knownOperations: readonly Operation[] = operations.map((operation) =>
  withSources(
    operation,
    listServices()
      .map(({ id, title, aliases = [] }) => ({ id, title, aliases }))
      .sort((one, other) => (one.id < other.id ? -1 : 1)),
  ),
);
