import { z } from 'zod';
import { readWatch, createWatch as storeWatch } from '../../../schema/accounts/watches/lifecycle.ts';
import { makeWatchSecret, sealWatchSecret } from '../../../schema/accounts/watches/secret.ts';
import { isoInstant } from '../../../schema/config/clocks.ts';
import { makeId } from '../../../schema/text/tokens.ts';
import { type Caller, defineOperation, type Found, type Services } from '../../contract/operation.ts';
import { namesOf } from '../shared/inputs.ts';
import { tooManyWatches } from './refusals.ts';
import { watchInputs, watchShape } from './shapes.ts';
import { checkWatch, estimateWatch, readSpec } from './spec.ts';
import { beginNow, readMade } from './store.ts';

const input = z.strictObject({
  ...watchInputs,
  every: watchInputs.every.default('run').describe('After each ingest run, or a digest'),
  changes: watchInputs.changes.default(['new', 'updated']).describe('Which it delivers'),
  credits_per_day_max: watchInputs.credits_per_day_max.optional().describe('Most credits a day; null for none'),
});

type Wanted = z.output<typeof input>;

const EXAMPLE = {
  name: 'Maintenance in the north',
  on: 'notices',
  filters: { query: 'maintenance' },
  deliver: { webhook: 'https://hooks.example.org/procurement' },
  every: 'day',
} as const;

export const createWatch = defineOperation({
  name: 'create_watch',
  title: 'Watch a search',
  description:
    'Use this to be told of what is new: saves a search and delivers what changes, by webhook or e-mail digest. ' +
    'A delivery of up to 25 items costs 2 credits. Answers the secret that signs webhooks, once.',
  credits: 0,
  priceNote: '2 credits a delivery of up to 25 items',
  input,
  conflict: true,
  output: watchShape,
  bindings: [
    {
      method: 'POST',
      path: '/watches',
      operationId: 'create_watch',
      summary: 'Watch a search',
      description:
        'Saves a search that delivers what changes from now on: by webhook (Standard Webhooks, signed with the secret that this answers once) or as a digest by e-mail. every=run delivers after each ingest run. Filters that match everything ask for credits_per_day_max. Deliveries count against the monthly cap of the key that makes it.',
      inputs: namesOf(input),
      example: EXAMPLE,
    },
  ],
  stated: ['watch_id', 'status', 'secret', 'last_seven_days'],
  example: EXAMPLE,
  check: (input, { settings }) => checkWatch(input, settings),
  run: (input, services, caller) => makeWatch(input, services, caller, makeId('wat')),
});

/**
 * Makes a watch with an id that is new, and answers it with the secret of its webhooks. Where the account has a watch of this
 * id, nothing is made: that one is answered, without its secret.
 * @throws Refusal 409 where the account has as many as it may
 */
export async function makeWatch(
  input: Wanted,
  services: Services,
  { accountId, keyId }: Caller,
  id: string,
): Promise<Found<z.input<typeof watchShape>>> {
  const { accounts, clocks, settings, secret: serviceSecret } = services;
  const spec = await readSpec(services, accountId, input);
  const secret = spec.webhook === null ? undefined : makeWatchSecret();
  const made = {
    ...spec,
    id,
    accountId,
    keyId: keyId || null,
    secret: secret === undefined ? null : sealWatchSecret(secret, id, serviceSecret),
    ...(await beginNow(services, spec.every)),
    at: isoInstant(clocks.wallNow()),
  };
  const isNew = await storeWatch(accounts, made, settings.WATCHES_PER_ACCOUNT);
  if (!isNew && !(await readWatch(accounts, accountId, id))) throw tooManyWatches(settings.WATCHES_PER_ACCOUNT);
  const last_seven_days = await estimateWatch(services, input);
  const watch = await readMade(services, accountId, id, isNew ? secret : undefined);
  return { kind: 'answer', body: { ...watch, last_seven_days } };
}
