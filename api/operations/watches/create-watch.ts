import { z } from 'zod';
import { isDeletedWatch } from '../../../schema/accounts/watches/deleted.ts';
import { readWatch, createWatch as storeWatch } from '../../../schema/accounts/watches/lifecycle.ts';
import type { WatchSpec } from '../../../schema/accounts/watches/row.ts';
import { makeWatchSecret, sealWatchSecret, signingSecrets } from '../../../schema/accounts/watches/secret.ts';
import { addHours, isoInstant } from '../../../schema/config/clocks.ts';
import { makeId } from '../../../schema/text/tokens.ts';
import { InvalidInput, KeyExpired } from '../../contract/errors.ts';
import { type Caller, defineOperation, type Found, type Services } from '../../contract/operation.ts';
import { namesOf } from '../shared/inputs.ts';
import { tooManyWatches } from './refusals.ts';
import { watchInputs, watchShape } from './shapes.ts';
import { checkWatch, estimateWatch, isSame, readSpec } from './spec.ts';
import { assertPaysDeliveries, beginNow, describeWatch, digestOfKey, readMade } from './store.ts';

const input = z.strictObject({
  ...watchInputs,
  every: watchInputs.every.default('run').describe('After each ingest run, or a digest'),
  changes: watchInputs.changes.default(['new', 'updated']).describe('Which it delivers'),
  credits_per_day_max: watchInputs.credits_per_day_max.optional().describe('Most credits a day'),
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
    'Use this to be told what changes in a search, by webhook or e-mail digest. ' +
    'Up to 25 items cost 2 credits. Answers the secret that signs webhooks, once.',
  credits: 0,
  priceNote: '2 credits a delivery of up to 25 items',
  input,
  conflict: true,
  makesOnce: true,
  output: watchShape,
  bindings: [
    {
      method: 'POST',
      path: '/watches',
      operationId: 'create_watch',
      summary: 'Watch a search',
      description:
        'Saves a search that delivers what changes from now on: by webhook (Standard Webhooks, signed with the secret that this answers once) or as a digest by e-mail. every=run delivers after each ingest run. Filters that match everything ask for credits_per_day_max. Of contracts, ends_within (months) stands for ends_from and ends_to that move with the day. A delivery of up to 25 items costs 2 credits and counts against the monthly cap of the key that made the watch. With an Idempotency-Key a repeat makes no second one and answers the same, for a day with the secret.',
      inputs: namesOf(input),
      example: EXAMPLE,
    },
  ],
  stated: ['watch_id', 'status', 'secret', 'last_seven_days'],
  example: EXAMPLE,
  check(input, { settings }) {
    checkWatch(input, settings);
    if (input.changes.some((one) => one !== 'gone')) return;
    const msg = 'gone tells of what the watch has delivered: send new or updated with it';
    throw new InvalidInput({ path: ['changes'], msg, type: 'value_error' });
  },
  run: makeWatch,
});

/** The id of the watch that an account creates with an Idempotency-Key. */
export const watchIdOf = (accountId: string, once: string): string =>
  `wat_${digestOfKey(accountId, once).slice(0, 22)}`;

async function makeWatch(
  wanted: Wanted,
  services: Services,
  { accountId, keyId, once }: Caller,
): Promise<Found<z.input<typeof watchShape>>> {
  const { accounts, clocks, settings, secret: serviceSecret } = services;
  await assertPaysDeliveries(services, keyId, { action: 'create', input: 'deliver' });
  const spec = await readSpec(services, accountId, wanted);
  // First: where it cannot be asked, nothing is stored, and the secret is not lost.
  const estimate = await estimateWatch(services, wanted);
  const id = once === undefined ? makeId('wat') : watchIdOf(accountId, once);
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
  const watch = isNew ? await readMade(services, accountId, id, secret) : await readAgain(services, made);
  return { kind: 'answer', body: { ...watch, last_seven_days: estimate } };
}

/** How long a repeat still returns the secret of the watch that its key created. */
const SECRET_AGAIN_HOURS = 24;

/**
 * The watch that a call with the same Idempotency-Key created, as that call answered.
 * @throws KeyExpired if its watch was changed or deleted since; Refusal 409 if there is none, because the account has all that
 * are allowed
 */
async function readAgain(
  services: Services,
  { id, accountId, ...spec }: WatchSpec & { id: string; accountId: string },
): Promise<z.input<typeof watchShape>> {
  const { accounts, clocks, settings, secret: serviceSecret } = services;
  const row = await readWatch(accounts, accountId, id);
  if (!row && (await isDeletedWatch(accounts, accountId, id)))
    throw new KeyExpired('The watch that this key made was deleted; use a new key');
  if (!row) throw tooManyWatches(settings.WATCHES_PER_ACCOUNT);
  const { name, credits_per_day_max: most } = row;
  if (spec.name !== name || spec.credits_per_day_max !== most || !(await isSame(services, spec, row)))
    throw new KeyExpired('The watch that this key made is not what this request asks for any more; use a new key');
  const isRecent = addHours(new Date(row.created_at), SECRET_AGAIN_HOURS) > clocks.wallNow();
  // There is none where AUTH_SECRET has changed since; the owner can rotate it.
  const [secret] = (isRecent && signingSecrets(row, serviceSecret, clocks.wallNow())) || [];
  return describeWatch(services, row, secret);
}
