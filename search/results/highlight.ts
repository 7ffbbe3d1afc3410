/** Signs that no published text contains; they mark a hit until the text is escaped. */
export const OPEN_MARK = '\u0002';
export const CLOSE_MARK = '\u0003';

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text as HTML has it, in an attribute too. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
}

/** HTML-escaped text with each hit inside `<mark>`. */
export function renderHighlight(text: string): string {
  return escapeHtml(text.replace(/\s+/g, ' ').trim()).replaceAll(OPEN_MARK, '<mark>').replaceAll(CLOSE_MARK, '</mark>');
}

/** Splits the output of `renderHighlight` into plain-text pieces in order, and says which of them are hits. */
export function readHighlight(html: string): { text: string; isHit: boolean }[] {
  const pieces = html.split(/<\/?mark>/).map((piece, at) => ({ text: unescapeSigns(piece), isHit: at % 2 === 1 }));
  return pieces.filter(({ text }) => text !== '');
}

function unescapeSigns(text: string): string {
  const signs = Object.entries(ESCAPES).map(([sign, code]) => [code, sign]);
  const signOf = new Map(signs as [string, string][]);
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (code) => signOf.get(code) ?? code);
}
