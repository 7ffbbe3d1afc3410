import { compareMachine } from '../../schema/accounts/installation.ts';
import { readSecret } from '../../schema/config/secret.ts';
import type { Settings } from '../../schema/config/settings.ts';
import type { Database } from '../../schema/db/interface.ts';
import { ExpectedFault } from './services.ts';

/** AUTH_SECRET. @throws ExpectedFault where this process has another than the installation: what it stores or sends would be useless */
export async function readSameSecret(accounts: Database, settings: Settings): Promise<string> {
  const secret = await readSecret(settings);
  const settingsAlike = await compareMachine(accounts, { secret, toolPrefix: settings.TOOL_PREFIX });
  if (settingsAlike.some(({ setting, isAlike }) => setting === 'AUTH_SECRET' && !isAlike))
    throw new ExpectedFault("AUTH_SECRET differs from the installation's: set the same one here, then try again");
  return secret;
}
