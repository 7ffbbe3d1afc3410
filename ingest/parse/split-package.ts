import { nameByteShape, UnreadablePage } from './repair.ts';

/** What a splitter returns at its end: whether the answer had a list of releases at all. */
export interface SplitEnd {
  hasReleases: boolean;
}

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
const RELEASE_BYTES_MOST = 64 * 1024 * 1024;

/**
 * Cuts a release package of any length into packages of at most `most` releases while its bytes arrive, so that a month of
 * thousands is never held whole. Each is the package's own head with some of its releases, byte for byte. An answer that is a
 * package without `releases` yields nothing.
 * @throws UnreadablePage where the bytes are no package, or end early, after yielding what was complete.
 */
export async function* splitPackage(
  bytes: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<Uint8Array, SplitEnd> {
  const walk = beginWalk();
  let releases: Buffer[] = [];
  const wrap = () =>
    Buffer.concat([walk.head ?? Buffer.from('{'), Buffer.from('"releases":['), ...join(releases), Buffer.from(']}')]);
  for await (const chunk of bytes) {
    for (const release of push(walk, Buffer.from(chunk))) {
      releases.push(release);
      if (releases.length < most) continue;
      yield wrap();
      releases = [];
    }
  }
  if (releases.length > 0) yield wrap();
  return endWalk(walk);
}

function join(releases: readonly Buffer[]): Buffer[] {
  return releases.flatMap((release, index) => (index === 0 ? [release] : [Buffer.from(','), release]));
}

/** Progress of a walk over JSON that follows brackets and strings only; the inside of a release is read later. */
interface Walk {
  /** Bytes that are still needed, and the position of the next one. */
  rest: Buffer;
  at: number;
  depth: number;
  inString: boolean;
  /** The text before the releases: an opening brace, and members that each end in a comma. */
  head: Buffer | null;
  /** Depth inside the list of releases during the walk through it, otherwise -1; where the current release begins. */
  listDepth: number;
  from: number;
  isOver: boolean;
}

function beginWalk(): Walk {
  const rest: Buffer = Buffer.alloc(0);
  return { rest, at: 0, depth: 0, inString: false, head: null, listDepth: -1, from: 0, isOver: false };
}

/** Continues the walk over a chunk. Returns the releases that it completes. */
function push(walk: Walk, chunk: Buffer): Buffer[] {
  walk.rest = walk.rest.length === 0 ? chunk : Buffer.concat([walk.rest, chunk]);
  const found: Buffer[] = [];
  if (walk.depth === 0 && !walk.isOver) assertJson(walk.rest);
  while (walk.at < walk.rest.length) {
    if (walk.inString) {
      skipString(walk);
      continue;
    }
    const byte = walk.rest[walk.at] ?? 0;
    if (byte === QUOTE) walk.inString = true;
    else if (OPEN.has(byte)) open(walk, byte);
    else if (CLOSE.has(byte)) close(walk, found);
    else if (byte === COMMA && walk.depth === walk.listDepth) endRelease(walk, found);
    walk.at += 1;
  }
  forget(walk);
  if (walk.rest.length > RELEASE_BYTES_MOST)
    throw new UnreadablePage('not an OCDS package: one of its members has no end');
  return found;
}

function skipString(walk: Walk): void {
  while (walk.at < walk.rest.length) {
    const byte = walk.rest[walk.at];
    walk.at += byte === BACKSLASH ? 2 : 1;
    if (byte === QUOTE) {
      walk.inString = false;
      return;
    }
  }
}

function open(walk: Walk, byte: number): void {
  const { rest, at, depth, head } = walk;
  const before = head === null && depth === 1 && byte === LIST ? rest.subarray(0, at).toString('latin1') : '';
  if (OF_RELEASES.test(before)) {
    walk.head = Buffer.from(before.replace(OF_RELEASES, ''), 'latin1');
    walk.listDepth = depth + 1;
    walk.from = at + 1;
  }
  walk.depth += 1;
}

function close(walk: Walk, found: Buffer[]): void {
  if (walk.depth === walk.listDepth) {
    endRelease(walk, found);
    walk.listDepth = -1;
  }
  walk.depth -= 1;
  walk.isOver ||= walk.depth === 0;
}

function endRelease(walk: Walk, found: Buffer[]): void {
  const release = walk.rest.subarray(walk.from, walk.at);
  if (release.toString('latin1').trim() !== '') found.push(Buffer.from(release));
  walk.from = walk.at + 1;
}

/** Drops the part that was cut off, and everything after the list. */
function forget(walk: Walk): void {
  if (walk.head === null) return;
  const gone = walk.listDepth === -1 ? Math.min(walk.at, walk.rest.length) : walk.from;
  walk.rest = walk.rest.subarray(gone);
  walk.at -= gone;
  walk.from -= gone;
}

function endWalk({ rest, head, isOver }: Walk): SplitEnd {
  if (rest.length === 0 && head === null) throw new UnreadablePage('not an OCDS package: an empty body');
  if (!isOver) throw new UnreadablePage('truncated JSON: it ends in the middle of a value');
  if (head === null) assertEmpty(rest.toString('latin1'));
  return { hasReleases: head !== null };
}

function assertEmpty(text: string): void {
  if (/"releases"\s*:/.test(text)) throw new UnreadablePage('not an OCDS package: its releases are no list');
  if (!OF_PACKAGE.test(text)) throw new UnreadablePage('not an OCDS package: nothing of one is in it');
}

function assertJson(bytes: Uint8Array): void {
  const strange = nameByteShape(bytes);
  if (strange) throw new UnreadablePage(`not an OCDS package: ${strange}`);
}
