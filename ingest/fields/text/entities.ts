import { CP1252 } from '../../../schema/text/invisible.ts';
import { makeLookup } from '../../../schema/text/json-values.ts';

/** The names of U+00A0 to U+00FF, in order (HTML 4, Latin-1 entities). */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
/** Further names that editors write, each before its character. */
const OTHERS =
  'amp & lt < gt > quot " apos \' ndash – mdash — hyphen ‐ lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ lsaquo ‹ rsaquo › bull • bullet • hellip … prime ′ Prime ″ dagger † Dagger ‡ permil ‰ euro € trade ™ minus − le ≤ ge ≥ ne ≠ asymp ≈ infin ∞ radic √ larr ← uarr ↑ rarr → darr ↓ harr ↔ check ✓ OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ alpha α beta β gamma γ delta δ Delta Δ mu μ pi π sigma σ omega ω Omega Ω commat @ num # percnt % ast * plus + equals = dollar $ colon : semi ; comma , period . excl ! quest ? lpar ( rpar ) lsqb [ rsqb ] sol / bsol \\ lowbar _ verbar | dash ‐';
const SPACES = 'ensp emsp thinsp Tab NewLine numsp puncsp hairsp';
const UNSEEN = 'zwnj zwj lrm rlm ZeroWidthSpace';

const words = (list: string) => list.split(' ');
const pairs = words(OTHERS);
const NAMED = makeLookup<string>({
  ...Object.fromEntries(words(LATIN).map((name, index) => [name, String.fromCharCode(160 + index)])),
  ...Object.fromEntries(pairs.flatMap((name, index) => (index % 2 === 0 ? [[name, pairs[index + 1] ?? '']] : []))),
  ...Object.fromEntries(words(SPACES).map((name) => [name, ' '])),
  ...Object.fromEntries(words(UNSEEN).map((name) => [name, ''])),
});
/** However often its ampersand was escaped; those that everybody writes also without their semicolon. */
const ENTITY =
  /&(?:amp;)*(?:#(\d{2,7});?|#x([0-9a-f]{2,6});?|([a-z][a-z0-9]{1,14});|(nbsp|amp|quot|apos|lt|gt)(?![a-z0-9=;]))/gi;

/** A text with one layer of its HTML entities read. */
export function decodeEntities(text: string): string {
  return text.replace(ENTITY, decodeEntity);
}

function decodeEntity(whole: string, decimal?: string, hex?: string, name?: string, bare?: string): string {
  const named = name ?? bare;
  if (named) return NAMED[named] ?? NAMED[named.toLowerCase()] ?? (name ? `&${name};` : whole);
  const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16);
  // 128 to 159 are control characters; who writes them means Windows' quotation marks and dashes, as browsers read them.
  if (code > 127 && code < 160) return CP1252[code - 128] ?? ' ';
  return code > 31 && code < 0x110000 && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ' ';
}
