import { SETTINGS } from '../../../schema/config/settings.ts';

const HEAD = `# Settings of the house. Copy to .env or set them in the environment; each line shows the default.
# A setting without a value has none, or one that its sentence states. Bad values stop every process at the door.
`;

/** The text of `.env.example`: every setting with its sentence, commented out at its default. */
export function formatEnvExample(): string {
  const parts = Object.entries(SETTINGS).map(
    ([name, { about, fallback }]) => `# ${about}\n# ${name}=${fallback ?? ''}\n`,
  );
  return [HEAD, ...parts].join('\n');
}
