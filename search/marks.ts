/** Signs that no published text has, around a hit until the text is made safe. */
export const OPEN_MARK = '\u0002';
export const CLOSE_MARK = '\u0003';

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** HTML-escaped text with each hit inside `<mark>`. */
export function renderMarks(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign)
    .replaceAll(OPEN_MARK, '<mark>')
    .replaceAll(CLOSE_MARK, '</mark>');
}
