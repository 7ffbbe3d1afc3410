/** More texts than the pages of one turn repeat; some megabytes at most. */
const KNOWN_MOST = 20_000;
/** Longer texts are seldom met twice. */
const LENGTH_MOST = 300;

/** The same pure function of a text, keeping its answers: pages repeat the same few names and addresses. It starts afresh when it is full. */
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
