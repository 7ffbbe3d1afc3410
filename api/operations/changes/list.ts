import { createTask } from 'node-cron';
import { z } from 'zod';
import { instant } from '../../../schema/answers/shapes.ts';
import { CHANGE_KINDS, type ChangeKind } from '../../../schema/catalogue/changes/kinds.ts';
import { isoInstant } from '../../../schema/config/clocks.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { COMPANY_STATUSES } from '../../../schema/reference/company-status.ts';
import { type ChangeFilters, changeFilterNames } from '../../../search/changes/match.ts';
import type { ChangesPage } from '../../../search/changes/page.ts';
import { ROWS } from '../../../search/filters/read.ts';
import { someOf, splitList } from '../../../search/filters/shapes.ts';
import { InvalidInput } from '../../contract/errors.ts';
import { defineOperation } from '../../contract/operation.ts';
import { checkBounds, effectiveFilters, type GivenFilters } from '../filters/apply.ts';
import { findUnknownFilters, unknownFilters } from '../filters/known.ts';
import { checkCompanyDays, companyFilters } from '../search/companies.ts';
import { allFilters } from '../search/inputs.ts';
import { namesOf } from '../shared/inputs.ts';
import { lineOfAccounts } from '../shared/turns.ts';
import { checkSince, readSince, writeChangeCursor } from './cursor.ts';
import { changedItem } from './shapes.ts';

const CREDITS = 2;
/** Items that these credits are for. */
const BLOCK = 100;

const { status: _status, ...lasting } = allFilters;
const { sic, postcode, incorporated_from, incorporated_to, won, won_from, won_to, won_value_min } = companyFilters;
const filters = {
  ...lasting,
  sic,
  postcode,
  incorporated_from,
  incorporated_to,
  won,
  won_from,
  won_to,
  won_value_min,
  company_status: someOf(z, COMPANY_STATUSES, `${COMPANY_STATUSES.slice(0, 4).join(', ')}…`, 'liquidation'),
};
const LISTS = ['sic', 'postcode', 'company_status'] as const;
const BOUNDS = ['incorporated_from', 'incorporated_to', 'won_from', 'won_to'] as const;
const OF_COMPANIES: readonly string[] = [...LISTS, ...BOUNDS, 'won', 'won_value_min'];

/** Characters of the longest cursor, with some to spare: it repeats the ids in the filters, whatever their script. */
const SINCE_MAX = 8_000;

/** A page that its filters leave empty is free, and may take longer than a full one. */
const READING = lineOfAccounts('changes', 'Pages of changes are read');

const input = z.strictObject({
  since: z.string().min(1).max(SINCE_MAX).optional().describe('The last next_cursor, or an instant; absent: all'),
  kinds: someOf(z, CHANGE_KINDS, `${CHANGE_KINDS.join(', ')}; commas between`, 'notice,contract'),
  limit: z.int().min(1).max(1_000).default(BLOCK).describe('Items a page'),
  ...filters,
});
type Input = z.output<typeof input>;

export const listChanges = defineOperation({
  name: 'list_changes',
  title: 'Changes',
  description:
    'Use this to keep up with what is new, updated or gone, or keep a copy: send next_cursor as since. ' +
    'Filters as in {search_notices}, {search_tenders}, {search_contracts}, {search_frameworks}, {list_companies} (status is company_status) and {list_buyers}.',
  credits: CREDITS,
  priceNote: `${CREDITS} credits per started ${BLOCK} items`,
  cursorExpires: true,
  input,
  filters: ROWS.filter(({ name }) => name in filters),
  describedBy: {
    tools: [
      'search_notices',
      'search_tenders',
      'search_contracts',
      'search_frameworks',
      'search_companies',
      'search_buyers',
    ],
    inputs: Object.keys(filters).filter((name) => name !== 'company_status'),
  },
  output: z.object({
    items: z.array(changedItem),
    count: z.int(),
    has_more: z.boolean().describe('Whether to ask again at once'),
    unknown_filters: unknownFilters,
    next_cursor: z.string(),
    ask_again: instant.optional().describe('From when on there may be more'),
  }),
  bindings: [
    {
      method: 'GET',
      path: '/changes',
      operationId: 'list_changes',
      summary: 'What is new, changed or gone',
      description:
        'Lists what is new, updated, left or gone since a cursor or an instant, in the order in which it became visible. Nothing is skipped, whatever arrives late, also over a rebuild of the data. An item is the brief one of its kind, as it is now; what the day alone decides (a status) is neither reported nor part of it. Send next_cursor as since; where has_more is false, ask again at ask_again. Without since everything that is held comes first, so a copy begins empty. Each filter must apply to every kind in kinds; without kinds, the answer has the kinds to which it applies. Of companies cpv, won_from, won_to and won_value_min are about what they won, of buyers cpv about what they buy, as in their lists. It takes no query. For a cursor or an instant before the last 90 days, left and gone also name what never matched.',
      inputs: namesOf(input),
      // The same row first, however a demo's batches are cut.
      example: { kinds: 'framework', buyer_id: 'GB-PPON-PBPR-5137-RWZL', limit: 1 },
    },
  ],
  stated: ['items.kind', 'items.id', 'items.change', 'items.item', 'has_more', 'next_cursor'],
  toolDefaults: { limit: 7 },
  example: { kinds: 'framework', limit: 1 },
  check(given) {
    checkSince(given.since);
    checkBounds(given);
    checkCompanyDays(given);
    kindsOf(given);
  },
  async run(given, { catalogue, longReads, clocks, machine }, { accountId }) {
    const { since, kinds: _kinds, limit, ...others } = given;
    const own = Object.entries(others).filter(([name]) => OF_COMPANIES.includes(name));
    const shared = Object.fromEntries(Object.entries(others).filter(([name]) => !OF_COMPANIES.includes(name)));
    const wanted = {
      ...(await effectiveFilters(catalogue, shared as GivenFilters)),
      ...Object.fromEntries(own),
      ...Object.fromEntries(LISTS.flatMap((name) => (given[name] ? [[name, splitList(given[name])]] : []))),
    } as ChangeFilters;
    const position = await readSince(catalogue, since, wanted);
    const asked = { position, kinds: kindsOf(given), filters: wanted, limit };
    const page = await machine.inTurn(READING, accountId, () => longReads.readChangesPage(asked));
    const dataset = asked.kinds.every((kind) => kind === 'company') ? 'companies' : undefined;
    const unknown = await findUnknownFilters(catalogue, wanted, { dataset, found: page.changes.length > 0 });
    const items = page.changes.map(({ at, ...change }) => ({ ...change, ...(at && { at }) }));
    const now = clocks.wallNow();
    const body = {
      items,
      count: items.length,
      has_more: !page.isDone,
      ...(unknown && { unknown_filters: unknown }),
      next_cursor: (page.isBehind && since) || (await writeChangeCursor(catalogue, page.next, wanted)),
      ...((page.isDone || items.length === 0) && { ask_again: isoInstant(await whenToAsk(catalogue, page, now)) }),
    };
    if (items.length === 0) return { kind: 'answer', body, charge: 'none' };
    return { kind: 'answer', body, credits: CREDITS * Math.ceil(items.length / BLOCK) };
  },
});

/** When there may be more: for a page that its filters left empty, but that is not the last, at once. */
async function whenToAsk(catalogue: Database, { isDone, isBehind }: ChangesPage, now: Date): Promise<Date> {
  if (!isDone) return now;
  return isBehind ? soon(now) : readAskAgain(catalogue, now);
}

/** The kinds that are asked for; without any named, those that have every filter. @throws InvalidInput for a filter of another kind */
function kindsOf({ kinds, since: _since, limit: _limit, ...given }: Input): readonly ChangeKind[] {
  const names = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const having = (name: string) => CHANGE_KINDS.filter((kind) => changeFilterNames(kind).includes(name));
  const asked = kinds ? (splitList(kinds) as ChangeKind[]) : CHANGE_KINDS;
  const fitting = CHANGE_KINDS.filter(
    (kind) => asked.includes(kind) && names.every((name) => having(name).includes(kind)),
  );
  if (fitting.length > 0 && (!kinds || fitting.length === new Set(asked).size)) return fitting;
  const wrong = names.find((name) => !asked.every((kind) => having(name).includes(kind))) ?? '';
  throw new InvalidInput({
    path: [wrong],
    msg: `a filter of ${having(wrong).join(', ')} alone; send those as kinds, and the others in a call of their own`,
    type: 'value_error',
  });
}

/** By when a copy of the catalogue has what the machine that answered before had, as a rule. */
const CATCHES_UP_MS = 5_000;
const soon = (now: Date) => new Date(now.getTime() + CATCHES_UP_MS);

const MINUTE_MS = 60_000;
/** How long a run takes until what it brings is visible. */
const RUN_MINUTES = 2;
/** The longest wait, where no source is due sooner: other jobs change rows too. */
const LONGEST_MINUTES = 60;
const TIMETABLE_ZONE = 'Europe/London';

/** When to ask again: soon after the next run of a source, an hour from `now` at most. */
export async function readAskAgain(catalogue: Database, now: Date): Promise<Date> {
  const sources = await catalogue.read<{ timetable: string }>({ sql: 'SELECT DISTINCT timetable FROM source' });
  const tasks = sources.map(({ timetable }) => createTask(timetable, () => undefined, { timezone: TIMETABLE_ZONE }));
  try {
    const minute = now.getTime() - (now.getTime() % MINUTE_MS);
    for (let ahead = 1; ahead < LONGEST_MINUTES; ahead++) {
      const due = new Date(minute + (ahead - RUN_MINUTES) * MINUTE_MS);
      if (tasks.some((task) => task.match(due))) return new Date(minute + ahead * MINUTE_MS);
    }
    return new Date(minute + LONGEST_MINUTES * MINUTE_MS);
  } finally {
    for (const task of tasks) void task.destroy();
  }
}
