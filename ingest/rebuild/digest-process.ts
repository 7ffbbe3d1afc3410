import { openDatabase } from '../../schema/db/open.ts';
import { serveParent } from '../../schema/process/serve.ts';
import { readDigests } from './digests.ts';

/** A process that reads the digests of one catalogue file, whose path is its argument, and answers every question with them. */
async function serve(path = ''): Promise<void> {
  const catalogue = await openDatabase({ url: `file:${path}`, durability: 'normal', readOnly: true });
  serveParent(async () => ({ tables: await readDigests(catalogue) }));
}

serve(process.argv[2]);
