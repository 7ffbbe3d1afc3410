import type { Logger } from 'pino';
import type { Settings } from '../config/settings.ts';
import type { Database } from './interface.ts';
import { awaitMigrated } from './migrate.ts';
import { catalogueAt, describeMove } from './moved.ts';
import { openCatalogue } from './open-catalogue.ts';
import { openReplica } from './replica/open.ts';

type ReaderSettings = Pick<Settings, 'DATA_DIR' | (`CATALOGUE_${string}` & keyof Settings)>;

/**
 * The catalogue for a process that never writes it: a file, a server, or this machine's copy of a server. Waits until the jobs
 * process has migrated it.
 */
export async function openReader(settings: ReaderSettings, log: Logger): Promise<Database> {
  const server = catalogueAt(settings);
  const onMoved = (url: string) => log.warn(describeMove(url));
  const onWait = (said: string) => log.warn(said);
  if (settings.CATALOGUE_REPLICA === 'on') {
    const say = (level: 'info' | 'warn', message: string) => log[level](message);
    const replica = await openReplica({ dataDir: settings.DATA_DIR, server, say, onMoved });
    // Repeated until the copy, or the server before there is one, is at this version.
    const unclosed: Database = Object.create(replica, { close: { value: async () => undefined } });
    await awaitMigrated(async () => unclosed, 'catalogue', onWait);
    return replica;
  }
  const onFault = (err: unknown) => log.error({ err }, 'the next generation of the catalogue cannot be opened');
  const open = () => openCatalogue({ ...server, durability: 'normal', readOnly: true, onFault, onMoved });
  return awaitMigrated(open, 'catalogue', onWait);
}
