import { type DeliveryRow, readableBody } from '../../../../schema/accounts/watches/deliveries.ts';
import { toDelivery } from '../../../operations/watches/shapes.ts';
import { formatCount, formatInstant, formatNumbered } from '../../components/format.ts';
import type { Page } from '../../components/layout.tsx';
import { Facts, Table } from '../../components/parts.tsx';
import { dashboardPage, type Person, Token, When } from '../frame.tsx';
import { type Delivery, type Watch, watchPath } from './words.ts';

/** Characters of a delivery's body that its page shows; the rest is in the file. */
const BODY_CHARS = 20_000;

const STATES: Readonly<Record<Delivery['status'], readonly [label: string, tag: string]>> = {
  waiting: ['Waiting', 'tag'],
  delivered: ['Delivered', 'tag good'],
  failed: ['Failed', 'tag warn'],
  dropped: ['Dropped, refunded', 'tag'],
};

const deliveryPath = ({ watch_id }: Watch, id: string) => `${watchPath(watch_id)}/deliveries/${encodeURIComponent(id)}`;

interface DeliveriesProps {
  watch: Watch;
  deliveries: readonly Delivery[];
  token: string;
}

/** What a watch delivered, and the outcome. */
export function Deliveries({ watch, deliveries, token }: DeliveriesProps) {
  return (
    <Table label="Deliveries, newest first" columns={['Delivery', 'Outcome']}>
      {deliveries.map((delivery) => (
        <tr key={delivery.delivery_id}>
          <th scope="row">
            <a href={deliveryPath(watch, delivery.delivery_id)}>
              <When at={delivery.created_at} />
            </a>
            <span class="hint">{sayWhat(delivery)}</span>
          </th>
          <td>
            <Outcome delivery={delivery} />
            <Retry watch={watch} delivery={delivery} token={token} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function sayWhat({ kind, item_count, credits }: Delivery): string {
  if (kind === 'test') return 'a test, free';
  return `${formatNumbered(item_count, 'item')} for ${formatNumbered(credits, 'credit')}`;
}

/** Status, answer and time of the last attempt. */
function Outcome({ delivery }: { delivery: Delivery }) {
  const { status, attempts, answer_status, answer_ms, error, answer, next_attempt_at: next } = delivery;
  const [label, tag] = STATES[status];
  const came = answer_status === undefined ? error : `HTTP ${answer_status}`;
  const time = answer_ms !== undefined && attempts > 0 ? `in ${formatCount(answer_ms)} ms` : '';
  return (
    <>
      <span class={tag}>{label}</span>
      {attempts > 0 && (
        <span class="hint">{[came, time, attempts > 1 && `after ${attempts} attempts`].filter(Boolean).join(' ')}</span>
      )}
      {status === 'waiting' && attempts > 0 && <span class="hint">Next attempt: {formatInstant(next)}</span>}
      {answer && (
        <span class="hint answer">
          Answer: <code>{answer}</code>
        </span>
      )}
    </>
  );
}

/** Only what is still kept can be sent again; the operation decides. */
function Retry({
  watch,
  delivery: { delivery_id, status },
  token,
}: Pick<DeliveriesProps, 'watch' | 'token'> & { delivery: Delivery }) {
  if (status === 'waiting' || status === 'dropped') return null;
  return (
    <form method="post" action={`${deliveryPath(watch, delivery_id)}/retry`}>
      <Token token={token} />
      <button type="submit" class="quiet">
        Send again
      </button>
    </form>
  );
}

/** The page of one delivery with its body. */
export function deliveryPage(person: Person, { watch, row }: { watch: Watch; row: DeliveryRow }): Page {
  const delivery = toDelivery(row);
  const kept = readableBody(row);
  const body = kept === null ? null : JSON.stringify(JSON.parse(kept), null, 2);
  const path = deliveryPath(watch, row.id);
  const title = `Delivery of ${watch.name}`;
  return dashboardPage(
    person,
    { title, tab: 'watches' },
    <>
      <Facts
        facts={[
          ['Made', formatInstant(delivery.created_at)],
          ['Holds', sayWhat(delivery)],
          ['Outcome', <Outcome delivery={delivery} />],
          ['Delivered', formatInstant(delivery.delivered_at)],
          ['webhook-id', <code>{delivery.delivery_id}</code>],
          ['Charge', delivery.charge_id && <code>{delivery.charge_id}</code>],
        ]}
      />
      <Retry watch={watch} delivery={delivery} token={person.token} />
      <h2>Body</h2>
      {body === null ? (
        <p>
          {row.body === null
            ? 'It is no longer kept.'
            : 'It is shown once it has been sent: until then it can be refunded.'}
        </p>
      ) : (
        <>
          <pre>
            <code>{body.slice(0, BODY_CHARS)}</code>
          </pre>
          <p>
            {body.length > BODY_CHARS && 'This is its beginning. '}
            <a href={`${path}/body.json`}>Download it as it was sent</a>
          </p>
        </>
      )}
      <p>
        <a href={`${watchPath(watch.watch_id)}#deliveries`}>All deliveries of {watch.name}</a>
      </p>
    </>,
  );
}
