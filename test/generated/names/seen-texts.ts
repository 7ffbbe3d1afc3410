const BITS = 2 ** 30;

/** Texts that were taken, as one bit each: of five million one in two hundred is thought to be taken that is not. */
export function makeMarks(): { take(text: string): boolean } {
  const marks = new Uint32Array(BITS / 32);
  return {
    take(text) {
      const bit = hashOf(text) & (BITS - 1);
      const word = marks[bit >>> 5] ?? 0;
      const mark = 1 << (bit & 31);
      if ((word & mark) !== 0) return false;
      marks[bit >>> 5] = word | mark;
      return true;
    },
  };
}

/** FNV-1a with a last stir. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
