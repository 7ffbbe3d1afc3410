import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnswerCache, makeAnswerCache } from '../../../api/answer/cache.ts';
import type { Operation } from '../../../api/contract/operation.ts';
import { type Database, DatabaseBusy } from '../../../schema/db/interface.ts';
import { openDatabase } from '../../../schema/db/open.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

const lookup = { name: 'lookup_thing', lasting: true } as unknown as Operation;
const search = { name: 'search_things' } as unknown as Operation;
const answer = (body: string) => async () => ({ body, credits: 5, alongside: undefined, creditsRemaining: undefined });

let folder: Awaited<ReturnType<typeof makeFolder>>;
let writer: Database;
let reader: Database;
let kept: AnswerCache;
let now = new Date('2027-05-10T12:00:00Z');
/** A commit of another process, and the turn of the event loop after it. */
const write = async (name: string) => {
  await writer.write([{ sql: "INSERT OR REPLACE INTO meta (name, value) VALUES (?, '1')", args: [name] }]);
  await new Promise((resolve) => setImmediate(resolve));
};

beforeAll(async () => {
  folder = await makeFolder();
  writer = await makeDatabase(folder.path, 'catalogue');
  reader = await openDatabase({ url: writer.url, durability: 'normal', readOnly: true });
  kept = makeAnswerCache(reader, 1, () => now);
});
afterAll(async () => {
  await reader.close();
  await writer.close();
  await folder.remove();
});

/** The answer is what a row of the catalogue says, read through what the cache hands over. */
const answerOf = (name: string) => async (catalogue: Database) => {
  const rows = await catalogue.read({ sql: 'SELECT value FROM meta WHERE name = ?', args: [name] });
  return answer(JSON.stringify({ rows }))();
};

describe('a kept answer', () => {
  it('is given to the same input and to no other, also after commits that leave what it was made from', async () => {
    await kept.make(lookup, { id: 'a' }, answerOf('a'));
    expect(await kept.find(lookup, { id: 'a' })).toMatchObject({ body: '{"rows":[]}', credits: 5 });
    expect(await kept.find(lookup, { id: 'b' })).toBeUndefined();
    expect(await kept.find({ ...lookup, name: 'lookup_other' }, { id: 'a' })).toBeUndefined();
    await write('other');
    expect(await kept.find(lookup, { id: 'a' })).toMatchObject({ body: '{"rows":[]}' });
    await write('a');
    expect(await kept.find(lookup, { id: 'a' })).toBeUndefined();
  });

  it('is not there where none was made', async () => {
    expect(await kept.make(lookup, { id: 'none' }, async () => undefined)).toBeUndefined();
    expect(await kept.find(lookup, { id: 'none' })).toBeUndefined();
  });

  it('is one of what the clock decides only once that is final', async () => {
    const notice = { name: 'get_thing', becomesFinal: true } as unknown as Operation;
    for (const isFinal of [false, true]) {
      await kept.make(notice, { id: 'a' }, async (catalogue) => ({
        ...(await answerOf('a')(catalogue)),
        isFinal,
      }));
      expect((await kept.find(notice, { id: 'a' })) !== undefined).toBe(isFinal);
    }
  });

  it('is none of what the clock decides once a clock that was ahead is set back', async () => {
    const notice = { name: 'get_closed', becomesFinal: true } as unknown as Operation;
    const right = now;
    now = new Date('2028-05-10T12:00:00Z');
    await kept.make(notice, { id: 'a' }, async (catalogue) => ({ ...(await answerOf('a')(catalogue)), isFinal: true }));
    await kept.make(lookup, { id: 'later' }, answerOf('later'));
    expect(await kept.find(notice, { id: 'a' })).toBeDefined();
    now = right;
    expect(await kept.find(notice, { id: 'a' })).toBeUndefined();
    expect(await kept.find(lookup, { id: 'later' })).toBeDefined();
  });

  it('is none where what it was made from changed meanwhile', async () => {
    const made = kept.make(lookup, { id: 'c' }, async (catalogue) => {
      const answered = await answerOf('c')(catalogue);
      await write('c');
      return answered;
    });
    expect((await made).body).toBe('{"rows":[]}');
    expect(await kept.find(lookup, { id: 'c' })).toBeUndefined();
  });

  it('ends with any commit where it was made from more than is read again', async () => {
    await kept.make(lookup, { id: 'd' }, async (catalogue) => {
      for (let read = 0; read < 100; read++) await catalogue.read({ sql: 'SELECT 1' });
      return answer('{}')();
    });
    expect(await kept.find(lookup, { id: 'd' })).toBeDefined();
    await write('other again');
    expect(await kept.find(lookup, { id: 'd' })).toBeUndefined();
  });

  it('is forgotten where it cannot be read again', async () => {
    let isHeld = false;
    const database: Database = {
      ...reader,
      read: (statement) => (isHeld ? Promise.reject(new DatabaseBusy('held')) : reader.read(statement)),
    };
    const cache = makeAnswerCache(database, 1, () => now);
    await cache.make(lookup, {}, answerOf('e'));
    await write('one more');
    isHeld = true;
    await expect(cache.find(lookup, {})).rejects.toThrow(DatabaseBusy);
    expect(await cache.find(lookup, {})).toBeUndefined();
  });

  it('is checked once after a commit, however often it is given', async () => {
    let reads = 0;
    const database: Database = {
      ...reader,
      read(statement) {
        reads += 1;
        return reader.read(statement);
      },
    };
    const cache = makeAnswerCache(database, 1, () => now);
    await cache.make(lookup, {}, answerOf('f'));
    await write('one commit');
    for (let calls = 0; calls < 3; calls++) expect(await cache.find(lookup, {})).toBeDefined();
    expect(reads).toBe(2);
  });

  it('is none of an operation that does not last, of a server, and where no memory is given', async () => {
    await kept.make(search, {}, answer('{}'));
    expect(await kept.find(search, {})).toBeUndefined();
    const { version: _version, ...server } = reader;
    for (const none of [makeAnswerCache(server, 1, () => now), makeAnswerCache(reader, 0, () => now)]) {
      await none.make(lookup, {}, answer('{}'));
      expect(await none.find(lookup, {})).toBeUndefined();
    }
  });

  it('gives way to newer ones when its memory is full', async () => {
    const long = `{"id":"${'x'.repeat(400_000)}"}`;
    for (const id of ['1', '2', '3']) await kept.make(lookup, { id }, answer(long));
    expect(await kept.find(lookup, { id: '1' })).toBeUndefined();
    expect(await kept.find(lookup, { id: '3' })).toBeDefined();
    // What is kept to check a short one takes memory too.
    for (let id = 1; id <= 500; id++)
      await kept.make(lookup, { short: id }, async (catalogue) => {
        for (let read = 0; read < 16; read++) await catalogue.read({ sql: 'SELECT 1' });
        return answer('{}')();
      });
    expect(await kept.find(lookup, { short: 1 })).toBeUndefined();
    expect(await kept.find(lookup, { short: 500 })).toBeDefined();
  });
});
