import { isoInstant, londonDate, londonInstant } from '../../schema/config/clocks.ts';
import type { Statement } from '../../schema/db/interface.ts';
import { sha256 } from '../../schema/text/json-values.ts';
import { contactsOpenAt } from '../contacts/personal-details.ts';
import type { IngestContext, Progress, RunReport } from '../context.ts';
import { UpstreamRefused, UpstreamUnavailable } from '../http/client.ts';
import { type ReadPage, readOcdsPage } from '../parse/page.ts';
import { UnreadablePage } from '../parse/repair.ts';
import { type BesideRun, runBeside } from '../runs/once.ts';
import { addCounts, countAsking, countRunStatement, countStored, fenceOf } from '../runs/record.ts';
import type { WindowsSource } from '../source.ts';
import { storePage } from '../store/page.ts';
import { updateCoverage } from './coverage.ts';

export interface ProbeOptions {
  /** Most ids asked for in this run. */
  limit: number;
  onProgress?: ((progress: Progress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** The verdict after the first time that nothing was served for an id; the second time, on another day, is final. */
const NOT_SERVED = 'nothing is served for it (404)';

const ANSWERED = `UPDATE probe SET state = ?, error = ?, asked_at = ?, attempts = attempts + 1
  WHERE source = ? AND notice_id = ?`;
const REFUSED = "UPDATE probe SET state = 'failed', error = ? WHERE source = ? AND notice_id = ?";
/** The last run of the source failed: it may be down, and then nothing is served for any id. */
const FAILING = 'SELECT 1 FROM source WHERE id = ? AND last_error IS NOT NULL';
/** An id that was not served today is requested again on another day; one that failed may be requested at once. */
const DUE = `SELECT notice_id, error FROM probe WHERE source = ?1
  AND (state = 'failed' OR (state = 'wanted' AND (asked_at IS NULL OR asked_at < ?2)))
  ORDER BY asked_at IS NOT NULL, asked_at, notice_id LIMIT ?3`;

/** When an id was requested by a clock that was ahead is unknown, so it counts as not requested. */
const MEND = `UPDATE probe SET state = 'wanted', error = NULL, asked_at = NULL
  WHERE source = ?1 AND state IN ('wanted', 'never_published') AND asked_at > ?2`;

interface DueProbe {
  notice_id: string;
  error: string | null;
}

interface Verdict {
  state: 'wanted' | 'fetched' | 'never_published' | 'failed';
  error: string | null;
}

/** What came could be read, but not compiled. */
const UNCOMPILED = { state: 'failed', error: 'in quarantine: it cannot be compiled' } as const;

/** After this many ids in a row without a usable answer, the service counts as down. */
const UNAVAILABLE_MAX = 3;

/**
 * Requests by id what a source should have published but no window contained. What arrives is stored like any release;
 * what is not served on two days was never published; what cannot be read is requested again. Each answer is stored in
 * one batch with its verdict, so that a killed run continues from where it stopped.
 */
export function runProbes(context: IngestContext, source: WindowsSource, options: ProbeOptions): Promise<RunReport> {
  const { signal } = options;
  const { budget } = source.byId;
  return runBeside(context, { source, job: 'probe', budget, signal }, async (run) => {
    await updateCoverage(context, source);
    try {
      return await askAll({ context, source, run, options });
    } finally {
      await updateCoverage(context, source);
    }
  });
}

interface Asking {
  context: IngestContext;
  source: WindowsSource;
  run: BesideRun;
  options: ProbeOptions;
}

async function askAll(asking: Asking): Promise<string[]> {
  const { context, source, run, options } = asking;
  const due = await readDue(asking);
  const faults: string[] = [];
  let unavailable = 0;
  for (const [index, probe] of due.entries()) {
    options.signal?.throwIfAborted();
    const answer = await askOne(asking, probe);
    countAsking(run.tally, run.client);
    const verdict = await storeAnswer(asking, probe, answer);
    if (verdict.state === 'failed') faults.push(`${probe.notice_id}: ${verdict.error}`);
    options.onProgress?.({
      source: source.id,
      requests: run.client.requests(),
      releases: run.tally.releases,
      windowsLeft: due.length - index - 1,
      fraction: (index + 1) / due.length,
    });
    unavailable = answer.unavailable ? unavailable + 1 : 0;
    if (unavailable === UNAVAILABLE_MAX) break;
  }
  const left = await countLeft(context, source);
  if (left > 0) run.tally.warning = `${left} ids are still to be asked for`;
  return faults;
}

/** The ids to request now, those never requested first. */
async function readDue({ context, source, options }: Asking): Promise<DueProbe[]> {
  const { catalogue, clocks } = context;
  const now = clocks.wallNow();
  await catalogue.write([...fenceOf(context), { sql: MEND, args: [source.id, isoInstant(now)] }]);
  const today = londonInstant(`${londonDate(now)}T00:00:00`);
  return catalogue.read<DueProbe>({ sql: DUE, args: [source.id, isoInstant(today), options.limit] });
}

async function countLeft({ catalogue }: IngestContext, source: WindowsSource): Promise<number> {
  const sql = "SELECT count(*) AS ids FROM probe WHERE source = ? AND state IN ('wanted', 'failed')";
  const [row] = await catalogue.read<{ ids: number }>({ sql, args: [source.id] });
  return row?.ids ?? 0;
}

interface Answer {
  verdict: Verdict;
  page: ReadPage | null;
  /** The service gave no usable answer at all: its fault, not the id's. */
  unavailable?: boolean;
}

async function askOne({ context, source, run, options }: Asking, probe: DueProbe): Promise<Answer> {
  const url = source.byId.url(source.baseUrl(context.settings), probe.notice_id);
  try {
    const response = await run.client.fetch({ url, signal: options.signal });
    if (!response) return { verdict: await judgeNotServed(context, source, probe), page: null };
    return readAnswer(response.bytes, { source: source.id, url, id: probe.notice_id });
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof UpstreamUnavailable) return { ...failed(error.message), unavailable: true };
    if (error instanceof UpstreamRefused) return failed(error.message);
    throw error;
  }
}

function readAnswer(bytes: Uint8Array, { source, url, id }: { source: string; url: string; id: string }): Answer {
  try {
    const page = readOcdsPage(bytes, { source, url });
    const [bad] = page.quarantined;
    if (page.releases.some(({ releaseId, ocid }) => releaseId === id || ocid === id)) {
      return { verdict: { state: 'fetched', error: null }, page };
    }
    return { ...failed(bad ? `in quarantine: ${bad.reason}` : 'the answer does not hold it'), page };
  } catch (error) {
    if (!(error instanceof UnreadablePage)) throw error;
    const quarantined = [{ kind: 'page' as const, reason: error.message, url, bytes }];
    const page = { releases: [], quarantined, repairs: {}, unknown: [], next: null, pageSha256: sha256(bytes) };
    return { ...failed(error.message), page };
  }
}

/** Publication may lag behind a number: only a second day without an answer makes it final, and none of an outage. */
async function judgeNotServed({ catalogue }: IngestContext, { id }: WindowsSource, probe: DueProbe): Promise<Verdict> {
  if ((await catalogue.read({ sql: FAILING, args: [id] })).length > 0) return { state: 'wanted', error: probe.error };
  return { state: probe.error === NOT_SERVED ? 'never_published' : 'wanted', error: NOT_SERVED };
}

function failed(error: string): Answer {
  return { verdict: { state: 'failed', error }, page: null };
}

/** One batch: what came, the verdict on the id, and how far the run is. Returns the verdict. */
async function storeAnswer(
  { context, source, run, options: { signal } }: Asking,
  probe: DueProbe,
  { verdict, page }: Answer,
): Promise<Verdict> {
  const { catalogue, clocks } = context;
  const { tally, runId } = run;
  const at = isoInstant(clocks.wallNow());
  tally.releases += page?.releases.length ?? 0;
  tally.quarantined += page?.quarantined.length ?? 0;
  addCounts(tally.repairs, page?.repairs ?? {});
  const after: Statement[] = [
    { sql: ANSWERED, args: [verdict.state, verdict.error, at, source.id, probe.notice_id] },
    countRunStatement(runId, tally),
  ];
  const stored = await storePage(catalogue, {
    source: source.id,
    fetchedAt: at,
    now: at,
    releases: page?.releases ?? [],
    quarantined: page?.quarantined ?? [],
    pageSha256: page?.pageSha256 ?? '',
    contactsOpenAt: contactsOpenAt(context),
    before: fenceOf(context),
    after,
    afterRefusal: [{ sql: REFUSED, args: [UNCOMPILED.error, source.id, probe.notice_id] }],
    signal,
  });
  countStored(tally, stored);
  return stored.refused > 0 ? UNCOMPILED : verdict;
}
