import { describe, expect, it } from 'vitest';
import { cleanRelease, decodeBytes, parseJson, type Repairs, UnreadablePage } from '../../../ingest/parse/repair.ts';
import { CP1252 } from '../../../schema/text/json-values.ts';

/** Mulberry32: the same numbers on every run. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** Every defect as it looks inside a string, where it is text, with what could mislead a search for a string's end. */
const PIECES = [
  '1e9999',
  ' 000,',
  ': 000,',
  '[Infinity',
  '-Infinity',
  'NaN',
  ':007',
  '{"a": 1E+400}',
  '"',
  '\\',
  '\\"',
  '\\\\',
  '"\\',
  '\n',
  '\u0000',
  '\u2028',
  '€',
  'é',
  '😀',
  '\ud83d',
  '\udc00',
  'Zoë',
  '[',
  ']',
  '{',
  '}',
  ',',
  ':',
  '',
  'plain text',
  '9'.repeat(400),
];
/** What a source writes where a number is due, and what it must come to. */
const NUMBERS: [string, number | null][] = [
  ['1e9999', null],
  ['-1E+400', null],
  ['Infinity', null],
  ['-Infinity', null],
  ['NaN', null],
  ['9'.repeat(400), null],
  ['000', 0],
  ['-000', -0],
  ['007', 7],
  ['00.50', 0.5],
  ['-01.5e2', -150],
  ['0', 0],
  ['-0.5', -0.5],
  ['1.5e-3', 0.0015],
  ['1e-9999', 0],
  ['123456789', 123456789],
  ['0e5', 0],
];

interface Made {
  text: string;
  value: unknown;
}

/** A JSON document with defects outside its strings and their look-alikes inside, and the value that it must be read as. */
function makeDocument(random: (below: number) => number, depth = 0): Made {
  const space = () => ['', ' ', '\n  ', '\t'][random(4)] ?? '';
  const makeString = (): Made => {
    const value = Array.from({ length: random(6) }, () => PIECES[random(PIECES.length)] ?? '').join('');
    const escaped = [...value].map((sign) => (random(5) === 0 ? escapeUnits(sign) : JSON.stringify(sign).slice(1, -1)));
    return { value, text: `"${escaped.join('')}"` };
  };
  const kind = random(depth > 4 ? 3 : 6);
  if (kind === 0) {
    const [text, value] = NUMBERS[random(NUMBERS.length)] ?? ['0', 0];
    return { text, value: value === 0 ? 0 : value };
  }
  if (kind === 1) return makeString();
  if (kind === 2)
    return [{ text: 'null', value: null }, { text: 'true', value: true }, makeString()][random(3)] as Made;
  const members = Array.from({ length: random(5) }, () => makeDocument(random, depth + 1));
  if (kind === 3) {
    const text = members.map((member) => space() + member.text + space()).join(',');
    return { text: `[${text}]`, value: members.map(({ value }) => value) };
  }
  const named = members.map((member, index) => ({ ...member, name: { text: `"${index}"`, value: String(index) } }));
  for (const [index, member] of named.entries()) {
    const name = makeString();
    if (random(2)) member.name = { text: `"${index} ${name.text.slice(1)}`, value: `${index} ${name.value}` };
  }
  const text = named
    .map(({ name, text: of }) => `${space()}${name.text}${space()}:${space()}${of}${space()}`)
    .join(',');
  return { text: `{${text}}`, value: Object.fromEntries(named.map(({ name, value }) => [name.value, value])) };
}

function escapeUnits(sign: string): string {
  return [...Array(sign.length).keys()].map((at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
}

const signless = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('numbers that JSON does not know', () => {
  it('are mended outside of strings, and no string is ever altered (3,000 random documents)', () => {
    const random = makeRandom(20261121);
    for (let round = 0; round < 3_000; round++) {
      const { text, value } = makeDocument(random);
      expect(signless(parseJson(text, {})), text).toEqual(signless(value));
    }
  });

  it('are counted by name', () => {
    const repairs: Repairs = {};
    parseJson('{"a": 1e9999, "b": [Infinity, 000, -007.5], "c": NaN, "d": "1e9999 000, NaN"}', repairs);
    expect(repairs).toEqual({ unlimited_number: 2, leading_zeros: 2, not_a_number: 1 });
  });

  it.each([
    '{"a": 1.2.3, "b": 000}',
    '{"a": 2026-01-05}',
    '{"a": 000x}',
    '{"a": +Infinity}',
    '{"a": 0x10}',
    '{"a": Infinityx}',
  ])('%s is no number at all, and stays unreadable rather than becoming another value', (text) =>
    expect(() => parseJson(text, {})).toThrow(UnreadablePage),
  );

  it('in a text of any length, with strings of any length', () => {
    const long = `${'x\\n\\"'.repeat(3_000_000)}`;
    const repairs: Repairs = {};
    const value = parseJson(`{"a": 000, "s": "${long}", "b": 1e9999}`, repairs) as { s: string; b: null };
    expect([value.s.length, value.b, repairs]).toEqual([9_000_000, null, { leading_zeros: 1, unlimited_number: 1 }]);
  });
});

describe('stray ISO-8859-1 bytes', () => {
  const LATIN = [...'£©«»éÉüÖñßÿ½'];
  const WIDE = [...'€–’éÉ中😀\u00a0ABC "\\{}'];

  it('are read as such beside UTF-8 of any width (2,000 random texts)', () => {
    const random = makeRandom(7);
    for (let round = 0; round < 2_000; round++) {
      let text = '';
      const bytes: Buffer[] = [];
      let strays = 0;
      for (let piece = random(12); piece >= 0; piece--) {
        // A stray byte is followed by ASCII: followed by others it might be UTF-8 by chance, and is read so.
        const stray = random(3) === 0;
        const sign = stray ? `${LATIN[random(LATIN.length)]}!` : (WIDE[random(WIDE.length)] ?? '');
        text += sign;
        strays += stray ? 1 : 0;
        bytes.push(Buffer.from(sign, stray ? 'latin1' : 'utf8'));
      }
      const repairs: Repairs = {};
      expect(decodeBytes(Buffer.concat(bytes), repairs)).toBe(text);
      expect(repairs).toEqual(strays > 0 ? { stray_latin1_byte: strays } : {});
    }
  });

  it.each([
    ['an overlong form', [0xe0, 0x80, 0x80], 'à€€'],
    ['half a surrogate pair', [0xed, 0xa0, 0x80], 'í\u00a0€'],
    ['a code point that does not exist', [0xf4, 0x90, 0x80, 0x80], 'ô\u0090€€'],
    ['a character cut off at the end', [0x41, 0xe2, 0x82], 'Aâ‚'],
  ])('%s is no UTF-8: its bytes are strays, never replacement characters', (_name, bytes, text) => {
    const repairs: Repairs = {};
    expect(decodeBytes(Uint8Array.from(bytes), repairs)).toBe(text);
    expect(repairs.stray_latin1_byte).toBeGreaterThan(1);
  });
});

describe('text that was encoded twice', () => {
  const undo = (text: string, repairs: Repairs) => cleanRelease(text, repairs);
  const twice = (text: string) =>
    [...Buffer.from(text, 'utf8')].map((byte) => CP1252[byte - 0x80] ?? String.fromCharCode(byte)).join('');

  it.each(['£10', 'café', 'É', 'a – b — c', '‘quoted’ “twice”', '• first', '…', '½ m² at 20 °C', '\u00a0', '€5', '™'])(
    'is mended: %s',
    (text) => {
      const repairs: Repairs = {};
      expect(undo(twice(text), repairs)).toBe(text);
      expect(repairs.double_encoded_text ?? 0).toBeGreaterThan(0);
    },
  );

  it.each([
    '“CAFÉ”',
    'ROSÉ’S',
    'SCHÖ–',
    'ÜBER…',
    'Zoë ÂBC',
    'Ångström',
    'façade',
    'Ö™',
    'naïve – über',
    '“ROSÉ…”',
    'Ünïcödé',
    'ÉÉN',
    'Łódź',
  ])('is told from text that merely has accents: %s', (text) => {
    const repairs: Repairs = {};
    expect(undo(text, repairs)).toBe(text);
    expect(repairs).toEqual({});
  });
});

describe('a release', () => {
  const clean = (text: string) => {
    const repairs: Repairs = {};
    return { cleaned: cleanRelease(JSON.parse(text), repairs), repairs };
  };

  it('has arrays where objects keyed by number stood in for them, at any depth, counted', () => {
    const text =
      '{"items": {"1": {"tags": {"0": "a", "1": "b"}}, "2": {}}, "years": {"2026": 1, "total": 2}, "none": {}}';
    expect(clean(text)).toEqual({
      cleaned: { items: [{ tags: ['a', 'b'] }, {}], years: { '2026': 1, total: 2 }, none: {} },
      repairs: { object_for_array: 2 },
    });
  });

  it('has an object where a list of one stands for it, counted; a list of two stays', () => {
    const two = { value: [{ amount: 5 }, { amount: 6 }], items: [{ id: '1' }] };
    const { cleaned, repairs } = clean(JSON.stringify({ tender: [two], buyer: [{ name: 'A' }] }));
    expect([cleaned, repairs]).toEqual([{ tender: two, buyer: { name: 'A' } }, { array_for_object: 2 }]);
  });

  it('has no member that would become its prototype', () => {
    const { cleaned, repairs } = clean('{"__proto__": {"ocid": "ocds-h6vhtk-000001"}, "id": "1"}');
    expect([(cleaned as { ocid?: string }).ocid, repairs]).toEqual([undefined, { forbidden_member: 1 }]);
  });
});
