import { REVENUE } from '../../../schema/accounts/ledger/transfers.ts';
import { verifyLedger } from '../../../schema/accounts/ledger/verify.ts';
import type { Database } from '../../../schema/db/interface.ts';
import type { RandomReceiver } from './receivers.ts';

/** A watch and where its webhooks arrive. */
export interface Watched {
  id: string;
  receiver: RandomReceiver;
}

interface Row {
  id: string;
  number: number;
  watch_id: string;
  status: string;
  credits: number;
  charges: number;
}

const DELIVERIES = `SELECT d.id, d.number, d.watch_id, d.status, d.credits,
  (SELECT count(*) FROM transfer t WHERE t.request_id = d.id AND t.kind = 'charge') AS charges
  FROM watch_delivery d ORDER BY d.number`;
const CHARGED = `SELECT count(*) AS charges, coalesce(sum(credits), 0) AS credits FROM transfer
  WHERE kind = 'charge' AND to_account = '${REVENUE}'`;

/** What is wrong after everything was delivered: nothing lost, nothing out of order, nothing charged twice. */
export async function findFaults(
  { accounts, catalogue }: { accounts: Database; catalogue: Database },
  watches: readonly Watched[],
): Promise<{ faults: string[]; deliveries: number; repeated: number }> {
  const rows = await accounts.read<Row>({ sql: DELIVERIES });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const faults = rows.flatMap((row) => [
    ...(row.status === 'delivered' ? [] : [`${row.id} is ${row.status}`]),
    ...(row.charges === 1 ? [] : [`${row.id} was charged ${row.charges} times`]),
  ]);
  const [charged] = await accounts.read<{ charges: number; credits: number }>({ sql: CHARGED });
  const credits = rows.reduce((sum, row) => sum + row.credits, 0);
  if (charged?.charges !== rows.length || charged.credits !== credits)
    faults.push(
      `${charged?.charges} charges of ${charged?.credits} credits for ${rows.length} deliveries of ${credits}`,
    );
  faults.push(...(await verifyLedger(accounts)).faults.map(String));
  const stored = await catalogue.read<{ id: string; title: string }>({
    sql: 'SELECT id, title FROM notice WHERE gone = 0 ORDER BY id',
  });
  for (const watched of watches) faults.push(...judgeArrivals(watched, byId, stored));
  const arrivals = watches.reduce((sum, { receiver }) => sum + receiver.arrivals.length, 0);
  return { faults, deliveries: rows.length, repeated: arrivals - rows.length };
}

function judgeArrivals(
  { id, receiver: { arrivals, unsigned } }: Watched,
  rows: ReadonlyMap<string, Row>,
  held: readonly { id: string; title: string }[],
): string[] {
  const faults = unsigned.map((one) => `${one} came with a wrong signature`);
  const bodies = new Map<string, string>();
  const copy = new Map<string, string>();
  let last = 0;
  for (const arrival of arrivals) {
    const row = rows.get(arrival.id);
    if (row?.watch_id !== id) faults.push(`${arrival.id} is no delivery of ${id}`);
    if ((row?.number ?? 0) < last) faults.push(`${arrival.id} of ${id} came after a later one`);
    last = Math.max(last, row?.number ?? 0);
    if ((bodies.get(arrival.id) ?? arrival.body) !== arrival.body) faults.push(`${arrival.id} came with another body`);
    bodies.set(arrival.id, arrival.body);
    if (!arrival.isTaken) continue;
    const { data } = JSON.parse(arrival.body) as { data: { items: { id: string; item: { title: string } }[] } };
    for (const { id: itemId, item } of data.items) copy.set(itemId, item.title);
  }
  const lost = held.filter((notice) => copy.get(notice.id) !== notice.title);
  if (copy.size !== held.length) faults.push(`${id} has ${copy.size} of ${held.length} notices`);
  return [...faults, ...lost.map((notice) => `${id} lacks ${notice.id} as it is now`)];
}
