/** More texts than recur in the pages of one run; some megabytes at most. */
const KNOWN_MAX = 20_000;
/** Longer texts rarely come twice. */
const LENGTH_MAX = 300;
/** Values and their results, a kilobyte or two each. A value with longer JSON is not kept. */
const VALUES_MAX = 10_000;
const JSON_MAX = 4_000;

/**
 * Returns a pure function of a text that caches its results: pages repeat few names, dates and addresses. It keeps `most`
 * results; a full cache is emptied.
 */
export function memoise<T extends NonNullable<unknown> | null>(
  read: (text: string) => T,
  most = KNOWN_MAX,
): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (text.length > LENGTH_MAX) return read(text);
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= most) known.clear();
    const answer = read(text);
    known.set(text, answer);
    return answer;
  };
}

/**
 * Returns a pure function of plain data that caches its results by the data's JSON. Callers share a result and must not change it.
 * It keeps `most` results; a full cache is emptied.
 */
export function memoiseByJson<V, T extends object>(read: (value: V) => T, most = VALUES_MAX): (value: V) => T {
  const known = new Map<string, T>();
  return (value) => {
    const key = JSON.stringify(value);
    if (key.length > JSON_MAX) return read(value);
    const found = known.get(key);
    if (found) return found;
    if (known.size >= most) known.clear();
    const answer = read(value);
    known.set(key, answer);
    return answer;
  };
}

/** Returns a pure function of an object that keeps each result for as long as its object lives. The object must not change. */
export function memoiseByObject<K extends object, T extends object>(read: (object: K) => T): (object: K) => T {
  const known = new WeakMap<K, T>();
  return (object) => {
    const found = known.get(object);
    if (found) return found;
    const answer = read(object);
    known.set(object, answer);
    return answer;
  };
}

/** Empties every table of `makeResults`. */
const forget: (() => void)[] = [];

/** Results by object that are kept until `forgetResults`, at most for as long as the object lives. */
export function makeResults<K extends object, T>(): Pick<WeakMap<K, T>, 'get' | 'set'> {
  let results = new WeakMap<K, T>();
  forget.push(() => {
    results = new WeakMap();
  });
  return { get: (object) => results.get(object), set: (object, result) => results.set(object, result) };
}

/**
 * Forgets what was kept for one process. V8 treats a table's values as alive until a full collection, even if their objects are
 * gone, unless the table itself is: copying them took a tenth of a compiling process's time (20,000 generated releases).
 */
export function forgetResults(): void {
  for (const empty of forget) empty();
}

/**
 * Every match of a global pattern that never matches an empty text. `matchAll` searches with a copy, which V8 compiles again after
 * each full collection: 3 % of the processor time of an ingest's own thread.
 */
export function matchesOf(text: string, pattern: RegExp): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) found.push(match);
  return found;
}

/** Groups members by key; keys and members keep their order. */
export function groupBy<T, K>(members: Iterable<T>, keyOf: (member: T) => K): Map<K, T[]> {
  return groupByEach(members, (member) => [keyOf(member)]);
}

/** Groups members by each of their keys, as `groupBy` does by one. */
export function groupByEach<T, K>(members: Iterable<T>, keysOf: (member: T) => Iterable<K>): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const member of members) {
    for (const key of keysOf(member)) {
      const group = groups.get(key);
      if (group) group.push(member);
      else groups.set(key, [member]);
    }
  }
  return groups;
}

/** Consecutive parts of a list with at most `most` members each; none for an empty list. */
export function* chunksOf<T>(list: readonly T[], most: number): Generator<T[]> {
  for (let first = 0; first < list.length; first += most) yield list.slice(first, first + most);
}

/** The first place of each member. */
export function placesOf<T>(members: readonly T[]): Map<T, number> {
  return new Map(members.map((member, place) => [member, place] as const).toReversed());
}

/** Members in the order of their places. */
export function inPlaceOf<T>(members: readonly T[], placeOf: (member: T) => number | undefined): T[] {
  return members.toSorted((a, b) => (placeOf(a) ?? 0) - (placeOf(b) ?? 0));
}

/** Each text once, sorted. */
export function uniqueInOrder(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted();
}
