import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { makeBucketStorage } from '../../../../schema/accounts/exports/s3/bucket.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const FILES = `<ListBucketResult><Contents><Key>ex_1-0123456789ab.csv</Key><Size>1</Size></Contents>`;
const UPLOADS = `<ListMultipartUploadsResult><Upload><Key>ex_1-0123456789ab.csv</Key><UploadId>u</UploadId></Upload>`;
const whole = (beginning: string) => `${beginning}<IsTruncated>false</IsTruncated>`;

/** A store that answers every listing of files, or of uploads, with one page. */
async function startStore(files: string, uploads: string) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    // Enough to see that it continues.
    if (asked.length > 20) return void response.writeHead(400).end();
    response.end(request.url?.includes('uploads') ? uploads : files);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket`;
  const keys = { accessKeyId: 'key', secretAccessKey: 'secret' };
  const storage = makeBucketStorage({ address, prefix: '', region: 'us-east-1', place: 's3://bucket', ...keys });
  return { storage, asked };
}

const CUT_SHORT = 's3://bucket cuts a listing short and does not say how it continues';

it.each([
  ['files that names no next page', `${FILES}<IsTruncated>true</IsTruncated>`, whole(UPLOADS), 1],
  [
    'files that names the same next page again',
    `${FILES}<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>`,
    whole(UPLOADS),
    2,
  ],
  ['uploads that names no next page', whole(FILES), `${UPLOADS}<IsTruncated>true</IsTruncated>`, 2],
])('a listing of %s is refused, not asked for without end', async (_what, files, uploads, requests) => {
  const { storage, asked } = await startStore(files, uploads);
  await expect(storage.list()).rejects.toThrow(CUT_SHORT);
  expect(asked).toHaveLength(requests);
});
