import { EXPORT_DATASETS, type ExportDataset } from '../../../../schema/accounts/exports/datasets.ts';
import { DATASET_FILTERS } from '../../../operations/exports/filters.ts';
import { beginningOf } from '../../components/repeat-in-part.ts';
import { isSeveral } from '../../filters/values.ts';

/** The form of an export as texts, under the API's own names; what was left blank is absent. */
export type Asked = Readonly<Record<string, string>> & { readonly dataset: ExportDataset };

/** The longest query that is taken, as usual words are written, and filters next to it. */
const SHOWN = { ofValue: 2_000, ofAll: 3_000 };
const OTHERS = ['query', 'format', 'excel', 'max_rows'];

/** What an address or a form asks for. Filters that its dataset does not take are left out, as is every other name. */
export function readAsked(came: Readonly<Record<string, unknown>>): Asked {
  const dataset = EXPORT_DATASETS.find((one) => one === came.dataset) ?? 'notices';
  const names = [...OTHERS.slice(0, 1), ...DATASET_FILTERS[dataset], ...OTHERS.slice(1)];
  const fields = names.map((name) => [name, readText(name, came[name])] as const);
  return Object.assign(Object.fromEntries(fields.filter(([, value]) => value !== '')), { dataset });
}

/** The same as its form shows it again: whole where it is of usual length. */
export function shortAsked(asked: Asked): Asked {
  return { ...beginningOf(asked, SHOWN), dataset: asked.dataset };
}

/** Values that were ticked one by one become one list; of anything else the first is meant. */
function readText(name: string, came: unknown): string {
  const texts = (Array.isArray(came) ? came : [came]).filter((text): text is string => typeof text === 'string');
  const filled = texts.map((text) => text.trim()).filter(Boolean);
  return isSeveral(name) ? filled.join(',') : (filled[0] ?? '');
}
