import { Webhook } from 'standardwebhooks';
import { type Receiver, startReceiver } from '../../jobs/watches/receiver.ts';
import type { Random } from '../../upstream/sample/random.ts';

/** A webhook as it arrived, and whether its receiver took it. */
interface Arrival {
  id: string;
  body: string;
  isTaken: boolean;
}

/** A receiver that answers at random. */
export interface RandomReceiver {
  url: string;
  arrivals: Arrival[];
  /** What arrived that its secret did not sign. */
  unsigned: string[];
  /** The secret of its watch. */
  secret: string;
  close(): Promise<void>;
}

/** While `fails` says so, it answers 500, hangs, cuts the connection after it took the webhook or before, and 410 where `saysGone`. */
export async function startRandomReceiver(
  random: Random,
  { fails, saysGone }: { fails: () => boolean; saysGone: boolean },
): Promise<RandomReceiver> {
  const receiver: Receiver = await startReceiver();
  const made: RandomReceiver = { url: receiver.url, arrivals: [], unsigned: [], secret: '', close: receiver.close };
  receiver.answer((response, { id, body, headers }) => {
    try {
      new Webhook(made.secret).verify(body, headers as Record<string, string>);
    } catch {
      made.unsigned.push(id);
    }
    const say = fails()
      ? random.weigh([
          [60, 'ok'],
          [18, '500'],
          [6, 'hang'],
          [8, 'cut'],
          [6, 'took and cut'],
          [saysGone ? 4 : 0, '410'],
        ] as const)
      : 'ok';
    made.arrivals.push({ id, body, isTaken: say === 'ok' || say === 'took and cut' });
    if (say === 'ok') response.end('ok');
    else if (say === '500' || say === '410') response.writeHead(Number(say)).end('no');
    else if (say !== 'hang') response.destroy();
  });
  return made;
}
