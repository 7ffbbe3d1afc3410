import { describe, expect, it } from 'vitest';
import { readOcdsPage } from '../../../ingest/parse/page.ts';
import { UnreadablePage } from '../../../ingest/parse/repair.ts';
import { actRelease, BRIGHT, packageOf, read } from '../compile/releases.ts';

const ONE = actRelease('000001-2026', '2026-01-01T00:00:00Z', {});
const bytes = (text: string) => Buffer.from(text);
const why = (body: Uint8Array) => {
  try {
    read(body);
  } catch (error) {
    if (error instanceof UnreadablePage) return error.message;
    throw error;
  }
  return 'read';
};

describe('a page is repaired outside of its strings only', () => {
  it('numbers that JSON or JavaScript cannot hold', () => {
    const text = JSON.stringify({ releases: [{ ...ONE, note: 'up to 1e9999, or Infinity, 000,' }] }).replace(
      '"note"',
      '"most": 1e9999, "list": [Infinity, -Infinity], "code": 000, "small": 1.5e-3, "note"',
    );
    const page = read(bytes(text));
    expect(page.releases[0]?.json).toMatchObject({
      most: null,
      list: [null, null],
      code: 0,
      small: 0.0015,
      note: 'up to 1e9999, or Infinity, 000,',
    });
    expect(page.repairs).toEqual({ unlimited_number: 3, leading_zeros: 1 });
  });

  it('stray ISO-8859-1 bytes beside UTF-8, and text that was encoded twice', () => {
    const text = JSON.stringify({ releases: [{ ...ONE, a: 'caf@ £5', b: 'Â£10 â€¢ Café', c: 'Zoë ÂBC' }] });
    const [before = '', after = ''] = text.split('@');
    const page = read(Buffer.concat([bytes(before), Buffer.from([0xe9]), bytes(after)]));
    expect(page.releases[0]?.json).toMatchObject({ a: 'café £5', b: '£10 • Café', c: 'Zoë ÂBC' });
    expect(page.repairs).toEqual({ stray_latin1_byte: 1, double_encoded_text: 2 });
  });
});

it('releases of a full page are only counted where its span is fetched again', () => {
  const origin = { source: 'find_a_tender', url: 'http://127.0.0.1/x' };
  const page = (fullRows: number | undefined, links = {}) => {
    const { releases, quarantined, skipped } = readOcdsPage(
      Buffer.from(JSON.stringify({ releases: [ONE, { no: 'ocid' }], links })),
      { ...origin, fullRows },
    );
    return [releases.length, quarantined.length, skipped];
  };
  expect(page(undefined)).toEqual([1, 1, undefined]);
  expect(page(3)).toEqual([1, 1, undefined]);
  expect(page(2)).toEqual([0, 0, 2]);
  expect(page(3, { next: 'http://127.0.0.1/next' })).toEqual([0, 0, 2]);
  expect(page(undefined, { next: 'http://127.0.0.1/next' })).toEqual([1, 1, undefined]);
});

describe('ids that stand twice in one array', () => {
  it('are counted like every repair, at any depth, and the release is kept as it came', () => {
    const awards = [{ id: '1' }, { id: 1 }, { id: '2', items: [{ id: 'a' }, { id: 'a' }, { id: 'a' }] }];
    const page = read(packageOf([{ ...ONE, awards, parties: [BRIGHT, BRIGHT] }]));
    expect(page.repairs).toEqual({ duplicate_id: 4 });
    expect(page.releases[0]?.json.awards).toEqual(awards);
  });

  it('are none where a list is replaced whole, or its members have no id', () => {
    const codes = [{ id: '45000000' }, { id: '45000000' }];
    const tender = { additionalClassifications: codes, items: [{ id: '1', deliveryAddresses: [{}, {}] }] };
    expect(read(packageOf([{ ...ONE, tender }])).repairs).toEqual({});
  });
});

describe('a release that cannot be kept', () => {
  it('is quarantined with its bytes, and the others are read', () => {
    const bad = [{ ...ONE, ocid: undefined }, { ...ONE, ocid: 'ocds-b5fd17-' }, { ...ONE, id: null }, 7];
    const page = read(packageOf([ONE, ...bad]));
    expect(page.releases).toHaveLength(1);
    expect(page.quarantined.map(({ kind, reason, recordId }) => [kind, reason, recordId])).toEqual([
      ['release', 'the release has no ocid', '000001-2026'],
      ['release', 'the ocid is empty or malformed: ocds-b5fd17-', '000001-2026'],
      ['release', 'the release has no id', undefined],
      ['release', 'the release is not an object', undefined],
    ]);
    expect(JSON.parse(Buffer.from(page.quarantined[1]?.bytes ?? []).toString())).toMatchObject({
      ocid: 'ocds-b5fd17-',
    });
  });
});

describe('what is stored of a release', () => {
  it('has no contact points, and a digest that the order of its fields does not change', () => {
    const contact = {
      contactPoint: { name: 'A Person', email: 'a.person@example.test' },
      additionalContactPoints: [{}],
    };
    const first = read(packageOf([{ ...ONE, parties: [{ ...BRIGHT, ...contact }] }])).releases[0];
    const { details, ...rest } = BRIGHT;
    const { id, ocid, parties: _, ...others } = ONE;
    const second = read(packageOf([{ ...others, parties: [{ details, ...rest }], ocid, id }]));
    expect(first?.body).not.toMatch(/Person|contact/i);
    expect(second.releases[0]?.digest).toBe(first?.digest);
    expect(first?.digest).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('shapes', () => {
  const ids = (body: unknown) => read(bytes(JSON.stringify(body))).releases.map(({ releaseId }) => releaseId);

  it('packages, records, bare releases and the search answer before October 2022 are read', () => {
    expect(ids({ releases: [ONE], links: { next: 'https://x/next' } })).toEqual(['000001-2026']);
    expect(read(bytes(JSON.stringify({ releases: [ONE], links: { next: 'https://x/next' } }))).next).toBe(
      'https://x/next',
    );
    expect(ids(ONE)).toEqual(['000001-2026']);
    expect(ids({ hitsCount: 1, maxPage: 1, results: [{ releases: [ONE] }] })).toEqual(['000001-2026']);
    expect(ids({ records: [{ ocid: ONE.ocid, releases: [ONE, { ...ONE, id: '000002-2026' }] }] })).toHaveLength(2);
    const stubs = [{ id: '000009-2026', date: '2026-02-01T00:00:00Z', tag: ['award', 'contract'] }];
    expect(ids({ records: [{ ocid: ONE.ocid, releases: stubs, compiledRelease: ONE }] })).toEqual(['000009-2026']);
    expect(ids({ releases: { '1': ONE } })).toEqual(['000001-2026']);
    expect(ids({ releases: [] })).toEqual([]);
  });

  it('anything else is refused by the name of its shape', () => {
    expect(why(bytes('<!DOCTYPE html><html>'))).toBe('not an OCDS package: an HTML page');
    expect(why(bytes('Rate limit of 12 exceeded'))).toBe('not an OCDS package: a rate-limit message');
    expect(why(bytes(''))).toBe('not an OCDS package: an empty body');
    expect(why(bytes('a,b,c\n1,2,3'))).toBe('not an OCDS package: a CSV file');
    expect(why(bytes('{"uri":"x","releases":null}'))).toBe('not an OCDS package: JSON with the members uri, releases');
    expect(why(bytes('{"hitCount":1,"noticeList":[]}'))).toMatch(/REST v2 search answer/);
    expect(why(bytes('{"company_number":"1","jurisdiction":"x"}'))).toMatch(/company profile/);
    expect(why(packageOf([ONE]).subarray(0, 300))).toMatch(/^truncated JSON/);
    expect(why(bytes('{"releases": [}'))).toMatch(/JSON/);
    expect(() => readOcdsPage(bytes('[1]'), { source: 's', url: 'u' })).toThrow('a JSON array');
  });

  it('no reason quotes what it is about, as reasons are kept after the bytes', () => {
    const broken = '{"releases": [{"tender": {"title": "Bees"}, "by": ann.clerk@example.org}]}';
    expect(why(bytes(broken))).toBe("broken JSON: Unexpected token 'a', it is not valid JSON");
  });
});
