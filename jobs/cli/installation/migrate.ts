import { type AddCommand, type Cli, withDatabases } from '../shared/command.ts';

export const addMigrate: AddCommand = (command, cli) => {
  command
    .option('--create', 'make an empty database also where one was lost', false)
    .action(({ create }: { create: boolean }) => bringUp(cli, create));
};

function bringUp(cli: Cli, create: boolean): Promise<void> {
  const bring = async ({ made }: { made: string[] }) => {
    for (const place of made) cli.out(`${place} made`);
    cli.out('both databases are at this version');
  };
  return withDatabases(cli, bring, create ? 'missing' : 'asked');
}
