import { CHARGE_LINE } from '../remembered-answers.ts';
import { LEDGER_LINES } from './lines.ts';
import { LINES_MAX } from './transfers.ts';

export interface LedgerFault {
  fault: string;
  subject: string;
  detail: string;
}

const line = (of: string) => `'line ' || ${of}.id || ' ' || ${of}.key`;
const isInternal = (id: string) => `substr(${id}, 1, 1) = '@'`;

/** Each balance is the sum of the account's lines, and all balances sum to zero. */
const BALANCES = `
  SELECT 'balance is not the sum of the ledger' AS fault, a.id AS subject, a.balance || ' instead of ' || s.total AS detail
  FROM account a JOIN (
    SELECT a2.id AS id, coalesce(received.credits, 0)
      - coalesce((SELECT sum(credits) FROM transfer WHERE from_account = a2.id), 0) AS total
    FROM account a2 LEFT JOIN (SELECT to_account AS id, sum(credits) AS credits FROM transfer GROUP BY to_account) received
      ON received.id = a2.id) s ON s.id = a.id
  WHERE a.balance IS NOT s.total
  UNION ALL SELECT 'balances do not sum to zero', 'all accounts', '' || total
    FROM (SELECT sum(balance) AS total FROM account) WHERE total <> 0
  UNION ALL SELECT 'negative balance', id, '' || balance FROM account WHERE balance < 0 AND NOT ${isInternal('id')}`;

/** Whether a charge of a row of several lines, `c` of `json_each`, is a charge id and a request. */
const IS_CHARGE = `CASE WHEN c.type = 'array' THEN json_array_length(c.value) = 2 AND typeof(c.value ->> 0) = 'text'
  AND typeof(c.value ->> 1) = 'text' ELSE 0 END`;

/** Whether a row has one line, or fits the charges that are its lines. */
const FITS = `coalesce(CASE WHEN t.charges IS NULL THEN t.lines = 1 WHEN json_valid(t.charges) THEN
  t.kind = 'charge' AND t.lines BETWEEN 2 AND ${LINES_MAX} AND json_array_length(t.charges) = t.lines
    AND t.key = 'charge:' || (t.charges ->> '$[0][0]') AND t.request_id IS NULL AND t.credits % t.lines = 0
    AND NOT EXISTS (SELECT 1 FROM json_each(t.charges) c WHERE NOT ${IS_CHARGE}) END, 0)`;

/** No line was removed (their numbers have no gaps: a refused transfer takes none), and none was added that the ledger would refuse. */
const LINES = `
  SELECT 'a line is missing', 'line ' || (before + 1), (id - lines - before) || ' of them'
  FROM (SELECT id, lines, lag(id, 1, 0) OVER (ORDER BY id) AS before FROM transfer) WHERE id - lines > before
  UNION ALL SELECT 'a line is there twice', 'line ' || (id - lines + 1), (before - id + lines) || ' of them'
    FROM (SELECT id, lines, lag(id, 1, 0) OVER (ORDER BY id) AS before FROM transfer) WHERE id - lines < before
  UNION ALL SELECT 'a line is missing', 'line ' || seq, 'the last that was written'
    FROM sqlite_sequence WHERE name = 'transfer' AND seq > (SELECT coalesce(max(id), 0) FROM transfer)
  UNION ALL SELECT 'a line that is none', ${line('t')}, kind || ' of ' || credits || ' from ' || from_account || ' to ' || to_account
    FROM transfer t WHERE kind NOT IN ('charge', 'refund', 'grant', 'top_up') OR typeof(credits) <> 'integer' OR credits <= 0
      OR from_account = to_account OR NOT ${FITS}
  UNION ALL SELECT 'a line of an account that is not there', ${line('t')}, from_account || ' to ' || to_account
    FROM transfer t WHERE from_account NOT IN (SELECT id FROM account) OR to_account NOT IN (SELECT id FROM account)
  UNION ALL SELECT 'a key used more than once', key, 'lines ' || group_concat(id, ', ') FROM (${LEDGER_LINES}) GROUP BY key HAVING count(*) > 1`;

/** A charge pays `@revenue` for an action, once per request. Grants and top-ups come from `@mint`. */
const CHARGES = `
  SELECT 'a charge that is not one', ${line('t')}, from_account || ' to ' || to_account || ' for ' || coalesce(action, 'nothing')
  FROM transfer t WHERE kind = 'charge' AND (to_account <> '@revenue' OR ${isInternal('from_account')} OR action IS NULL OR corrects IS NOT NULL)
  UNION ALL SELECT 'a request charged more than once', request_id, 'lines ' || group_concat(id, ', ')
    FROM (${LEDGER_LINES}) WHERE kind = 'charge' AND request_id IS NOT NULL GROUP BY request_id HAVING count(*) > 1
  UNION ALL SELECT 'a gift that is not one', ${line('t')}, kind || ' from ' || from_account || ' to ' || to_account
    FROM transfer t WHERE kind IN ('grant', 'top_up') AND corrects IS NULL AND (from_account <> '@mint' OR ${isInternal('to_account')})`;

/** A refund returns part of one charge, a row of its own, to the account that paid it. All refunds of a charge together never exceed it. */
const REFUNDS = `
  SELECT 'orphan refund', ${line('r')}, 'of ' || coalesce('line ' || r.corrects, 'nothing') FROM transfer r
    LEFT JOIN transfer c ON c.id = r.corrects AND c.lines = 1 AND c.kind = 'charge' AND c.from_account = r.to_account AND c.to_account = r.from_account
    WHERE r.kind = 'refund' AND c.id IS NULL
  UNION ALL SELECT 'refunds exceed their charge', ${line('c')}, sum(r.credits) || ' of ' || c.credits || ' by lines ' || group_concat(r.id, ', ')
    FROM transfer r JOIN transfer c ON c.id = r.corrects WHERE r.kind = 'refund' GROUP BY c.id HAVING sum(r.credits) > c.credits`;

/** Every figure in which a day may differ. */
const day = (of: string) => `CASE WHEN ${of}.day IS NULL THEN 'none' ELSE ${of}.credits || ' credits in ' || ${of}.calls
  || iif(${of}.calls = 1, ' call', ' calls') || ', lines ' || ${of}.first_line || ' to ' || ${of}.last_line END`;

/** A day's usage is the sum of its charges, and they all lie between the lines that it names. */
const USAGE = `
  SELECT 'a day of usage is not the ledger''s', coalesce(u.account_id || ' ' || u.day, l.account_id || ' ' || l.day),
      ${day('u')} || ' instead of ' || ${day('l')}
    FROM usage_day u FULL JOIN (
      SELECT CASE t.kind WHEN 'charge' THEN t.from_account ELSE t.to_account END AS account_id,
        substr(coalesce(c.created_at, t.created_at), 1, 10) AS day, coalesce(t.key_id, '') AS key_id, coalesce(t.action, '') AS action,
        sum(CASE t.kind WHEN 'charge' THEN t.lines ELSE 0 END) AS calls, sum(CASE t.kind WHEN 'charge' THEN t.credits ELSE -t.credits END) AS credits,
        min(coalesce(t.corrects, t.id - t.lines + 1)) AS first_line, max(coalesce(t.corrects, t.id)) AS last_line
      FROM transfer t LEFT JOIN transfer c ON c.id = t.corrects WHERE t.kind IN ('charge', 'refund') GROUP BY 1, 2, 3, 4) l
    ON l.account_id = u.account_id AND l.day = u.day AND l.key_id = u.key_id AND l.action = u.action
    WHERE (u.calls, u.credits, u.first_line, u.last_line) IS NOT (l.calls, l.credits, l.first_line, l.last_line)`;

/** Every key of a charged call has its line, every key's month is the sum of its lines, and every export was paid for. */
const PROJECTIONS = `
  SELECT 'a remembered answer without its charge', i.account_id || ' ' || i.key, coalesce(i.charge_id, 'no charge') FROM idempotency i
    LEFT JOIN (${LEDGER_LINES}) t ON t.key = 'charge:' || i.charge_id AND t.from_account = i.account_id AND t.credits = i.credits_charged
      AND t.id = ${CHARGE_LINE}
    WHERE i.state = 'done' AND t.id IS NULL
  UNION ALL SELECT 'a charge remembered more than once', charge_id, count(*) || ' keys'
    FROM idempotency WHERE state = 'done' GROUP BY charge_id HAVING count(*) > 1
  UNION ALL SELECT 'a monthly sum is not the ledger''s', coalesce(m.key_id || ' ' || m.month, l.key_id || ' ' || l.month),
      coalesce(m.credits, 0) || ' instead of ' || coalesce(l.credits, 0)
    FROM key_month m FULL JOIN (
      SELECT t.key_id AS key_id, substr(coalesce(c.created_at, t.created_at), 1, 7) AS month,
        sum(CASE t.kind WHEN 'charge' THEN t.credits ELSE -t.credits END) AS credits
      FROM transfer t LEFT JOIN transfer c ON c.id = t.corrects
      WHERE t.key_id IS NOT NULL AND t.kind IN ('charge', 'refund') GROUP BY 1, 2) l
    ON l.key_id = m.key_id AND l.month = m.month WHERE coalesce(m.credits, 0) <> coalesce(l.credits, 0)
  UNION ALL SELECT 'an export without its charge', e.id, coalesce(e.charge_id, 'no charge') || ' of ' || e.credits_charged FROM export e
    LEFT JOIN transfer t ON t.key = 'charge:' || e.charge_id AND t.from_account = e.account_id AND t.credits = e.credits_charged
    WHERE e.status <> 'staged' AND t.id IS NULL`;

/** A reversal corrects one top-up or grant; together they never exceed it. Every paid payment has its top-up. */
const PAYMENTS = `
  SELECT 'a correction that corrects no ' || replace(r.kind, '_', '-') AS fault, r.key AS subject, 'of ' || coalesce(r.corrects, 'nothing') AS detail
    FROM transfer r LEFT JOIN transfer t ON t.id = r.corrects AND t.kind = r.kind AND t.corrects IS NULL
      AND t.to_account IN (r.from_account, r.to_account) AND t.from_account IN (r.from_account, r.to_account)
    WHERE r.kind IN ('top_up', 'grant') AND r.corrects IS NOT NULL AND t.id IS NULL
  UNION ALL SELECT 'a ' || replace(t.kind, '_', '-') || ' taken back more than once over', t.key, sum(CASE WHEN r.from_account = t.to_account THEN r.credits ELSE -r.credits END) || ' of ' || t.credits
    FROM transfer r JOIN transfer t ON t.id = r.corrects WHERE r.kind IN ('top_up', 'grant') GROUP BY t.id
    HAVING sum(CASE WHEN r.from_account = t.to_account THEN r.credits ELSE -r.credits END) NOT BETWEEN 0 AND t.credits
  UNION ALL SELECT 'a payment without its top-up', p.id, p.credits || ' credits' FROM payment p
    LEFT JOIN transfer t ON t.key = 'top_up:' || p.id AND t.to_account = p.account_id AND t.credits = p.credits
    WHERE (p.state = 'paid') <> (t.id IS NOT NULL)`;

/** Every delivery of a watch was paid for once, every dropped one was refunded in full, and nothing else was charged. */
const DELIVERIES = `
  SELECT 'a delivery without its charge' AS fault, d.id AS subject, coalesce(d.charge_id, 'no charge') || ' of ' || d.credits AS detail
    FROM watch_delivery d
    LEFT JOIN transfer t ON t.key = 'charge:' || d.charge_id AND t.from_account = d.account_id AND t.credits = d.credits AND t.request_id = d.id
    WHERE (d.kind = 'items') <> (t.id IS NOT NULL)
  UNION ALL SELECT 'a charge without its delivery', t.key, coalesce(t.request_id, 'no delivery') FROM transfer t
    LEFT JOIN watch_delivery d ON d.id = t.request_id AND t.key = 'charge:' || d.charge_id
    WHERE t.kind = 'charge' AND t.action = 'watch_delivery' AND d.id IS NULL
  UNION ALL SELECT 'refunds of a delivery that do not fit', d.id, coalesce(sum(r.credits), 0) || ' of ' || d.credits || ', ' || d.status
    FROM watch_delivery d JOIN transfer c ON c.key = 'charge:' || d.charge_id LEFT JOIN transfer r ON r.corrects = c.id
    GROUP BY d.id HAVING (d.status = 'dropped' AND coalesce(sum(r.credits), 0) <> d.credits) OR (d.status <> 'dropped' AND sum(r.credits) > 0)`;

/** All laws of the ledger as one statement, so that they are checked on one snapshot: `fault`, `subject`, `detail`. */
export const LEDGER_FAULTS = [BALANCES, LINES, CHARGES, REFUNDS, PROJECTIONS, USAGE, PAYMENTS, DELIVERIES].join(
  '\n  UNION ALL ',
);
