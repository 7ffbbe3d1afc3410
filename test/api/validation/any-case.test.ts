import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Operation } from '../../../api/contract/operation.ts';
import { inputTypes, readMeant, readText } from '../../../api/validation/inputs.ts';
import { knownOperations as operations } from '../../support/known-operations.ts';

/** One way to write a value that an input takes, and the value. */
type Written = [name: string, sent: unknown, meant: unknown];

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const WRITINGS = [(word: string) => word.toUpperCase(), capital, (word: string) => ` ${word} `];

/** The words that an input takes, as its published schema names them. */
function wordsOf({ enum: words, pattern = '' }: { enum?: string[]; pattern?: string }): string[] {
  const [, several] = /^\^\(\?:\(\?:([^()]+)\)\(\?:/.exec(pattern) ?? [];
  return words ?? several?.split('|') ?? [];
}

/** Every known word of an operation in other cases, and its numbers and switches as text. */
function writingsOf(operation: Operation): Written[] {
  const { properties = {} } = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).flatMap(([name, property]): Written[] => {
    const words = wordsOf(property as { enum?: string[] });
    const said = words.flatMap((word) => WRITINGS.map((write): Written => [name, write(word), word]));
    const type = inputTypes(operation)[name];
    if (type === 'boolean') return ['true', 'TRUE', ' True '].map((text): Written => [name, text, true]);
    if (type === 'integer') return ['5', ' 5 ', '+5', '5.0'].map((text): Written => [name, text, 5]);
    if (type === 'number') return ['5', '5.00', '+5', '5e0'].map((text): Written => [name, text, 5]);
    return said;
  });
}

const WRITTEN = operations.flatMap((operation) => writingsOf(operation).map((written) => ({ operation, written })));

describe('a known word in any case, and a number or a switch as text', () => {
  it('are in the table: some of each', () => {
    expect(new Set(WRITTEN.map(({ written: [, , meant] }) => typeof meant)).size).toBe(3);
    expect(WRITTEN.length).toBeGreaterThan(300);
  });

  it.each(operations)('$name reads them, as an argument and in an address', (operation) => {
    const types = inputTypes(operation);
    for (const [name, sent, meant] of writingsOf(operation)) {
      for (const given of [sent, readText([String(sent)], types[name] ?? 'string')]) {
        const { [name]: read } = readMeant(operation, { [name]: given });
        const parsed = (operation.input.shape[name] as z.ZodType).safeParse(read);
        expect(parsed.success ? parsed.data : parsed.error.message, `${name} ${JSON.stringify(sent)}`).toBe(meant);
      }
    }
  });
});
