import { InvalidInput } from '../../contract/invalid-input.ts';

/** Refuses a call that gives neither or both of two ways to name one thing. @throws InvalidInput */
export function checkOneOf(input: Record<string, unknown>, first: string, second: string): void {
  const given = [first, second].filter((name) => input[name] !== undefined);
  if (given.length === 1) return;
  if (given.length === 0) {
    throw new InvalidInput({ path: [second], msg: `give ${first} or ${second}`, type: 'missing' });
  }
  throw new InvalidInput({
    path: [second],
    msg: `give either ${first} or ${second}, not both`,
    type: 'value_error',
    input: input[second],
  });
}
