/** The longest search text of a page, in characters. The API takes more, but links on a page repeat the text. */
export const WORDS_CHARS = 300;

/** The most bytes of a page that repeat one value, and all values. */
interface Repeated {
  ofValue: number;
  ofAll: number;
}

const USUAL: Repeated = { ofValue: 400, ofAll: 800 };
/** Characters that HTML escapes. */
const ESCAPED: Readonly<Record<string, string>> = { '"': '&quot;', '&': '&amp;', '<': '&lt;' };

/**
 * The values of a refused form, shortened for its page: the beginning of each, and the first of very many. A value of
 * usual length is unchanged.
 */
export function beginningOf(fields: Readonly<Record<string, string>>, most = USUAL): Record<string, string> {
  let left = most.ofAll;
  const begun = Object.entries(fields).map(([name, value]) => {
    const [short, bytes] = cutTo(value, Math.min(most.ofValue, left));
    left -= bytes;
    return [name, short];
  });
  return Object.fromEntries(begun.filter(([, value]) => value !== ''));
}

/** The beginning of a text that fits in `most` bytes of a page, and its bytes. */
function cutTo(text: string, mostBytes: number): [beginning: string, bytes: number] {
  let [end, bytes] = [0, 0];
  for (const sign of text) {
    const more = Buffer.byteLength(ESCAPED[sign] ?? sign);
    if (bytes + more > mostBytes) break;
    end += sign.length;
    bytes += more;
  }
  return [text.slice(0, end), bytes];
}
