import { formatEnvExample } from '../env-example.ts';
import type { AddCommand } from './command.ts';

export const addSettings: AddCommand = (program, cli) => {
  program
    .command('settings')
    .description('Every setting with its sentence and default: the text of .env.example')
    .action(() => cli.out(formatEnvExample().trimEnd()));
};
