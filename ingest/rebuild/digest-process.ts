import { openDatabase } from '../../schema/db/open.ts';
import { type DigestAnswer, readDigests } from './digests.ts';

/** A process that reads the digests of one catalogue file, whose path is its argument, and answers every question with them. */
async function serve(path = ''): Promise<void> {
  const catalogue = await openDatabase({ url: `file:${path}`, durability: 'normal', readOnly: true });
  process.on('message', async ({ id }: { id: number }) => {
    process.send?.({ id, tables: await readDigests(catalogue) } satisfies DigestAnswer);
  });
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches the whole group; the parent stops this process itself.
  process.on('SIGINT', () => undefined);
  process.send?.({ id: 0, tables: [] } satisfies DigestAnswer);
}

serve(process.argv[2]);
