import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NOTICES } from '../../../search/collections/notices.ts';
import { lineOf, packLine, packLines, readShown, readText, unpack } from '../../../search/embedded/layout/packing.ts';
import { someDocument } from '../documents.ts';

/** Words, gaps of every kind, ellipses and halves of a character: whatever an extract may be cut at. */
const description = fc
  .array(fc.oneof(fc.constantFrom(' ', '  ', '\n', '…', '\ud83d\ude00', '\ud83d', '"', '\t'), fc.string()), {
    maxLength: 120,
  })
  .map((parts) => parts.join(''));

it('reads every description back as it was stored, from its extract and the rest', () => {
  fc.assert(
    fc.property(fc.array(description, { minLength: 1, maxLength: 4 }), (descriptions) => {
      const lines = descriptions.map((text, key) => packLine(key, someDocument({ description: text }), NOTICES));
      const packed = (part: 'shown' | 'text') => unpack(packLines(lines.map((line) => line[part])));
      const [shown, texts] = [packed('shown'), packed('text')];
      const read = descriptions.map((_text, key) => {
        const { extract } = readShown(lineOf(shown, key) ?? '', NOTICES.shown);
        return readText(lineOf(texts, key) ?? '', extract);
      });
      expect(read).toEqual(descriptions);
    }),
  );
});

it('stores the beginning of a description once', () => {
  const words = Array.from({ length: 200 }, (_, at) => `word${at}`).join(' ');
  const { shown, text } = packLine(1, someDocument({ description: words }), NOTICES);
  expect(shown).toContain('word0 word1 ');
  expect(text).not.toContain('word0 ');
  expect(text).toContain('word199');
});
