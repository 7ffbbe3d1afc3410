import type { FacetGroup } from '../facets.ts';
import { formatCount } from '../format.ts';

/** Values of a facet that are seen at once; the others unfold. */
const LINES = 6;

/** What the results have in common, counted: each value is a link that narrows to it. */
export function Facets({ groups, bounded }: { groups: readonly FacetGroup[]; bounded: boolean }) {
  if (groups.length === 0) return null;
  return (
    <>
      {groups.map((group) => (
        <Facet key={group.name} group={group} />
      ))}
      {bounded && <p class="hint">Counted over the newest 10,000 of the results.</p>}
    </>
  );
}

function Facet({ group: { label, values } }: { group: FacetGroup }) {
  const [few, rest] = [values.slice(0, LINES), values.slice(LINES)];
  return (
    <section class="facet">
      <h2>{label}</h2>
      <FacetValues values={few} />
      {rest.length > 0 && (
        <details>
          <summary>
            {rest.length} more<span class="unseen"> of {label.toLowerCase()}</span>
          </summary>
          <FacetValues values={rest} />
        </details>
      )}
    </section>
  );
}

function FacetValues({ values }: { values: FacetGroup['values'] }) {
  return (
    <ul>
      {values.map(({ label, count, href }) => (
        <li key={href}>
          <a href={href} rel="nofollow">
            {label}
          </a>
          <span class="count">{formatCount(count)}</span>
        </li>
      ))}
    </ul>
  );
}
