import type { Statement } from '../../db/interface.ts';
import {
  CHANGE_KINDS,
  type ChangeKind,
  LOGGED_KINDS,
  registeredFields,
  registeredView,
  registeredViewDiffers,
} from './kinds.ts';
import {
  CONTRACTS,
  isOwnersNews,
  LOST_COLUMNS,
  lostOwnersSql,
  OWNER_KINDS,
  type OwnerKind,
  ownersSql,
  type Rows,
} from './owners.ts';

/** The columns of an entry, in the order of `entryValues`. */
export const ENTRY_COLUMNS = 'kind, seq, id, change, changed, former';

/** The values of the entry that says how a row of a kind changed, as SQL; a row that was not there before has only nulls. */
export function entryValues(kind: ChangeKind, { old, now }: Rows): string {
  const change = `CASE WHEN ${now}.gone = 1 THEN 'gone' WHEN ${old}.gone IS NOT 0 THEN 'new' ELSE 'updated' END`;
  const isUpdate = `${now}.gone = 0 AND ${old}.gone = 0`;
  const { fields } = LOGGED_KINDS[kind];
  const nowOf = (name: string) => (name === 'buyer_kind' ? kindOfBuyer({ old, now }) : `${now}.${name}`);
  const differs = (columns: readonly string[]) =>
    columns.map((name) => `${old}.${name} IS NOT ${nowOf(name)}`).join(' OR ');
  const names = Object.entries(fields).map(([name, columns]) => `iif(${differs(columns)}, '${name} ', '')`);
  const changed = `iif(${isUpdate}, trim(${names.join(' || ')}), '')`;
  return [`'${kind}'`, `${now}.seq`, `${now}.id`, change, changed, formerValue(kind, { old, now })].join(', ');
}

/** The kind of a row's buyer. Where it has another buyer, the trigger that stores the kind may run after that of the log. */
const kindOfBuyer = ({ old, now }: Rows) =>
  `iif(${old}.buyer_id IS ${now}.buyer_id, ${now}.buyer_kind, (SELECT kind FROM buyer WHERE id = ${now}.buyer_id))`;

/**
 * What filters read of the row before, as JSON; null where they read the same now. It is kept for a row that went, which may
 * come back with other contents.
 */
function formerValue(kind: ChangeKind, { old, now }: Rows): string {
  const view = Object.entries(LOGGED_KINDS[kind].view);
  const differs = view
    .map(([name, { from, sql }]) => {
      const isAnother = `${old}.${from} IS NOT ${now}.${from}`;
      return name === from ? isAnother : `(${isAnother} AND ${sql(old)} IS NOT ${sql(now)})`;
    })
    .join(' OR ');
  return `iif(${old}.id IS NOT NULL AND (${now}.gone = 1 OR ${differs}), ${viewValue(kind, old)}, NULL)`;
}

/** What filters read of a row, as JSON. */
export function viewValue(kind: ChangeKind, row: string): string {
  const view = Object.entries(LOGGED_KINDS[kind].view);
  return `json_object(${view.map(([name, { sql }]) => `'${name}', ${sql(row)}`).join(', ')})`;
}

const IS_LATER = 'NEW.seq > OLD.seq';
/**
 * What a buyer bought gets the `seq` of its buyer when the kind of that changes. What the same batch then changes in the row itself
 * has the same `seq`, and is added to the entry.
 */
const HAS_BUYER_KIND: readonly ChangeKind[] = ['notice', 'contract', 'framework'];
const IS_NEWS_OF_BOUGHT = `(${IS_LATER} OR (NEW.seq = OLD.seq AND (NEW.digest IS NOT OLD.digest OR NEW.gone IS NOT OLD.gone)))`;
const ADD_TO_ENTRY = `
    ON CONFLICT (kind, seq, id) DO UPDATE SET change = excluded.change,
      changed = CASE WHEN excluded.change <> 'updated' THEN '' WHEN excluded.changed LIKE '%buyer_kind%' THEN excluded.changed
        ELSE trim(changed || ' ' || excluded.changed) END, former = coalesce(former, excluded.former)
    WHERE change = 'updated'`;

/** The triggers of one kind. */
function ofKind(kind: ChangeKind): Record<string, string> {
  const isBought = HAS_BUYER_KIND.includes(kind);
  return {
    [`change_of_added_${kind}`]: `AFTER INSERT ON ${kind} WHEN NEW.gone = 0 BEGIN
  INSERT INTO change (kind, seq, id, change) VALUES ('${kind}', NEW.seq, NEW.id, 'new');
END`,
    [`change_of_${kind}`]: `AFTER UPDATE OF seq ON ${kind} WHEN ${isBought ? IS_NEWS_OF_BOUGHT : IS_LATER} BEGIN
  INSERT INTO change (${ENTRY_COLUMNS}) VALUES (${entryValues(kind, { old: 'OLD', now: 'NEW' })})${isBought ? ADD_TO_ENTRY : ''};
END`,
  };
}

/** A supplier gets the `seq` of its row of the register, so that its own trigger makes the entry; what changed is added to it. */
const OF_SUPPLIER = `UPDATE company SET seq = NEW.seq
    WHERE company_number = NEW.company_number AND gone = 0 AND seq < NEW.seq;`;
const addToEntry = (changed: string, former: string) => `UPDATE change SET
    changed = ltrim(change.changed || ' ' || ${changed}), former = coalesce(change.former, ${former})
    FROM company c WHERE c.company_number = NEW.company_number AND c.seq = NEW.seq AND c.gone = 0
    AND change.kind = 'company' AND change.seq = c.seq AND change.id = c.id AND change.change = 'updated';`;

const OF_CONTRACT = { old: 'OLD', now: 'NEW' };
/** An owner gets the `seq` of a contract whose change concerns it, unless the batch has already changed its row. */
const ofOwners = (kind: OwnerKind) => `INSERT INTO lost_contract (${LOST_COLUMNS}) ${lostOwnersSql(kind, OF_CONTRACT)};
  UPDATE ${kind} SET seq = NEW.seq WHERE gone = 0 AND seq < NEW.seq AND id IN (${ownersSql(kind, OF_CONTRACT)});
  UPDATE change SET changed = '${CONTRACTS}' WHERE kind = '${kind}' AND seq = NEW.seq
    AND id IN (${ownersSql(kind, OF_CONTRACT)}) AND change = 'updated' AND changed = '';`;

const TRIGGERS: Readonly<Record<string, string>> = {
  ...Object.assign({}, ...CHANGE_KINDS.map(ofKind)),
  change_of_added_register: `AFTER INSERT ON registered_company BEGIN
  ${OF_SUPPLIER}
  ${addToEntry("'register'", registeredView(null))}
END`,
  change_of_register: `AFTER UPDATE OF seq ON registered_company WHEN NEW.seq > OLD.seq BEGIN
  ${OF_SUPPLIER}
  ${addToEntry(
    registeredFields('OLD', 'NEW'),
    `iif(${registeredViewDiffers('OLD', 'NEW')}, ${registeredView('OLD')}, NULL)`,
  )}
END`,
  change_of_owners: `AFTER UPDATE OF seq ON contract WHEN ${IS_NEWS_OF_BOUGHT} AND ${isOwnersNews(OF_CONTRACT)} BEGIN
  ${OWNER_KINDS.map((kind) => ofOwners(kind)).join('\n  ')}
END`,
  change_instant_of_batch: `AFTER UPDATE OF value ON counter WHEN NEW.name = 'seq' AND NEW.value > OLD.value BEGIN
  INSERT INTO change_instant (seq, at) VALUES (NEW.value, unixepoch());
END`,
};

/**
 * The triggers that keep the change log, in the commit that writes a row: whatever writes rows, the log has it. A migration
 * has the same text; a generation that is rebuilt has them from its last batch on.
 */
export const CREATE_TRIGGERS: readonly Statement[] = Object.entries(TRIGGERS).map(([name, body]) => ({
  sql: `CREATE TRIGGER \`${name}\` ${body}`,
}));

/** Removes them, so that rows can be written without entries. */
export const DROP_TRIGGERS: readonly Statement[] = Object.keys(TRIGGERS).map((name) => ({
  sql: `DROP TRIGGER \`${name}\``,
}));
