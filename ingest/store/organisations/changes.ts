import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Statement } from '../../../schema/db/interface.ts';
import type { Fact } from '../../identity/facts.ts';
import { type IdentityPlan, openAliases } from '../../identity/plan.ts';
import { bumpSeq, loseRow, readStoredOrganisations, type StoredRow, storeRow } from '../../rows/versioned.ts';
import { CLEAR_PAIRS, fillPairs } from './pairs.ts';
import { type OrganisationFact, organisationRow, type RegisterFacts } from './row.ts';
import { type ContractOverlay, readTallies } from './tallies.ts';
import { NO_CONTRACTS } from './totals.ts';

/** What an organisation's row is made from. */
const SAID: ReadonlySet<string> = new Set(['name', 'url', 'sme', 'organisation_kind', 'address', 'identifier']);
const FACTS = `SELECT token, field, value, last_seen, notice_id FROM identity_fact
WHERE kind = ? AND token IN (SELECT value FROM json_each(?))
AND field IN (${[...SAID].map((field) => `'${field}'`).join(', ')})`;
const REGISTER = `SELECT company_number, json_extract(record, '$.accounts.category') AS category, locality, postcode
FROM registered_company WHERE gone = 0 AND company_number IN (SELECT value FROM json_each(?))`;

/**
 * Rows of every touched buyer or company with its count and totals, as they will stand after the batch.
 * An identity that now leads elsewhere is gone.
 */
export async function organisationStatements(
  catalogue: Database,
  plan: Pick<IdentityPlan, 'kind' | 'aliases' | 'facts'>,
  held: ReadonlyMap<string, StoredRow>,
  ids: readonly string[],
  overlay: ContractOverlay,
): Promise<Statement[]> {
  const { kind, aliases } = plan;
  await aliases.load(ids);
  const standing = ids.filter((id) => aliases.targetOf(id) === id);
  const facts = await readFacts(catalogue, plan, standing);
  const register = kind === 'company' ? await readRegister(catalogue, standing) : new Map<string, RegisterFacts>();
  const statements = ids
    .filter((id) => !facts.has(id) && held.get(id)?.gone === 0)
    .map((id): Statement => loseRow(kind, id));
  const said = ids.filter((id) => facts.has(id));
  const tallies = await readTallies(catalogue, kind, said, overlay);
  for (const id of said) {
    const tally = tallies.get(id) ?? NO_CONTRACTS;
    const row = organisationRow(kind, id, facts.get(id) ?? [], register.get(id), tally);
    const statement = storeRow(row, held.get(id));
    if (statement) statements.push(statement);
  }
  return statements;
}

const TARGETS = 'SELECT DISTINCT target FROM alias WHERE kind = ? AND target > ? ORDER BY target LIMIT ?';
const STORED_AT_ONCE = 500;
const NOTHING: ContractOverlay = {
  processIds: new Set(),
  awards: [],
  frameworkTitles: new Map(),
  changes: 'all',
  pairs: null,
};

/**
 * Stores the row of every buyer and company, and what each two of them come to, from what the catalogue holds: once, where each batch of a rebuild would read
 * again every contract of whom it touches.
 */
export async function storeOrganisations(catalogue: Database, signal?: AbortSignal): Promise<void> {
  await catalogue.write([CLEAR_PAIRS]);
  for (const kind of ['buyer', 'company'] as const) {
    for (let last = ''; ; ) {
      signal?.throwIfAborted();
      const rows = await catalogue.read<{ target: string }>({ sql: TARGETS, args: [kind, last, STORED_AT_ONCE] });
      const ids = rows.map(({ target }) => target);
      const end = ids.at(-1);
      if (end === undefined) break;
      last = end;
      const held = await readStoredOrganisations(catalogue, kind, ids);
      const plan = { kind, aliases: openAliases(catalogue, kind), facts: [] };
      const statements = await organisationStatements(catalogue, plan, held, ids, NOTHING);
      if (statements.length > 0) await catalogue.write([bumpSeq, ...statements]);
      if (kind === 'buyer') await catalogue.write([fillPairs(ids)]);
      // Local reads and writes are synchronous: a lease's heartbeat gets its turn between batches.
      await nextTurn();
    }
  }
}

async function readFacts(
  catalogue: Database,
  { kind, aliases, facts: fresh }: Pick<IdentityPlan, 'kind' | 'aliases' | 'facts'>,
  ids: readonly string[],
) {
  const owners = await aliases.leadingTo(ids);
  const stored = await catalogue.read<OrganisationFact & { token: string }>({
    sql: FACTS,
    args: [kind, JSON.stringify([...owners.keys()])],
  });
  const facts = new Map<string, OrganisationFact[]>();
  for (const { token, ...fact } of stored.concat(fresh.filter(({ field }) => SAID.has(field)).map(asStored))) {
    const owner = owners.get(token);
    if (!owner) continue;
    const known = facts.get(owner);
    if (known) known.push(fact);
    else facts.set(owner, [fact]);
  }
  return facts;
}

function asStored({ token, field, value, date, noticeId }: Fact): OrganisationFact & { token: string } {
  return { token, field, value, last_seen: date, notice_id: noticeId ?? null };
}

async function readRegister(catalogue: Database, ids: readonly string[]): Promise<Map<string, RegisterFacts>> {
  const numbers = ids.flatMap((id) => (id.startsWith('GB-COH-') ? id.slice('GB-COH-'.length) : []));
  if (numbers.length === 0) return new Map();
  const rows = await catalogue.read<RegisterFacts & { company_number: string }>({
    sql: REGISTER,
    args: [JSON.stringify(numbers)],
  });
  return new Map(rows.map((row) => [`GB-COH-${row.company_number}`, row]));
}
