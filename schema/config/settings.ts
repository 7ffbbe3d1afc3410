import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { EXPORT_SETTINGS, findExportFaults } from './export-settings.ts';
import { findHalfSet } from './half-set.ts';
import { INGEST_SETTINGS } from './ingest-settings.ts';
import { findMistyped } from './mistyped-names.ts';
import { MONEY_SETTINGS } from './money-settings.ts';
import { SENDING_SETTINGS } from './sending-settings.ts';
import {
  address,
  contact,
  databaseOf,
  databaseUrl,
  duration,
  flag,
  headerText,
  instant,
  origins,
  prefix,
  setting,
  text,
  wholeNumber,
} from './value-types.ts';

/** Every setting. `.env.example` is derived from this table, and a test keeps the two equal. */
export const SETTINGS = {
  PORT: setting('8080', wholeNumber(0, 65_535), 'Port of the API, the MCP server and the web pages (0: a free one).'),
  HOST: setting('127.0.0.1', text, 'Address it listens on; 0.0.0.0 in a container.'),
  PRIVATE_PORT: setting('9090', wholeNumber(0, 65_535), 'Port of the API process for /metrics, /healthz and /readyz.'),
  PRIVATE_HOST: setting('127.0.0.1', text, 'Address of the private ports; never a public one.'),
  JOBS_PRIVATE_PORT: setting('9091', wholeNumber(0, 65_535), 'The same of the jobs process.'),
  DRAIN_SECONDS: setting(
    '5',
    duration('seconds', 0, 3_600),
    'Seconds after SIGTERM that the API still listens, with /readyz at 503 for balancers.',
  ),
  API_PROCESSES: setting(
    undefined,
    wholeNumber(1, 64).optional(),
    'API processes (default: cores less one, at least one).',
  ),
  API_HANG_SECONDS: setting(
    '15',
    duration('seconds', 1, 3_600),
    'Seconds for which one of several API processes may hang before it is killed and replaced.',
  ),
  DATA_DIR: setting('data', text, 'Folder for databases, the search index and exports.'),
  CATALOGUE_URL: setting(
    undefined,
    databaseUrl.optional(),
    'Catalogue: file:… or a libSQL server (default: a file in DATA_DIR).',
  ),
  CATALOGUE_AUTH_TOKEN: setting(undefined, headerText.optional(), 'Token of that server, where it needs one.'),
  CATALOGUE_NEXT_URL: setting(undefined, databaseUrl.optional(), 'Empty libSQL database to `rebuild` it into.'),
  CATALOGUE_NEXT_AUTH_TOKEN: setting(undefined, headerText.optional(), 'Token there (default: CATALOGUE_AUTH_TOKEN).'),
  CATALOGUE_REPLICA: setting(
    'off',
    z.enum(['off', 'on'], 'off or on'),
    'Whether this machine reads a copy of that server in DATA_DIR.',
  ),
  ACCOUNTS_URL: setting(
    undefined,
    databaseUrl.optional(),
    'Accounts: file:… or a libSQL server (default: a file in DATA_DIR).',
  ),
  ACCOUNTS_AUTH_TOKEN: setting(undefined, headerText.optional(), 'Token of that server, where it needs one.'),
  MEILI_URL: setting(undefined, address.optional(), 'Meilisearch server; without one the embedded engine answers.'),
  MEILI_KEY: setting(undefined, headerText.optional(), 'Key of the Meilisearch server.'),
  MEILI_INDEX_PREFIX: setting(
    '',
    z.string().regex(/^[a-z0-9_-]*$/, 'lower-case letters, digits, - and _'),
    'Prefix of the Meilisearch index names.',
  ),
  MEILI_DEADLINE_SECONDS: setting(
    '1',
    duration('seconds', 0.01, 60),
    'Seconds in which it must answer; else the embedded engine does.',
  ),
  MEILI_LAG_ROWS: setting(
    '5000',
    wholeNumber(0, 1_000_000_000),
    'Changed rows that its index may lack before the embedded engine answers.',
  ),
  BASE_URL: setting(undefined, address.optional(), 'Public address of the API (default: http://localhost:PORT).'),
  APP_URL: setting(undefined, address.optional(), 'Public address of the web app (default: BASE_URL).'),
  TOOL_PREFIX: setting('svc_', prefix, 'Prefix of the MCP tool names.'),
  KEY_PREFIX: setting('svc_live_', prefix, 'Prefix of new API keys.'),
  ...MONEY_SETTINGS,
  ...SENDING_SETTINGS,
  OPERATOR: setting(undefined, text.optional(), 'Who runs this service, for privacy notice and terms.'),
  OPERATOR_ADDRESS: setting(undefined, text.optional(), 'Their postal address, its parts separated by semicolons.'),
  PRIVACY_CONTACT: setting(undefined, contact.optional(), 'E-mail or web address for questions about personal data.'),
  JURISDICTION: setting('England and Wales', text, 'Whose law the terms are under.'),
  END_NOTICE_MONTHS: setting(
    '12',
    wholeNumber(1, 120),
    'Months that a part of the API works after its end is announced, as pages promise.',
  ),
  CHANGE_NOTICE_DAYS: setting(
    '30',
    wholeNumber(0, 365),
    'Days of notice for higher prices and new terms, as pages promise.',
  ),
  LOG_DAYS: setting('30', wholeNumber(1, 3_650), 'Days you keep the logs, as the privacy notice says.'),
  ACCESS_LOG: setting(
    'off',
    z.enum(['off', 'on'], 'off or on'),
    'Whether each request is a line of the log (level info).',
  ),
  AUTH_SECRET: setting(
    undefined,
    z.string().min(32, 'at least 32 characters').optional(),
    'Signs sessions and download links (default: made in DATA_DIR). Needed with a database server, the same on every machine.',
  ),
  AS_OF: setting(undefined, instant.optional(), "Stops the catalogue's clock; for recordings and demonstrations only."),
  TRUST_PROXY: setting(
    '0',
    wholeNumber(0, 10),
    "Proxies in front of the API whose word on the client's address counts.",
  ),
  CORS_ORIGINS: setting(
    '',
    origins,
    'Web origins that may call /v1 from a browser besides APP_URL, separated by commas.',
  ),
  MCP_ORIGINS: setting('', origins, 'The same for /mcp; a request without an Origin is always accepted.'),
  KEPT_ANSWERS_MB: setting(
    '64',
    wholeNumber(0, 16_384),
    'Memory for answers of look-ups, reused until their facts change (0: none).',
  ),
  KEY_REQUESTS_PER_MINUTE: setting('600', wholeNumber(1, 10_000_000), 'Requests a minute per key.'),
  WEB_REQUESTS_PER_MINUTE: setting('120', wholeNumber(1, 10_000_000), 'Web page requests a minute per address.'),
  WEB_PAGES_PER_DAY: setting('2000', wholeNumber(1, 10_000_000), 'Web pages of data a day per address.'),
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
    "Jobs to do: all, or index (only this machine's search index).",
  ),
  JOBS_ENABLED: setting('true', flag, 'Whether the timetable starts jobs; false: only the CLI.'),
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

/** Settings that cannot be used: every fault of the environment in one message, each with its name, what was expected and what was found. */
export class BadSettings extends Error {
  override name = 'BadSettings';
}

const SECRET = /TOKEN|KEY(_ID)?$|SECRET|SMTP/;

/** The values of secret settings, where they are set: these must never be shown or logged. */
export function readSecretValues(settings: Partial<Settings>): string[] {
  const values = Object.entries(settings).filter(([name]) => SECRET.test(name));
  return values.flatMap(([, value]) => (typeof value === 'string' && value !== '' ? [value] : []));
}

/** As `docker run --env-file` leaves them: text would keep them, as in a name on every page or in a key that is then wrong. */
const QUOTED = /^(["'`]).*\1$/s;
const UNQUOTED = 'a value without quotes around it';

/**
 * Reads the settings from an environment. An empty value counts as absent, and surrounding blanks are dropped. @throws
 * BadSettings naming every bad or mistyped setting, what was expected and what was found (a secret's value is not repeated).
 */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, { schema, fallback }] of Object.entries(SETTINGS)) {
    const came = environment[name]?.trim() || fallback;
    const parsed = (schema as z.ZodType).safeParse(came);
    const wanted = QUOTED.test(came ?? '') ? UNQUOTED : parsed.error?.issues[0]?.message;
    if (wanted === undefined) values[name] = parsed.data;
    else faults.push(`${name}: expected ${wanted}, got ${SECRET.test(name) ? '(a secret)' : showValue(came)}`);
  }
  for (const { name, nearest } of findMistyped(Object.keys(environment), Object.keys(SETTINGS)))
    faults.push(`${name}: no such setting; did you mean ${nearest}?`);
  faults.push(...findHalfSet(values, environment), ...findExportFaults(values));
  if (faults.length > 0) throw new BadSettings(`bad settings:\n  ${faults.join('\n  ')}`);
  const settings = withDefaults(values as Parsed);
  // Each would take the tables of the other for its own.
  if (databaseOf(settings.ACCOUNTS_URL) === databaseOf(settings.CATALOGUE_URL))
    throw new BadSettings(
      'bad settings:\n  ACCOUNTS_URL: expected another database than that of CATALOGUE_URL, got the same',
    );
  return settings;
}

/** A value as it came, without what an address has before its host, whatever characters a password has, or a token after it. */
const showValue = (came: string | undefined) =>
  JSON.stringify(came)
    ?.replace(/:\/\/.*@/, '://[hidden]@')
    .replace(/([?#]).*token.*(?=")/i, '$1[hidden]');

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
