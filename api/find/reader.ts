import { serveQuestions } from '../reads/serve-questions.ts';
import { type AsideAsk, TASKS } from './readers.ts';

/** The process that looks many things up, or lists them. The folder is where it keeps what it has read. */
const [, , folder] = process.argv;
if (process.connected) {
  serveQuestions<AsideAsk & { id: number }>(async (catalogue, { task, asked }) => ({
    kind: 'answer',
    answer: await TASKS[task](catalogue, asked as never, folder),
  }));
}
