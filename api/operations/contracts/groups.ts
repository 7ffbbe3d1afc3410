import type { Database } from '../../../schema/db/interface.ts';
import { divisionOf } from '../../../schema/reference/cpv.ts';
import { NATION_NAMES, type Nation, regionOfCode } from '../../../schema/reference/regions.ts';
import type { Grouping } from '../../../search/summary/groups.ts';
import type { Measure, SummaryAnswer } from '../../../search/summary/pass.ts';
import type { Sums } from '../../../search/summary/tally.ts';
import { hasNames, readNamesOf } from '../../reads/names.ts';
import { readWordsOfCode } from '../../reads/processes.ts';
import { toSums } from './sums.ts';

/** A group's key and its name; null where its contracts do not state the value. */
interface NamedGroup {
  id: string | null;
  name: string | null;
}

const DIVISION_DIGITS = 2;
const CODE_DIGITS = 8;

/** A share is rounded to four decimals. */
const SHARE_PARTS = 10_000;

/** The names of groups whose ids are the values of a flag, which the filter takes, or of a field of contracts. */
const VALUE_NAMES: Partial<Record<Grouping, Readonly<Record<string, string>>>> = {
  sme: { true: 'A supplier is small or medium-sized', false: 'No supplier is small or medium-sized' },
  vcse: {
    true: 'A supplier is a voluntary, community or social enterprise',
    false: 'No supplier is a voluntary, community or social enterprise',
  },
  framework_role: {
    call_off: 'Called off from a framework or dynamic market',
    establishes: 'Sets up a framework or dynamic market: places, no contracts',
  },
};

/** The groups of a summary with their names, sums and shares of the total. */
export async function toGroups(
  catalogue: Database,
  groupBy: readonly Grouping[],
  measure: Measure,
  answer: SummaryAnswer,
) {
  const named = await Promise.all(
    groupBy.map((grouping, way) =>
      nameGroups(
        catalogue,
        grouping,
        answer.groups.map(({ ids }) => ids[way] ?? null),
      ),
    ),
  );
  const whole = measured(answer.total, measure);
  return answer.groups.map((group, at) => {
    const [first = { id: null, name: null }, second] = named.map((each) => each[at]);
    const share = whole === 0 ? 0 : Math.round((measured(group, measure) / whole) * SHARE_PARTS) / SHARE_PARTS;
    return { ...first, ...(second && { second }), ...toSums(group), share };
  });
}

function measured({ contracts, added }: Sums, measure: Measure): number {
  return measure === 'count' ? contracts : (added.GBP?.pence ?? 0);
}

/** Names groups of one kind, by id. A CPV code has eight digits, except for a division. */
async function nameGroups(
  catalogue: Database,
  grouping: Grouping,
  ids: readonly (string | null)[],
): Promise<NamedGroup[]> {
  const known = [...new Set(ids.filter((id) => id !== null))];
  if (hasNames(grouping)) {
    const names = await readNamesOf(catalogue, grouping, known);
    return ids.map((id) => ({ id, name: id && (names.get(id) ?? id) }));
  }
  if (grouping === 'cpv') {
    const named = new Map(await Promise.all(known.map(async (id) => [id, await nameCode(catalogue, id)] as const)));
    return ids.map((id) => named.get(id ?? '') ?? { id: null, name: null });
  }
  if (grouping === 'region') return ids.map((id) => ({ id, name: id && (regionOfCode(id)?.name ?? id) }));
  if (grouping === 'nation') return ids.map((id) => ({ id, name: id && (NATION_NAMES[id as Nation] ?? id) }));
  const named = VALUE_NAMES[grouping];
  return ids.map((id) => ({ id, name: id && (named?.[id] ?? id) }));
}

async function nameCode(catalogue: Database, branch: string): Promise<NamedGroup> {
  const division = branch.length === DIVISION_DIGITS && divisionOf(branch);
  if (division) return { id: branch, name: division.name };
  const code = branch.length === DIVISION_DIGITS ? branch : branch.padEnd(CODE_DIGITS, '0');
  return { id: code, name: (await readWordsOfCode(catalogue, code)) ?? code };
}
