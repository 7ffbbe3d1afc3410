import { useContext } from 'preact/hooks';
import { EXPORT_DATASETS, EXPORT_FORMATS, type ExportDataset } from '../../../../schema/accounts/exports/datasets.ts';
import { STAGES } from '../../../../schema/catalogue/details.ts';
import { DATASET_FILTERS, type FilterName } from '../../../operations/exports/filters.ts';
import { FILTER_NAMES, labelFormat, labelPlain } from '../../components/labels.ts';
import { withQuery } from '../../components/links.ts';
import { beginningOf } from '../../components/repeat-in-part.ts';
import { PageTitles, type SourceTitles } from '../../components/source-title.ts';
import { isMultiValue, labelValue, STATUSES, splitValues } from '../../filters/values.ts';

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
  const names = [...OTHERS.slice(0, 1), ...DATASET_FILTERS[dataset], ...OTHERS.slice(1)];
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

/** The filters whose values are ticked. */
const TICKS = {
  stage: () => STAGES,
  source: (titles: SourceTitles) => [...titles.keys()],
} satisfies Partial<Record<FilterName, (titles: SourceTitles) => readonly string[]>>;
/** Checkboxes come after text fields. */
const fieldsFirst = (names: readonly FilterName[]) => names.toSorted((a, b) => Number(a in TICKS) - Number(b in TICKS));

const HINTS: Partial<Record<FilterName, string>> = {
  buyer_id: 'Its exact name or id.',
  cpv: 'Codes or first digits: 45, 71000000.',
  region: 'Names or ITL codes: London, TLI3.',
  notice_type: 'Such as UK4, UK6.',
  published_from: 'Contracts go by the day of their award.',
};
const DATES = /_(?:from|to)$/;

/** The search text, filters and file format. */
export function Fields({ asked }: { asked: ExportForm }) {
  const { dataset } = asked;
  return (
    <>
      <div class="spread">
        <Text
          name="query"
          label={dataset === 'companies' || dataset === 'buyers' ? 'Words in the name' : 'Words'}
          asked={asked}
        />
        {fieldsFirst(DATASET_FILTERS[dataset]).map((name) => (
          <Filter key={name} name={name} asked={asked} />
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

function Filter({ name, asked }: { name: FilterName; asked: ExportForm }) {
  if (name === 'stage' || name === 'source') return <Ticks name={name} asked={asked} />;
  const label = FILTER_NAMES[name] ?? labelPlain(name);
  if (name === 'status')
    return <Choice name={name} label={label} options={[['', 'Open for bids'], ...STATUSES]} asked={asked} />;
  return <Text name={name} label={label} hint={hintOf(name, asked.dataset)} asked={asked} />;
}

function hintOf(name: FilterName, dataset: ExportDataset): string | undefined {
  return name === 'published_from' && dataset !== 'contracts' ? undefined : HINTS[name];
}

function Text({ name, label, hint, asked }: FieldProps & { label: string; hint?: string | undefined }) {
  const field = { id: name, name, value: asked[name] };
  const isNumber = name.startsWith('value_') || name === 'max_rows';
  return (
    <div class="field">
      <label for={name}>
        {label} {hint && <span class="hint">{hint}</span>}
      </label>
      {DATES.test(name) ? (
        <input {...field} type="date" />
      ) : (
        <input {...field} inputMode={isNumber ? 'numeric' : 'text'} maxLength={1_000} />
      )}
    </div>
  );
}

function Ticks({ name, asked }: FieldProps & { name: keyof typeof TICKS }) {
  const titles = useContext(PageTitles);
  const chosen = splitValues(name, asked[name]);
  return (
    <fieldset class="field ticks">
      <legend>{FILTER_NAMES[name]}</legend>
      {TICKS[name](titles).map((value) => (
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
