/** A run of letters longer than this is not a word, but a key, a digest or the like. */
const WORD = 12;
/** Tokens for a field's name with its quotes, colon and comma. */
const KEY = 2.5;

/**
 * Roughly how many tokens a value's JSON is to a language model, rather too many than too few. English prose, capitals, digits,
 * digests and base64 count at the highest rate of o200k_base; anything other than ASCII counts a token a byte, which no
 * tokenizer exceeds.
 */
export function estimateTokens(value: unknown): number {
  if (typeof value === 'string') return 1 + estimateText(value);
  if (typeof value !== 'object' || value === null) return estimateText(String(value));
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + estimateTokens(each), 1);
  return Object.values(value).reduce<number>((sum, each) => sum + KEY + estimateTokens(each), 1);
}

/** How many characters of a text's beginning have at most so many tokens. */
export function lengthWithin(text: string, tokensMost: number): number {
  let length = 0;
  while (length < text.length && estimateText(text.slice(0, length + 1)) <= tokensMost) length++;
  return length;
}

function estimateText(text: string): number {
  let tokens = 0;
  let letters = 0;
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    letters = isLower(code) ? letters + 1 : 0;
    tokens += letters > WORD ? 0.55 : estimateCode(code);
    // A token rarely spans letters and digits, or lower and upper case.
    if (isAlphanumeric(code) && ((isDigit(before) && !isDigit(code)) || (isLower(before) && !isLower(code))))
      tokens += 1;
    // Digits are read in threes, and a space before them separately.
    if (isDigit(code) && !isDigit(before)) tokens += before === 32 ? 1.6 : 0.67;
    before = code;
  }
  return tokens;
}

/** Half of a surrogate pair counts as half of its four bytes; quotes, backslashes and control characters are escaped. */
function estimateCode(code: number): number {
  if (isLower(code)) return 0.18;
  if (code === 32) return 0.1;
  if (isDigit(code)) return 0.34;
  if (isUpper(code)) return 0.58;
  if (code < 32) return 4;
  if (code === 34 || code === 92) return 2;
  if (code < 128) return 0.7;
  return code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3;
}

function isLower(code: number): boolean {
  return code >= 97 && code <= 122;
}

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isAlphanumeric(code: number): boolean {
  return isLower(code) || isUpper(code) || isDigit(code);
}
