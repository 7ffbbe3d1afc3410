import { readFileSync } from 'node:fs';
import { type ReadPage, readOcdsPage } from '../../../ingest/parse/page.ts';
import { recordedFiles } from '../../upstream/recordings/known.ts';
import { EARLY_LABELS } from './framework-labels/early.ts';
import { MIDDLE_LABELS } from './framework-labels/middle.ts';
import { MIDDLE_SECOND_LABELS } from './framework-labels/middle-second.ts';
import { MIDDLE_THIRD_LABELS } from './framework-labels/middle-third.ts';
import { RECENT_LABELS } from './framework-labels/recent.ts';
import type { FrameworkLabel } from './types.ts';

export const LABELS: readonly FrameworkLabel[] = [
  ...EARLY_LABELS,
  ...MIDDLE_LABELS,
  ...MIDDLE_SECOND_LABELS,
  ...MIDDLE_THIRD_LABELS,
  ...RECENT_LABELS,
];

const SOURCES = [
  {
    source: 'contracts_finder',
    folder: 'contracts-finder',
    of: ['search-pages', 'notices-2017-2021', 'notices-2014-2015'],
  },
  { source: 'find_a_tender', folder: 'find-a-tender', of: ['pages', 'notices', 'records'] },
];

/** Every recorded release, one page for each source. */
export function readRecorded(): (Pick<ReadPage, 'releases'> & { source: string })[] {
  return SOURCES.map(({ source, folder, of }) => {
    const files = of.flatMap((name) => recordedFiles(`${folder}/${name}`));
    return {
      source,
      releases: files.flatMap((file) => readOcdsPage(readFileSync(file), { source, url: file }).releases),
    };
  });
}
