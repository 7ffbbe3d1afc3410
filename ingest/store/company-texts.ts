import { setImmediate as nextTurn } from 'node:timers/promises';
import { ZodError } from 'zod';
import {
  compileCompanyText,
  type PendingText,
  readPendingTexts,
  storeTextStatement,
} from '../../schema/answers/company-text.ts';
import type { Statement } from '../../schema/db/interface.ts';
import type { IngestContext } from '../context.ts';

/** Texts of one batch: some tens of milliseconds of work. */
const TEXTS_A_BATCH = 100;

type Compiling = Pick<IngestContext, 'catalogue' | 'fence' | 'log'>;

/**
 * Compiles the text of every supplier whose rows, or whose row of the register, were written since it was last compiled.
 * Answers how many. May be cut short anywhere: what has no text yet is made when it is asked for.
 */
export async function compileCompanyTexts(context: Compiling, signal?: AbortSignal): Promise<number> {
  const { catalogue, fence } = context;
  let compiled = 0;
  for (;;) {
    signal?.throwIfAborted();
    const pending = await readPendingTexts(catalogue, TEXTS_A_BATCH);
    if (pending.length === 0) return compiled;
    const statements: Statement[] = [];
    for (const one of pending) statements.push(storeTextStatement(one, await compileOne(context, one)));
    await catalogue.write([...(fence ? [fence] : []), ...statements]);
    compiled += pending.length;
    await nextTurn();
  }
}

/** A text that breaks its shape is left to the API, which answers 500 and logs why: it must not end a run. */
async function compileOne({ catalogue, log }: Compiling, { company_number }: PendingText): Promise<string> {
  try {
    return await compileCompanyText(catalogue, company_number);
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    log.error({ err: error, company_number }, 'the text of a supplier breaks its shape');
    return '';
  }
}
