import type { ExportDataset } from '../../../schema/accounts/exports/datasets.ts';
import { allRowsOf } from '../../../search/filters/listed.ts';
import type { AnyFilterRow } from '../../../search/filters/row.ts';
import { labelPlain } from '../components/labels.ts';
import { withQuery } from '../components/links.ts';
import { beginningOf } from '../components/repeat-in-part.ts';
import type { PageContext, SourceTitles } from '../components/source-title.ts';
import { choicesOf, isMultiValue, labelOf, labelValue, splitValues, usualValues } from './values.ts';

/** The fields of a form by their names; blank fields are absent. */
export type Asked = Readonly<Record<string, string>>;

/** The characters of values that a page repeats: enough for the longest query and its filters. */
const SHOWN = { ofValue: 2_000, ofAll: 3_000 };

/** Reads some fields of an address or a form. Ticked values become one list. */
export function readFields(names: readonly string[], sent: Readonly<Record<string, unknown>>): Asked {
  const fields = names.map((name) => [name, readText(name, sent[name])] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== ''));
}

/** The fields as a page repeats them: very long values are cut. */
export const shortenFields = (asked: Asked): Asked => beginningOf(asked, SHOWN);

/** For a form that an address fills in. */
export const CUT_FORM = 'The address was too long: only the beginning of its fields stands here.';

/** Whether a page repeats the full fields. */
export const isShownWhole = (asked: Asked): boolean =>
  Object.entries(shortenFields(asked)).join() === Object.entries(asked).join();

/** If a field with one value is repeated, the first counts. */
function readText(name: string, sent: unknown): string {
  const texts = (Array.isArray(sent) ? sent : [sent]).filter((text): text is string => typeof text === 'string');
  const filled = texts.map((text) => text.trim()).filter(Boolean);
  return isMultiValue(name) ? filled.join(',') : (filled[0] ?? '');
}

/** The longest address of a link that repeats the form. */
const ADDRESS_CHARS = 700;

interface KindsProps {
  path: string;
  /** The field that selects the kind, and its values. */
  name: string;
  kinds: readonly string[];
  asked: Asked;
  label: string;
}

/** The possible subjects of a form, as links to a form for each. They keep what was typed if it is short. */
export function Kinds({ path, name, kinds, asked, label }: KindsProps) {
  const hrefOf = (kind: string) => {
    const address = withQuery(path, { ...asked, [name]: kind });
    return address.length <= ADDRESS_CHARS ? address : withQuery(path, { [name]: kind });
  };
  return (
    <nav class="tabs" aria-label={label}>
      {kinds.map((kind) => (
        <a key={kind} class="tab" href={hrefOf(kind)} aria-current={kind === asked[name] ? 'true' : undefined}>
          {labelPlain(kind)}
        </a>
      ))}
    </nav>
  );
}

/** The values that a form shows as checkboxes, if it shows all values of a filter that way. */
const ticksOf = (row: AnyFilterRow, titles: SourceTitles) =>
  row.kind === 'exact' ? choicesOf(row, titles) : undefined;

/** Every filter of a dataset as a field; checkboxes come after text fields. */
export function FilterFields(props: { dataset: ExportDataset; asked: Asked }, { titles }: PageContext) {
  const { dataset, asked } = props;
  const rows = allRowsOf(dataset).toSorted(
    (a, b) => Number(ticksOf(a, titles) !== undefined) - Number(ticksOf(b, titles) !== undefined),
  );
  return rows.map((row) => <Filter key={row.name} row={row} dataset={dataset} asked={asked} />);
}

interface FieldProps {
  name: string;
  asked: Asked;
}

function Filter(props: { row: AnyFilterRow; dataset: ExportDataset; asked: Asked }, { titles }: PageContext) {
  const { row, dataset, asked } = props;
  const { name, label, choices = [] } = row;
  const ticks = ticksOf(row, titles);
  if (ticks) {
    const options = ticks.map((value) => [value, labelValue(name, value, titles)] as const);
    return <Ticks name={name} label={label} options={options} chosen={splitValues(name, asked[name])} />;
  }
  if (row.kind === 'clock') {
    const usual = usualValues(dataset)[name];
    const options = choices.map((value) => [value === usual ? '' : value, labelOf(row, value, titles)] as const);
    return <Choice name={name} label={label} options={options} asked={asked} />;
  }
  if (row.values === 'flag') {
    const options = ['', 'true', 'false'].map((value) => [value, value ? labelOf(row, value, titles) : 'Any'] as const);
    return <Choice name={name} label={label} options={options} asked={asked} />;
  }
  if (row.kind === 'listed' && choices.length > 0) {
    const options = ['', ...choices].map((value) => [value, value ? labelPlain(value) : 'Any'] as const);
    return <Choice name={name} label={label} options={options} asked={asked} />;
  }
  const type = TYPES[row.values] ?? 'text';
  return <Text name={name} label={label} hint={row.hint && `${row.hint}.`} type={type} asked={asked} />;
}

const TYPES: Partial<Record<AnyFilterRow['values'], TextProps['type']>> = {
  day: 'date',
  pounds: 'number',
  number: 'number',
};

interface TextProps extends FieldProps {
  label: string;
  hint?: string | undefined;
  type?: 'date' | 'number' | 'text' | 'url';
  required?: boolean;
}

/** One line of text, a number or a day. */
export function Text({ name, label, hint, type = 'text', asked, required }: TextProps) {
  const field = { id: name, name, value: asked[name], required };
  return (
    <div class="field">
      <label for={name}>
        {label} {hint && <span class="hint">{hint}</span>}
      </label>
      {type === 'date' ? (
        <input {...field} type="date" />
      ) : (
        <input {...field} inputMode={type === 'number' ? 'numeric' : type} maxLength={type === 'url' ? 2_000 : 1_000} />
      )}
    </div>
  );
}

type Options = readonly (readonly [value: string, label: string])[];

/** Checkboxes; what is ticked is sent as repeated fields. */
export function Ticks(props: { name: string; label: string; options: Options; chosen: readonly string[] }) {
  const { name, label, options, chosen } = props;
  return (
    <fieldset class="field ticks">
      <legend>{label}</legend>
      {options.map(([value, words]) => (
        <label key={value} class="tick">
          <input type="checkbox" name={name} value={value} checked={chosen.includes(value)} />
          <span>{words}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** One value of a list. */
export function Choice({ name, label, options, asked }: FieldProps & { label: string; options: Options }) {
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
