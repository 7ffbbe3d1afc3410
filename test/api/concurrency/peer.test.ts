import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { type Answers, makePeer, type Port } from '../../../api/concurrency/peer.ts';
import {
  BatchRefused,
  DatabaseAway,
  DatabaseBusy,
  DatabaseFault,
  isPassing,
  OutcomeUnknown,
  readCode,
} from '../../../schema/db/interface.ts';
import { SearchUnavailable } from '../../../search/engine.ts';

interface Asked {
  write: [text: string, lines: number];
}

/** Two ends of a channel. `cut`: from now on nothing can be sent. */
function makeChannel() {
  const [here, there] = [new EventEmitter(), new EventEmitter()];
  let isCut = false;
  const portOf = (own: EventEmitter, other: EventEmitter): Port => ({
    send(message, done) {
      setImmediate(() => {
        if (!isCut) other.emit('message', structuredClone(message));
        done(isCut ? new Error('the channel is closed') : null);
      });
    },
    listen: (hear) => void own.on('message', hear),
  });
  return {
    ports: [portOf(here, there), portOf(there, here)] as const,
    cut() {
      isCut = true;
    },
  };
}

function makePair(answers: Answers<Asked>) {
  const { ports, cut } = makeChannel();
  makePeer<object, Asked>(ports[1], answers);
  return {
    asking: makePeer<Asked, object>(ports[0], {}, (question) => new OutcomeUnknown(`${question} is lost`)),
    cut,
  };
}

describe('a question to another process', () => {
  const codeOf = (code: string) => ({ cause: Object.assign(new Error('of SQLite'), { code }) });
  it.each([
    new OutcomeUnknown('no answer'),
    new DatabaseAway('no connection'),
    new DatabaseBusy('another writer'),
    new DatabaseFault('the disk is full', codeOf('SQLITE_FULL')),
    new BatchRefused('a guard', codeOf('SQLITE_CONSTRAINT_CHECK')),
    new SearchUnavailable('no index'),
  ])('fails as there: %s', async (error) => {
    const { asking } = makePair({ write: () => Promise.reject(error) });
    const came = (await asking.ask('write', 'a').catch((caught: unknown) => caught)) as Error;
    expect(came).toBeInstanceOf(error.constructor);
    expect([came.name, came.message, readCode(came)]).toEqual([error.name, error.message, readCode(error)]);
    expect(isPassing(came)).toBe(isPassing(error));
  });

  it('fails with the code of SQLite where nobody asks for its kind', async () => {
    const refused = Object.assign(new Error('UNIQUE'), { code: 'SQLITE_CONSTRAINT_UNIQUE' });
    const { asking } = makePair({ write: () => Promise.reject(refused) });
    const came = await asking.ask('write', 'a').catch((caught: unknown) => caught);
    expect([(came as Error).message, readCode(came), isPassing(came)]).toEqual([
      ...['UNIQUE', 'SQLITE_CONSTRAINT_UNIQUE', false],
    ]);
  });

  it('is lost with all that are open where it cannot be sent', async () => {
    let go = (): void => undefined;
    const held = new Promise<number>((resolve) => {
      go = () => resolve(1);
    });
    const { asking, cut } = makePair({ write: () => held });
    const first = asking.ask('write', 'a');
    await new Promise((resolve) => setImmediate(resolve));
    cut();
    const asked = [first, asking.ask('write', 'b')];
    const settled = await Promise.allSettled(asked);
    expect(settled).toEqual(asked.map(() => ({ status: 'rejected', reason: new OutcomeUnknown('write is lost') })));
    go();
  });

  it('is lost at once where the other side is known to have ended', async () => {
    const { asking } = makePair({ write: async () => 1 });
    expect(await asking.ask('write', 'a')).toBe(1);
    asking.lose();
    await expect(asking.ask('write', 'b')).rejects.toThrow(OutcomeUnknown);
  });
});
