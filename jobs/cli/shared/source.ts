import { Argument, InvalidArgumentError } from 'commander';
import type { Source } from '../../../ingest/source.ts';
import { findSource, sources } from '../../../ingest/sources/index.ts';
import { londonInstant } from '../../../schema/config/clocks.ts';
import { UsageFault } from '../../process/services.ts';

/** Reads the id of a source, or its name on the command line. @throws InvalidArgumentError */
export function parseSource(text: string): string {
  const found = findSource(text);
  if (found) return found.id;
  throw new InvalidArgumentError(`Expected ${sources.map(({ cliName }) => cliName).join(', ')}.`);
}

/** A required source, in either spelling; the action gets its name on the command line. */
export const sourceArgument = (): Argument =>
  new Argument('<source>', `the source: ${sources.map(({ cliName }) => cliName).join(', ')}`).argParser(
    (text) => findSource(parseSource(text))?.cliName,
  );

/** @throws UsageFault for a span that begins before the source did: years of it would be empty. */
export function assertAfterFirstDay(source: Source, since: Date | undefined): void {
  if (source.kind !== 'notices' || !since || since >= londonInstant(`${source.firstDay}T00:00:00`)) return;
  throw new UsageFault(`${source.cliName} begins on ${source.firstDay}: --since must not lie before that day`);
}
