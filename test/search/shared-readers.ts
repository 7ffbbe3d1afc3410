import { tmpdir } from 'node:os';
import { makeSearchReaders, type SearchReaders } from '../../search/embedded/engine.ts';
import { indexUrl } from '../../search/open.ts';
import { LIMITS_MS } from '../support/time-limits.ts';

/** Reader processes for the indexes of many tests, each opened when it is first asked; they start with the first question. */
export function makeSharedReaders(readers = 1): SearchReaders {
  // A reader starts with at least one index to open; this one does not exist.
  return makeSearchReaders({ urls: [indexUrl(tmpdir())], readers, deadlineMs: LIMITS_MS.wait, waitMs: LIMITS_MS.wait });
}
