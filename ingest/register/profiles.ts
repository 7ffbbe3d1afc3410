import { isServable } from '../../schema/answers/register/record.ts';
import type { RegisterRecord } from '../../schema/catalogue/details.ts';
import { DAY_MS, isoInstant } from '../../schema/config/clocks.ts';
import { type Database, readFirst, type Statement } from '../../schema/db/interface.ts';
import { parseCompanyNumber } from '../../schema/text/ids.ts';
import {
  canonicalJson,
  dropInvisible,
  type JsonObject,
  listOf,
  mapTexts,
  numberOf,
  objectOf,
  textOf,
} from '../../schema/text/json-values.ts';
import { type HttpResponse, UpstreamRefused, UpstreamUnavailable } from '../http/client.ts';
import { fenceOf, quarantineStatements } from '../runs/record.ts';
import { unknownStatements } from '../store/releases.ts';
import { findUnknownCodes } from './known-codes.ts';
import { isFirstSight, type RegisterRun } from './repeats.ts';
import { listedStatements, listRecord, profileStatements } from './store.ts';

type Loose<T> = { [K in keyof T]: T[K] | undefined };

/** When a profile was requested; a time of a clock that was ahead counts as none. */
const timeOf = (column: string) => `iif(${column} > ?3, '', coalesce(${column}, ''))`;
/**
 * Numbers of suppliers whose profile was never requested, busiest first; then those requested longest ago. Those whose last
 * answer was unusable come after all others, the less often tried first: otherwise a few that never have a usable one would
 * keep the rest from being requested.
 */
const WANTED = `SELECT c.company_number, max(${timeOf('r.profile_fetched_at')}, ${timeOf('a.asked_at')}) AS asked FROM company c
  LEFT JOIN registered_company r ON r.company_number = c.company_number AND r.profile_fetched_at IS NOT NULL
  LEFT JOIN absent_profile a ON a.company_number = c.company_number
  WHERE c.company_number IS NOT NULL AND c.gone = 0
  GROUP BY c.company_number
  HAVING asked <= ?1 ORDER BY max(iif(a.asked_at = '', a.attempts, 0)), asked, max(c.contract_count + c.framework_places) DESC, c.company_number
  LIMIT ?2`;
const NOT_FOUND = `INSERT INTO absent_profile (company_number, asked_at) VALUES (?, ?)
  ON CONFLICT (company_number) DO UPDATE SET attempts = attempts + 1, asked_at = excluded.asked_at`;
const UNUSABLE = `INSERT INTO absent_profile (company_number, asked_at) VALUES (?, '')
  ON CONFLICT (company_number) DO UPDATE SET attempts = attempts + 1, asked_at = ''`;
const FOUND = 'DELETE FROM absent_profile WHERE company_number = ?';
const LISTED = 'SELECT gone FROM registered_company WHERE company_number = ? AND edition IS NOT NULL';
const SEEN_AGAIN = 'UPDATE registered_company SET profile_fetched_at = ? WHERE company_number = ?';
/**
 * After this many numbers in a row without a usable answer, the rest is left to the next run. A company that an edition lists has
 * a profile. If a service that answers 404 to everything were believed, no number would be requested again for a long time; one
 * that answers everything with something else would fill the quarantine.
 */
const FAULTS_MAX = 3;

/**
 * Requests the profiles of suppliers that notices name by number, as many as the source allows in a run. Numbers that were
 * never requested come first, then those whose profile (or absence) is older than PROFILE_REFRESH_DAYS. Without an API key
 * it requests nothing.
 * @returns what could not be fetched; one number without an answer does not stop the next
 * @throws UpstreamRefused if the key is not accepted
 */
export async function fetchProfiles(run: RegisterRun): Promise<string[]> {
  const { context, source, options, tally } = run;
  const { value: key } = source.apiKey(context.settings);
  if (!key) return [];
  const faults: string[] = [];
  let inARow = 0;
  for (const number of await readWanted(run)) {
    options.signal?.throwIfAborted();
    const url = `${source.apiUrl(context.settings)}${source.profilePath(number)}`;
    const response = await askProfile(run, url, key);
    if (response instanceof Error) faults.push(`the profile of ${number}: ${response.message}`);
    const { statements, isUsable } = await keepAnswer(run, number, response);
    await context.catalogue.write([...fenceOf(context), ...statements]);
    if (isUsable !== null) inARow = isUsable ? 0 : inARow + 1;
    if (inARow < FAULTS_MAX) continue;
    if (!response) faults.push(`${new URL(url).host} serves no profile (404) of ${number} and others in the register`);
    // A few may stay unreadable for years, and some nights nothing else is wanted: that is no failure.
    else if (!(response instanceof Error)) tally.warning ??= `the profiles of ${number} and others cannot be read`;
    return faults;
  }
  return faults;
}

async function askProfile(
  run: RegisterRun,
  url: string,
  key: string,
): Promise<HttpResponse | null | UpstreamUnavailable | UpstreamRefused> {
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  try {
    return await run.client.fetch({ url, headers: { authorization }, signal: run.options.signal });
  } catch (error) {
    if (error instanceof UpstreamUnavailable) return error;
    if (!(error instanceof UpstreamRefused)) throw error;
    if (error.status !== 401) return error;
    const host = new URL(url).host;
    const { setting } = run.source.apiKey(run.context.settings);
    const refused = `${host} does not accept the key in ${setting}: refused (401)`;
    throw new UpstreamRefused(refused, 401, { cause: error });
  }
}

interface Answer {
  /** What the answer changes. */
  statements: Statement[];
  /** Null where a 404 says nothing of the service: the company has left the register, or never was in it. */
  isUsable: boolean | null;
}

/** @param response null where there is no profile, an error where there is no answer */
async function keepAnswer(run: RegisterRun, number: string, response: HttpResponse | null | Error): Promise<Answer> {
  if (response instanceof Error) return { statements: [{ sql: UNUSABLE, args: [number] }], isUsable: false };
  if (response) return keepProfile(run, number, response);
  const { context, tally } = run;
  tally.unchanged += 1;
  const statements = [{ sql: NOT_FOUND, args: [number, isoInstant(context.clocks.wallNow())] }];
  const isListed = (await readListed(context.catalogue, number))?.gone === 0;
  return { statements, isUsable: isListed ? false : null };
}

async function readWanted({ context, source }: RegisterRun): Promise<string[]> {
  const age = context.settings.PROFILE_REFRESH_DAYS * DAY_MS;
  const now = context.clocks.wallNow();
  const rows = await context.catalogue.read<{ company_number: string }>({
    sql: WANTED,
    args: [isoInstant(new Date(now.getTime() - age)), source.profilesPerRun, isoInstant(now)],
  });
  return rows.map((row) => row.company_number);
}

async function keepProfile(run: RegisterRun, number: string, { bytes, url }: HttpResponse): Promise<Answer> {
  const { context, source, tally } = run;
  const at = isoInstant(context.clocks.wallNow());
  const profile = parseProfile(bytes, number);
  if (!profile) {
    tally.quarantined += 1;
    const row = { kind: 'row' as const, reason: 'not a profile of this company', url, recordId: number, bytes };
    const quarantined = quarantineStatements(context.catalogue, source.id, [row], at);
    return { statements: [...quarantined, { sql: UNUSABLE, args: [number] }], isUsable: false };
  }
  tally.releases += 1;
  const unknown = findUnknownCodes(profile).filter(({ field, value }) => isFirstSight(run, `${field}\n${value}`));
  const counted = unknownStatements([{ source: source.id, unknown, fetchedAt: at }]);
  const isSame = await isStored(context.catalogue, number, profile);
  tally[isSame ? 'unchanged' : 'stored'] += 1;
  const stored = isSame
    ? [
        { sql: SEEN_AGAIN, args: [at, number] },
        { sql: FOUND, args: [number] },
      ]
    : await storeProfileStatements(context.catalogue, number, profile, at);
  return { statements: [...stored, ...counted], isUsable: true };
}

/** Whether the stored profile is this one: by its etag, which changes with it, or otherwise by its contents. */
async function isStored(catalogue: Database, number: string, profile: JsonObject): Promise<boolean> {
  const sql = 'SELECT profile FROM registered_company WHERE company_number = ?';
  const [row] = await catalogue.read<{ profile: string | null }>({ sql, args: [number] });
  if (!row?.profile) return false;
  const etag = textOf(profile.etag);
  const stored = JSON.parse(row.profile) as JsonObject;
  return etag && textOf(stored.etag) ? etag === textOf(stored.etag) : row.profile === canonicalJson(profile);
}

/** Stores a profile with the instant of its fetch, and the company itself where no edition lists it. */
export async function storeProfileStatements(
  catalogue: Database,
  number: string,
  profile: JsonObject,
  at: string,
): Promise<Statement[]> {
  // A company that no edition lists (dissolved, or too new) gets a separate row, which no edition can mark as gone.
  const unlisted = (await readListed(catalogue, number)) ? [] : [listRecord(recordOfProfile(profile, number))];
  const { statements } = await listedStatements(catalogue, unlisted, null);
  const stored = profileStatements(number, canonicalJson(profile), at);
  return [...statements, ...stored, { sql: FOUND, args: [number] }];
}

/** Whether a company has left the register; undefined where no edition lists it. */
function readListed(catalogue: Database, number: string): Promise<{ gone: number } | undefined> {
  return readFirst(catalogue, { sql: LISTED, args: [number] });
}

/**
 * A company's profile as JSON, or null for anything else. A profile with another number is none, nor is one with a member of
 * another type than documented, as no answer could be made of it.
 */
export function parseProfile(bytes: Uint8Array, number: string): JsonObject | null {
  try {
    const profile = objectOf(mapTexts(JSON.parse(new TextDecoder().decode(bytes)), dropInvisible));
    if (typeof profile?.company_name !== 'string' || !textOf(profile.company_name) || !isServable(profile)) return null;
    return parseCompanyNumber(textOf(profile.company_number) ?? number) === number ? profile : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** An API profile in the shape of a bulk row, for a company that no bulk file lists. Codes stay codes. */
export function recordOfProfile(profile: JsonObject, companyNumber: string): RegisterRecord {
  const accounts = objectOf(profile.accounts);
  const reference = objectOf(accounts?.accounting_reference_date);
  const last = objectOf(accounts?.last_accounts);
  return dropAbsent<RegisterRecord>({
    company_name: textOf(profile.company_name) ?? companyNumber,
    company_number: companyNumber,
    ...readAddress(objectOf(profile.registered_office_address)),
    category: textOf(profile.type),
    status: textOf(profile.company_status),
    dissolved: textOf(profile.date_of_cessation),
    incorporated: textOf(profile.date_of_creation),
    accounts: dropAbsent<RegisterRecord['accounts']>({
      reference_day: numberOf(reference?.day),
      reference_month: numberOf(reference?.month),
      next_due: textOf(objectOf(accounts?.next_accounts)?.due_on) ?? textOf(accounts?.next_due),
      last_made_up: textOf(last?.made_up_to),
      category: textOf(last?.type),
    }),
    sic_codes: listOf(profile.sic_codes, textOf).map((code) => ({ code })),
    previous_names: listOf(profile.previous_company_names, readPreviousName),
  });
}

function readAddress(address: JsonObject | undefined) {
  const line = [textOf(address?.premises), textOf(address?.address_line_1)].filter(Boolean).join(' ');
  return {
    care_of: textOf(address?.care_of),
    po_box: textOf(address?.po_box),
    address_line_1: line || undefined,
    address_line_2: textOf(address?.address_line_2),
    locality: textOf(address?.locality),
    county: textOf(address?.region),
    country: textOf(address?.country),
    postal_code: textOf(address?.postal_code)?.toUpperCase(),
  };
}

function readPreviousName(value: unknown): RegisterRecord['previous_names'][number] | undefined {
  const previous = objectOf(value);
  const name = textOf(previous?.name);
  return name ? dropAbsent({ name, ceased: textOf(previous?.ceased_on) }) : undefined;
}

/** The same object without its absent members. */
function dropAbsent<T extends object>(members: Loose<T>): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
