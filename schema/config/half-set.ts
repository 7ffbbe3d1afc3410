/** A setting, another that it needs, and what that is. Not `MEILI_KEY`: a `.env` for Compose, which sets `MEILI_URL` itself, has it alone. */
const NEEDS: readonly (readonly [name: string, needed: string, what: string])[] = [
  // With one alone, Stripe would take payments that the service never learns about.
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'the signing secret of the webhook'],
  ['STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY', 'the secret key of Stripe'],
  ['SMTP_URL', 'MAIL_FROM', 'the sender of mail'],
  ['MAIL_FROM', 'SMTP_URL', 'the mail server'],
  ['MAIL_BOUNCES', 'SMTP_URL', 'the mail server'],
  ['OPERATOR_ADDRESS', 'OPERATOR', 'who runs this service'],
  ['EXPORTS_URL', 'EXPORTS_ACCESS_KEY_ID', 'the access key of the bucket'],
  ['EXPORTS_URL', 'EXPORTS_SECRET_ACCESS_KEY', 'the access key of the bucket'],
  ['EXPORTS_ACCESS_KEY_ID', 'EXPORTS_URL', 'the bucket'],
  ['EXPORTS_SECRET_ACCESS_KEY', 'EXPORTS_URL', 'the bucket'],
  ['EXPORTS_ENDPOINT', 'EXPORTS_URL', 'the bucket'],
  ['EXPORTS_PATH_STYLE', 'EXPORTS_URL', 'the bucket'],
];

/** A setting that makes sense only where a database is a server, and the value for which that holds, where it has others. */
const WITH_SERVER: readonly (readonly [name: string, database: string, value?: string])[] = [
  ['CATALOGUE_REPLICA', 'CATALOGUE_URL', 'on'],
  ['JOBS_ROLES', 'CATALOGUE_URL', 'index'],
  ['CATALOGUE_AUTH_TOKEN', 'CATALOGUE_URL'],
  // `rebuild` would stay in files, and say that it is done.
  ['CATALOGUE_NEXT_URL', 'CATALOGUE_URL'],
  ['CATALOGUE_NEXT_AUTH_TOKEN', 'CATALOGUE_URL'],
  ['ACCOUNTS_AUTH_TOKEN', 'ACCOUNTS_URL'],
];

/**
 * Settings without another one that they need, as sentences: alone they would be ignored, without a word to the operator.
 * `values`: those that are valid on their own.
 */
export function findHalfSet(
  values: Readonly<Record<string, unknown>>,
  environment: Record<string, string | undefined>,
): string[] {
  const isSet = (name: string) => values[name] !== undefined;
  // A needed one with a bad value has its own sentence.
  const isMissing = (name: string) => !environment[name]?.trim();
  return [
    ...NEEDS.filter(([name, needed]) => isSet(name) && isMissing(needed)).map(
      ([name, needed, what]) => `${needed}: expected ${what}, as ${name} is set, got nothing`,
    ),
    ...WITH_SERVER.filter(
      ([name, database, value]) =>
        (value ? values[name] === value : isSet(name)) && /^\s*(file:|$)/.test(environment[database] ?? ''),
    ).map(
      ([name, database, value]) => `${database}: expected a libSQL server, as ${name} is ${value ?? 'set'}, got a file`,
    ),
  ];
}
