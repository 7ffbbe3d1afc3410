import type { KeyRow } from '../../../../schema/accounts/customer/account.ts';
import { EXPORT_DATASETS } from '../../../../schema/accounts/exports/datasets.ts';
import { formatCount, formatNumbered } from '../../components/format.ts';
import { labelPlain } from '../../components/labels.ts';
import type { Page } from '../../components/layout.tsx';
import { Figures } from '../../components/parts.tsx';
import { Kinds } from '../../filters/plain-fields.tsx';
import { dashboardPage, Faults, Once, type Person, Token } from '../frame.tsx';
import { type ExportForm, Fields, NEW_EXPORT, sayOrder } from './fields.tsx';

/** The size and price of an export. */
export interface ExportQuote {
  rows: number;
  matched: number;
  exact: boolean;
  credits: number;
  /** The number of rows that the price covers. The final price cannot be higher. */
  mostRows: number;
}

interface NewExport {
  asked: ExportForm;
  quote: ExportQuote | null;
  /** Why the count or the export was refused. */
  faults: readonly string[];
  /** Keys that can pay for it. */
  keys: readonly KeyRow[];
  /** The fields of a form that may have taken effect: sent again with the same id, it is the same export. */
  again?: Readonly<Record<string, string>> | undefined;
}

/** The form of an export, and once it is filled in, its price and the button to confirm. */
export function newExportPage(person: Person, { asked, quote, faults, keys, again }: NewExport): Page {
  return dashboardPage(
    person,
    { title: 'New export', tab: 'exports' },
    <>
      <Faults texts={faults} />
      {again && (
        <form method="post" action="/dashboard/exports" class="row">
          <Token token={person.token} />
          <Hidden fields={again} />
          <button type="submit">Send it again</button>
        </form>
      )}
      {quote && <Price person={person} asked={asked} quote={quote} keys={keys} />}
      <h2>{quote ? 'Change the export' : 'What to export'}</h2>
      <Kinds path={NEW_EXPORT} name="dataset" kinds={EXPORT_DATASETS} asked={asked} label="What to export" />
      <form method="post" action="/dashboard/exports/quote">
        <Token token={person.token} />
        <input type="hidden" name="dataset" value={asked.dataset} />
        <Fields asked={asked} />
        <p>
          <button type="submit">Show the price</button>
        </p>
        <p class="small muted">Counting is free. Nothing is charged before you confirm the price.</p>
      </form>
    </>,
  );
}

function Hidden({ fields }: { fields: Readonly<Record<string, string>> }) {
  return (
    <>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

type PriceProps = Pick<NewExport, 'asked' | 'keys'> & { person: Person; quote: ExportQuote };

function Price({ person, asked, quote, keys }: PriceProps) {
  const { rows, matched, exact, credits } = quote;
  if (rows === 0)
    return <p class="note">Nothing matches, so there is nothing to export. Fewer words or filters find more.</p>;
  const all = `${exact ? '' : 'at least '}${formatCount(matched)}`;
  return (
    <section aria-label="Price">
      <h2>The price</h2>
      <Figures
        figures={[
          {
            value: formatNumbered(rows, 'row'),
            label: `of ${all} ${labelPlain(asked.dataset).toLowerCase()} that match`,
          },
          { value: formatNumbered(credits, 'credit'), label: `you have ${formatCount(person.balance)}` },
        ]}
      />
      {rows < matched && (
        <p>
          The file holds the first {formatCount(rows)}: {sayOrder(asked).toLowerCase()}. To get more of them, raise the
          maximum below.
        </p>
      )}
      <Confirm person={person} asked={asked} quote={quote} keys={keys} />
    </section>
  );
}

function Confirm({ person, asked, quote, keys }: PriceProps) {
  if (person.balance < quote.credits)
    return (
      <p class="note warn">
        You have {formatNumbered(person.balance, 'credit')}, which is not enough.{' '}
        <a href="/dashboard/billing">Buy credits</a>, or export fewer rows.
      </p>
    );
  if (keys.length === 0)
    return (
      <p class="note warn">
        An export is charged to one of your keys, and none is in use. <a href="/dashboard#keys">Create a key</a> first.
      </p>
    );
  const fields = { ...asked, max_rows: String(quote.mostRows) };
  return (
    <form method="post" action="/dashboard/exports" class="row">
      <Token token={person.token} />
      <Once />
      <Hidden fields={fields} />
      <div class="field narrow">
        <label for="key">Charge it to the key</label>
        <select id="key" name="key">
          {keys.map((key) => (
            <option key={key.id} value={key.id}>
              {key.name}
              {key.monthly_cap !== null && `, ${formatCount(Math.max(0, key.monthly_cap - key.spent))} left this month`}
            </option>
          ))}
        </select>
      </div>
      <button type="submit">Export for {formatNumbered(quote.credits, 'credit')}</button>
    </form>
  );
}
