import type { Settings } from '../../config/settings.ts';
import type { Database } from '../../db/interface.ts';
import { makeStoreWatch } from './mark.ts';
import { type ExportStorage, exportFolder, makeFolderStorage } from './storage.ts';

type StorageSettings = Pick<Settings, 'DATA_DIR' | 'EXPORT_DAYS' | (`EXPORTS_${string}` & keyof Settings)>;

/** The export store of one process, and why it cannot see what jobs write there (null: it can), a check that costs little. */
interface Exports {
  exports: ExportStorage;
  findExportFault(): Promise<string | null>;
}

/** The export store that the settings name. Sends no request yet. */
export async function openExports(settings: StorageSettings, accounts: Database): Promise<Exports> {
  const exports = await openStorage(settings);
  return { exports, findExportFault: makeStoreWatch(accounts, exports) };
}

async function openStorage(settings: StorageSettings): Promise<ExportStorage> {
  const { EXPORTS_URL: url, EXPORTS_REGION: region, EXPORTS_ENDPOINT: endpoint } = settings;
  if (!url) return makeFolderStorage(exportFolder(settings));
  const { bucket, prefix } = url;
  const service = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  const isInPath = settings.EXPORTS_PATH_STYLE ?? endpoint !== undefined;
  const path = service.pathname.replace(/\/$/, '');
  // Loaded only where there is a bucket.
  const { makeBucketStorage } = await import('./s3/bucket.ts');
  return makeBucketStorage({
    address: isInPath ? `${service.origin}${path}/${bucket}` : `${service.protocol}//${bucket}.${service.host}${path}`,
    prefix,
    region,
    accessKeyId: settings.EXPORTS_ACCESS_KEY_ID ?? '',
    secretAccessKey: settings.EXPORTS_SECRET_ACCESS_KEY ?? '',
    place: `s3://${bucket}/${prefix}`.replace(/\/$/, ''),
  });
}
