import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { type ScriptedStore, startStore } from './scripted-store.ts';

const open: ScriptedStore[] = [];
afterEach(() => {
  for (const store of open.splice(0)) store.close();
});

const file = (name: string) => `<Contents><Key>${name}</Key><Size>1</Size></Contents>`;
const upload = (name: string) => `<Upload><Key>${name}</Key><UploadId>u</UploadId></Upload>`;
const [ONE, TWO] = ['ex_1-0123456789ab.csv', 'ex_2-0123456789ab.csv'];
const FILES = `<ListBucketResult>${file(ONE)}`;
const UPLOADS = `<ListMultipartUploadsResult>${upload(ONE)}`;
const MARKERS = '<NextKeyMarker>k</NextKeyMarker><NextUploadIdMarker>i</NextUploadIdMarker>';
const TOKEN = '<NextContinuationToken>t+</NextContinuationToken>';
const whole = (beginning: string) => `${beginning}<IsTruncated>false</IsTruncated>`;
const cut = (beginning: string) => `${beginning}<IsTruncated>true</IsTruncated>`;

/** A store that answers every listing of files, or of uploads, with one page, and the page after another with its own. */
async function serve(files: string, uploads: string | ((response: ServerResponse) => void), next: string[] = []) {
  const store = await startStore((asked, response) => {
    // Enough to see that it continues.
    if (store.asked.length > 20) return void response.writeHead(400).end();
    if (next[0] && asked.includes('continuation-token=t%2B')) return void response.end(next[0]);
    if (next[1] && asked.includes('key-marker=k&upload-id-marker=i')) return void response.end(next[1]);
    if (!asked.includes('uploads')) response.end(files);
    else if (typeof uploads === 'string') response.end(uploads);
    else uploads(response);
  });
  open.push(store);
  return store;
}

const CUT_SHORT = 's3://bucket cuts a listing short and does not say how it continues';

it.each([
  ['files that names no next page', cut(FILES), whole(UPLOADS), 1],
  ['files that names the same next page again', cut(FILES) + TOKEN, whole(UPLOADS), 2],
  ['uploads that names no next page', whole(FILES), cut(UPLOADS), 2],
  ['uploads that names the same next page again', whole(FILES), cut(UPLOADS) + MARKERS, 3],
])('a listing of %s is refused, not asked for without end', async (_what, files, uploads, requests) => {
  const { storage, asked } = await serve(files, uploads);
  await expect(storage.list()).rejects.toThrow(CUT_SHORT);
  expect(asked).toHaveLength(requests);
});

it('a listing of several pages is whole', async () => {
  const next = [whole(`<ListBucketResult>${file(TWO)}`), whole(`<ListMultipartUploadsResult>${upload(TWO)}`)];
  const { storage } = await serve(cut(FILES) + TOKEN, cut(UPLOADS) + MARKERS, next);
  expect((await storage.list()).map(({ file }) => file)).toEqual([ONE, TWO, `${ONE}?upload=u`, `${TWO}?upload=u`]);
});

it('what others keep in the bucket is not listed, so that it is not removed', async () => {
  const others = ['notes.txt', 'backup-2026.tar.gz', 'ex_3-0123456789.csv', `of-others/${ONE}`, 'store-mark'];
  const [files, uploads] = [others.map(file).join(''), others.map(upload).join('')];
  const { storage } = await serve(whole(FILES + files), whole(UPLOADS + uploads));
  expect((await storage.list()).map(({ file }) => file)).toEqual([ONE, `${ONE}?upload=u`]);
});

it('a page that is no listing does not mean that all files are gone', async () => {
  const { storage } = await serve('<html>Sign in to this network</html>', whole(UPLOADS));
  await expect(storage.list()).rejects.toThrow('s3://bucket answers a listing with something else');
});

it('a store that lists no uploads lists its files', async () => {
  const { storage } = await serve(whole(FILES), (response) => {
    response.writeHead(501).end('<Error><Code>NotImplemented</Code></Error>');
  });
  expect(await storage.list()).toMatchObject([{ file: ONE }]);
});
