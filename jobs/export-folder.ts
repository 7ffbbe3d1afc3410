import { join } from 'node:path';
import type { Settings } from '../schema/env.ts';

/** Where finished exports lie; an export's `file` is a name in it. */
export function exportFolder(settings: Pick<Settings, 'DATA_DIR'>): string {
  return join(settings.DATA_DIR, 'exports');
}
