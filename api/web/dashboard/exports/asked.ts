import { EXPORT_DATASETS, type ExportDataset } from '../../../../schema/exports.ts';
import { DATASET_FILTERS } from '../../../operations/shared/export-filters.ts';
import { isSeveral } from '../../filters/values.ts';

/** The form of an export as texts, under the API's own names; what was left blank is absent. */
export type Asked = Readonly<Record<string, string>> & { readonly dataset: ExportDataset };

const OTHERS = ['query', 'format', 'excel', 'max_rows'];
const CHARS = 1_000;

/** What an address or a form asks for. Filters that its dataset does not take are left out, as is every other name. */
export function readAsked(came: Readonly<Record<string, unknown>>): Asked {
  const dataset = EXPORT_DATASETS.find((one) => one === came.dataset) ?? 'notices';
  const names = [...OTHERS.slice(0, 1), ...DATASET_FILTERS[dataset], ...OTHERS.slice(1)];
  const fields = names.map((name) => [name, readText(name, came[name])] as const);
  return Object.assign(Object.fromEntries(fields.filter(([, value]) => value !== '')), { dataset });
}

/** Values that were ticked one by one become one list; of anything else the first is meant. */
function readText(name: string, came: unknown): string {
  const texts = (Array.isArray(came) ? came : [came]).filter((text): text is string => typeof text === 'string');
  const filled = texts.map((text) => text.trim()).filter(Boolean);
  return (isSeveral(name) ? filled.join(',') : (filled[0] ?? '')).slice(0, CHARS);
}
