import type { Database } from '../../schema/db/interface.ts';
import type { AliasBook } from './aliases.ts';
import type { Fact } from './facts.ts';

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
  const said = new Map(numbers.map((number) => [number, { names: new Set(), targets: new Set<string | null>() }]));
  for (const { token, field, value } of all) {
    if (field === 'name_key') said.get(token)?.names.add(value);
    else said.get(token)?.targets.add(aliases.targetOf(value));
  }
  for (const [number, { names, targets }] of said) {
    const [target] = targets;
    if (names.size === 1 && targets.size === 1 && target) aliases.point(number, target);
    else aliases.remove(number);
  }
}
