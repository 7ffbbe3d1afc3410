import { Argument, InvalidArgumentError } from 'commander';
import type { Source } from '../../../ingest/source.ts';
import { findSource, sources } from '../../../ingest/sources/index.ts';
import { londonInstant } from '../../../schema/config/clocks.ts';
import { UsageFault } from '../../process/services.ts';

const NAMES = sources.map(({ cliName }) => cliName).join(', ');

function readSource(text: string): Source {
  const found = findSource(text);
  if (found) return found;
  throw new InvalidArgumentError(`Expected ${NAMES}.`);
}

/** The id of a source, from that or its name on the command line. @throws InvalidArgumentError */
export const parseSource = (text: string): string => readSource(text).id;

/** A required source, in either spelling. */
export const sourceArgument = (): Argument => new Argument('<source>', `the source: ${NAMES}`).argParser(readSource);

/** @throws UsageFault for a span that begins before the source did: years of it would be empty. */
export function assertAfterFirstDay(source: Source, since: Date | undefined): void {
  if (source.kind !== 'notices' || !since || since >= londonInstant(`${source.firstDay}T00:00:00`)) return;
  throw new UsageFault(`${source.cliName} begins on ${source.firstDay}: --since must not lie before that day`);
}
