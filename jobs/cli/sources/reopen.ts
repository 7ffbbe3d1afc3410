import { readClosedUntil, reopen } from '../../../ingest/http/refusals.ts';
import { findSource } from '../../../ingest/sources/index.ts';
import { isoInstant, makeClocks } from '../../../schema/config/clocks.ts';
import { type AddCommand, withCatalogue } from '../shared/command.ts';
import { sourceArgument } from '../shared/source.ts';

export const addReopen: AddCommand = (command, cli) => {
  command.addArgument(sourceArgument()).action((name: string) =>
    withCatalogue(cli, async (catalogue) => {
      const id = findSource(name)?.id ?? name;
      const until = await readClosedUntil(catalogue, id, makeClocks().wallNow());
      await reopen(catalogue, id);
      cli.out(until ? `${name} is open again; it was closed until ${isoInstant(until)}` : `${name} is open`);
    }),
  );
};
