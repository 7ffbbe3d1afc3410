import { formatNumbered, formatPounds } from '../components/format.ts';
import { Table } from '../components/parts.tsx';
import type { Reference } from './reference.ts';

/** The price of a call: `3 credits`, `free`. */
export function priceOf({ credits, priceNote }: Pick<Reference, 'credits' | 'priceNote'>): string {
  if (priceNote) return priceNote;
  return credits === 0 ? 'free' : formatNumbered(credits, 'credit');
}

/** A path that can break before each slash. */
const breakAtSlashes = (path: string) =>
  path.split(/(?=\/)/).flatMap((part, at) => (at > 0 ? [<wbr key={at} />, part] : [part]));

/** Every endpoint with its price and a link to its page. */
export function Endpoints({ entries, pencePerCredit }: { entries: readonly Reference[]; pencePerCredit?: number }) {
  return (
    <Table label="Endpoints and prices" columns={['Call and address', 'Price']}>
      {entries.map((entry) => (
        <tr key={entry.id} id={`/${entry.tag}/${entry.id}`}>
          <th scope="row">
            <a href={`/docs/${entry.id}`}>{entry.summary}</a>
            <span class="hint">
              <code>
                <span class="method">{entry.method}</span> {breakAtSlashes(entry.path)}
              </code>
            </span>
          </th>
          <td class="price">
            {priceOf(entry)}
            {pencePerCredit && entry.credits > 0 && (
              <span class="hint">{formatPounds(entry.credits * pencePerCredit)}</span>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}
