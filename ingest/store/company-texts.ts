import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ZodError } from 'zod';
import { compileCompanyText, readPendingTexts, storeTextStatement } from '../../schema/answers/company-text.ts';
import { type KnownCompany, readKnownCompanies } from '../../schema/answers/known-company.ts';
import type { IngestContext } from '../context.ts';
import { fenceOf } from '../runs/record.ts';

/** Texts in one batch: some tens of milliseconds of work. */
const TEXTS_A_BATCH = 100;

type Compiling = Pick<IngestContext, 'catalogue' | 'fence' | 'log'>;

/**
 * Compiles the text of every supplier whose rows, or whose register row, were written since it was last compiled. Returns how
 * many. May be interrupted anywhere: a missing text is made on request.
 */
export async function compileCompanyTexts(context: Compiling, signal?: AbortSignal): Promise<number> {
  const { catalogue, log } = context;
  let compiled = 0;
  for (;;) {
    signal?.throwIfAborted();
    const pending = await readPendingTexts(catalogue, TEXTS_A_BATCH);
    if (pending.length === 0) return compiled;
    const numbers = pending.map(({ company_number }) => company_number);
    const known = await readKnownCompanies(catalogue, numbers);
    const statements = pending.map((one) =>
      storeTextStatement(one, compileOne(log, one.company_number, known.get(one.company_number))),
    );
    await catalogue.write([...fenceOf(context), ...statements]);
    compiled += pending.length;
    await yieldToEventLoop();
  }
}

/** A text that breaks its shape is left to the API, which answers 500 and logs why: it must not end a run. */
function compileOne(log: Compiling['log'], company_number: string, known: KnownCompany | undefined): string {
  try {
    return compileCompanyText(known);
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    log.error({ err: error, company_number }, 'the text of a supplier breaks its shape');
    return '';
  }
}
