import type { Database } from '../schema/database.ts';
import { type IdentityKind, nameId } from './identify.ts';
import { type Fact, nameMayLead, type Seen } from './identity-facts.ts';

const REGISTERED = `SELECT company_number, name_key, postcode FROM registered_company
WHERE gone = 0 AND name_key IN (SELECT value FROM json_each(?))`;

/** Suppliers without a company number whose cleaned name and postcode are those of exactly one registered company. */
export async function findRegistered(catalogue: Database, kind: IdentityKind, seen: readonly Seen[]): Promise<Fact[]> {
  if (kind !== 'company') return [];
  const unknown = seen.filter(
    ({ sighting }) => nameMayLead(kind, sighting) && !sighting.ids.some((id) => id.startsWith('GB-COH-')),
  );
  if (unknown.length === 0) return [];
  type Row = { company_number: string; name_key: string; postcode: string | null };
  const keys = JSON.stringify([...new Set(unknown.map(({ sighting }) => sighting.nameKey))]);
  const rows = await catalogue.read<Row>({ sql: REGISTERED, args: [keys] });
  const byName = new Map<string, Row[]>();
  for (const row of rows) byName.set(row.name_key, [...(byName.get(row.name_key) ?? []), row]);
  return unknown.flatMap(({ sighting, date }) => {
    const same = (byName.get(sighting.nameKey) ?? []).filter(
      ({ postcode }) => bare(postcode) === bare(sighting.postcode),
    );
    const [only] = same;
    if (!only || same.length > 1) return [];
    const token = `gb-coh-${only.company_number.toLowerCase()}`;
    return [{ kind, token, field: 'register_name_id', value: nameId(kind, sighting), date }];
  });
}

function bare(postcode: string | null | undefined): string {
  return (postcode ?? '').toUpperCase().replace(/\s/g, '');
}
