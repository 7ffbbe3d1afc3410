import { createHash } from 'node:crypto';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeBucketStorage } from '../../../../schema/accounts/exports/s3/bucket.ts';
import { askText } from '../../../../schema/accounts/exports/s3/requests.ts';
import { type ExportStorage, makeFolderStorage, StoreAway } from '../../../../schema/accounts/exports/storage.ts';
import { hasBucketServer, makeBucket, type TestBucket } from '../../../support/bucket.ts';
import { makeFolder } from '../../../support/databases.ts';

/** A megabyte each. */
async function* pieces(count: number, fault?: Error): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < count; at++) yield Buffer.alloc(1_000_000, at);
  if (fault) throw fault;
}
const wholeOf = (count: number) => buffer(pieces(count));
const name = (stem: string) => ({ stem, extension: 'csv.gz' });

/** What every store of exports does. `leave` leaves what a writer leaves that is killed half-way. */
function describeStorage(
  what: string,
  isThere: boolean,
  open: () => Promise<{ storage: ExportStorage; leave(): Promise<void>; close(): Promise<void> }>,
): void {
  describe.skipIf(!isThere)(what, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    let storage: ExportStorage;
    beforeAll(async () => {
      opened = await open();
      storage = opened.storage;
    });
    afterAll(() => opened.close());
    const names = async () => (await storage.list()).map(({ file }) => file);

    it.each([0, 1, 8, 20])('takes %i MB in pieces and gives them back whole', async (count) => {
      const whole = await wholeOf(count);
      const written = await storage.write(name(`ex_${count}`), pieces(count));
      expect(written).toEqual({
        file: expect.stringMatching(new RegExp(`^ex_${count}-[0-9a-f]{12}\\.csv\\.gz$`)),
        bytes: whole.length,
        sha256: createHash('sha256').update(whole).digest('hex'),
      });
      expect(await storage.size(written.file)).toBe(whole.length);
      const read = await storage.read(written.file);
      expect(Buffer.compare(await buffer(read ?? expect.fail()), whole)).toBe(0);
      const listed = (await storage.list()).find(({ file }) => file === written.file);
      expect(listed).toMatchObject({ bytes: whole.length, changedAt: expect.any(Date) });
      expect(Date.now() - (listed?.changedAt.getTime() ?? 0)).toBeLessThan(3_600_000);
    });

    it('gives a part, both ends included, over the seam of two uploaded parts', async () => {
      const { file } = await storage.write(name('part'), pieces(10));
      const range = { from: 8_388_600, to: 8_388_620 };
      const part = await buffer((await storage.read(file, range)) ?? expect.fail());
      expect(part).toEqual((await wholeOf(10)).subarray(range.from, range.to + 1));
    });

    it('has no file that was removed, or never written, and removes it twice', async () => {
      const { file } = await storage.write(name('gone'), pieces(1));
      for (let times = 0; times < 2; times++) {
        await storage.remove(file);
        expect([await storage.size(file), await storage.read(file), (await names()).includes(file)]).toEqual([
          ...[undefined, undefined, false],
        ]);
      }
    });

    it.each([1, 20])('leaves nothing of a file that fails after %i MB', async (count) => {
      const before = await names();
      await expect(storage.write(name('cut'), pieces(count, new Error('half-way')))).rejects.toThrow('half-way');
      expect(await names()).toEqual(before);
    });

    it('lists what a killed writer left, and removes it by that name', async () => {
      const before = await names();
      await opened.leave();
      const left = (await names()).filter((file) => !before.includes(file));
      expect(left).toHaveLength(1);
      await storage.remove(left[0] ?? '');
      expect(await names()).toEqual(before);
    });

    it('has a mark, which is not listed as a file', async () => {
      expect(await storage.readMark()).toBeUndefined();
      const before = await names();
      await storage.writeMark('one');
      await storage.writeMark('another');
      expect([await storage.readMark(), await names()]).toEqual(['another', before]);
    });
  });
}

describeStorage('a folder', true, async () => {
  const folder = await makeFolder();
  const path = join(folder.path, 'exports');
  const leave = async () => {
    await mkdir(path, { recursive: true });
    await writeFile(join(path, 'ex_killed.1.part'), 'half');
  };
  return { storage: makeFolderStorage(path), leave, close: () => folder.remove() };
});

describe('a folder', () => {
  it.each([
    [1, 0],
    [20, 2],
  ])('makes a file of %i MB durable on the way %i times', async (count, times) => {
    const folder = await makeFolder();
    const handle = await open(folder.path, 'r');
    const sync = vi.spyOn(Object.getPrototypeOf(handle), 'datasync');
    try {
      await makeFolderStorage(folder.path).write(name('long'), pieces(count));
      expect(sync).toHaveBeenCalledTimes(times);
    } finally {
      sync.mockRestore();
      await handle.close();
      await folder.remove();
    }
  });
});

const isThere = hasBucketServer('the store of exports in a bucket');
describeStorage('a bucket', isThere, async () => {
  const { bucket, close } = await makeBucket();
  const leave = async () => {
    await askText(bucket, { method: 'POST', key: 'ex_killed-0123456789ab.csv', query: { uploads: '' } });
  };
  return { storage: makeBucketStorage(bucket), leave, close };
});

describe.skipIf(!isThere)('a bucket that', () => {
  let made: TestBucket;
  let storage: ExportStorage;
  beforeAll(async () => {
    made = await makeBucket();
    storage = makeBucketStorage(made.bucket);
  });
  afterEach(() => made.become('pass'));
  afterAll(() => made.close());
  const uploads = async () => (await storage.list()).filter(({ file }) => file.includes('upload'));

  it.each([
    ['refuses', 'refuse' as const, /answers 403 AccessDenied to GET$/],
    ['is gone', 'vanish' as const, /answers 404 NoSuchBucket to GET$/],
    ['hangs', 'hang' as const, /does not answer within \d+ s$/],
    ['is broken', 'break' as const, /answers 500 InternalError to GET$/],
  ])('%s has no file that counts as lost: every question says why', async (_, mood, words) => {
    const { file } = await storage.write(name('kept'), pieces(1));
    made.become(mood);
    const asked = [storage.size(file), storage.read(file), storage.list(), storage.readMark()];
    for (const one of await Promise.allSettled(asked)) {
      expect(one).toMatchObject({ status: 'rejected', reason: { name: 'StoreAway' } });
      expect((one as PromiseRejectedResult).reason.message).toMatch(words);
      expect((one as PromiseRejectedResult).reason.message).toContain(made.bucket.place);
    }
  });

  it('is not there at all says so', async () => {
    const nobody = makeBucketStorage({ ...made.bucket, address: 'http://127.0.0.1:9/bucket' });
    await expect(nobody.readMark()).rejects.toThrow(/does not answer \(.+\)$/);
  });

  it('breaks off half-way ends the reading in an error, not early', async () => {
    const { file } = await storage.write(name('long'), pieces(3));
    made.become('cut');
    await expect(buffer((await storage.read(file)) ?? expect.fail())).rejects.toThrow(StoreAway);
  });

  it('fails for a moment gets the request again', async () => {
    let failures = 0;
    made.become(() => (failures++ < 2 ? 'break' : 'pass'));
    expect(await storage.readMark()).toBeUndefined();
    expect(failures).toBe(3);
  });

  it.each([
    ['refuses the second part', /partNumber=2/, 'refuse' as const],
    ['refuses to put the parts together', /^POST .*uploadId=/, 'refuse' as const],
    ['vanishes after the first part', /partNumber=[2-9]/, 'vanish' as const],
  ])('%s has no file and no upload afterwards', async (_, pattern, mood) => {
    made.become((asked) => (pattern.test(asked) ? mood : 'pass'));
    const before = await storage.list();
    await expect(storage.write(name('cut'), pieces(20))).rejects.toThrow(StoreAway);
    made.become('pass');
    expect(await storage.list()).toEqual(before);
  });

  it('vanishes for good half-way leaves an upload that is listed when it is back', async () => {
    made.become((asked) => (/partNumber=2|^DELETE/.test(asked) ? 'vanish' : 'pass'));
    const cut = storage.write(name('left'), pieces(20));
    await expect(cut).rejects.toMatchObject({ name: 'StoreAway', cause: { name: 'StoreAway' } });
    made.become('pass');
    const [left] = await uploads();
    await storage.remove(left?.file ?? expect.fail());
    expect(await uploads()).toEqual([]);
  });

  it('holds files of others does not list them', async () => {
    await askText(made.bucket, { method: 'PUT', key: 'holiday.jpg', body: Buffer.from('x') });
    expect((await storage.list()).map(({ file }) => file)).not.toContain('holiday.jpg');
  });
});
