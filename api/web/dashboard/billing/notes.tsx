import type { PaymentLine } from '../../../../schema/accounts/payments.ts';
import { operations } from '../../../operations/index.ts';
import { formatNumbered } from '../../components/format.ts';
import { Fault, Said } from '../frame.tsx';

const PRICED = operations.filter(({ credits }) => credits > 0).toSorted((a, b) => a.credits - b.credits);

interface NeededProps {
  balance: number;
  /** Names of keys that have reached their monthly cap. */
  cappedKeys: readonly string[];
}

/** Why a call was refused: too few credits, or its key's cap. */
export function Needed({ balance, cappedKeys }: NeededProps) {
  const beyond = PRICED.filter(({ credits }) => credits > balance);
  const least = beyond.at(0);
  if (!least && cappedKeys.length === 0) return null;
  return (
    <div class="note warn">
      {least && (
        <p>
          {formatNumbered(balance, 'credit')} {balance === 1 ? 'is' : 'are'} not enough for{' '}
          {beyond.map(({ name, credits }, at) => (
            <>
              {at > 0 && ', '}
              <code>{name}</code> ({credits})
            </>
          ))}
          . A call refused for lack of credits is not charged; send it again once you have more.
        </p>
      )}
      {cappedKeys.length > 0 && (
        <p>
          {cappedKeys.join(', ')} {cappedKeys.length === 1 ? 'has' : 'have'} reached the monthly cap, which a top-up
          does not change. Use another <a href="/dashboard#keys">key</a>, or wait until next month.
        </p>
      )}
    </div>
  );
}

const CANCELLED = 'You left before paying. Nothing was charged and no credits were added.';

interface NotesProps {
  /** Credits that were taken back beyond the balance. */
  owed: number;
  /** The person cancelled on Stripe's page. */
  isCancelled: boolean;
  /** The payment page that the person returns from. */
  justPaid?: PaymentLine | undefined;
  fault?: string | undefined;
}

/** The outcome of the form or the payment that led here, and what is owed. */
export function Notes({ justPaid, isCancelled, fault, owed }: NotesProps) {
  return (
    <>
      <Fault text={fault} />
      <Said text={justPaid && describePayment(justPaid)} />
      <Said text={isCancelled && !justPaid ? CANCELLED : undefined} />
      {owed > 0 && (
        <div class="note warn">
          <p>
            {formatNumbered(owed, 'credit')} of refunded or disputed payments could not be taken back, as they were
            spent. They will be taken from the next credits that you buy or that are refunded.
          </p>
        </div>
      )}
    </>
  );
}

/** The state of the payment that the person returns from. */
function describePayment({ state, credits }: PaymentLine): string {
  const many = formatNumbered(credits, 'credit');
  if (state === 'paid') return `Thank you. ${many} were added to your balance.`;
  if (state === 'failed' || state === 'expired') return `The payment of ${many} did not go through. Nothing was added.`;
  return `Thank you. ${many} are added as soon as the payment is confirmed; this page then says so.`;
}
