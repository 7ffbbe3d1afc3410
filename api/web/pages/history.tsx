import type { z } from 'zod';
import type { contractAnswer } from '../../operations/shared/contract-shapes.ts';
import { formatDay, formatMoney } from '../format.ts';
import { labelBasis, labelNoticeType, labelPlain } from '../labels.ts';
import { noticePath } from '../links.ts';

type Statement = NonNullable<z.input<typeof contractAnswer>['history']>[number];

const NAMED_MOST = 4;

/** What each notice said of the contract, oldest first. A notice repeats little: what it left out stands as it was. */
export function History({ history }: { history: readonly Statement[] | undefined }) {
  if (!history || history.length === 0) return null;
  return (
    <section>
      <h2>What each notice said of it</h2>
      <ol class="trail">
        {history.map((statement) => (
          <li key={statement.notice_id}>
            <time dateTime={statement.published}>{formatDay(statement.published)}</time>
            <a href={noticePath(statement.notice_id)}>{labelNoticeType(statement.notice_type)}</a>
            <span>{wordsOf(statement)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function wordsOf({ status, value, currency, value_basis, starts, ends, suppliers = [] }: Statement): string {
  const money = formatMoney(value, currency);
  const more = suppliers.length > NAMED_MOST ? ` and ${suppliers.length - NAMED_MOST} more` : '';
  const said = [
    status && labelPlain(status),
    money && (value_basis ? `${money} (${labelBasis(value_basis)})` : money),
    starts && `from ${formatDay(starts)}`,
    ends && `to ${formatDay(ends)}`,
    suppliers.length > 0 && `with ${suppliers.slice(0, NAMED_MOST).join(', ')}${more}`,
  ].filter(Boolean);
  return said.length > 0 ? said.join(' · ') : 'nothing of its value, dates or suppliers';
}
