import { z } from 'zod';
import { londonDate } from '../../../schema/config/clocks.ts';
import { IndexOutdated, SearchUnavailable } from '../../../search/engine.ts';
import type { SearchFilters } from '../../../search/filters/index.ts';
import { rowsOf } from '../../../search/filters/read.ts';
import { GROUPINGS, type Grouping } from '../../../search/summary/groups.ts';
import type { SummaryAnswer } from '../../../search/summary/pass.ts';
import { InvalidInput, Refusal } from '../../contract/errors.ts';
import { defineOperation, type Services } from '../../contract/operation.ts';
import { readFreshness } from '../../reads/sources.ts';
import { sayUnknown } from '../../validation/words.ts';
import { checkBounds, effectiveFilters, type GivenFilters, sayFilters } from '../filters/apply.ts';
import { findUnknownFilters, UNKNOWN_KEPT, UNKNOWN_MAX } from '../filters/known.ts';
import { contractFilters, query } from '../search/inputs.ts';
import { describe, namesOf, optionally, shape } from '../shared/inputs.ts';
import { lineOfAccounts } from '../shared/turns.ts';
import { toGroups } from './groups.ts';
import { type Matched, matchContracts } from './matched.ts';
import { contractSummary, measure, toSums } from './sums.ts';

const WAYS_MAX = 2;
const GROUPS_MAX = 200;

const input = z.strictObject({
  group_by: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .meta(describe(`One or two with a comma: ${GROUPINGS.join(', ')}`, 'buyer', 'supplier,year')),
  query: optionally(query),
  ...contractFilters,
  measure: measure.default('value').describe('Orders the groups'),
  cpv_level: z.int().min(2).max(8).default(2).describe('Digits of a CPV code that make a group'),
  limit: z.int().min(1).max(GROUPS_MAX).default(20).describe('Groups listed'),
  ...shape,
});

type Input = z.output<typeof input>;

const SUMMARISING = lineOfAccounts('summaries', 'Summaries are made');

export const summariseContracts = defineOperation({
  name: 'summarise_contracts',
  title: 'Add up contracts by group',
  description:
    'Use this to add up a market: who buys or supplies most, by category, region or award year. ' +
    'Answers groups with counts and totals by currency (whole contracts, not payments; net where stated), the rest, and what is in no sum and why. ' +
    'Shared contracts count for each supplier, once in total; framework_places are extra. ' +
    'Filters as in {search_contracts}; cpv finds any code, group_by cpv the main one.',
  credits: 5,
  input,
  filters: rowsOf('contracts'),
  describedBy: {
    tools: ['search_contracts', 'search_notices'],
    inputs: ['query', 'detail', ...Object.keys(contractFilters)],
  },
  output: contractSummary,
  bindings: [
    {
      method: 'GET',
      path: '/contracts/summary',
      operationId: 'summarise_contracts',
      summary: 'Contracts counted and added up by group',
      description:
        'Counts contracts and adds up their values by one or two ways of grouping. Only stated, believed values of single suppliers are added, each currency by itself; the others are counted with the reason. A shared contract counts in the group of each of its suppliers and once in total. By cpv, region, source or direct_award_ground each counts once, under its main code, its region, own service or first ground, so that a filter by the same value may find more; one performed in several of the widest regions is in the group England or United Kingdom. By sme or vcse the groups are true, where a supplier is one, and false. A group whose id is null holds contracts that state none. The sums equal what an export with the same filters adds up to.',
      inputs: namesOf(input),
      example: { group_by: 'buyer' },
    },
  ],
  stated: [
    'groups.id',
    'groups.name',
    'groups.contract_count',
    'groups.value_total',
    'groups.share',
    'others',
    'total',
  ],
  shortening: {
    of: 'groups',
    keep: [
      'groups.second',
      'groups.framework_places',
      'others',
      'others.framework_places',
      'total.framework_places',
      'total.not_in_total',
      ...UNKNOWN_KEPT,
    ],
    most: { groups: GROUPS_MAX, ...UNKNOWN_MAX },
  },
  example: { group_by: 'buyer,year', limit: 10 },
  check(input) {
    parseGroups(input.group_by);
    checkBounds(input);
  },
  async run(input, services, { accountId }) {
    const groupBy = parseGroups(input.group_by);
    const filters = await effectiveFilters(services.catalogue, filtersOf(input));
    const { answer, said } = await services.machine.inTurn(SUMMARISING, accountId, () =>
      summarise(services, { ...input, groupBy, filters }),
    );
    const isEmpty = answer.groupCount === 0;
    const unknown = await findUnknownFilters(services.catalogue, filters, { found: !isEmpty });
    const groups = await toGroups(services.catalogue, groupBy, input.measure, answer);
    const body = {
      group_by: groupBy,
      measure: input.measure,
      groups,
      count: groups.length,
      group_count: answer.groupCount,
      ...(answer.groupCount > groups.length && { others: toSums(answer.others) }),
      total: toSums(answer.total),
      meta: {
        ...said,
        filters: sayFilters(filters),
        as_of: await readFreshness(services.catalogue),
        ...(unknown && { unknown_filters: unknown }),
      },
    };
    return { kind: 'answer', body, ...(isEmpty && { charge: 'none' as const }) };
  },
});

function filtersOf({ group_by, query, measure, cpv_level, limit, detail, fields, ...filters }: Input): GivenFilters {
  return filters;
}

/** The groupings in a list. @throws InvalidInput for an unknown one, a repeated one, and more than two */
function parseGroups(list: string): Grouping[] {
  const parts = list.toLowerCase().split(',');
  const names = parts.map((name) => name.trim()).filter(Boolean);
  const unknown = names.filter((name) => !GROUPINGS.includes(name as Grouping));
  const refuse = (msg: string, type: string, ctx: Record<string, string | number>) =>
    new InvalidInput({ path: ['group_by'], msg, type, input: list, ctx });
  const expected = GROUPINGS.join(', ');
  if (unknown.length > 0) throw refuse(sayUnknown(unknown, GROUPINGS), 'literal_error', { expected });
  if (names.length === 0) throw refuse(`give one of ${expected}`, 'missing', { expected });
  // A repeated name is a mistake: grouping by one alone would be charged and useless.
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice) throw refuse(`${twice} is named twice; give one, or two that differ`, 'value_error', { expected });
  if (names.length > WAYS_MAX)
    throw refuse(`At most ${WAYS_MAX} ways of grouping at once, these are ${names.length}`, 'too_long', {
      max_length: WAYS_MAX,
    });
  return names as Grouping[];
}

const UNPREPARED =
  'The contracts are being prepared for summaries, which takes a minute or two. Nothing was charged; try again then.';
const NOT_IN_TIME =
  'This summary cannot be made in time just now. Nothing was charged; try again in a moment. If that does not help, narrow it by awarded_from and awarded_to, cpv or buyer_id, or group by one thing.';

/** @throws Refusal with advice on narrowing, where the summary cannot be calculated in time */
async function summarise(
  services: Services,
  asked: Input & { groupBy: Grouping[]; filters: SearchFilters },
): Promise<{ answer: SummaryAnswer; said?: Matched['said'] }> {
  const { groupBy, filters, measure, limit, cpv_level: cpvLevel } = asked;
  const today = londonDate(services.clocks.catalogueNow());
  try {
    const matched = await matchContracts(services, asked.query, filters);
    const wanted = { groupBy, filters, measure, limit, cpvLevel, today };
    const answer = await services.summaries.summarise({ ...wanted, ...(matched && { matches: matched.prints }) });
    return { answer, ...(matched && { said: matched.said }) };
  } catch (error) {
    if (!(error instanceof SearchUnavailable) || error instanceof IndexOutdated) throw error;
    const message = error.reason === 'behind' ? UNPREPARED : NOT_IN_TIME;
    throw new Refusal(503, 'unavailable', message, { headers: { 'Retry-After': '1' } });
  }
}
