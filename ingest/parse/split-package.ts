import { nameByteShape, UnreadablePage } from './repair.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN = new Set([0x7b, 0x5b]);
const CLOSE = new Set([0x7d, 0x5d]);
const LIST = 0x5b;
/** Where the list of releases opens. */
const OF_RELEASES = /"releases"\s*:\s*$/;
/** Members that a package has besides its releases, and other answers do not. */
const OF_PACKAGE = /"(publishedDate|publisher|license|version)"\s*:/;
/** More bytes than one release has, whatever is attached. */
const RELEASE_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Cuts a release package of any length into packages of at most `most` releases while its bytes arrive. So a month of
 * thousands of releases is never in memory as a whole. Each package has the original head and some of the releases, byte
 * for byte. A package without `releases` yields nothing.
 * @throws UnreadablePage if the bytes are no package, or end early; what was complete is yielded before
 */
export async function* splitPackage(bytes: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  const scan = beginScan();
  let releases: Buffer[] = [];
  const wrap = () =>
    Buffer.concat([scan.head ?? Buffer.from('{'), Buffer.from('"releases":['), ...join(releases), Buffer.from(']}')]);
  for await (const chunk of bytes) {
    for (const release of push(scan, Buffer.from(chunk))) {
      releases.push(release);
      if (releases.length < most) continue;
      yield wrap();
      releases = [];
    }
  }
  if (releases.length > 0) yield wrap();
  assertWhole(scan);
}

function join(releases: readonly Buffer[]): Buffer[] {
  return releases.flatMap((release, index) => (index === 0 ? [release] : [Buffer.from(','), release]));
}

/** Progress of a scan over JSON that follows only brackets and strings; the inside of a release is read later. */
interface Scan {
  /** Bytes that are still needed, and the position of the next one. */
  rest: Buffer;
  at: number;
  depth: number;
  inString: boolean;
  /** The text before the releases: an opening brace, and members that each end in a comma. */
  head: Buffer | null;
  /** Depth inside the list of releases during the scan through it, otherwise -1; where the current release begins. */
  listDepth: number;
  from: number;
  isOver: boolean;
}

function beginScan(): Scan {
  const rest: Buffer = Buffer.alloc(0);
  return { rest, at: 0, depth: 0, inString: false, head: null, listDepth: -1, from: 0, isOver: false };
}

/** Continues the scan over a chunk. Returns the bytes of the releases that the chunk completes. */
function push(scan: Scan, chunk: Buffer): Buffer[] {
  scan.rest = scan.rest.length === 0 ? chunk : Buffer.concat([scan.rest, chunk]);
  const found: Buffer[] = [];
  if (scan.depth === 0 && !scan.isOver) assertJson(scan.rest);
  while (scan.at < scan.rest.length) {
    if (scan.inString) {
      skipString(scan);
      continue;
    }
    const byte = scan.rest[scan.at] ?? 0;
    if (byte === QUOTE) scan.inString = true;
    else if (OPEN.has(byte)) open(scan, byte);
    else if (CLOSE.has(byte)) close(scan, found);
    else if (byte === COMMA && scan.depth === scan.listDepth) endRelease(scan, found);
    scan.at += 1;
  }
  forget(scan);
  if (scan.rest.length > RELEASE_BYTES_MAX)
    throw new UnreadablePage('not an OCDS package: one of its members has no end');
  return found;
}

function skipString(scan: Scan): void {
  while (scan.at < scan.rest.length) {
    const byte = scan.rest[scan.at];
    scan.at += byte === BACKSLASH ? 2 : 1;
    if (byte === QUOTE) {
      scan.inString = false;
      return;
    }
  }
}

function open(scan: Scan, byte: number): void {
  const { rest, at, depth, head } = scan;
  const before = head === null && depth === 1 && byte === LIST ? rest.subarray(0, at).toString('latin1') : '';
  if (OF_RELEASES.test(before)) {
    scan.head = Buffer.from(before.replace(OF_RELEASES, ''), 'latin1');
    scan.listDepth = depth + 1;
    scan.from = at + 1;
  }
  scan.depth += 1;
}

function close(scan: Scan, found: Buffer[]): void {
  if (scan.depth === scan.listDepth) {
    endRelease(scan, found);
    scan.listDepth = -1;
  }
  scan.depth -= 1;
  scan.isOver ||= scan.depth === 0;
}

function endRelease(scan: Scan, found: Buffer[]): void {
  const release = scan.rest.subarray(scan.from, scan.at);
  if (release.toString('latin1').trim() !== '') found.push(Buffer.from(release));
  scan.from = scan.at + 1;
}

/** Drops the part that was cut off, and everything after the list. */
function forget(scan: Scan): void {
  if (scan.head === null) return;
  const gone = scan.listDepth === -1 ? Math.min(scan.at, scan.rest.length) : scan.from;
  scan.rest = scan.rest.subarray(gone);
  scan.at -= gone;
  scan.from -= gone;
}

/** @throws UnreadablePage if the bytes are no package, or end early */
function assertWhole({ rest, head, isOver }: Scan): void {
  if (rest.length === 0 && head === null) throw new UnreadablePage('not an OCDS package: an empty body');
  if (!isOver) throw new UnreadablePage('truncated JSON: it ends in the middle of a value');
  if (head === null) assertEmpty(rest.toString('latin1'));
}

function assertEmpty(text: string): void {
  if (/"releases"\s*:/.test(text)) throw new UnreadablePage('not an OCDS package: its releases are no list');
  if (!OF_PACKAGE.test(text)) throw new UnreadablePage('not an OCDS package: nothing of one is in it');
}

function assertJson(bytes: Uint8Array): void {
  const strange = nameByteShape(bytes);
  if (strange) throw new UnreadablePage(`not an OCDS package: ${strange}`);
}
