/** The laws of top-ups and grants and of what is taken back of them, each a part of the ledger's one proving statement: `fault`, `subject`, `detail`. */
export const PAYMENT_FAULTS = `
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
