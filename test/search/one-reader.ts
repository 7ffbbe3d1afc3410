import { tmpdir } from 'node:os';
import { makeSearchReaders, type SearchReaders } from '../../search/embedded/engine.ts';
import { indexUrl } from '../../search/open.ts';

/** One reader process for the indexes of many tests, each opened when it is first asked; it starts with the first question. */
export function makeOneReader(): SearchReaders {
  // A reader opens what it is given beforehand, and runs for no less than one index: here for one that is not there.
  return makeSearchReaders({ urls: [indexUrl(tmpdir())], readers: 1 });
}
