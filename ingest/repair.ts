/** How often each kind of repair was made. */
export type Repairs = Record<string, number>;

/** A page that cannot be read at all. The message is the reason, in words an operator understands. */
export class UnreadablePage extends Error {
  override name = 'UnreadablePage';
}

export function countRepair(repairs: Repairs, kind: string, times = 1): void {
  if (times > 0) repairs[kind] = (repairs[kind] ?? 0) + times;
}

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true });
const LATIN_1 = new TextDecoder('windows-1252');
const UTF8_LEADS = /^(?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})/;

/** Bytes as text: UTF-8, with stray ISO-8859-1 bytes read as such (Contracts Finder sends them; Kingfisher, 2023). */
export function decodeBytes(bytes: Uint8Array, repairs: Repairs): string {
  try {
    return STRICT_UTF8.decode(bytes);
  } catch {
    return decodeMixed(bytes, repairs);
  }
}

function decodeMixed(bytes: Uint8Array, repairs: Repairs): string {
  const raw = Buffer.from(bytes).toString('latin1');
  let strays = 0;
  let text = '';
  for (let at = 0; at < raw.length; ) {
    const plain = /^[^\x80-\xff]+/.exec(raw.slice(at, at + 4096))?.[0];
    const taken = plain ?? UTF8_LEADS.exec(raw.slice(at, at + 4))?.[0] ?? raw.charAt(at);
    const piece = Buffer.from(taken, 'latin1');
    if (plain) text += plain;
    else if (taken.length > 1) text += piece.toString('utf8');
    else {
      text += LATIN_1.decode(piece);
      strays += 1;
    }
    at += taken.length;
  }
  countRepair(repairs, 'stray_latin1_byte', strays);
  return text;
}

/** Text that may hold a number JavaScript or JSON cannot: only then is the slow walk worth its time. */
const SUSPECT = /Infinity|NaN|[:[,]\s*-?\d[\d.]*[eE]\+?\d{3}|[:[,]\s*-?0\d/;
const TOKEN = /"(?:[^"\\]|\\.)*"|-?(?:Infinity|NaN)\b|-?\d[\d.]*(?:[eE][+-]?\d+)?/gs;

/**
 * JSON text as a value. `1e9999` and `Infinity` ("unlimited", FTS 083529-2026) become null, ` 000` becomes 0;
 * the walk is by token, so nothing inside a string is touched.
 * @throws UnreadablePage where the text is truncated or not JSON.
 */
export function parseJson(text: string, repairs: Repairs): unknown {
  const mended = SUSPECT.test(text) ? mendNumbers(text, repairs) : text;
  try {
    return JSON.parse(mended);
  } catch (error) {
    throw new UnreadablePage(describeBroken(mended, error), { cause: error });
  }
}

function mendNumbers(text: string, repairs: Repairs): string {
  return text.replace(TOKEN, (token) => {
    if (token.startsWith('"')) return token;
    if (!Number.isFinite(Number(token))) {
      countRepair(repairs, 'unlimited_number');
      return 'null';
    }
    if (!/^-?0\d/.test(token)) return token;
    countRepair(repairs, 'leading_zeros');
    return String(Number(token));
  });
}

/** Whether JSON text ends in the middle of something: brackets or a string left open. */
function isTruncated(text: string): boolean {
  const outside = text.replace(/"(?:[^"\\]|\\.)*"/gs, '');
  const opened = outside.match(/[{[]/g)?.length ?? 0;
  const closed = outside.match(/[}\]]/g)?.length ?? 0;
  return opened > closed;
}

function describeBroken(text: string, error: unknown): string {
  if (isTruncated(text)) return `truncated JSON: it ends after ${text.length} characters in the middle of a value`;
  return `broken JSON: ${error instanceof Error ? error.message.slice(0, 160) : 'cannot be parsed'}`;
}
