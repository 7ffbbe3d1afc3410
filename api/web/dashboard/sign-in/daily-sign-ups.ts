import { createHmac } from 'node:crypto';
import type { Request } from 'express';
import { domainOf } from '../../../../schema/text/email-addresses.ts';
import { networkKey } from '../../../access/limits.ts';
import type { Services } from '../../../contract/operation.ts';
import { clientAddress } from '../../../http/exchange.ts';
import { TooMany } from '../../serving/security.ts';

const DAY_MS = 86_400_000;

const TAKE = `
  INSERT INTO sign_up_day (day, hash, sign_ups) VALUES (?1, ?2, 1)
  ON CONFLICT (day, hash) DO UPDATE SET sign_ups = sign_ups + 1 WHERE sign_ups < ?3 RETURNING sign_ups`;

/**
 * Takes one of the day's sign-ups of a network and of an e-mail domain, on every process together.
 * @throws TooMany until the next day (UTC) where either has none left
 */
export async function takeSignUp(services: Services, request: Request, email: string): Promise<void> {
  const { SIGN_UPS_PER_NETWORK_DAY, SIGN_UPS_PER_DOMAIN_DAY, TRUST_PROXY } = services.settings;
  await take(services, `network:${networkKey(clientAddress(request, TRUST_PROXY))}`, SIGN_UPS_PER_NETWORK_DAY);
  await take(services, `domain:${domainOf(email)}`, SIGN_UPS_PER_DOMAIN_DAY);
}

async function take({ accounts, clocks, secret }: Services, origin: string, most: number): Promise<void> {
  const now = clocks.wallNow();
  const day = now.toISOString().slice(0, 10);
  const hash = createHmac('sha256', secret).update(`sign-up:${origin}`).digest('hex');
  const [outcome] = await accounts.write([{ sql: TAKE, args: [day, hash, most] }]);
  if (outcome?.changes === 1) return;
  const from = origin.startsWith('network') ? 'from your network' : 'with addresses of this domain';
  const endsMs = Date.parse(day) + DAY_MS;
  const until = `${new Date(endsMs).toISOString().slice(0, 10)} 00:00 UTC`;
  throw new TooMany(
    Math.ceil((endsMs - now.getTime()) / 1_000),
    `No more accounts can be opened today ${from}. Sign up again from ${until}.`,
  );
}
