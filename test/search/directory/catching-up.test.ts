import { describe, expect, it } from 'vitest';
import { makeCatchingUp } from '../../../search/directory/catching-up.ts';

describe('reading piece by piece', () => {
  it('continues over all pieces, and is whole from then on', async () => {
    let left = 3;
    const { catchUp } = makeCatchingUp(async () => --left > 0);
    expect(await catchUp(true)).toBe(true);
    expect(left).toBe(0);
  });

  it('is waited for by nobody who does not need it', async () => {
    let finish: (isMore: boolean) => void = () => undefined;
    const { catchUp } = makeCatchingUp(() => new Promise((resolve) => (finish = resolve)));
    expect(await catchUp(false)).toBe(false);
    const needing = catchUp(true);
    finish(false);
    expect(await needing).toBe(true);
  });

  it('tells a question what kept it from reading, and reads on with the next', async () => {
    const pieces = [new Error('the server is away'), true, false];
    const { catchUp } = makeCatchingUp(async () => {
      const next = pieces.shift();
      if (next instanceof Error) throw next;
      return next === true;
    });
    await expect(catchUp(true)).rejects.toThrow('the server is away');
    expect(await catchUp(true)).toBe(true);
  });
});
