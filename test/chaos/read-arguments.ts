/** `[kills] [seed]` of a command line, each with its default. @throws Error where either is no whole number. */
export function readNumbers(given: string[], { kills, seed }: { kills: number; seed: number }) {
  const read = { kills: Number(given[0] ?? kills), seed: Number(given[1] ?? seed) };
  if (Number.isSafeInteger(read.kills) && read.kills > 0 && Number.isSafeInteger(read.seed)) return read;
  throw new Error('expected: npm run chaos [-- money, machines or watches] [kills] [seed], both whole numbers');
}
