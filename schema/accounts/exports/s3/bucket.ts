import { text as textOf } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { type ByteRange, type ExportStorage, MARK, StoreAway } from '../storage.ts';
import { askBucket, askText, type Bucket, type BucketAnswer, readBody, readElement } from './requests.ts';
import { endUpload, putWhole, uploadFile } from './upload.ts';

/** Stands between the key and the id of an upload that was never completed, in the name under which it is listed. */
const UPLOAD = '?upload=';
/** A name that `uploadFile` generates. Other files in the bucket are not ours to remove. */
const OURS = /^[\w]+-[0-9a-f]{12}\.[a-z.]+$/;
/** The mark is small and read again and again. */
const MARK_MS = 5_000;

type Listed = Awaited<ReturnType<ExportStorage['list']>>;

/** Exports in a bucket of S3, or of a service with the same protocol. Sends no request before it is used. Every failure is a StoreAway. */
export function makeBucketStorage(bucket: Bucket): ExportStorage {
  return {
    place: bucket.place,
    isShared: true,
    async readMark() {
      const { code, text } = await askText(bucket, { method: 'GET', key: MARK, known: [NO_KEY], limitMs: MARK_MS });
      const mark = code === null ? text.trim() : '';
      // A maintenance page would pass for the mark of another installation, which the operator is told to remove.
      if (!/^[\w-]*$/.test(mark))
        throw new StoreAway(`${bucket.place} answers with something that is not its store-mark`);
      return mark || undefined;
    },
    writeMark: (mark) => putWhole(bucket, MARK, Buffer.from(`${mark}\n`)),
    write: (name, pieces) => uploadFile(bucket, name, pieces),
    read: (file, range) => readFile(bucket, file, range),
    size: (file) => sizeOf(bucket, file),
    async remove(file) {
      const [key = '', uploadId] = file.split(UPLOAD);
      if (uploadId !== undefined) await endUpload(bucket, key, uploadId);
      else await askText(bucket, { method: 'DELETE', key, known: [NO_KEY] });
    },
    list: async () => [...(await listFiles(bucket)), ...(await listUploads(bucket))],
  };
}

/** A missing bucket has a code of its own; it must not count as a missing file. */
const NO_KEY = 'NoSuchKey';

async function readFile(bucket: Bucket, key: string, range?: ByteRange) {
  const headers: Record<string, string> = range ? { Range: `bytes=${range.from}-${range.to}` } : {};
  const answer = await askBucket(bucket, { method: 'GET', key, headers, known: [NO_KEY] });
  if (answer.code !== null) return undefined;
  // Throws unless the answer is that range.
  if (range) sizeIn(bucket, answer);
  return readBody(bucket, answer);
}

/** Requests one byte rather than using HEAD: the answer to HEAD does not distinguish a missing file from a missing bucket. */
async function sizeOf(bucket: Bucket, key: string): Promise<number | undefined> {
  const answer = await askBucket(bucket, {
    method: 'GET',
    key,
    headers: { Range: 'bytes=0-0' },
    known: [NO_KEY, 'InvalidRange'],
  });
  if (answer.code === NO_KEY) return undefined;
  // An empty file has no first byte.
  if (answer.code !== null) return 0;
  const size = sizeIn(bucket, answer);
  await textOf(readBody(bucket, answer));
  return size;
}

/** The size of a file, from the answer to a range of it. @throws StoreAway where the range was ignored */
function sizeIn({ place }: Bucket, { response, cancel }: BucketAnswer): number {
  const [, size] = /^bytes \d+-\d+\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? [];
  if (response.status === 206 && size !== undefined) return Number(size);
  cancel.abort();
  throw new StoreAway(`${place} answers a range of a file with all of it`);
}

async function listFiles(bucket: Bucket): Promise<Listed> {
  const found: Listed = [];
  for (let token: string | undefined; ; ) {
    const { text } = await askText(bucket, {
      method: 'GET',
      query: {
        'list-type': '2',
        prefix: bucket.prefix,
        delimiter: '/',
        ...(token && { 'continuation-token': token }),
      },
    });
    for (const xml of readElements(text, 'Contents', bucket)) {
      const file = nameOf(xml, bucket);
      if (file === undefined) continue;
      found.push({ file, bytes: Number(readElement(xml, 'Size')), changedAt: dateOf(xml, 'LastModified') });
    }
    if (readElement(text, 'IsTruncated') !== 'true') return found;
    const next = readElement(text, 'NextContinuationToken');
    if (!next || next === token) throw cutShort(bucket);
    token = next;
  }
}

/** Uploads that a killed writer began. A service that cannot list them has to end them itself. */
async function listUploads(bucket: Bucket): Promise<Listed> {
  const found: Listed = [];
  for (let after: Record<string, string> = {}; ; ) {
    const { code, text } = await askText(bucket, {
      method: 'GET',
      query: { uploads: '', prefix: bucket.prefix, ...after },
      known: ['NotImplemented'],
    });
    if (code !== null) return found;
    for (const xml of readElements(text, 'Upload', bucket)) {
      const key = nameOf(xml, bucket);
      if (key === undefined) continue;
      const file = `${key}${UPLOAD}${readElement(xml, 'UploadId') ?? ''}`;
      found.push({ file, bytes: 0, changedAt: dateOf(xml, 'Initiated') });
    }
    if (readElement(text, 'IsTruncated') !== 'true') return found;
    const next = {
      'key-marker': readElement(text, 'NextKeyMarker') ?? '',
      'upload-id-marker': readElement(text, 'NextUploadIdMarker') ?? '',
    };
    if (!next['key-marker'] || isDeepStrictEqual(next, after)) throw cutShort(bucket);
    after = next;
  }
}

/** Without this fault, its first pages would be requested for ever. */
function cutShort({ place }: Bucket): StoreAway {
  return new StoreAway(`${place} cuts a listing short and does not say how it continues`);
}

/** The content of each element with this name that has child elements. @throws StoreAway where the answer is not a listing. */
function readElements(xml: string, name: string, { place }: Bucket): string[] {
  if (!/<List\w+Result[\s>]/.test(xml)) throw new StoreAway(`${place} answers a listing with something else`);
  return [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, inner = '']) => inner);
}

/** The name of one of our files, without the prefix. */
function nameOf(xml: string, { prefix }: Bucket): string | undefined {
  const key = readElement(xml, 'Key') ?? '';
  const name = key.slice(prefix.length);
  return key.startsWith(prefix) && OURS.test(name) ? name : undefined;
}

function dateOf(xml: string, name: string): Date {
  return new Date(readElement(xml, name) ?? '');
}
