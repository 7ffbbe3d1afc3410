const SUFFIX =
  /\b(limited|ltd|plc|public limited company|llp|limited liability partnership|cic|community interest company|cyf|cyfyngedig|inc|incorporated|llc)\b/g;

/** A name reduced to what two spellings of it share: lower case, no accents, no legal suffix, `&` as and, single spaces. Empty where nothing is left. */
export function nameKey(name: string): string {
  const known = KEYS.get(name);
  if (known !== undefined) return known;
  if (KEYS.size >= KEYS_MOST) KEYS.clear();
  const key = cleanName(name);
  KEYS.set(name, key);
  return key;
}

/** Names already cleaned: pages repeat the same few. */
const KEYS = new Map<string, string>();
const KEYS_MOST = 20_000;

function cleanName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/['’`.]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  const bare = plain.replace(SUFFIX, ' ').replace(/^the /, '').replace(/\s+/g, ' ').trim();
  return bare || plain;
}
