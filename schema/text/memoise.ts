/** More texts than the pages of one run repeat; some megabytes at most. */
const KNOWN_MOST = 20_000;
/** Longer texts rarely come twice. */
const LENGTH_MOST = 300;

/** Returns a pure function of a text that keeps its results: pages repeat few names and addresses. A full cache is emptied. */
export function memoise<T extends string | boolean | readonly unknown[]>(
  read: (text: string) => T,
): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (text.length > LENGTH_MOST) return read(text);
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= KNOWN_MOST) known.clear();
    const answer = read(text);
    known.set(text, answer);
    return answer;
  };
}
