/** A stream of chance that depends on nothing but its seed. */
export interface Random {
  /** 0 inclusive to 1 exclusive. */
  next(): number;
  /** A whole number, both ends included. */
  int(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** One of the values, as often as its weight says. */
  weigh<T>(choices: readonly (readonly [weight: number, value: T])[]): T;
  /** Some different members, in a random order. */
  some<T>(list: readonly T[], count: number): T[];
  hex(length: number): string;
  guid(): string;
}

/** A stream seeded by any parts (sfc32 over a hash of them). */
export function makeRandom(...seed: (string | number)[]): Random {
  const next = sfc32(...hashSeed(seed.join('/')));
  const int = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const hex = (length: number) => Array.from({ length }, () => int(0, 15).toString(16)).join('');
  return {
    next,
    int,
    pick,
    hex,
    chance: (probability) => next() < probability,
    weigh: (choices) => weigh(choices, next()),
    some: (list, count) => {
      const left = [...list];
      return Array.from({ length: Math.min(count, left.length) }, () => left.splice(int(0, left.length - 1), 1)).flat();
    },
    guid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${pick(['8', '9', 'a', 'b'])}${hex(3)}-${hex(12)}`,
  };
}

function weigh<T>(choices: readonly (readonly [number, T])[], share: number): T {
  const total = choices.reduce((sum, [weight]) => sum + weight, 0);
  let left = share * total;
  for (const [weight, value] of choices) {
    left -= weight;
    if (left < 0) return value;
  }
  return (choices[choices.length - 1] as readonly [number, T])[1];
}

function hashSeed(text: string): [number, number, number, number] {
  const state: [number, number, number, number] = [1779033703, 3144134277, 1013904242, 2773480762];
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    for (let i = 0; i < 4; i++)
      state[i] = Math.imul((state[i] ?? 0) ^ (code + i * 0x9e37), 597399067 + i * 0x51ed) ^ ((state[i] ?? 0) >>> 15);
  }
  return state;
}

function sfc32(a: number, b: number, c: number, d: number): () => number {
  let [w, x, y, z] = [a | 0, b | 0, c | 0, d | 0];
  const step = () => {
    const sum = (((w + x) | 0) + z) | 0;
    z = (z + 1) | 0;
    w = x ^ (x >>> 9);
    x = (y + (y << 3)) | 0;
    y = ((y << 21) | (y >>> 11)) + sum;
    y |= 0;
    return (sum >>> 0) / 4294967296;
  };
  for (let i = 0; i < 12; i++) step();
  return step;
}
