/**
 * A hash of an id, the same on every machine: 21 and 32 bits. Among ten million, two share one with a chance of 1 in 180. A
 * cryptographic one takes ten times as long.
 */
export function hashId(id: string): { high: number; low: number } {
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at);
    one = Math.imul(one ^ code, 0x9e3779b1);
    other = Math.imul(other ^ code, 0x5f356495);
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  other = Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
  return { high: other >>> 11, low: one >>> 0 };
}
