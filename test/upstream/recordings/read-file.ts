import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { fromBufferPromise } from 'yauzl';
import type { Json, PublishedRelease, RegisterRow, TypedRelease } from '../data.ts';
import { DEFAULT_TYPE } from '../services/by-month.ts';
import { parseTolerantly, sliceMembers } from './slices.ts';

/** What one file held. */
export interface ReadFile {
  /** The shape's name, of one that is served and of one that is refused. */
  shape: string;
  /** Why nothing was taken, where nothing was. */
  refused?: string;
  findATender: PublishedRelease[];
  contractsFinder: PublishedRelease[];
  /** Releases of the services that are asked by month and type, each with the folder of its service's addresses. */
  byMonth: [folder: string, TypedRelease][];
  rows: RegisterRow[];
  profiles: Json[];
}

/** A file of which nothing was taken. */
export const nothing = (): Omit<ReadFile, 'shape'> => ({
  findATender: [],
  contractsFinder: [],
  byMonth: [],
  rows: [],
  profiles: [],
});

/** By the beginning of their ocids, the services that are asked by month and type. */
const BY_MONTH = [
  ['ocds-r6ebe6-', 'public-contracts-scotland'],
  ['ocds-kuma6s-', 'sell2wales'],
] as const;

function refuse(shape: string, why = 'no source serves this shape'): ReadFile {
  return { ...nothing(), shape, refused: why };
}

/** Reads one file's bytes by what they hold, never by their name. */
export async function readRecordedFile(bytes: Buffer): Promise<ReadFile> {
  if (bytes.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b]))) return readRecordedFile(gunzipSync(bytes));
  if (bytes.subarray(0, 4).toString('latin1') === 'PK\x03\x04') return readZip(bytes);
  const { text, latin1 } = decode(bytes);
  const first = text.trimStart()[0];
  if (first === '{' || first === '[') return readJson(text, latin1);
  if (first === '<') return refuse('HTML or XML page');
  return readCsv(text);
}

function decode(bytes: Buffer): { text: string; latin1: boolean } {
  const text = bytes.toString('utf8');
  const latin1 = text.includes('\uFFFD') && !bytes.includes(Buffer.from('\uFFFD'));
  return { text: (latin1 ? bytes.toString('latin1') : text).replace(/^\uFEFF/, ''), latin1 };
}

async function readZip(bytes: Buffer): Promise<ReadFile> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const found: ReadFile[] = [];
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/') || /(^|\/)(__MACOSX\/|\._)/.test(entry.fileName)) continue;
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    found.push(await readRecordedFile(Buffer.concat(chunks)));
  }
  const [first] = found;
  if (!first) return refuse('empty zip');
  return {
    ...first,
    shape: `zip of ${first.shape}`,
    findATender: found.flatMap(({ findATender }) => findATender),
    contractsFinder: found.flatMap(({ contractsFinder }) => contractsFinder),
    byMonth: found.flatMap(({ byMonth }) => byMonth),
    rows: found.flatMap(({ rows }) => rows),
    profiles: found.flatMap(({ profiles }) => profiles),
  };
}

function readJson(text: string, latin1: boolean): ReadFile {
  const value = parseTolerantly(text) as Json;
  if (Array.isArray(value.releases)) return readPackage(value, sliceMembers(text, 'releases'), latin1);
  if (Array.isArray(value.records)) return readRecords(value.records as Json[]);
  if (typeof value.ocid === 'string' && value.tender)
    return placed('single release', [
      { release: value, raw: text.trim(), publishedAt: publishedAt(value, value), latin1 },
    ]);
  if (typeof value.company_number === 'string' && typeof value.company_name === 'string')
    return { ...nothing(), shape: 'Companies House company profile', profiles: [value] };
  return refuse(nameOfOther(value));
}

function nameOfOther(value: Json): string {
  const keys = Object.keys(value);
  const has = (...names: string[]) => names.every((name) => keys.includes(name));
  if (has('noticeList', 'hitCount')) return 'Contracts Finder REST v2 search answer';
  if (has('notice', 'organisation')) return 'Contracts Finder REST v2 notice';
  if (has('filing_history_status')) return 'Companies House filing history';
  if (has('satisfied_count', 'items')) return 'Companies House charges';
  if (has('cases')) return 'Companies House insolvency';
  if (String(value.kind ?? '').startsWith('search')) return 'Companies House search answer';
  return `JSON object of ${keys.slice(0, 5).join(', ')}`;
}

function readPackage(pack: Json, slices: readonly string[], latin1: boolean): ReadFile {
  const releases = pack.releases as Json[];
  const published = releases.map((release, index) => ({
    release,
    publishedAt: publishedAt(release, pack),
    ...(slices.length === releases.length ? { raw: slices[index] as string } : {}),
    ...(latin1 ? { latin1 } : {}),
  }));
  return placed(nameOfPackage(releases), published, /[?&]noticeType=(\d+)/.exec(String(pack.uri))?.[1]);
}

function nameOfPackage(releases: readonly Json[]): string {
  const [first] = releases;
  if (String(first?.ocid).startsWith('ocds-h6vhtk-')) return 'Find a Tender release package';
  const month = BY_MONTH.find(([prefix]) => String(first?.ocid).startsWith(prefix));
  if (month) return `release package of ${month[1]}`;
  if (first && !first.parties) return 'Contracts Finder release package, OCDS 1.0';
  return (first?.tender as Json | undefined)?.xClassifications || !first?.language || first.language === 'en-GB'
    ? 'Contracts Finder release package, 2017 shape'
    : 'Contracts Finder release package';
}

/** A record's releases are often only named; then its compiled release stands for them under the last one's id and tag. */
function readRecords(records: readonly Json[]): ReadFile {
  const published = records.flatMap((record) => {
    const releases = (record.releases as Json[] | undefined) ?? [];
    const whole = releases.filter((release) => release.tender);
    const last = releases.at(-1);
    const compiled = record.compiledRelease as Json | undefined;
    if (whole.length > 0 || !compiled || !last)
      return whole.map((release) => ({ release, publishedAt: publishedAt(release, record) }));
    const standIn: Json = {
      initiationType: 'tender',
      language: 'en',
      ...compiled,
      id: last.id,
      tag: last.tag,
      date: last.date,
    };
    return [{ release: standIn, publishedAt: publishedAt(standIn, record) }];
  });
  return placed('record package', published);
}

function placed(shape: string, published: readonly PublishedRelease[], type = DEFAULT_TYPE): ReadFile {
  const from = (prefix: string) => published.filter(({ release }) => String(release.ocid).startsWith(prefix));
  const findATender = from('ocds-h6vhtk-');
  const byMonth = BY_MONTH.flatMap(([prefix, folder]) =>
    from(prefix).map(({ release, publishedAt }): [string, TypedRelease] => [folder, { release, publishedAt, type }]),
  );
  const others = new Set([...findATender, ...BY_MONTH.flatMap(([prefix]) => from(prefix))]);
  return {
    ...nothing(),
    shape,
    findATender,
    contractsFinder: published.filter((each) => !others.has(each)),
    byMonth,
  };
}

/** The hidden publish instant is not recorded: the release's own date stands for it, or the package's. */
function publishedAt(release: Json, pack: Json): Date {
  const date = new Date(String(release.date ?? pack.publishedDate ?? pack.date));
  return Number.isNaN(date.getTime()) ? new Date('2015-01-01T00:00:00Z') : date;
}

function readCsv(text: string): ReadFile {
  const header = text.slice(0, 20_000).split(/\r?\n/)[0] ?? '';
  const names = header.split(',').map((name) => name.trim().replace(/^"|"$/g, ''));
  if (names.includes('CompanyName') && names.includes('CompanyNumber')) {
    const rows = parse(text, {
      columns: (titles: string[]) => titles.map((title) => title.trim()),
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
    });
    return { ...nothing(), shape: 'Companies House basic company data', rows: rows as RegisterRow[] };
  }
  if (names.some((name) => name.startsWith('releases/0/'))) return refuse('Contracts Finder harvester CSV');
  if (names.some((name) => /notice identifier/i.test(name))) return refuse('Contracts Finder search export CSV');
  return names.length > 5
    ? refuse(`CSV of ${names.slice(0, 4).join(', ')}`)
    : refuse('plain text', 'it is no recording');
}
