import { readSettings } from '../../schema/config/settings.ts';
import { enter } from '../startup/front-door.ts';
import { makeProgram } from './program.ts';

// A reader that leaves early (`| head`) has read enough; the work is still finished.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
await enter(async () => {
  const cli = {
    settings: () => readSettings(process.env),
    out: (line: string) => console.log(line),
    isTty: process.stdout.isTTY === true && process.stderr.isTTY === true,
  };
  const words = process.argv.slice(2);
  await (await makeProgram(cli, words)).parseAsync(words, { from: 'user' });
});
