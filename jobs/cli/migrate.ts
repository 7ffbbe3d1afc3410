import { type AddCommand, withDatabases } from './command.ts';

export const addMigrate: AddCommand = (program, cli) => {
  program
    .command('migrate')
    .description('Bring both databases to the version of this program (every command and the jobs process do so too)')
    .action(() => withDatabases(cli, async () => cli.out('both databases are at this version')));
};
