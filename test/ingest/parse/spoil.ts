import type { Json } from '../../upstream/data.ts';

/** A whole number from 0 and below a bound. */
type Random = (below: number) => number;

/** Numbers that are the same for the same seed. */
export function makeRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What may stand in place of something else: every type, absurd sizes, dates of no year, names that every object has. */
const STRANGE: readonly unknown[] = [
  ...[null, 0, -1, 0.001, 1e308, 2 ** 70, 5e-324, true, '', ' ', 'x', 'x'.repeat(5_000)],
  ...[
    '2026-13-45T99:99:99Z',
    '9999999-01-01',
    '9999-12-31T23:59:59Z',
    '0001-01-01',
    '2085-02-30',
    '2026-02-29',
    '2026-01-01',
  ],
  ...['31/12/2026', 'next week', '2026-01-01T00:00:00+99:00', '£1,250.50', '1e9', 'NaN', '-5', '12 345'],
  ...[
    [],
    {},
    [[]],
    [null],
    [{}],
    ['a', 1, null],
    [[['x']]],
    { a: 1 },
    { '1': {} },
    { '1': null },
    { id: {} },
    { name: [] },
  ],
  ...[
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    { constructor: 1 },
    { length: 5 },
    { id: 'constructor' },
  ],
  ...[
    '\u0000',
    'a\u0000b',
    '\ud800',
    'x\udc00y',
    '\ufffe',
    '\u202eabc',
    '&lt;script&gt;',
    "'; DROP TABLE notice; --",
    '%00',
    '../..',
  ],
];

/** The member, its key and its holder at a random place at least one level deep; undefined where the walk ends early. */
function pick(release: Json, random: Random): { holder: Json; key: string } | undefined {
  let node: unknown = release;
  for (let depth = 0; depth < 8 && typeof node === 'object' && node !== null; depth++) {
    const holder = node as Json;
    const keys = Object.keys(holder);
    const key = keys[random(Math.max(1, keys.length))];
    if (key === undefined) return undefined;
    if (random(3) === 0) return { holder, key };
    node = holder[key];
  }
  return undefined;
}

const WAYS: readonly ((holder: Json, key: string, random: Random) => void)[] = [
  (holder, key) => {
    delete holder[key];
  },
  (holder, key) => {
    holder[key] = [holder[key]];
  },
  (holder, key) => {
    if (Array.isArray(holder[key])) holder[key] = { ...(holder[key] as unknown[]) };
  },
  // A second one with the same id.
  (holder, key) => {
    const member = holder[key];
    if (Array.isArray(member)) member.push(...structuredClone(member));
    else holder[key] = structuredClone([member, member]);
  },
  (holder, key) => {
    if (typeof holder[key] === 'string') holder[key] = Number.parseFloat(String(holder[key]));
    else holder[key] = String(holder[key]);
  },
  (holder, key) => {
    Object.defineProperty(holder, '__proto__', {
      value: holder[key],
      enumerable: true,
      configurable: true,
      writable: true,
    });
  },
];

/** The release with a few of its members, anywhere in it, exchanged, doubled, wrapped or gone. */
export function spoil(release: Json, random: Random): Json {
  const spoilt = structuredClone(release);
  for (let times = 1 + random(4); times > 0; times--) {
    const picked = pick(spoilt, random);
    if (!picked) continue;
    const { holder, key } = picked;
    const way = random(3) === 0 ? WAYS[random(WAYS.length)] : undefined;
    if (way) way(holder, key, random);
    else holder[key] = structuredClone(STRANGE[random(STRANGE.length)]);
  }
  return spoilt;
}
