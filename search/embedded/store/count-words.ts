/** Slots of a table at first; it is doubled whenever half of them are taken. */
const SLOTS = 4_096;
const DIGITS = { first: 48, last: 57 };
const LETTERS = { first: 97, last: 122 };
const ASCII = 128;

/**
 * The words of some texts that `foldText` has folded, and how often each occurs. Words are distinguished by 64 bits of a hash,
 * and only a new one is cut out of its text. With a map of words this takes three times as long, which is a tenth of the work
 * of indexing a document (measured).
 */
export function countWords(texts: Iterable<string>): [word: string, count: number][] {
  const words: [string, number][] = [];
  const hashes: number[] = [];
  let slots = new Uint32Array(SLOTS);
  /** The slot of a word: its own, or a free one. */
  const findSlot = (one: number, other: number): number => {
    const mask = slots.length - 1;
    for (let slot = one & mask; ; slot = (slot + 1) & mask) {
      const place = slots[slot] ?? 0;
      if (place === 0 || (hashes[2 * place - 2] === one && hashes[2 * place - 1] === other)) return slot;
    }
  };
  const enlarge = () => {
    slots = new Uint32Array(2 * slots.length);
    for (let place = 1; place <= words.length; place++) {
      slots[findSlot(hashes[2 * place - 2] ?? 0, hashes[2 * place - 1] ?? 0)] = place;
    }
  };
  const count = (text: string, from: number, end: number, one: number, other: number) => {
    const slot = findSlot(one, other);
    const known = words[(slots[slot] ?? 0) - 1];
    if (known) {
      known[1] += 1;
      return;
    }
    slots[slot] = words.push([text.slice(from, end), 1]);
    hashes.push(one, other);
    if (2 * words.length > slots.length) enlarge();
  };
  for (const text of texts) eachWord(text, count);
  return words;
}

/** Calls `take` with each word of a folded text: where it begins and ends, and its hash. */
function eachWord(
  text: string,
  take: (text: string, from: number, end: number, one: number, other: number) => void,
): void {
  let from = -1;
  let one = 0;
  let other = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    if (isOfWord(code)) {
      if (from < 0) [from, one, other] = [at, 0, 0];
      one = Math.imul(one ^ code, 0x9e3779b1);
      other = Math.imul(other + code, 0x5f356495) ^ (other >>> 15);
    } else if (from >= 0) {
      take(text, from, at, one ^ (one >>> 16), other);
      from = -1;
    }
  }
}

/** Outside ASCII a folded text has only letters and digits. */
function isOfWord(code: number): boolean {
  return (
    (code >= LETTERS.first && code <= LETTERS.last) || (code >= DIGITS.first && code <= DIGITS.last) || code >= ASCII
  );
}
