import { useContext } from 'preact/hooks';
import { EXPORT_DATASETS, EXPORT_FORMATS, type ExportDataset } from '../../../../schema/accounts/exports/datasets.ts';
import { filterNames, rowsOf, usualValues } from '../../../../search/filters/read.ts';
import type { FilterRow } from '../../../../search/filters/row.ts';
import { labelFormat, labelPlain } from '../../components/labels.ts';
import { withQuery } from '../../components/links.ts';
import { beginningOf } from '../../components/repeat-in-part.ts';
import { PageTitles, type SourceTitles } from '../../components/source-title.ts';
import { choicesOf, isMultiValue, labelOf, labelValue, splitValues } from '../../filters/values.ts';

export const NEW_EXPORT = '/dashboard/exports/new';
/** The longest address of a dataset's link, which repeats the form. */
const ADDRESS_CHARS = 700;

/** The fields of an export's form by their API names; blank fields are absent. */
export type ExportForm = Readonly<Record<string, string>> & { readonly dataset: ExportDataset };

/** The characters of values that a page repeats: enough for the longest query and its filters. */
const SHOWN = { ofValue: 2_000, ofAll: 3_000 };
const OTHERS = ['query', 'format', 'excel', 'max_rows'];

/** Reads the fields of an address or a form. Unknown fields and other datasets' filters are left out. */
export function readExportForm(sent: Readonly<Record<string, unknown>>): ExportForm {
  const dataset = EXPORT_DATASETS.find((one) => one === sent.dataset) ?? 'notices';
  const names = [...OTHERS.slice(0, 1), ...filterNames(dataset), ...OTHERS.slice(1)];
  const fields = names.map((name) => [name, readText(name, sent[name])] as const);
  return Object.assign(Object.fromEntries(fields.filter(([, value]) => value !== '')), { dataset });
}

/** The fields as a page repeats them: very long values are cut. */
export function shortenForm(asked: ExportForm): ExportForm {
  return { ...beginningOf(asked, SHOWN), dataset: asked.dataset };
}

/** Ticked values become one list; of other repeated fields the first counts. */
function readText(name: string, sent: unknown): string {
  const texts = (Array.isArray(sent) ? sent : [sent]).filter((text): text is string => typeof text === 'string');
  const filled = texts.map((text) => text.trim()).filter(Boolean);
  return isMultiValue(name) ? filled.join(',') : (filled[0] ?? '');
}

/** The datasets as links. They keep what was typed if it is short. */
export function Datasets({ asked }: { asked: ExportForm }) {
  return (
    <nav class="tabs" aria-label="What to export">
      {EXPORT_DATASETS.map((dataset) => (
        <a
          key={dataset}
          class="tab"
          href={otherForm(asked, dataset)}
          aria-current={dataset === asked.dataset ? 'true' : undefined}
        >
          {labelPlain(dataset)}
        </a>
      ))}
    </nav>
  );
}

/** The address of a dataset's form with what was typed, or without if it would be too long. */
function otherForm(asked: ExportForm, dataset: ExportDataset): string {
  const address = withQuery(NEW_EXPORT, { ...asked, dataset });
  return address.length <= ADDRESS_CHARS ? address : withQuery(NEW_EXPORT, { dataset });
}

/** The values that a form shows as checkboxes, where it shows all values of a filter so. */
const ticksOf = (row: FilterRow, titles: SourceTitles) => (row.kind === 'exact' ? choicesOf(row, titles) : undefined);

/** The filters of a dataset; checkboxes come after text fields. */
function filtersOf(dataset: ExportDataset, titles: SourceTitles): FilterRow[] {
  return rowsOf(dataset).toSorted(
    (a, b) => Number(ticksOf(a, titles) !== undefined) - Number(ticksOf(b, titles) !== undefined),
  );
}

/** The search text, filters and file format. */
export function Fields({ asked }: { asked: ExportForm }) {
  const { dataset } = asked;
  const titles = useContext(PageTitles);
  return (
    <>
      <div class="spread">
        <Text
          name="query"
          label={dataset === 'companies' || dataset === 'buyers' ? 'Words in the name' : 'Words'}
          asked={asked}
        />
        {filtersOf(dataset, titles).map((row) => (
          <Filter key={row.name} row={row} asked={asked} />
        ))}
      </div>
      <h2>The file</h2>
      <div class="spread">
        <Choice
          name="format"
          label="Format"
          options={EXPORT_FORMATS.map((format) => [format, labelFormat(format)])}
          asked={asked}
        />
        <Text
          name="max_rows"
          type="number"
          label="Maximum number of rows"
          hint="Newest first. 100 credits for every 1,000 rows or part of 1,000."
          asked={{ ...asked, max_rows: asked.max_rows ?? '1000' }}
        />
        <label class="tick">
          <input type="checkbox" name="excel" value="true" checked={asked.excel === 'true'} />
          <span>For Excel: mark the CSV file as UTF-8</span>
        </label>
      </div>
    </>
  );
}

interface FieldProps {
  name: string;
  asked: ExportForm;
}

function Filter({ row, asked }: { row: FilterRow; asked: ExportForm }) {
  const { name, label, choices = [] } = row;
  const titles = useContext(PageTitles);
  const ticks = ticksOf(row, titles);
  if (ticks) return <Ticks name={name} label={label} known={ticks} asked={asked} />;
  if (row.kind === 'clock') {
    const usual = usualValues(asked.dataset)[name];
    const options = choices.map((value) => [value === usual ? '' : value, labelOf(row, value, titles)] as const);
    return <Choice name={name} label={label} options={options} asked={asked} />;
  }
  if (row.kind === 'flag') {
    const options = ['', 'true', 'false'].map((value) => [value, value && labelOf(row, value, titles)] as const);
    return <Choice name={name} label={label} options={options} asked={asked} />;
  }
  const type = row.kind === 'date' ? 'date' : row.kind === 'range' ? 'number' : 'text';
  return <Text name={name} label={label} hint={row.hint && `${row.hint}.`} type={type} asked={asked} />;
}

interface TextProps extends FieldProps {
  label: string;
  hint?: string | undefined;
  type?: 'date' | 'number' | 'text';
}

function Text({ name, label, hint, type = 'text', asked }: TextProps) {
  const field = { id: name, name, value: asked[name] };
  return (
    <div class="field">
      <label for={name}>
        {label} {hint && <span class="hint">{hint}</span>}
      </label>
      {type === 'date' ? (
        <input {...field} type="date" />
      ) : (
        <input {...field} inputMode={type === 'number' ? 'numeric' : 'text'} maxLength={1_000} />
      )}
    </div>
  );
}

function Ticks({ name, label, known, asked }: FieldProps & { label: string; known: readonly string[] }) {
  const titles = useContext(PageTitles);
  const chosen = splitValues(name, asked[name]);
  return (
    <fieldset class="field ticks">
      <legend>{label}</legend>
      {known.map((value) => (
        <label key={value} class="tick">
          <input type="checkbox" name={name} value={value} checked={chosen.includes(value)} />
          <span>{labelValue(name, value, titles)}</span>
        </label>
      ))}
    </fieldset>
  );
}

type Options = readonly (readonly [value: string, label: string])[];

function Choice({ name, label, options, asked }: FieldProps & { label: string; options: Options }) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        {options.map(([value, words]) => (
          <option key={value} value={value} selected={(asked[name] ?? '') === value}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
