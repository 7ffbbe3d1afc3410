import { join } from 'node:path';
import type { Settings } from '../../schema/config/settings.ts';
import { type ProcessLock, takeLock } from '../../schema/db/process-lock.ts';

/** Takes the lock of the process that fills this machine's embedded search index; null where another process has it. */
export function takeIndexLock({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>): ProcessLock | null {
  return takeLock(join(DATA_DIR, 'filling.lock'));
}
