import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { EXPORT_SETTINGS, findExportFaults } from './export-settings.ts';
import { INGEST_SETTINGS } from './ingest-settings.ts';
import { findMistyped } from './mistyped-names.ts';
import { MONEY_SETTINGS } from './money-settings.ts';
import {
  address,
  contact,
  databaseUrl,
  duration,
  flag,
  instant,
  origins,
  prefix,
  setting,
  text,
  wholeNumber,
} from './value-types.ts';

/** Every setting. `.env.example` is derived from this table, and a test keeps the two equal. */
export const SETTINGS = {
  PORT: setting('8080', wholeNumber(0, 65_535), 'Port of the API, the MCP server and the web pages (0: any free one).'),
  HOST: setting('127.0.0.1', text, 'Address the public server listens on; 0.0.0.0 in a container.'),
  PRIVATE_PORT: setting('9090', wholeNumber(0, 65_535), 'Port of /metrics, /healthz and /readyz of the API process.'),
  PRIVATE_HOST: setting('127.0.0.1', text, 'Address the private server listens on; never a public one.'),
  JOBS_PRIVATE_PORT: setting(
    '9091',
    wholeNumber(0, 65_535),
    'Port of /metrics, /healthz and /readyz of the jobs process.',
  ),
  DRAIN_SECONDS: setting(
    '5',
    duration('seconds', 0, 3_600),
    'Seconds for which /readyz of the API is 503 after SIGTERM before it stops listening, so that a balancer sends calls elsewhere.',
  ),
  API_PROCESSES: setting(
    undefined,
    wholeNumber(1, 64).optional(),
    'Processes that answer calls on the one PORT (default: cores less one, at least one).',
  ),
  DATA_DIR: setting('data', text, 'Folder for the databases, the search index and finished exports.'),
  CATALOGUE_URL: setting(
    undefined,
    databaseUrl.optional(),
    'Catalogue database: file:… or a libSQL server (default: a file in DATA_DIR).',
  ),
  CATALOGUE_AUTH_TOKEN: setting(undefined, text.optional(), 'Token of the catalogue server, where it asks for one.'),
  CATALOGUE_NEXT_URL: setting(undefined, databaseUrl.optional(), 'Empty libSQL database for `rebuild` to move it to.'),
  CATALOGUE_NEXT_AUTH_TOKEN: setting(undefined, text.optional(), 'Token there (default: CATALOGUE_AUTH_TOKEN).'),
  CATALOGUE_REPLICA: setting(
    'off',
    z.enum(['off', 'on'], 'off or on'),
    'Whether this machine reads from a copy of the catalogue server in DATA_DIR.',
  ),
  ACCOUNTS_URL: setting(
    undefined,
    databaseUrl.optional(),
    'Accounts database: file:… or a libSQL server (default: a file in DATA_DIR).',
  ),
  ACCOUNTS_AUTH_TOKEN: setting(undefined, text.optional(), 'Token of the accounts server, where it asks for one.'),
  MEILI_URL: setting(undefined, address.optional(), 'Meilisearch server; without one the embedded engine answers.'),
  MEILI_KEY: setting(undefined, text.optional(), 'Key of the Meilisearch server.'),
  MEILI_INDEX_PREFIX: setting(
    '',
    z.string().regex(/^[a-z0-9_-]*$/, 'lower-case letters, digits, - and _'),
    'Prefix of the Meilisearch index names.',
  ),
  MEILI_DEADLINE_SECONDS: setting(
    '1',
    duration('seconds', 0.01, 60),
    'Seconds in which it must answer a search; else the embedded engine does.',
  ),
  MEILI_LAG_ROWS: setting(
    '5000',
    wholeNumber(0, 1_000_000_000),
    'Changed rows that its index may be behind; with more of them the embedded engine answers.',
  ),
  BASE_URL: setting(undefined, address.optional(), 'Public address of the API (default: http://localhost:PORT).'),
  APP_URL: setting(undefined, address.optional(), 'Public address of the web app (default: BASE_URL).'),
  TOOL_PREFIX: setting('svc_', prefix, 'Prefix of the MCP tool names.'),
  KEY_PREFIX: setting('svc_live_', prefix, 'Prefix of new API keys.'),
  ...MONEY_SETTINGS,
  OPERATOR: setting(
    undefined,
    text.optional(),
    'Who runs this service, as the privacy notice and the terms name them.',
  ),
  OPERATOR_ADDRESS: setting(
    undefined,
    text.optional(),
    'Postal address of the operator, parts separated by semicolons; shown on the same pages.',
  ),
  PRIVACY_CONTACT: setting(
    undefined,
    contact.optional(),
    'E-mail or web address at which people ask about their data and for removal; shown on the same pages.',
  ),
  JURISDICTION: setting('England and Wales', text, 'Whose law the terms are under.'),
  END_NOTICE_MONTHS: setting(
    '12',
    wholeNumber(1, 120),
    'Months that a part of the API works on after its end was announced, as the page of versions promises.',
  ),
  CHANGE_NOTICE_DAYS: setting(
    '30',
    wholeNumber(0, 365),
    'Days that higher prices and new terms are announced before they count, as the pages promise.',
  ),
  LOG_DAYS: setting('30', wholeNumber(1, 3_650), 'Days for which you keep the logs, as the privacy notice says.'),
  ACCESS_LOG: setting(
    'off',
    z.enum(['off', 'on'], 'off or on'),
    'Whether each request is a line of the log (level info): request id, account, key, operation, status, milliseconds and credits.',
  ),
  AUTH_SECRET: setting(
    undefined,
    z.string().min(32, 'at least 32 characters').optional(),
    'Secret that signs sessions and download links (default: made once and kept in DATA_DIR). Needed where a database is a server; the same on every machine.',
  ),
  AS_OF: setting(
    undefined,
    instant.optional(),
    "Holds the catalogue's clock at an instant; for recordings and demonstrations only.",
  ),
  TRUST_PROXY: setting(
    '0',
    wholeNumber(0, 10),
    'How many proxies stand in front of the server and may be believed about the client address.',
  ),
  CORS_ORIGINS: setting(
    '',
    origins,
    'Comma-separated web origins that may call the API from a browser, besides that of APP_URL; empty: none.',
  ),
  MCP_ORIGINS: setting(
    '',
    origins,
    'Comma-separated further web origins that may call /mcp; a request without an Origin is always accepted.',
  ),
  KEPT_ANSWERS_MB: setting(
    '64',
    wholeNumber(0, 16_384),
    'Memory for answers of look-ups, given again until what they state changes (0: none).',
  ),
  KEY_REQUESTS_PER_MINUTE: setting('600', wholeNumber(1, 10_000_000), 'Requests a minute per key.'),
  WEB_REQUESTS_PER_MINUTE: setting('120', wholeNumber(1, 10_000_000), 'Web page requests a minute per address.'),
  WEB_PAGES_PER_DAY: setting(
    '2000',
    wholeNumber(1, 10_000_000),
    'Web pages of data (searches and things) a day per address.',
  ),
  LOG_LEVEL: setting(
    'info',
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'trace, debug, info, warn, error or silent'),
    'How much is logged.',
  ),
  ...INGEST_SETTINGS,
  ...EXPORT_SETTINGS,
  JOBS_ROLES: setting(
    'all',
    z.enum(['all', 'index'], 'all or index'),
    "Jobs to do: all, or index to fill this machine's search index alone.",
  ),
  JOBS_ENABLED: setting(
    'true',
    flag,
    'Whether the jobs process follows its timetable; false: only what the CLI asks for.',
  ),
} as const;

type Parsed = { [K in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[K]['schema']> };

/** The settings of one process, parsed once at its front door. */
export type Settings = Readonly<
  Omit<Parsed, 'API_PROCESSES' | 'CATALOGUE_URL' | 'ACCOUNTS_URL' | 'BASE_URL' | 'APP_URL'> & {
    API_PROCESSES: number;
    CATALOGUE_URL: string;
    ACCOUNTS_URL: string;
    BASE_URL: string;
    APP_URL: string;
  }
>;

/** A setting that cannot be used: every fault of the environment in one message, each with its name, what was expected and what came. */
export class BadSettings extends Error {
  override name = 'BadSettings';
}

const SECRET = /TOKEN|KEY(_ID)?$|SECRET|SMTP/;

/** The values of the settings that are secrets, where they are set: what must never be shown or logged. */
export function readSecretValues(settings: Partial<Settings>): string[] {
  const values = Object.entries(settings).filter(([name]) => SECRET.test(name));
  return values.flatMap(([, value]) => (typeof value === 'string' && value !== '' ? [value] : []));
}

/**
 * Reads the settings from an environment. An empty value counts as absent, and blanks around one are none of it.
 * @throws BadSettings naming every bad or mistyped setting, what was expected and what came (a secret's value is not repeated).
 */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, { schema, fallback }] of Object.entries(SETTINGS)) {
    const came = environment[name]?.trim() || fallback;
    const parsed = (schema as z.ZodType).safeParse(came);
    if (parsed.success) values[name] = parsed.data;
    else
      faults.push(
        `${name}: expected ${parsed.error.issues[0]?.message}, got ${SECRET.test(name) ? '(a secret)' : JSON.stringify(came)}`,
      );
  }
  for (const { name, nearest } of findMistyped(Object.keys(environment), Object.keys(SETTINGS)))
    faults.push(`${name}: no such setting; did you mean ${nearest}?`);
  // Otherwise Stripe would take payments that the service never learns about.
  if (values.STRIPE_SECRET_KEY && !values.STRIPE_WEBHOOK_SECRET)
    faults.push(
      'STRIPE_WEBHOOK_SECRET: expected the signing secret of the webhook, as STRIPE_SECRET_KEY is set, got nothing',
    );
  if (values.SMTP_URL && !values.MAIL_FROM)
    faults.push('MAIL_FROM: expected the sender of mail, as SMTP_URL is set, got nothing');
  for (const name of needingServer(values as Parsed))
    faults.push(`CATALOGUE_URL: expected a libSQL server, as ${name}, got a file`);
  faults.push(...findExportFaults(values, environment));
  if (faults.length > 0) throw new BadSettings(`bad settings:\n  ${faults.join('\n  ')}`);
  return withDefaults(values as Parsed);
}

/** Settings that make sense only where the catalogue is a server. */
function needingServer({ CATALOGUE_URL: url, CATALOGUE_REPLICA, JOBS_ROLES }: Parsed): string[] {
  if (url && !url.startsWith('file:')) return [];
  return [
    ...(CATALOGUE_REPLICA === 'on' ? ['CATALOGUE_REPLICA is on'] : []),
    ...(JOBS_ROLES === 'index' ? ['JOBS_ROLES is index'] : []),
  ];
}

function withDefaults(parsed: Parsed): Settings {
  const base = parsed.BASE_URL ?? `http://localhost:${parsed.PORT}`;
  return {
    ...parsed,
    API_PROCESSES: parsed.API_PROCESSES ?? Math.max(1, availableParallelism() - 1),
    CATALOGUE_URL: parsed.CATALOGUE_URL ?? `file:${parsed.DATA_DIR}/catalogue.db`,
    ACCOUNTS_URL: parsed.ACCOUNTS_URL ?? `file:${parsed.DATA_DIR}/accounts.db`,
    BASE_URL: base,
    APP_URL: parsed.APP_URL ?? base,
  };
}
