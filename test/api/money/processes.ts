import type { BuiltServer } from '../../support/services.ts';
import { type Child, startChild } from '../../support/start-child.ts';
import type { ApiAddress, ApiOrder } from './api-child.ts';

const CHILD = 'test/api/money/api-child.ts';

export interface ApiProcess extends ApiAddress {
  child: Child;
}

/** A process that has loaded the API's code and waits to be told what to serve from given databases; `under` is a command that runs it. */
export function loadApi({ settings }: BuiltServer, under: readonly string[] = []): Child {
  const environment = {
    DATA_DIR: settings.DATA_DIR,
    PORT: '0',
    PRIVATE_PORT: '0',
    LOG_LEVEL: 'error',
    BASE_URL: settings.BASE_URL,
    KEY_REQUESTS_PER_MINUTE: '10000000',
    ...(settings.AS_OF ? { AS_OF: settings.AS_OF.toISOString() } : {}),
  };
  return startChild(CHILD, environment, 0, under);
}

/** Lets it answer. @throws Error where it ends instead, with what it complained of. */
export async function startApi(child: Child, rows: ApiOrder['rows'], isWatched = false): Promise<ApiProcess> {
  child.begin({ rows, isWatched } satisfies ApiOrder);
  const said = await child.ready;
  if (said === undefined) throw new Error(`an API process did not start: ${(await child.ended).complained}`);
  return { child, ...(JSON.parse(said) as ApiAddress) };
}

export async function killAll(processes: readonly { child: Child }[]): Promise<void> {
  for (const { child } of processes) child.kill();
  await Promise.all(processes.map(({ child }) => child.ended));
}
