import { afterEach, describe, expect, it } from 'vitest';
import { cleanText } from '../../../ingest/fields/text/clean.ts';
import { storePage } from '../../../ingest/store/page.ts';
import { dropInvisible, type JsonObject } from '../../../schema/text/json-values.ts';
import { makeSample } from '../../upstream/sample/make.ts';
import { packageOf, read } from '../compile/releases.ts';
import { readServedTexts } from '../served-texts.ts';
import { makeData, makeWorld, type World } from '../small-world.ts';
import { readEverything } from '../takedown/stored-words.ts';

let world: World | undefined;
afterEach(() => world?.close());

const HIDDEN = [
  '\u{e0041}\u{e007f}',
  '\u202e',
  '\u2066',
  '\u2060',
  '\u200b',
  '\u00ad',
  '\ufeff',
  '\u034f',
  '\ufe0f',
  '\u3164',
];
const ANY = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u0080-\u009f]|[^\P{Cc}\s]/u;

/** The text with something that shows nothing after its every second word, and in the midst of its first. */
function hide(text: string, nth: number): string {
  const hidden = HIDDEN[nth % HIDDEN.length] ?? '';
  return `${text.slice(0, 1)}${hidden}${text.slice(1)}`.replace(/(\S+ \S+) /g, `$1 ${hidden}`);
}

/** Members that readers read; the others are codes and ids. */
const READ =
  /^(?:title|description|name|legalName|streetAddress|locality|region|countryName|postalCode|rationale|details|.*Details)$/;

function hideIn(value: unknown, count = { texts: 0 }): unknown {
  if (Array.isArray(value)) return value.map((member) => hideIn(member, count));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (!READ.test(key) || typeof member !== 'string') return [key, hideIn(member, count)];
      count.texts += 1;
      return [key, hide(member, count.texts)];
    }),
  );
}

describe('characters that show nothing', () => {
  it.each([
    [`A${HIDDEN.join('')}B`, 'AB'],
    ['pay\u202eyap\u202c £5 – “ok” • é', 'payyap £5 – “ok” • é'],
    ['it\u0092s \u0093so\u0094', 'it’s “so”'],
    ['a\u0000b\u001b[31mc\ud800', 'ab[31mc'],
    ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
    ['नमस्ते Ærøskøbing 李明 שלום', 'नमस्ते Ærøskøbing 李明 שלום'],
  ])('leave a text, and nothing else does: %j', (text, visible) => {
    expect(dropInvisible(text)).toBe(visible);
  });

  it('leave it however they are written', () => {
    expect(cleanText('a&#8203;b&#x202e;c&zwnj;d&shy;e&#xe0041;f')).toBe('abcdef');
  });

  it('are in no text that is served or stored, wherever a release had them', async () => {
    const sample = makeSample({ notices: 300 });
    const count = { texts: 0 };
    const served = async (change: (release: unknown) => unknown) => {
      world = await makeWorld(makeData());
      for (const [source, published] of Object.entries({
        find_a_tender: sample.findATender,
        contracts_finder: sample.contractsFinder,
      })) {
        const releases = [...published].slice(0, 80).map(({ release }) => change(release) as JsonObject);
        const page = read(packageOf(releases), source);
        await storePage(world.catalogue, { source, fetchedAt: '2026-11-20T00:00:00Z', ...page, before: [], after: [] });
      }
      const texts = await readServedTexts(world.catalogue);
      const bodies = (await readEverything(world.catalogue)).get('release') ?? '';
      await world.close();
      world = undefined;
      return [...texts, bodies];
    };
    const withHidden = await served((release) => hideIn(release, count));
    expect(count.texts).toBeGreaterThan(500);
    expect(withHidden.filter((text) => ANY.test(text))).toEqual([]);
    const without = await served((release) => release);
    expect(withHidden.length).toBe(without.length);
  });
});
