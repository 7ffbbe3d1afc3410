import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOMS, ROOT, readSources } from './support/source-files.ts';

/** Archaic or roundabout phrases that plain English never needs, each with what to write. */
const ODD: Record<string, string> = {
  anew: 'again',
  whoever: 'the person who, anybody who',
  whomever: 'anybody',
  wherefrom: 'where … from',
  'of which': 'a sentence of its own',
  "nobody's": 'no … of its own',
  'as of the': 'like that of the',
  shall: 'must, will',
  'asked for by': 'found by, requested by',
  'put by': 'buffered, kept',
  'goes on': 'continues',
  'heard of': 'received, known',
  beside: 'next to, while, besides',
  borne: 'used, had',
  'held of': 'stored about',
  'is no more': 'no longer exists',
  nought: 'zero',
  '(?:a|the|this|new|whole) house': 'an installation, the service',
};

/** Data, never prose: a list of words that is split, and the alternatives of a regular expression. */
const DATA = /`[^`]*`\.split\(|\|[\w ]+(?=[|)])/g;

/** Between two words: a space, or the line break of a comment or a page. */
const GAP = '[\\s*/]+';

/** Each phrase found, as `path:line phrase`. Letters, digits, `_`, `-` and quotes next to it make it another word. */
function findOdd(path: string, text: string): string[] {
  const prose = text.replaceAll(DATA, (data) => data.replaceAll(/\S/g, '-'));
  return Object.keys(ODD).flatMap((phrase) =>
    [...prose.matchAll(new RegExp(`(?<![\\w'-])${phrase.replaceAll(' ', GAP)}(?![\\w-])`, 'gi'))].map(
      ({ index }) => `${path}:${text.slice(0, index).split('\n').length} ${phrase}`,
    ),
  );
}

describe('the words', () => {
  const files = readSources();

  it.each(ROOMS.filter((room) => room !== 'test'))('of %s/ hold no phrase that plain English never needs', (room) => {
    const found = files.filter((file) => file.room === room).flatMap(({ path, text }) => findOdd(path, text));
    expect(found).toEqual([]);
  });

  it('do not count in data; in a sentence every phrase counts', () => {
    const text =
      "const LIST = `seal shall sharp`.split(' ');\nconst VERB = /will|shall|must/;\n/** It shall go on\n * anew. */";
    expect(findOdd('a.ts', text)).toEqual(['a.ts:4 anew', 'a.ts:3 shall']);
  });

  it.each(['README.md', ...ROOMS.map((room) => `${room}/README.md`)])('of %s hold none', (path) => {
    // The lists that are derived from the code are counted there.
    const own = readFileSync(join(ROOT, path), 'utf8').replaceAll(/<!-- (\w+):[\s\S]*?<!-- \/\1 -->/g, '');
    expect(findOdd(path, own)).toEqual([]);
  });
});
