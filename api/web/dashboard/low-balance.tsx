import { lookupContract } from '../../operations/contracts/lookup.ts';
import { formatNumbered } from '../components/format.ts';

/** The price of a common call: who has less is told on every page of the account. */
const COMMON_CREDITS = lookupContract.credits;

export function LowBalance({ balance }: { balance: number }) {
  if (balance >= COMMON_CREDITS) return null;
  return (
    <div class="note warn">
      <p>
        {balance === 0 ? 'No credits are left' : `Only ${formatNumbered(balance, 'credit')} left`}: calls that cost more
        are refused, at no charge. <a href="/dashboard/billing">Top up</a>
      </p>
    </div>
  );
}
