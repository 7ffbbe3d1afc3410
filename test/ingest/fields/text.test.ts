import { describe, expect, it } from 'vitest';
import { cleanLine, cleanText, saysNothing } from '../../../ingest/fields/text/clean.ts';

describe('text as it is served', () => {
  it.each([
    ['Vale &amp; District', 'Vale & District'],
    ['Vale &amp;amp;amp; District', 'Vale & District'],
    ['Twice&nbsp;a&#160;year', 'Twice a year'],
    ['the Council&#39;s &#039;own&#x27; &amp;#39;hall&amp;#39;', "the Council's 'own' 'hall'"],
    ['the Council&#146;s &#147;own&#148; hall', 'the Council’s “own” hall'],
    ['Caf&eacute; and &Eacute;cole, 20&deg;C &times; 3 &plusmn; &frac14;', 'Café and École, 20°C × 3 ± ¼'],
    ['one&zwnj;two&shy;three\u200b', 'onetwothree'],
    ['tea &amp coffee&nbsp', 'tea & coffee'],
    ['&lt;p&gt;Grounds&lt;/p&gt;&lt;p&gt;Hedges&lt;/p&gt;', 'Grounds\n\nHedges'],
    ['&amp;lt;b&amp;gt;Grounds&amp;lt;/b&amp;gt;', 'Grounds'],
    ['<o:p>Grounds</o:p><?xml:namespace prefix="o"/>', 'Grounds'],
    ['<style>p { color: red }</style><!-- a note -->Grounds', 'Grounds'],
    ['Grounds <a href="https://example.org/very-lo', 'Grounds'],
    ['Grounds <br', 'Grounds'],
    ['Lots:\\r\r\n- hedges\\r\n\\r\r\n- lawns\\r', 'Lots:\n- hedges\n\n- lawns'],
  ])('%s', (published, served) => {
    expect(cleanText(published)).toBe(served);
  });

  it.each([
    'R&D; AT&T, B&Q',
    'fewer than <5 and > 3',
    'a & b; c',
    'https://example.org/a?b=1&lt=2&copy=3',
    'x < y',
    'R:\\rates\\r1',
  ])('leaves %s alone', (published) => {
    expect(cleanLine(published)).toBe(published);
  });

  it('comes to the same when it is cleaned again, however text and escapes are mixed', () => {
    const parts = ['&', 'amp;', 'lt;', '<', '>', 'b', '/', '#39;', 'nbsp;', ' ', 'p', '#', 'x27;', 'é', '\n', 'style'];
    let seed = 7;
    const next = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return parts[(seed >> 8) % parts.length] ?? '';
    };
    for (let round = 0; round < 3_000; round += 1) {
      const served = cleanLine(Array.from({ length: 12 }, next).join(''));
      expect(served).not.toMatch(/&(?:amp|lt|gt|nbsp|#39|#x27);|<\/?(?:b|p|style)(?:\s[^<>]*)?>/i);
      expect(cleanLine(served)).toBe(served);
    }
  });
});

it('only what stands for none says nothing, however long it is', () => {
  for (const text of ['', 'N/A', ' n.a. ', 'None.', '(nil)', 'Not applicable', 'TBC', '-'.repeat(1_000_000)])
    expect(saysNothing(text)).toBe(true);
  for (const text of [
    'N/A form',
    'Nan',
    'None of the lots',
    `${'-'.repeat(1_000_000)}x`,
    `N/A${'-'.repeat(1_000_000)}x`,
  ])
    expect(saysNothing(text)).toBe(false);
});
