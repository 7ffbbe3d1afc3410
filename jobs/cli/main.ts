import { readSettings } from '../../schema/env.ts';
import { addEnvFile, enter } from '../front-door.ts';
import { makeProgram } from './program.ts';

addEnvFile();
const program = makeProgram({
  settings: () => readSettings(process.env),
  out: (line) => console.log(line),
  isTty: process.stdout.isTTY === true && process.stderr.isTTY === true,
});
await enter(async () => {
  await program.parseAsync();
});
