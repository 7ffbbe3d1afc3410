import { expect, it } from 'vitest';
import { type Line, makeOwnMachine } from '../../../api/concurrency/machine.ts';

/** Work that ends when it is told to. */
function makeWork() {
  const begun: string[] = [];
  const ends = new Map<string, (fault?: Error) => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve, reject) => {
      ends.set(name, (fault) => (fault ? reject(fault) : resolve(name)));
    });
  };
  return { begun, work, end: (name: string, fault?: Error) => ends.get(name)?.(fault) };
}

const LINE: Line = { name: 'exports', waitingMost: 1, refuse: () => new Error('too many') };

it('the work of one id runs one piece after the other, also after a failure; too many are refused', async () => {
  const { inTurn } = makeOwnMachine();
  const { begun, work, end } = makeWork();
  const first = inTurn(LINE, 'ada', work('first'));
  const second = inTurn(LINE, 'ada', work('second'));
  await expect(inTurn(LINE, 'ada', work('third'))).rejects.toThrow('too many');
  const others = [inTurn(LINE, 'bo', work('of bo')), inTurn({ ...LINE, name: 'lists' }, 'ada', work('of lists'))];
  await expect.poll(() => begun).toEqual(['first', 'of bo', 'of lists']);
  end('first', new Error('failed'));
  await expect(first).rejects.toThrow('failed');
  await expect.poll(() => begun.at(-1)).toBe('second');
  const fourth = inTurn(LINE, 'ada', work('fourth'));
  end('second');
  expect(await second).toBe('second');
  await expect.poll(() => begun.at(-1)).toBe('fourth');
  for (const name of ['fourth', 'of bo', 'of lists']) end(name);
  expect(await Promise.all([fourth, ...others])).toEqual(['fourth', 'of bo', 'of lists']);
});
