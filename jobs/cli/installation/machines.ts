import { acceptMachine, compareMachine } from '../../../schema/accounts/installation.ts';
import { readSecret } from '../../../schema/config/secret.ts';
import { type AddCommand, type Cli, instantNow, withAccounts } from '../shared/command.ts';
import { AS_JSON, printRows } from '../shared/listing.ts';

export const addMachines: AddCommand = (command, cli) => {
  command
    .option('--accept', "make this machine's values those of all: the others are not ready until they have them", false)
    .option(...AS_JSON)
    .action((options: Options) => showMachines(cli, options));
};

interface Options {
  accept: boolean;
  json?: boolean;
}

function showMachines(cli: Cli, { accept, json }: Options): Promise<void> {
  return withAccounts(cli, async (accounts, settings) => {
    const machine = { secret: await readSecret(settings), toolPrefix: settings.TOOL_PREFIX };
    if (accept) await acceptMachine(accounts, machine, instantNow());
    const rows = (await compareMachine(accounts, machine)).map(({ setting, since, isAlike }) => ({
      setting,
      since,
      this_machine: isAlike ? 'alike' : 'another value',
    }));
    printRows(cli, { name: 'settings', rows, columns: ['setting', 'since', 'this_machine'] }, json);
  });
}
