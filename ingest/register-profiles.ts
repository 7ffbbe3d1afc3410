import { isoInstant } from '../schema/clocks.ts';
import type { Database, Statement } from '../schema/database.ts';
import { type JsonObject, objectOf, textOf } from '../schema/tolerant.ts';
import { canonicalJson } from './canonical.ts';
import { quarantineStatements } from './quarantine.ts';
import { recordOfProfile } from './register-profile.ts';
import type { RegisterRun } from './register-run.ts';
import { listedStatements, listRecord, profileStatements } from './register-store.ts';

/** Suppliers with a number and no profile, the busiest first; a number that was not found is asked again after 90 days. */
const WANTED = `SELECT company_number FROM company
  WHERE company_number IS NOT NULL AND gone = 0
    AND NOT EXISTS (SELECT 1 FROM registered_company r
      WHERE r.company_number = company.company_number AND r.profile IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM unknown_value u WHERE u.source = ?1 AND u.field = 'company_number'
      AND u.value = company.company_number AND u.last_seen_at > ?2)
  GROUP BY company_number ORDER BY max(contract_count) DESC, company_number LIMIT ?3`;
const NOT_FOUND = `INSERT INTO unknown_value (source, field, value, sightings, last_seen_at)
  VALUES (?, 'company_number', ?, 1, ?) ON CONFLICT (source, field, value)
  DO UPDATE SET sightings = sightings + 1, last_seen_at = excluded.last_seen_at`;
const ASK_AGAIN_DAYS = 90;
const DAY_MS = 86_400_000;

/** Asks for the profiles of suppliers that notices name by number, within the run's limit. Without an API key it asks nothing. */
export async function fetchProfiles(run: RegisterRun): Promise<void> {
  const { tools, source, options } = run;
  const key = tools.settings.COMPANIES_HOUSE_API_KEY;
  if (!key) return;
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  for (const number of await readWanted(run)) {
    options.signal?.throwIfAborted();
    const url = `${source.apiUrl(tools.settings)}${source.profilePath(number)}`;
    const taken = await run.asker.ask({ url, headers: { authorization }, signal: options.signal });
    const statements = taken ? await keepProfile(run, number, taken) : notFound(run, number);
    await tools.catalogue.write([...(tools.fence ? [tools.fence] : []), ...statements]);
  }
}

async function readWanted({ tools, source }: RegisterRun): Promise<string[]> {
  const before = new Date(tools.clocks.wallNow().getTime() - ASK_AGAIN_DAYS * DAY_MS);
  const rows = await tools.catalogue.read<{ company_number: string }>({
    sql: WANTED,
    args: [source.id, isoInstant(before), source.profilesPerRun],
  });
  return rows.map((row) => row.company_number);
}

function notFound({ tools, source, tally }: RegisterRun, number: string): Statement[] {
  tally.unchanged += 1;
  return [{ sql: NOT_FOUND, args: [source.id, number, isoInstant(tools.clocks.wallNow())] }];
}

async function keepProfile(
  { tools, source, tally }: RegisterRun,
  number: string,
  { bytes, url }: { bytes: Uint8Array; url: string },
): Promise<Statement[]> {
  const at = isoInstant(tools.clocks.wallNow());
  const profile = parseProfile(bytes);
  if (!profile) {
    tally.quarantined += 1;
    const row = { kind: 'row' as const, reason: 'not a company profile', url, recordId: number, bytes };
    return quarantineStatements(source.id, [row], at);
  }
  tally.releases += 1;
  tally.stored += 1;
  return storeProfileStatements(tools.catalogue, number, profile, at);
}

/** Keeps a profile with the instant of its fetch, and the company itself where no edition lists it. */
export async function storeProfileStatements(
  catalogue: Database,
  number: string,
  profile: JsonObject,
  at: string,
): Promise<Statement[]> {
  const [listed] = await catalogue.read({
    sql: 'SELECT 1 FROM registered_company WHERE company_number = ?',
    args: [number],
  });
  const unlisted = listed ? [] : [listRecord(recordOfProfile(profile, number))];
  // A company that no edition lists (dissolved, or too new) gets a row of its own, which no edition can mark as gone.
  const { statements } = await listedStatements(catalogue, unlisted, null);
  return [...statements, ...profileStatements(number, canonicalJson(profile), at)];
}

/** A profile's JSON, or null for anything else. */
export function parseProfile(bytes: Uint8Array): JsonObject | null {
  try {
    const profile = objectOf(JSON.parse(new TextDecoder().decode(bytes)));
    return profile && textOf(profile.company_name) ? profile : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
