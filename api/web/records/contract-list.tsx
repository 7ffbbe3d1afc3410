import type { ComponentChildren } from 'preact';
import type { z } from 'zod';
import { formatMoney } from '../../../schema/text/money.ts';
import type { issuedItem, wonItem } from '../../operations/contracts/item-shapes.ts';
import { formatDay, formatNumbered } from '../components/format.ts';
import { labelValueKind } from '../components/labels.ts';
import { contractPath } from '../components/links.ts';
import { Head } from '../components/parts.tsx';
import { nameBuyer, SupplierNames } from './parts.tsx';

type Won = z.input<typeof wonItem>;
type Issued = z.input<typeof issuedItem>;

/** The script that makes the column headings sort the rows. */
export const SORT_SCRIPT = 'sorting.js';

/** The contracts that a company won, with their buyers. */
export function WonTable({ items }: { items: readonly Won[] }) {
  const rows = items.map((item) => ({
    item,
    party: item.buyer ?? '',
    who: (
      <>
        {nameBuyer(item)}
        {item.supplier_count && <span class="hint">shared by {formatNumbered(item.supplier_count, 'supplier')}</span>}
      </>
    ),
  }));
  return <ContractTable label="Contracts won" party="Buyer" rows={rows} />;
}

/** The contracts of a buyer or a framework, with their suppliers. */
export function IssuedTable({ items }: { items: readonly Issued[] }) {
  const rows = items.map((item) => ({
    item,
    party: item.suppliers[0]?.name ?? '',
    who: <SupplierNames suppliers={item.suppliers} />,
  }));
  return <ContractTable label="Contracts" party="Supplier" rows={rows} />;
}

interface Row {
  item: Won | Issued;
  /** The name to sort by, and how it is shown. */
  party: string;
  who: ComponentChildren;
}

function ContractTable({ label, party, rows }: { label: string; party: string; rows: readonly Row[] }) {
  return (
    <table class="stack contracts" aria-label={label} data-sort>
      <Head columns={['Contract', party, 'Value', 'Awarded', 'Ends']} numbers={['Value']} />
      <tbody>
        {rows.map(({ item, party: name, who }) => (
          <tr key={item.contract_id}>
            <th scope="row" data-by={item.title}>
              <a href={contractPath(item.contract_id)}>{item.title}</a>
              <Remarks item={item} />
            </th>
            <td data-label={party} data-by={name}>
              {who || '–'}
            </td>
            <Value item={item} />
            <Day label="Awarded" day={item.awarded} />
            <Day label="Ends" day={item.ends} later={item.ends_latest} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Whether it is a place on a framework; its lots, its region and a warning of our checks. */
function Remarks({ item: { framework_role, lots, region, warnings } }: { item: Won | Issued }) {
  return (
    <>
      {framework_role === 'establishes' && <span class="hint">Place on a framework</span>}
      {lots && lots.length > 0 && <span class="hint">{nameLots(lots)}</span>}
      {region && <span class="hint">{region}</span>}
      {warnings && warnings.length > 0 && <span class="tag warn">{warnings[0]}</span>}
    </>
  );
}

const LOTS_MAX = 3;

function nameLots(lots: NonNullable<Won['lots']>): string {
  const names = lots.slice(0, LOTS_MAX).map(({ lot_id, title }) => {
    const number = /^lot\b/i.test(lot_id) ? lot_id : `Lot ${lot_id}`;
    return title ? `${number}: ${title}` : number;
  });
  return [...names, ...(lots.length > LOTS_MAX ? ['and more lots'] : [])].join('; ');
}

/** A value that is not the contract's own has a label, and sorts last. */
function Value({ item }: { item: Won | Issued }) {
  const money = formatMoney(item.value ?? item.stated_value, item.currency);
  const kind = item.value_class && labelValueKind(item.value_class);
  return (
    <td class="number" data-label="Value" data-by={kind ? '' : (item.value ?? '')}>
      {money ?? 'not stated'}
      {money && kind && <span class="hint">{kind}</span>}
    </td>
  );
}

function Day({ label, day, later }: { label: string; day: string | undefined; later?: string | undefined }) {
  return (
    <td data-label={label} data-by={day ?? ''}>
      {formatDay(day) ?? '–'}
      {later && <span class="hint">or {formatDay(later)} if extended</span>}
    </td>
  );
}
