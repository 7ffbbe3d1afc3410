import { formatDay } from '../components/format.ts';
import { withQuery } from '../components/links.ts';
import { FilterPanel, SEARCH_FORM } from '../filters/facet.tsx';
import type { Query } from '../queries/hits.ts';
import { type Directory, type DirectoryField, fieldsOf } from './views.ts';

interface FieldsProps {
  directory: Directory;
  query: Query;
  /** How many filters narrow the list. */
  chosen: number;
}

/** The filters of a directory. */
export function Fields({ directory, query, chosen }: FieldsProps) {
  return (
    <FilterPanel chosen={chosen}>
      {fieldsOf(directory).map((field) => (
        <div key={field.name} class="field">
          <label for={field.name}>{field.label}</label>
          {field.choices ? (
            <Choice field={field} value={query[field.name] ?? ''} />
          ) : (
            <Typed field={field} value={query[field.name]} />
          )}
        </div>
      ))}
    </FilterPanel>
  );
}

/** A value in the address that is not among the usual choices is added to them, so that the form keeps it. */
function Choice({ field: { name, choices = [] }, value }: { field: DirectoryField; value: string }) {
  const isUsual = value === '' || choices.some(([one]) => one === value);
  const all = isUsual ? choices : [...choices, [value, sayValue({ name, label: name, choices }, value)] as const];
  return (
    <select id={name} name={name} form={SEARCH_FORM}>
      <option value="">Any</option>
      {all.map(([one, words]) => (
        <option key={one} value={one} selected={one === value}>
          {words}
        </option>
      ))}
    </select>
  );
}

function Typed({ field: { name, kind, hint }, value }: { field: DirectoryField; value: string | undefined }) {
  return (
    <input
      id={name}
      name={name}
      form={SEARCH_FORM}
      value={value}
      {...(kind === 'day' ? { type: 'date' } : { maxLength: 200, placeholder: hint })}
    />
  );
}

/** A filter in force, in words. */
interface ActiveField {
  name: string;
  label: string;
  words: string;
}

/** The filters of a list, without its words. */
export function activeFields(directory: Directory, query: Query): ActiveField[] {
  return fieldsOf(directory).flatMap((field) => {
    const value = query[field.name];
    return value === undefined ? [] : [{ name: field.name, label: field.label, words: sayValue(field, value) }];
  });
}

function sayValue({ kind, choices = [] }: DirectoryField, value: string): string {
  if (kind === 'day') return formatDay(value) ?? value;
  const words = (one: string) => choices.find(([code]) => code === one)?.[1] ?? one;
  return value
    .split(',')
    .map((one) => words(one.trim()))
    .join(', ');
}

/** Links that remove one filter each. */
export function ActiveFields(props: { path: string; query: Query; active: readonly ActiveField[] }) {
  const { cursor: _, ...query } = props.query;
  if (props.active.length === 0) return null;
  return (
    <ul class="chips" aria-label="Filters in force">
      {props.active.map(({ name, label, words }) => (
        <li key={name}>
          <a
            class="chip"
            href={withQuery(props.path, { ...query, [name]: '' })}
            rel="nofollow"
            aria-label={`Remove the filter ${label}: ${words}`}
          >
            {label}: {words} <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
