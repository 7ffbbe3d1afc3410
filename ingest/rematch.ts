import type { Database, Statement } from '../schema/database.ts';
import type { Sighting } from './identify.ts';
import { type Seen, tokenOf } from './identity-facts.ts';
import { bumpSeq } from './rows.ts';
import { compileChanges } from './store-changes.ts';
import { writeInTurn } from './turn.ts';

/** Suppliers without a company number, a batch at a time. */
const WITHOUT_NUMBER = `SELECT DISTINCT identity_id FROM party
WHERE role = 'supplier' AND identity_id > ? AND identity_id NOT LIKE 'GB-COH-%' ORDER BY identity_id LIMIT ?`;
/** One sighting for each name and place that they were seen under. */
const SIGHTINGS = `SELECT min(sighting) AS sighting FROM party
WHERE role = 'supplier' AND identity_id IN (SELECT value FROM json_each(?))
GROUP BY identity_id, name, json_extract(sighting, '$.postcode'), json_extract(sighting, '$.locality')`;
/** When each was last seen under each name. */
const LAST_SEEN = `SELECT token, value AS name, last_seen FROM identity_fact
WHERE kind = 'company' AND token IN (SELECT value FROM json_each(?)) AND field = 'name'`;
const BATCH = 500;

export interface Rematch {
  /** Where an earlier call stopped: suppliers up to and with this identity were looked up. */
  from: string;
  /** First in every batch: the lease's fence. */
  before: readonly Statement[];
  /** Last in every batch: the cursor, once suppliers up to `position` were looked up. */
  moveTo(position: string): Statement;
  signal?: AbortSignal | undefined;
}

/**
 * Looks every supplier without a company number up in the register again, after a new edition of it; a batch of writes
 * per few hundred suppliers.
 * @returns how many suppliers were looked up.
 */
export async function rematchSuppliers(catalogue: Database, rematch: Rematch): Promise<number> {
  let lookedUp = 0;
  let position = rematch.from;
  for (;;) {
    rematch.signal?.throwIfAborted();
    type Row = { identity_id: string };
    const rows = await catalogue.read<Row>({ sql: WITHOUT_NUMBER, args: [position, BATCH] });
    const ids = rows.map(({ identity_id }) => identity_id);
    const last = ids.at(-1);
    if (last === undefined) return lookedUp;
    position = last;
    lookedUp += ids.length;
    await writeInTurn(catalogue, async () => {
      const { versioned, others } = await compileChanges(catalogue, [], await readSightings(catalogue, ids));
      const bump = versioned.length > 0 ? [bumpSeq] : [];
      const statements = [...bump, ...others, ...versioned, rematch.moveTo(last)];
      return { before: rematch.before, statements, compiled: true, result: undefined };
    });
  }
}

async function readSightings(catalogue: Database, ids: readonly string[]): Promise<Seen[]> {
  const rows = await catalogue.read<{ sighting: string }>({ sql: SIGHTINGS, args: [JSON.stringify(ids)] });
  const sightings = rows.map(({ sighting }) => JSON.parse(sighting) as Sighting);
  const tokens = sightings.map((sighting) => tokenOf('company', sighting));
  type Row = { token: string; name: string; last_seen: string };
  const dates = await catalogue.read<Row>({ sql: LAST_SEEN, args: [JSON.stringify([...new Set(tokens)])] });
  const lastSeen = new Map(dates.map(({ token, name, last_seen }) => [`${token} ${name}`, last_seen]));
  return sightings.map((sighting, index): Seen => {
    return { kind: 'company', sighting, date: lastSeen.get(`${tokens[index]} ${sighting.name}`) ?? '' };
  });
}
