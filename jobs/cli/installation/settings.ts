import { SETTINGS } from '../../../schema/config/settings.ts';
import type { AddCommand } from '../shared/command.ts';

const HEAD = `# Settings of the service. Copy to .env or set them in the environment; each line shows the default.
# A setting without a value has none, or one that its sentence states. Bad values stop every process at its start.
`;

export const addSettings: AddCommand = (command, cli) => {
  command.action(() => cli.out(formatEnvExample().trimEnd()));
};

/** The text of `.env.example`: every setting with its sentence, commented out at its default. */
export function formatEnvExample(): string {
  const parts = Object.entries(SETTINGS).map(
    ([name, { about, fallback }]) => `# ${about}\n# ${name}=${fallback ?? ''}\n`,
  );
  return [HEAD, ...parts].join('\n');
}
