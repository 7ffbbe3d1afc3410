import { serveQuestions } from '../reads/serve-questions.ts';
import { type AsideAsk, TASKS } from './readers.ts';

/** The process that looks up many things at once, or lists them. It stores what it has read in the folder. */
const [, , folder] = process.argv;
if (process.connected) {
  serveQuestions<AsideAsk & { id: number }>(async (catalogue, { task, asked }) => ({
    kind: 'answer',
    answer: await TASKS[task](catalogue, asked as never, folder),
  }));
}
