import { Gauge, type Registry } from 'prom-client';
import { countUnsealed, readHead, readSealedAt } from '../../schema/accounts/ledger/seal.ts';
import { REVENUE } from '../../schema/accounts/ledger/transfers.ts';
import { readOwed } from '../../schema/accounts/payments.ts';
import type { CoverageSummary } from '../../schema/catalogue/coverage.ts';
import { readIndexLag } from '../../search/index/health.ts';
import type { JobsServices } from '../process/services.ts';
import type { Refresh } from './ingest.ts';

const EXPORTS =
  "SELECT count(*) AS waiting, min(coalesce(requeued_at, created_at)) AS oldest FROM export WHERE status = 'processing'";
const PROBES = 'SELECT source, state, count(*) AS probes FROM probe GROUP BY source, state';
const SUMMARIES = 'SELECT source, summary FROM coverage_summary';
const LEDGER = `SELECT coalesce(sum(balance), 0) AS imbalance,
  coalesce(sum(balance < 0 AND substr(id, 1, 1) <> '@'), 0) AS negative,
  coalesce(sum(CASE id WHEN '${REVENUE}' THEN balance END), 0) AS revenue FROM account`;

function addGauge(registry: Registry, name: string, help: string, labelNames: string[] = []): Gauge {
  return new Gauge({ name, help, labelNames, registers: [registry] });
}

/** Exports that are paid for and not written. */
export function addExportMetrics({ accounts, clocks }: JobsServices, registry: Registry): Refresh {
  const waiting = addGauge(registry, 'exports_waiting', 'Exports paid for and not written.');
  const oldest = addGauge(registry, 'exports_oldest_waiting_seconds', 'How long the oldest of them has waited.');
  return async () => {
    const [row] = await accounts.read<{ waiting: number; oldest: string | null }>({ sql: EXPORTS });
    waiting.set(row?.waiting ?? 0);
    oldest.set(row?.oldest ? Math.max(0, (clocks.wallNow().getTime() - Date.parse(row.oldest)) / 1_000) : 0);
  };
}

/** The laws of the ledger that cost next to nothing to look at; `cli ledger verify` proves all of them. */
export function addLedgerMetrics({ accounts }: JobsServices, registry: Registry): Refresh {
  const imbalance = addGauge(registry, 'ledger_imbalance_credits', 'Sum of all balances; anything but 0 is a fault.');
  const negative = addGauge(registry, 'ledger_negative_accounts', 'Customers with less than nothing; any is a fault.');
  const revenue = addGauge(registry, 'ledger_revenue_credits', 'Credits charged so far, less refunds.');
  const owed = addGauge(
    registry,
    'payments_owed_credits',
    'Credits spent before their payment was refunded or disputed.',
  );
  const sealed = addGauge(registry, 'ledger_sealed_line', 'Last ledger line that is sealed, with its digest.', [
    'digest',
  ]);
  const unsealed = addGauge(registry, 'ledger_unsealed_lines', 'Ledger lines that came since.');
  const sealedAt = addGauge(
    registry,
    'ledger_last_seal_timestamp_seconds',
    'When lines were last sealed; 0: never. Nothing is sealed while no line comes.',
  );
  return async () => {
    owed.set(await readOwed(accounts));
    const head = await readHead(accounts);
    sealed.reset();
    if (head) sealed.set({ digest: head.digest }, head.line);
    unsealed.set(await countUnsealed(accounts));
    sealedAt.set(Date.parse((await readSealedAt(accounts)) ?? '1970-01-01') / 1_000);
    const [row] = await accounts.read<{ imbalance: number; negative: number; revenue: number }>({ sql: LEDGER });
    imbalance.set(row?.imbalance ?? 0);
    negative.set(row?.negative ?? 0);
    revenue.set(row?.revenue ?? 0);
  };
}

/** What is known to be missing, and what is being done about it. */
export function addCoverageMetrics({ catalogue }: JobsServices, registry: Registry): Refresh {
  const probes = addGauge(registry, 'coverage_probes', 'Notices requested by id, by state.', ['source', 'state']);
  const gaps = addGauge(registry, 'coverage_gap_seconds', 'Time in the covered span that no window covers.', [
    'source',
  ]);
  const unproved = addGauge(registry, 'coverage_unproved_windows', 'Windows too full to prove anything.', ['source']);
  const missing = addGauge(registry, 'coverage_missing_numbers', 'Numbers of a sequence nothing explains.', ['source']);
  const overdue = addGauge(registry, 'coverage_overdue_ids', 'Ids that days of asking have not settled.', ['source']);
  return async () => {
    probes.reset();
    const counted = await catalogue.read<{ source: string; state: string; probes: number }>({ sql: PROBES });
    for (const { source, state, probes: count } of counted) probes.set({ source, state }, count);
    for (const { source, summary } of await catalogue.read<{ source: string; summary: string }>({ sql: SUMMARIES })) {
      const known = JSON.parse(summary) as CoverageSummary;
      gaps.set({ source }, known.gaps.seconds);
      unproved.set({ source }, known.unproved);
      overdue.set({ source }, known.overdue);
      missing.set(
        { source },
        known.sequence.reduce((sum, year) => sum + year.missing, 0),
      );
    }
  };
}

/** How far the index of every engine is behind the catalogue. */
export function addSearchMetrics({ catalogue, search, log }: JobsServices, registry: Registry): Refresh {
  const help = 'Changed rows that the index has not received, 100,000 at most; NaN while it cannot be asked.';
  const lag = addGauge(registry, 'search_lag_rows', help, ['engine']);
  return async () => {
    const warn = (error: unknown) => log.warn({ err: error }, 'the search index could not be asked how far it is');
    for (const { engine, lag_rows } of await readIndexLag(catalogue, search, warn)) {
      lag.set({ engine }, lag_rows ?? Number.NaN);
    }
  };
}
