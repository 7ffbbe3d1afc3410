import { z } from 'zod';
import { EXPORT_DATASETS, EXPORT_FORMATS, type ExportDataset } from '../../../schema/accounts/exports/datasets.ts';
import {
  abandonBatches,
  type StagedExport,
  stageKeysStatement,
  stageStatement,
  startStatements,
} from '../../../schema/accounts/exports/states.ts';
import { isoInstant } from '../../../schema/config/clocks.ts';
import { COMPANY_STATUSES } from '../../../schema/reference/company-status.ts';
import { joinAttributionsWithAddress, LICENCE } from '../../../schema/reference/licence.ts';
import { randomBase62 } from '../../../schema/text/tokens.ts';
import { STATUS_CHOICES } from '../../../search/filters/contracts.ts';
import { BID_STATUSES, type SearchFilters } from '../../../search/filters/index.ts';
import { LISTED_ROWS } from '../../../search/filters/listed.ts';
import { ROWS } from '../../../search/filters/read.ts';
import { anyCodes, someOf } from '../../../search/filters/shapes.ts';
import { yieldToEventLoop } from '../../concurrency/machine.ts';
import { InvalidInput, Refusal } from '../../contract/errors.ts';
import { defineOperation, type Services } from '../../contract/operation.ts';
import { readAttributions } from '../../reads/sources.ts';
import { checkBounds, effectiveFilters, type GivenFilters, sayFilters } from '../filters/apply.ts';
import { findUnknownFilters } from '../filters/known.ts';
import { checkCompanyDays, companyFilters } from '../search/companies.ts';
import { allFilters, query } from '../search/inputs.ts';
import { namesOf } from '../shared/inputs.ts';
import { lineOfAccounts } from '../shared/turns.ts';
import { checkDatasetFilters } from './filters.ts';
import { assertHere, type CountedRows, countWanted, type IsGone } from './keys.ts';
import { exportAnswer } from './shapes.ts';

/** The rows that one price is for; a started block is paid whole. */
export const BLOCK_ROWS = 1_000;
const BLOCK_CREDITS = 100;
const ROWS_MAX = 1_000_000;

/** Filters that a search describes. Status is described here because its words differ by dataset. */
const SEARCHED = ['query', ...[...ROWS, ...LISTED_ROWS].map(({ name }) => name).filter((name) => name !== 'status')];
/** The operation that returns pages of a dataset, by its id. */
function searchOf(name: ExportDataset): string {
  return name === 'companies' || name === 'buyers' ? `{list_${name}}` : `{search_${name}}`;
}
const STATUSES = [...new Set([...BID_STATUSES, ...STATUS_CHOICES, ...COMPANY_STATUSES])];
/** Described with the words of all datasets; `checkDatasetFilters` refuses any other with those of its own. */
function statusOf(description: string) {
  const described = someOf(z, STATUSES, description, 'open').meta() ?? {};
  return anyCodes(z).optional().meta(described);
}

const input = z.strictObject({
  dataset: z
    .enum(EXPORT_DATASETS)
    .default('notices')
    .describe(`Query and filters as in ${EXPORT_DATASETS.map(searchOf).join(', ')}`),
  query: query.optional().describe('Words; of companies and buyers, of the name'),
  ...companyFilters,
  ...allFilters,
  status: statusOf('As in its search: of tenders open by default, of others any'),
  format: z.enum(EXPORT_FORMATS).default('csv').describe('Of the file'),
  excel: z.boolean().default(false).describe('A CSV with a byte order mark'),
  max_rows: z.int().min(1).max(ROWS_MAX).default(1_000).describe('Most rows to pay for'),
  dry_run: z.boolean().default(false).describe('Only count and price, free'),
});
/** Counting reads every row: one account must not delay the others. */
const COUNTING = lineOfAccounts('exports', 'Exports and quotes are made');

type Input = z.output<typeof input>;

export const bulkExport = defineOperation({
  name: 'bulk_export',
  title: 'Export many rows as a file',
  description:
    'Use this when you need whole rows in bulk, as a file. ' +
    'Set dry_run first: it counts the rows and says the price, free. ' +
    'Ask {get_export} for the download. Newest rows first, companies and buyers by last award.',
  credits: BLOCK_CREDITS,
  priceNote: '100 credits per started 1,000 rows',
  input,
  filters: [...ROWS, ...LISTED_ROWS],
  describedBy: {
    tools: EXPORT_DATASETS.map((name) => `search_${name}`),
    inputs: SEARCHED,
  },
  output: exportAnswer,
  bindings: [
    {
      method: 'POST',
      path: '/exports',
      operationId: 'bulk_export',
      summary: 'Export many rows as a file',
      description:
        'Writes many rows into one file: CSV, JSON Lines or Parquet. dry_run counts the rows and states the price, free. The rows are the newest, at most max_rows; companies and buyers go by their last award, those without one by incorporation. The file is written in the background: ask {get_export} until status is completed, then fetch download_url.',
      inputs: namesOf(input),
      example: { dataset: 'notices', max_rows: 100 },
    },
  ],
  example: { dataset: 'notices', max_rows: 100 },
  stated: ['export_id', 'status', 'rows', 'matched', 'credits_required'],
  check(input) {
    checkDatasetFilters(input.dataset, filtersOf(input));
    checkExcel(input);
    checkBounds(input);
    checkCompanyDays(input);
  },
  // The cost is known once the rows are counted: an account that cannot afford the smallest export only gets a quote.
  creditsNeeded: ({ dry_run }) => (dry_run ? 0 : BLOCK_CREDITS),
  async run(input, services, caller, isGone) {
    if (!input.dry_run) await assertReachable(services);
    const filters = await appliedFilters(services, input);
    const wanted = { ...input, filters, maxRows: input.max_rows };
    const inTurn = <T>(work: () => Promise<T>) => services.machine.inTurn(COUNTING, caller.accountId, work);
    const counted = await inTurn(() => countWanted(services, wanted, isGone));
    const { rows } = counted;
    const searched = { dataset: input.dataset, found: rows > 0 };
    const unknown = await findUnknownFilters(services.catalogue, filters, searched);
    const unknownToo = unknown && { unknown_filters: unknown };
    const credits = Math.ceil(rows / BLOCK_ROWS) * BLOCK_CREDITS;
    const attribution = joinAttributionsWithAddress(await readAttributions(services.catalogue));
    const described = { ...describe(input, filters, counted), attribution };
    if (input.dry_run || rows === 0) {
      const quote = { export_id: null, status: 'quote' as const, ...described, credits_required: credits };
      return { kind: 'answer', body: { ...quote, ...unknownToo }, charge: 'none' };
    }
    const staged: StagedExport = {
      id: `ex_${randomBase62(20)}`,
      accountId: caller.accountId,
      dataset: input.dataset,
      format: input.format,
      excel: input.excel,
      filters: described.filters,
      rows,
      matched: counted.matched,
      at: isoInstant(services.clocks.wallNow()),
    };
    return {
      kind: 'answer',
      body: { export_id: staged.id, status: 'processing' as const, ...described, created_at: staged.at, ...unknownToo },
      credits,
      prepare: () => inTurn(() => stage(services, staged, counted, isGone)),
      abandon: () => abandon(services, staged),
      alongside: (charge) => startStatements(staged.id, charge),
    };
  },
});

/** Only CSV files may begin with a byte order mark. @throws InvalidInput for any other */
function checkExcel({ excel, format }: Input): void {
  if (!excel || format.startsWith('csv')) return;
  throw new InvalidInput({
    path: ['excel'],
    msg: `Only csv and csv.gz take excel, this is ${format}`,
    type: 'value_error',
    input: excel,
  });
}

const OUT_OF_REACH =
  'Exports cannot be made just now: their files would be out of reach. Nothing was charged; try again in a moment.';

/** A file that this process could not serve is never charged for. @throws Refusal */
async function assertReachable({ findExportFault }: Services): Promise<void> {
  if (await findExportFault())
    throw new Refusal(503, 'unavailable', OUT_OF_REACH, { headers: { 'Retry-After': '30' } });
}

async function stage(
  { accounts }: Services,
  staged: StagedExport,
  counted: CountedRows,
  isGone?: IsGone,
): Promise<void> {
  await accounts.write([stageStatement(staged)]);
  let position = 0;
  for await (const keys of counted.readKeys()) {
    await accounts.write([stageKeysStatement(staged.id, position, keys)]);
    position += keys.length;
    await yieldToEventLoop();
    assertHere(isGone);
  }
}

async function abandon({ accounts }: Services, { id, rows }: StagedExport): Promise<void> {
  for (const batch of abandonBatches(id, rows)) {
    await accounts.write(batch);
    await yieldToEventLoop();
  }
}

function filtersOf({
  dataset: _d,
  query: _q,
  format: _f,
  excel: _e,
  max_rows: _m,
  dry_run: _r,
  ...filters
}: Input): GivenFilters {
  // A status is checked by its dataset.
  return filters as GivenFilters;
}

/** Live tenders by default, as in the tender search. */
function appliedFilters({ catalogue }: Services, input: Input): Promise<SearchFilters> {
  const live = input.dataset === 'tenders' ? { status: (input.status ?? 'open') as GivenFilters['status'] } : {};
  return effectiveFilters(catalogue, { ...filtersOf(input), ...live });
}

function describe({ dataset, format, query }: Input, filters: SearchFilters, counted: CountedRows) {
  const { rows, matched, isAtLeast } = counted;
  return {
    rows,
    matched,
    matched_is: isAtLeast ? ('at_least' as const) : ('exact' as const),
    dataset,
    format,
    filters: { ...(query && { query }), ...sayFilters(filters) },
    licence: LICENCE,
  };
}
