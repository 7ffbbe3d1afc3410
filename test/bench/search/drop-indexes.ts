import { Meilisearch } from 'meilisearch';

/** A Meilisearch server that a benchmark may fill. */
export interface MeiliServer {
  url: string;
  key?: string | undefined;
}

/** Removes what a benchmark left on a server: every index whose name begins so. */
export async function dropIndexes({ url, key }: MeiliServer, prefix: string): Promise<void> {
  const client = new Meilisearch({ host: url, ...(key === undefined ? {} : { apiKey: key }) });
  for (const { uid } of (await client.getRawIndexes({ limit: 1_000 })).results) {
    if (uid.startsWith(prefix)) await client.deleteIndexIfExists(uid);
  }
}
