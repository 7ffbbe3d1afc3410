import { isLoopback } from '../../ingest/http/limiter.ts';
import { listAddresses, sources } from '../../ingest/sources/index.ts';
import type { Settings } from '../../schema/config/settings.ts';
import { contact } from '../../schema/config/value-types.ts';
import { ExpectedFault } from './services.ts';

/**
 * Live services are asked only with a contact address in the User-Agent; addresses on this machine are not live.
 * @throws ExpectedFault saying what to set.
 */
export function requireContact(settings: Settings): void {
  const addresses = sources.flatMap((source) => listAddresses(source, settings));
  if (addresses.every(isLoopback) || contact.safeParse(settings.CONTACT).success) return;
  const came = settings.CONTACT ? JSON.stringify(settings.CONTACT) : 'nothing';
  throw new ExpectedFault(
    `CONTACT: expected an e-mail or web address, got ${came}. Every request to the live services names it. ` +
      'Set it; only the jobs process starts without it, with JOBS_ENABLED=false, and then keeps no timetable.',
  );
}
