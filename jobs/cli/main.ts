import { readSettings } from '../../schema/config/settings.ts';
import { enter } from '../startup/front-door.ts';
import { makeProgram } from './program.ts';

for (const output of [process.stdout, process.stderr])
  output.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // A reader that leaves early (`| head`) has read enough. The work is finished also where there is no room for its answer.
    if (code === 'EPIPE') return;
    process.exitCode = 1;
    // A report about standard error itself would fail too, and be reported again without end.
    if (output === process.stdout)
      console.error(
        `not all of the answer could be written: ${message}; see what was done before you repeat the command`,
      );
  });
await enter(process.env, async () => {
  const cli = {
    settings: () => readSettings(process.env),
    out: (line: string) => console.log(line),
    isTty: process.stdout.isTTY === true && process.stderr.isTTY === true,
  };
  const words = process.argv.slice(2);
  await (await makeProgram(cli, words)).parseAsync(words, { from: 'user' });
});
