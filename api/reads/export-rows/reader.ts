import { serveQuestions } from '../serve-questions.ts';
import type { RowQuestion } from './counter.ts';
import { countRows, readKeys } from './keys.ts';

/** The process that counts rows. */
if (process.connected) {
  serveQuestions<RowQuestion>(async (catalogue, question) => {
    const { query } = question;
    if (question.kind === 'count') return { kind: 'counted', count: await countRows(catalogue, query) };
    return { kind: 'keys', keys: await readKeys(catalogue, query, question.after, question.rows) };
  });
}
