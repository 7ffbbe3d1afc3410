import { operations } from '../../../operations/index.ts';
import { formatNumbered } from '../../components/format.ts';

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
