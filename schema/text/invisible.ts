/**
 * Characters that show nothing: Unicode's default ignorables (tags, direction overrides, word joiners, soft hyphens, fillers,
 * variation selectors), marks of interlinear notes, control characters but blanks, and halves of a pair of surrogates, which
 * no UTF-8 holds. A text with them says more to a machine than to its reader; SQLite ends a text at a NUL.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\p{Cs}]|[^\P{Cc}\s\u0080-\u009f]/gu;
const MAY_HIDE = new RegExp(INVISIBLE.source, 'u');
/** Control characters by their place, Windows' quotation marks and dashes by intent. */
const WINDOWS = /[\u0080-\u009f]/g;
const PLAIN = /^[\t\n\r -~£€–—‘’“”•]*$/;
/** What windows-1252 has at 0x80 to 0x9f. Node's own decoder of that name reads control characters there (measured on 20.20). */
export const CP1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Whether a text has no other characters than everybody writes: it is as it was meant. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** A text without characters that show nothing. */
export function dropInvisible(text: string): string {
  if (isPlain(text)) return text;
  const visible = MAY_HIDE.test(text) ? text.replace(INVISIBLE, '') : text;
  return visible.replace(WINDOWS, readAsWindows);
}

function readAsWindows(character: string): string {
  const read = CP1252[character.charCodeAt(0) - 0x80] ?? '';
  return read > '\u009f' ? read : '';
}
