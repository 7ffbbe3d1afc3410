import type { ComponentChildren } from 'preact';
import { formatCount } from '../components/format.ts';
import { BAND_FIELD } from './bands.ts';
import type { FacetGroup, FacetValue } from './groups.ts';
import { isMultiValue } from './values.ts';

/** The id of the form that the fields belong to. */
export const SEARCH_FORM = 'search';

/** The filters of a list, as fields of its form. They unfold on a phone and are next to the results elsewhere. */
export function FilterPanel({ chosen, children }: { chosen: number; children: ComponentChildren }) {
  return (
    <aside aria-label="Filters">
      <details class="filters">
        <summary>Narrow these results{chosen > 0 && ` (${chosen} chosen)`}</summary>
        {children}
        <div class="filters-send">
          <button type="submit" form={SEARCH_FORM}>
            Apply
          </button>
        </div>
      </details>
    </aside>
  );
}

/** Values of a facet that are visible at first, in addition to the chosen ones. */
const LINES = 6;

/** The values of a facet as fields of the search form: checkboxes, for buyers radio buttons, for bands buttons. */
export function Facet({ group, children }: { group: FacetGroup; children?: ComponentChildren }) {
  const { name, label, values } = group;
  const seen = Math.max(LINES, values.filter(({ isChosen }) => isChosen).length);
  const [few, rest] = [values.slice(0, seen), values.slice(seen)];
  return (
    <fieldset class="facet">
      <legend>{label}</legend>
      {few.length > 0 && <Values name={name} values={few} />}
      {rest.length > 0 && (
        <details>
          <summary>
            {rest.length} more<span class="unseen"> of {label.toLowerCase()}</span>
          </summary>
          <Values name={name} values={rest} />
        </details>
      )}
      {children}
    </fieldset>
  );
}

function Values({ name, values }: { name: string; values: readonly FacetValue[] }) {
  const Value = name === BAND_FIELD ? Band : Tick;
  return (
    <ul>
      {values.map((value) => (
        <li key={value.value}>
          <Value name={name} value={value} />
        </li>
      ))}
    </ul>
  );
}

interface ValueProps {
  name: string;
  value: FacetValue;
}

/** A checkbox, or a radio button if only one value can be chosen. */
function Tick({ name, value: { value, label, count, isChosen } }: ValueProps) {
  const type = isMultiValue(name) ? 'checkbox' : 'radio';
  return (
    <label class="tick">
      <input type={type} name={name} value={value} checked={isChosen} form={SEARCH_FORM} />
      <span>{label}</span>
      <Count count={count} />
    </label>
  );
}

/** A band submits the whole form with its own bounds. */
function Band({ name, value: { value, label, count } }: ValueProps) {
  return (
    <button type="submit" class="band" name={name} value={value} form={SEARCH_FORM}>
      <span>{label}</span>
      <Count count={count} />
    </button>
  );
}

function Count({ count }: { count: number | null }) {
  return count === null ? null : <span class="count">{formatCount(count)}</span>;
}
