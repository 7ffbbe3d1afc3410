import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnswerCache, makeAnswerCache } from '../../../api/answer/cache.ts';
import type { Operation } from '../../../api/contract/operation.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

const lookup = { name: 'lookup_thing', lasting: true } as unknown as Operation;
const search = { name: 'search_things' } as unknown as Operation;
const answer = (body: string) => async () => ({ body, credits: 5, alongside: undefined, creditsRemaining: undefined });

let folder: Awaited<ReturnType<typeof makeFolder>>;
let writer: Database;
let reader: Database;
let kept: AnswerCache;
/** A commit of another process, and the turn of the event loop after it. */
const write = async () => {
  await writer.write([{ sql: "INSERT OR REPLACE INTO meta (name, value) VALUES ('seen', '1')" }]);
  await new Promise((resolve) => setImmediate(resolve));
};

beforeAll(async () => {
  folder = await makeFolder();
  writer = await makeDatabase(folder.path, 'catalogue');
  reader = await openDatabase({ url: writer.url, durability: 'normal', readOnly: true });
  kept = makeAnswerCache(reader, 1);
});
afterAll(async () => {
  await reader.close();
  await writer.close();
  await folder.remove();
});

describe('a kept answer', () => {
  it('is given to the same input and to no other, until anything is committed to the catalogue', async () => {
    await kept.make(lookup, { id: 'a' }, answer('{"id":"a"}'));
    expect(kept.find(lookup, { id: 'a' })).toMatchObject({ body: '{"id":"a"}', credits: 5 });
    expect(kept.find(lookup, { id: 'b' })).toBeUndefined();
    expect(kept.find({ ...lookup, name: 'lookup_other' }, { id: 'a' })).toBeUndefined();
    await write();
    expect(kept.find(lookup, { id: 'a' })).toBeUndefined();
  });

  it('is none where the catalogue changed while it was made', async () => {
    const made = kept.make(lookup, { id: 'c' }, async () => {
      await write();
      return answer('{"id":"c"}')();
    });
    expect((await made).body).toBe('{"id":"c"}');
    expect(kept.find(lookup, { id: 'c' })).toBeUndefined();
  });

  it('is none of an operation that does not last, of a server, and where no memory is given', async () => {
    await kept.make(search, {}, answer('{}'));
    expect(kept.find(search, {})).toBeUndefined();
    const { version: _version, ...server } = reader;
    for (const none of [makeAnswerCache(server, 1), makeAnswerCache(reader, 0)]) {
      await none.make(lookup, {}, answer('{}'));
      expect(none.find(lookup, {})).toBeUndefined();
    }
  });

  it('gives way to newer ones when its memory is full', async () => {
    const long = `{"id":"${'x'.repeat(400_000)}"}`;
    for (const id of ['1', '2', '3']) await kept.make(lookup, { id }, answer(long));
    expect(kept.find(lookup, { id: '1' })).toBeUndefined();
    expect(kept.find(lookup, { id: '3' })).toBeDefined();
  });
});
