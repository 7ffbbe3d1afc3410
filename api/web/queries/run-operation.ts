import type { z } from 'zod';
import { OutcomeUnknown } from '../../../schema/db/interface.ts';
import { BadCursor } from '../../../search/engine.ts';
import { type InputFault, InvalidInput, toRefusal } from '../../contract/errors.ts';
import type { Caller, Found, Operation, Services } from '../../contract/operation.ts';
import { toFaults } from '../../validation/faults.ts';
import { findTooLong, inputTypes, readMeant, readText } from '../../validation/inputs.ts';
import { knowSources } from '../../validation/known-sources.ts';
import { labelInput } from '../components/labels.ts';
import { WORDS_CHARS } from '../components/repeat-in-part.ts';

/** The caller of pages: browsing is free and needs no key. */
const VISITOR: Caller = { accountId: '@web', keyId: '@web' };

const UNCERTAIN = 'It is not certain whether this was done. See whether it was, and send it again if not.';
const LOST_PAGE = 'This page of the list cannot be found again: start from its first page.';

/** An error sentence if the search text is too long for a page, otherwise none. */
export function refuseWords(words: unknown): string[] {
  if (typeof words !== 'string' || words.length <= WORDS_CHARS) return [];
  return [`${labelInput('query')}: Input should have at most ${WORDS_CHARS} characters`];
}

/** An operation's answer, or sentences about invalid inputs. */
export type Outcome<T> = Found<T> | { kind: 'refused'; faults: string[] };

/** Runs an operation for a page: the same validation and reads as the API, without a key or a charge. */
export async function runForPage<I extends z.ZodObject, O extends z.ZodObject>(
  operation: Operation<I, O>,
  input: Record<string, unknown>,
  services: Services,
  caller: Caller = VISITOR,
): Promise<Outcome<z.input<O>>> {
  const tooLong = findTooLong(operation, input);
  if (tooLong.length > 0) return refuse(tooLong);
  const known = await knowSources(operation as unknown as Operation, input, services.catalogue);
  const parsed = (known.input as I).safeParse(input);
  if (!parsed.success) return refuse(toFaults(known, parsed.error.issues, input, false));
  try {
    operation.check?.(parsed.data, services, caller);
    return await operation.run(parsed.data, services, caller);
  } catch (error) {
    if (error instanceof InvalidInput) return refuse(error.faults);
    if (error instanceof BadCursor) return { kind: 'refused', faults: [LOST_PAGE] };
    throw error;
  }
}

/**
 * The same for somebody who is signed in, without a key. A refusal becomes sentences, with its HTTP status. @param once - the
 * random id of a form that creates something
 */
export async function runForAccount<I extends z.ZodObject, O extends z.ZodObject>(
  operation: Operation<I, O>,
  input: Record<string, unknown>,
  services: Services,
  accountId: string,
  once?: string,
): Promise<{ body: z.input<O> } | { faults: string[]; status: number }> {
  try {
    const found = await runForPage(operation, input, services, { accountId, keyId: '', ...(once && { once }) });
    if (found.kind === 'answer') return { body: found.body };
    return found.kind === 'refused' ? { faults: found.faults, status: 422 } : { faults: [found.message], status: 404 };
  } catch (error) {
    const { status, message } = toRefusal(error);
    if (status === 500) throw error;
    return { faults: [error instanceof OutcomeUnknown ? UNCERTAIN : message], status };
  }
}

function refuse(faults: readonly InputFault[]): { kind: 'refused'; faults: string[] } {
  // A fault may be inside an input, such as a filter of a watch: its field has the last name.
  const say = ({ path, msg }: InputFault) =>
    path[0] === 'cursor'
      ? LOST_PAGE
      : `${labelInput(String(path.findLast((part) => typeof part === 'string')))}: ${msg}`;
  return { kind: 'refused', faults: faults.map(say) };
}

/** Reads an operation's inputs from a page's query, like the API. Blank fields and unknown names are left out. */
export function readQuery(operation: Operation, query: Record<string, unknown>): Record<string, unknown> {
  const types = inputTypes(operation);
  const input: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(types)) {
    const sent = query[name];
    const texts = (Array.isArray(sent) ? sent : [sent]).filter((text): text is string => typeof text === 'string');
    const first = texts.find((text) => text.trim() !== '');
    if (first !== undefined) input[name] = readText([first.trim()], type);
  }
  const tooLong = findTooLong(operation, input).map(({ path }) => path[0]);
  const read = Object.entries(readMeant(operation, input)).map(([name, value]) => {
    if (tooLong.includes(name)) return [name, value];
    const parsed = (operation.input.shape[name] as z.ZodType).safeParse(value);
    return [name, parsed.success ? parsed.data : value];
  });
  return Object.fromEntries(read);
}
