import { serveQuestions } from '../reads/serve-questions.ts';
import { type LongReadAsk, TASKS } from './readers.ts';

/** The process that looks up many things at once, lists them or reads changes. It stores what it has read in the folder. */
const [, , folder] = process.argv;
if (process.connected) {
  serveQuestions<LongReadAsk & { id: number }>(async (catalogue, { task, asked }) => {
    const run = await TASKS[task]();
    return { kind: 'answer', answer: await run(catalogue, asked as never, folder) };
  });
}
