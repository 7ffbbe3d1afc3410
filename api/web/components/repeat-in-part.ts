/** Characters of the words that a page looks for: fewer than the API takes, as its links repeat them. */
export const WORDS_CHARS = 300;

/** Bytes of a page that repeat one value, and all values together. */
export interface Repeated {
  ofValue: number;
  ofAll: number;
}

const USUAL: Repeated = { ofValue: 600, ofAll: 1_200 };
/** What a sign becomes in the text of a page. */
const ESCAPED: Readonly<Record<string, string>> = { '"': '&quot;', '&': '&amp;', '<': '&lt;' };

/**
 * A form that was refused as its page repeats it: the beginning of each value, and of very many the first. A value of
 * usual length is whole.
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

/** The longest beginning of a text that is so many bytes of a page, and how many it is. */
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
