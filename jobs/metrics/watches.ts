import type { Registry } from 'prom-client';
import { DELIVERY_STATES, IS_NEXT } from '../../schema/accounts/watches/deliveries.ts';
import { HOUR_MS } from '../../schema/config/clocks.ts';
import type { JobsServices } from '../process/services.ts';
import { addGauge, type Refresh } from './gauges.ts';

const WATCHES = "SELECT state, coalesce(reason, '') AS reason, count(*) AS watches FROM watch GROUP BY 1, 2";
/** Deliveries of a paused watch do not count as queued: they are sent once its owner resumes it. Those behind another are not due. */
const QUEUE = `SELECT count(*) AS waiting, min(d.created_at) AS oldest, min(CASE WHEN ${IS_NEXT} THEN d.next_attempt_at END) AS due
  FROM watch_delivery d JOIN watch w ON w.id = d.watch_id
  WHERE d.status = 'waiting' AND (w.state <> 'paused' OR d.kind = 'test')`;
/** Selected by their due time, which is indexed and shortly before their end. */
const ENDED = 'SELECT count(*) AS deliveries FROM watch_delivery WHERE status = ? AND next_attempt_at >= ?';

interface Queue {
  waiting: number;
  oldest: string | null;
  due: number | null;
}

/** Watches by state, the queue of their deliveries, and the outcomes of the last hour's deliveries. */
export function addWatchMetrics({ accounts, clocks }: JobsServices, registry: Registry): Refresh {
  const gauge = (name: string, help: string, labelNames?: string[]) => addGauge(registry, name, help, labelNames);
  const watches = gauge('watches', 'Watches by state, and why they wait or are paused.', ['state', 'reason']);
  const waiting = gauge(
    'watch_deliveries_waiting',
    'Deliveries that wait to be sent, those of paused watches left out.',
  );
  const oldest = gauge('watch_deliveries_oldest_waiting_seconds', 'How long ago the oldest of them was made.');
  const overdue = gauge(
    'watch_deliveries_overdue_seconds',
    'How long the next attempt at one of them is overdue, the longest; what is sent again later is not.',
  );
  const ended = gauge(
    'watch_deliveries_last_hour',
    'Deliveries that were due in the last hour, by what came of them.',
    ['status'],
  );
  return async () => {
    const nowMs = clocks.wallNow().getTime();
    watches.reset();
    const states = await accounts.read<{ state: string; reason: string; watches: number }>({ sql: WATCHES });
    for (const { state, reason, watches: count } of states) watches.set({ state, reason }, count);
    const [queue] = await accounts.read<Queue>({ sql: QUEUE });
    waiting.set(queue?.waiting ?? 0);
    oldest.set(queue?.oldest ? Math.max(0, nowMs - Date.parse(queue.oldest)) / 1_000 : 0);
    overdue.set(Math.max(0, nowMs - (queue?.due ?? nowMs)) / 1_000);
    for (const status of DELIVERY_STATES.filter((one) => one !== 'waiting')) {
      const [row] = await accounts.read<{ deliveries: number }>({ sql: ENDED, args: [status, nowMs - HOUR_MS] });
      ended.set({ status }, row?.deliveries ?? 0);
    }
  };
}
