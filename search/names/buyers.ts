import type { MatchMethod } from '../../schema/catalogue/enums.ts';
import type { Database, SqlValue } from '../../schema/db/interface.ts';
import { buyerNameId, isCommonName, plainBuyerKey } from '../../schema/names/buyers.ts';
import { nameKey } from '../../schema/names/spelling.ts';
import { LAST_CHARACTER } from '../../schema/text/ids.ts';
import { rankNames, type StoredName } from './match.ts';
import { readNearNames } from './neighbours.ts';

/** A word in more names than this is not used to find any. */
const HOLDING_MAX = 200;
/** This many buyers, those that share most words with the requested name, are compared. */
const SHARING_MAX = 60;
/** Words that many public bodies share: they cannot find one. */
const GENERIC = new Set(
  'and the of for council city borough county district metropolitan london nhs foundation trust university college school academy group office department authority service services board national united kingdom uk'.split(
    ' ',
  ),
);

const COLUMNS = 'SELECT id, name, name_key, contract_count + framework_places AS award_count FROM buyer';
const BY_KEY = `${COLUMNS} WHERE name_key = ? AND gone = 0 LIMIT 50`;
const BY_KEYS = `${COLUMNS} WHERE name_key IN (SELECT value FROM json_each(?)) AND gone = 0 LIMIT 50`;
const BY_IDS = `${COLUMNS} WHERE id IN (SELECT value FROM json_each(?)) AND gone = 0`;
/** Any name that it has besides its usual one is an alias. */
const BY_OTHER_NAME = `${COLUMNS} WHERE id IN (SELECT target FROM alias WHERE kind = 'buyer' AND alias = ?) AND gone = 0`;
const HOLDING = `SELECT buyer_id FROM buyer_word WHERE word >= ? AND word < ? LIMIT ${HOLDING_MAX + 1}`;
/** Below the exact name, above one that is merely similar. */
const OTHER_NAME = 0.94;
const WORDS_MAX = 8;

type Row = Pick<StoredName, 'id' | 'name' | 'name_key' | 'award_count'>;

interface BuyerMatch {
  buyer_id: string;
  name: string;
  /** 0 to 1. */
  score: number;
  method: MatchMethod;
  evidence: string[];
}

interface FoundBuyer {
  best: BuyerMatch | null;
  /** At most five, the best first. */
  candidates: { id: string; name: string }[];
}

/**
 * The buyer that a name means: by the exact name, a cleaned, longer or similar one, or by shared words. `best` is null where
 * none is similar enough or two are equally similar.
 */
export async function findBuyer(catalogue: Database, name: string): Promise<FoundBuyer> {
  const key = nameKey(name);
  if (key === '') return { best: null, candidates: [] };
  const same = await readBuyers(catalogue, BY_KEY, [key]);
  const other = same.length > 0 ? undefined : await readByOtherName(catalogue, name, key);
  if (other) return foundByOtherName(name, other);
  const near = same.length > 0 ? undefined : await readNear(catalogue, key);
  const { best, candidates } = rankNames(
    name,
    (near?.rows ?? same).map((row) => ({ ...row, markdowns: [] })),
    { each: 'buyers', isCommon: isCommonName },
  );
  if (!best || (near?.crowded && best.method === 'prefix')) return { best: null, candidates };
  const { stored, score, method, evidence } = best;
  const bounded = near ? [`the nearest of ${near.compared} names compared`] : [];
  const found = { buyer_id: stored.id, name: stored.name, score, method, evidence: [...evidence, ...bounded] };
  return { best: found, candidates };
}

/** A buyer that was also published under this name, or under a plain way to write it. Where there were two, the name leads to neither. */
async function readByOtherName(catalogue: Database, name: string, key: string): Promise<Row | undefined> {
  const ids = [...new Set([buyerNameId(key), buyerNameId(plainBuyerKey(name))])];
  for (const id of ids) {
    const [row] = await readBuyers(catalogue, BY_OTHER_NAME, [id]);
    if (row) return row;
  }
  return undefined;
}

function foundByOtherName(given: string, { id, name }: Row): FoundBuyer {
  const evidence = [`asked for "${given.trim()}"`, `"${name}" is known by that name too`];
  return {
    best: { buyer_id: id, name, score: OTHER_NAME, method: 'other_name', evidence },
    candidates: [{ id, name }],
  };
}

async function readNear(catalogue: Database, key: string) {
  const { keys, compared, crowded } = await readNearNames(catalogue, ['buyer'], key);
  const near = await readBuyers(catalogue, BY_KEYS, [JSON.stringify(keys)]);
  const sharing = await readSharing(catalogue, key);
  return { rows: [...near, ...sharing], compared: compared + sharing.length, crowded };
}

/** Buyers whose names contain most of the rarer words of the requested one. */
async function readSharing(catalogue: Database, key: string): Promise<Row[]> {
  const words = key.split(' ').filter((word) => word.length > 2 && !GENERIC.has(word));
  const counts = new Map<string, number>();
  for (const word of words.slice(0, WORDS_MAX)) {
    const ids = await readHolding(catalogue, word);
    if (ids.length <= HOLDING_MAX) for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const most = [...counts].sort(([, one], [, other]) => other - one).slice(0, SHARING_MAX);
  return most.length === 0 ? [] : readBuyers(catalogue, BY_IDS, [JSON.stringify(most.map(([id]) => id))]);
}

/** Buyers whose names contain a word; if there are none, words with this beginning: a plural, a genitive. */
async function readHolding(catalogue: Database, word: string): Promise<string[]> {
  const read = async (before: string) => {
    const rows = await catalogue.read<{ buyer_id: string }>({ sql: HOLDING, args: [word, before] });
    return rows.map(({ buyer_id }) => buyer_id);
  };
  const same = await read(`${word} `);
  return same.length > 0 ? same : read(word + LAST_CHARACTER);
}

async function readBuyers(catalogue: Database, sql: string, args: SqlValue[]): Promise<Row[]> {
  return catalogue.read<Row>({ sql, args });
}
