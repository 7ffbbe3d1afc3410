import type { LedgerLine } from '../../../../schema/accounts/ledger/lines.ts';
import type { LedgerFilter } from '../../../../schema/accounts/ledger/pages.ts';
import { formatCount, formatMonth } from '../../components/format.ts';
import { labelPlain } from '../../components/labels.ts';
import type { Page } from '../../components/layout.tsx';
import { withQuery } from '../../components/links.ts';
import { Table } from '../../components/parts.tsx';
import { dashboardPage, type Person, When } from '../frame.tsx';

/** Labels of the kinds of ledger lines. */
const KINDS: Record<LedgerLine['kind'], string> = {
  charge: 'Charge',
  refund: 'Refund',
  grant: 'Grant',
  top_up: 'Top-up',
};

/** The choices of the filters. */
export interface LedgerChoices {
  actions: readonly string[];
  /** `YYYY-MM`, newest first. */
  months: readonly string[];
  keys: readonly { id: string; name: string }[];
}

interface LedgerView {
  lines: readonly LedgerLine[];
  /** The cursor of the next page. */
  next: number | null;
  filter: LedgerFilter;
  choices: LedgerChoices;
}

/** The page of ledger lines with filters. */
export function ledgerPage(person: Person, { lines, next, filter, choices }: LedgerView): Page {
  const chosen = toQuery(filter);
  const isFiltered = Object.values(chosen).some(Boolean);
  return dashboardPage(
    person,
    { title: 'Ledger', tab: 'ledger' },
    <>
      <p>Every credit received or spent, newest first. The balance is the sum of these lines.</p>
      <Filters filter={filter} choices={choices} isFiltered={isFiltered} />
      <Ledger lines={lines} keys={choices.keys} caption="Entries, newest first" isFiltered={isFiltered} />
      <nav class="pages" aria-label="Pages">
        {next && (
          <a href={withQuery('/dashboard/ledger', { ...chosen, before: next })} rel="next">
            Older entries
          </a>
        )}
        <a href={withQuery('/dashboard/ledger.csv', chosen)}>
          Download {isFiltered ? 'these entries' : 'the whole ledger'} as CSV
        </a>
      </nav>
    </>,
  );
}

const toQuery = ({ kind, action, keyId, month }: LedgerFilter) => ({ kind, operation: action, key: keyId, month });

type FiltersProps = Pick<LedgerView, 'filter' | 'choices'> & { isFiltered: boolean };

function Filters({ filter, choices, isFiltered }: FiltersProps) {
  const keys = choices.keys.map(({ id, name }) => [id, name] as const);
  return (
    <search>
      <form action="/dashboard/ledger" class="row choices">
        <Choice name="kind" label="Kind" chosen={filter.kind} options={Object.entries(KINDS)} />
        <Choice name="operation" label="Operation" chosen={filter.action} options={choices.actions.map(twice)} />
        <Choice name="key" label="Key" chosen={filter.keyId} options={keys} />
        <Choice name="month" label="Month" chosen={filter.month} options={choices.months.map(withMonth)} />
        <button type="submit">Show</button>
        {isFiltered && <a href="/dashboard/ledger">Show all</a>}
      </form>
    </search>
  );
}

const twice = (name: string) => [name, name] as const;
const withMonth = (month: string) => [month, formatMonth(month)] as const;

interface ChoiceProps {
  name: string;
  label: string;
  chosen: string | undefined;
  options: readonly (readonly [value: string, label: string])[];
}

function Choice({ name, label, chosen, options }: ChoiceProps) {
  return (
    <div class="field">
      <label for={`choice-${name}`}>{label}</label>
      <select id={`choice-${name}`} name={name}>
        <option value="">All</option>
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

interface LedgerProps {
  lines: readonly LedgerLine[];
  keys: LedgerChoices['keys'];
  caption: string;
  isFiltered?: boolean;
}

/** Lines of the ledger as a table. Its times are UTC, as are the months and days that credits are counted by. */
export function Ledger({ lines, keys, caption, isFiltered }: LedgerProps) {
  if (lines.length === 0) return <p>{isFiltered ? 'No entry matches.' : 'Nothing here yet.'}</p>;
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  return (
    <Table label={caption} class="ledger" columns={['When (UTC)', 'What', 'Credits']} numbers={['Credits']}>
      {lines.map((line) => (
        <tr key={line.id}>
          <td>
            <When at={line.created_at} zone="utc" />
          </td>
          <td>
            <What line={line} keyName={line.key_id && (names.get(line.key_id) ?? line.key_id)} />
          </td>
          <td class="number">{formatCredits(line.credits)}</td>
        </tr>
      ))}
    </Table>
  );
}

function What({ line, keyName }: { line: LedgerLine; keyName: string | null }) {
  const { kind, action, note, key, corrects } = line;
  return (
    <>
      {KINDS[kind] ?? labelPlain(kind)} {action && <code>{action}</code>}
      {keyName && <span class="hint">by {keyName}</span>}
      {note && <span class="hint">{note}</span>}
      {kind === 'charge' && <span class="hint id">{chargeIdOf({ key })}</span>}
      {corrects !== null && <span class="hint">corrects entry {corrects}</span>}
    </>
  );
}

/** A charge's id as in the API's answer. */
export const chargeIdOf = ({ key }: Pick<LedgerLine, 'key'>): string => key.slice('charge:'.length);

function formatCredits(credits: number): string {
  return `${credits > 0 ? '+' : '−'}${formatCount(Math.abs(credits))}`;
}
