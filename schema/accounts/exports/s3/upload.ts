import { createHash, randomBytes } from 'node:crypto';
import { StoreAway, type WrittenFile } from '../storage.ts';
import { askText, type Bucket, readElement } from './requests.ts';

/** Bytes in a part; two parts are in memory at most. S3 takes 10,000 parts of at least 5 MiB, so this allows 80 GB. */
const PART_BYTES = 8 * 1024 ** 2;
/** A part may be slow on a slow line; the last request joins all parts. */
const PART_MS = 120_000;
const NAME_BYTES = 6;

/**
 * Uploads a file part by part; it exists once the last request has succeeded. A small file is one request. Its name is always
 * new, so that a writer wrongly believed dead can only leave a file that nothing names. @throws StoreAway, and what the pieces
 * throw; nothing is left behind, unless the store no longer answers.
 */
export async function uploadFile(
  bucket: Bucket,
  { stem, extension }: { stem: string; extension: string },
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<WrittenFile> {
  const key = `${stem}-${randomBytes(NAME_BYTES).toString('hex')}.${extension}`;
  const hash = createHash('sha256');
  const upload: Upload = { bucket, key, id: undefined, tags: [] };
  let bytes = 0;
  try {
    let part: Uint8Array | undefined;
    for await (const next of bufferParts(pieces)) {
      if (part) await sendPart(upload, part);
      part = next;
      hash.update(next);
      bytes += next.length;
    }
    if (upload.id === undefined) await putWhole(bucket, key, part ?? new Uint8Array());
    else {
      if (part) await sendPart(upload, part);
      await complete(upload);
    }
  } catch (error) {
    await abandon(upload, error);
    throw error;
  }
  return { file: key, bytes, sha256: hash.digest('hex') };
}

/** Puts a small file in its place at once. @throws StoreAway */
export async function putWhole(bucket: Bucket, key: string, body: Uint8Array): Promise<void> {
  await put(bucket, { key, body });
}

/** Sends bytes, and returns the tag that every store confirms them with. A maintenance page confirms nothing. @throws StoreAway */
async function put(
  bucket: Bucket,
  request: { key: string; body: Uint8Array; query?: Record<string, string> },
): Promise<string> {
  const { headers } = await askText(bucket, { ...request, method: 'PUT', limitMs: PART_MS });
  return headers.get('etag') ?? fail(`${bucket.place} does not confirm what was sent: something else answers there`);
}

/** Ends an upload that was not completed, and removes its parts. If it has already gone, that is success. @throws StoreAway */
export async function endUpload(bucket: Bucket, key: string, uploadId: string): Promise<void> {
  await askText(bucket, { method: 'DELETE', key, query: { uploadId }, known: ['NoSuchUpload'] });
}

interface Upload {
  bucket: Bucket;
  key: string;
  /** Absent until the first part is sent. */
  id: string | undefined;
  /** The tags of the parts, in order. */
  tags: string[];
}

/** Joins pieces into parts of exactly one size; the last may be shorter. */
async function* bufferParts(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  let part = Buffer.alloc(PART_BYTES);
  let filled = 0;
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    for (let at = 0; at < bytes.length; ) {
      const some = bytes.subarray(at, at + PART_BYTES - filled);
      part.set(some, filled);
      filled += some.length;
      at += some.length;
      if (filled < PART_BYTES) continue;
      yield part;
      part = Buffer.alloc(PART_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}

async function sendPart(upload: Upload, body: Uint8Array): Promise<void> {
  const { bucket, key, tags } = upload;
  upload.id ??= await begin(upload);
  const query = { partNumber: String(tags.length + 1), uploadId: upload.id };
  tags.push(await put(bucket, { key, query, body }));
}

async function begin({ bucket, key }: Upload): Promise<string> {
  const { text } = await askText(bucket, { method: 'POST', key, query: { uploads: '' } });
  return readElement(text, 'UploadId') ?? fail(`${bucket.place} begins an upload without an id`);
}

function fail(why: string): never {
  throw new StoreAway(why);
}

async function complete({ bucket, key, id = '', tags }: Upload): Promise<void> {
  const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
  const { text } = await askText(bucket, { method: 'POST', key, query: { uploadId: id }, body, limitMs: PART_MS });
  if (/<CompleteMultipartUploadResult[\s>]/.test(text)) return;
  // S3 may begin its answer with 200 and only then find a fault.
  const code = readElement(text, 'Code') ?? 'something else';
  throw new StoreAway(`${bucket.place} answers ${code} to the end of an upload`);
}

/** Ends the upload after a fault. If that fails too, the store itself is the fault; upkeep then ends what is left. */
async function abandon({ bucket, key, id }: Upload, fault: unknown): Promise<void> {
  if (id === undefined) return;
  try {
    await endUpload(bucket, key, id);
  } catch (error) {
    if (fault instanceof Error) fault.cause ??= error;
  }
}
