import { OVER_STATUSES_SQL } from '../../schema/catalogue/live.ts';
import type { buyer } from '../../schema/catalogue/tables/parties.ts';
import { isoInstant, londonDate } from '../../schema/config/clocks.ts';
import { type Database, readFirst } from '../../schema/db/interface.ts';
import { buyerNameId, isCommonName, plainBuyerKey } from '../../schema/names/buyers.ts';
import { nameKey } from '../../schema/names/spelling.ts';
import { isDecided } from '../../search/names/match.ts';

export type BuyerRow = typeof buyer.$inferSelect;

const BY_ID = 'SELECT * FROM buyer WHERE id = ? AND gone = 0';
const BY_ALIAS = "SELECT target FROM alias WHERE kind = 'buyer' AND alias = ?";

/** The buyer with this id, unless it has gone. */
export function readBuyer(catalogue: Database, id: string): Promise<BuyerRow | undefined> {
  return readFirst(catalogue, { sql: BY_ID, args: [id] });
}

/** The buyer with an identifier (lower case). */
export async function readBuyerByAlias(catalogue: Database, identifier: string): Promise<BuyerRow | undefined> {
  const found = await readFirst<{ target: string }>(catalogue, { sql: BY_ALIAS, args: [identifier] });
  return found && readBuyer(catalogue, found.target);
}

/** With more than this many bearers of a name, none is meant. */
const BEARERS = 20;
const BEARING = `SELECT id, contract_count + framework_places AS awards FROM buyer WHERE name_key = ? AND gone = 0 LIMIT ${BEARERS + 1}`;

/**
 * The buyer for a name that was sent as an id, whatever its capitals and signs. It is the one with the name, otherwise one
 * that was also published under it (`MOD`). One body is often published under several numbers, and an answer to an id
 * cannot express doubt. So among several, the one with twice the awards of the next is taken. A name that many bodies may
 * have (`Council`, a parish, a school) must be unique: otherwise the busiest could be a different body.
 */
export async function readBuyerNamed(catalogue: Database, name: string): Promise<BuyerRow | undefined> {
  const key = nameKey(name);
  if (key === '') return undefined;
  const bearers = await catalogue.read<{ id: string; awards: number }>({ sql: BEARING, args: [key] });
  if (bearers.length === 0) return readOtherwiseNamed(catalogue, name, key);
  const [first, ...more] = bearers.toSorted((a, b) => b.awards - a.awards);
  if (!first || bearers.length > BEARERS) return undefined;
  const isMeant = more.length === 0 || (!isCommonName(key) && isDecided([first, ...more].map((one) => one.awards)));
  return isMeant ? readBuyer(catalogue, first.id) : undefined;
}

/** Another name that a buyer was published under, or a plain way to write it, is an alias if no other buyer has it. */
async function readOtherwiseNamed(catalogue: Database, name: string, key: string): Promise<BuyerRow | undefined> {
  for (const id of new Set([buyerNameId(key), buyerNameId(plainBuyerKey(name))])) {
    const found = await readBuyerByAlias(catalogue, id);
    if (found) return found;
  }
  return undefined;
}

interface NamedBuyer {
  id: string;
  name: string;
}

const NAMED_SO = `SELECT id, name FROM buyer WHERE name_key >= ?1 AND name_key < ?1 || '~' AND gone = 0
  ORDER BY name_key LIMIT ?2`;
const WITH_WORD = `SELECT DISTINCT b.id, b.name FROM buyer_word w JOIN buyer b ON b.id = w.buyer_id
  WHERE w.word >= ?1 AND w.word < ?1 || '~' AND b.gone = 0 LIMIT ?2`;
const ID_SO = `SELECT id, name FROM buyer WHERE id >= ?1 AND id < ?1 || '~' AND gone = 0 ORDER BY id LIMIT ?2`;

/** Buyers whose id or cleaned name begins with the text, then those with such a word. */
export async function readBuyersBeginning(catalogue: Database, text: string, most: number): Promise<NamedBuyer[]> {
  const key = nameKey(text);
  const ask = (sql: string, start: string) => catalogue.read<NamedBuyer>({ sql, args: [start, most] });
  const found = [
    ...(await ask(NAMED_SO, key)),
    ...(key ? await ask(WITH_WORD, key) : []),
    ...(text ? await ask(ID_SO, text.toUpperCase()) : []),
  ];
  return [...new Map(found.map((buyer) => [buyer.id, buyer])).values()].slice(0, most);
}

const NAMES_OF = 'SELECT id, name FROM buyer WHERE id IN (SELECT value FROM json_each(?1)) AND gone = 0';

/** Buyer id -> its usual name. */
export async function readBuyerNames(catalogue: Database, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await catalogue.read<NamedBuyer>({ sql: NAMES_OF, args: [JSON.stringify(ids)] });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const IS_LIVE = `n.deadline >= ?2 AND n.is_tender = 1 AND n.gone = 0
  AND n.status NOT IN (${OVER_STATUSES_SQL}) AND coalesce(n.deadline_at, n.deadline || 'T23:59:59Z') > ?3`;
// Each part is read from an index of tenders alone: of those of the main buyer, and of the few with joint ones.
const LIVE = `SELECT id, sum(live) AS live FROM (
  SELECT n.buyer_id AS id, count(*) AS live FROM json_each(?1) w CROSS JOIN notice n ON n.buyer_id = w.value AND ${IS_LIVE}
    GROUP BY n.buyer_id
  UNION ALL SELECT j.value, count(*) FROM notice n CROSS JOIN json_each(n.joint_buyer_ids) j
    WHERE n.joint_buyer_ids IS NOT NULL AND ${IS_LIVE} AND j.value IN (SELECT value FROM json_each(?1)) GROUP BY j.value
) GROUP BY id`;

/** Buyer id -> how many open tenders it has; absent for none. */
export async function countLiveTenders(
  catalogue: Database,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  const args = [JSON.stringify(ids), londonDate(now), isoInstant(now)];
  const rows = await catalogue.read<{ id: string; live: number }>({ sql: LIVE, args });
  return new Map(rows.map(({ id, live }) => [id, live]));
}
