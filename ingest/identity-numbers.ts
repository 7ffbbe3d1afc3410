import type { Database } from '../schema/database.ts';
import type { AliasBook } from './alias-book.ts';
import type { Fact } from './identity-facts.ts';

const BY_LEAD = `SELECT DISTINCT token FROM identity_fact INDEXED BY identity_fact_by_value
WHERE kind = ? AND field = 'leads_to' AND value IN (SELECT value FROM json_each(?))`;
const SIGHTINGS = `SELECT token, field, value FROM identity_fact
WHERE kind = ? AND token IN (SELECT value FROM json_each(?)) AND field IN ('name_key', 'leads_to')`;

/**
 * A source's own numbers (GB-FTS-…, GB-CFS-…) as look-ups: one leads to an identity only while every sighting of it bore
 * one cleaned name and led to one identity. Otherwise it leads nowhere.
 */
export async function resolveNumbers(
  catalogue: Database,
  aliases: AliasBook,
  facts: readonly Fact[],
  movedTokens: readonly string[],
): Promise<void> {
  const { kind } = aliases;
  const fresh = facts.filter(({ field }) => field === 'leads_to' || field === 'name_key');
  const moved =
    movedTokens.length === 0
      ? []
      : await catalogue.read<{ token: string }>({ sql: BY_LEAD, args: [kind, JSON.stringify(movedTokens)] });
  const numbers = [...new Set([...fresh.map(({ token }) => token), ...moved.map(({ token }) => token)])];
  if (numbers.length === 0) return;
  type Row = { token: string; field: string; value: string };
  const rows = await catalogue.read<Row>({ sql: SIGHTINGS, args: [kind, JSON.stringify(numbers)] });
  const all: Row[] = [...rows, ...fresh];
  await aliases.load([...numbers, ...all.filter(({ field }) => field === 'leads_to').map(({ value }) => value)]);
  for (const number of numbers) {
    const own = all.filter(({ token }) => token === number);
    const names = new Set(own.filter(({ field }) => field === 'name_key').map(({ value }) => value));
    const leads = own.filter(({ field }) => field === 'leads_to');
    const targets = new Set(leads.map(({ value }) => aliases.targetOf(value)));
    const [target] = targets;
    if (names.size === 1 && targets.size === 1 && target) aliases.point(number, target);
    else aliases.remove(number);
  }
}
