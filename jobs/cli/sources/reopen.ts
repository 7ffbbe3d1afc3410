import { readClosedUntil, reopen } from '../../../ingest/http/refusals.ts';
import type { Source } from '../../../ingest/source.ts';
import { isoInstant, makeClocks } from '../../../schema/config/clocks.ts';
import { type AddCommand, withCatalogue } from '../shared/command.ts';
import { sourceArgument } from '../shared/source.ts';

export const addReopen: AddCommand = (command, cli) => {
  command.addArgument(sourceArgument()).action(({ id, cliName }: Source) =>
    withCatalogue(cli, async (catalogue) => {
      const until = await readClosedUntil(catalogue, id, makeClocks().wallNow());
      await reopen(catalogue, id);
      cli.out(until ? `${cliName} is open again; it was closed until ${isoInstant(until)}` : `${cliName} is open`);
    }),
  );
};
