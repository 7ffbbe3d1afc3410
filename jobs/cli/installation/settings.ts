import type { AddCommand } from '../shared/command.ts';
import { formatEnvExample } from './env-example.ts';

export const addSettings: AddCommand = (program, cli) => {
  program
    .command('settings')
    .description('Every setting with its sentence and default: the text of .env.example')
    .action(() => cli.out(formatEnvExample().trimEnd()));
};
