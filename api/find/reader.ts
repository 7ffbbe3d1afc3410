import { serveQuestions } from '../reads/serve-questions.ts';
import { type AsideAsk, TASKS } from './readers.ts';

/** The process that looks many things up. */
if (process.connected) {
  serveQuestions<AsideAsk & { id: number }>(async (catalogue, { task, asked }) => ({
    kind: 'answer',
    answer: await TASKS[task](catalogue, asked as never),
  }));
}
