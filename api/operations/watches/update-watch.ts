import { z } from 'zod';
import { isKeyStopped } from '../../../schema/accounts/customer/account.ts';
import {
  changeWatch,
  pauseStatement,
  readWatch,
  renameWatch,
  resumeStatements,
  rotateStatement,
} from '../../../schema/accounts/watches/lifecycle.ts';
import type { WatchRow } from '../../../schema/accounts/watches/row.ts';
import { makeWatchSecret, sealWatchSecret } from '../../../schema/accounts/watches/secret.ts';
import { fromJson } from '../../../schema/answers/omit-empty.ts';
import { addHours, isoInstant } from '../../../schema/config/clocks.ts';
import { BatchRefused } from '../../../schema/db/interface.ts';
import { type Caller, defineOperation, type Found, type Services } from '../../contract/operation.ts';
import { sayFilters } from '../filters/apply.ts';
import { namesOf } from '../shared/inputs.ts';
import { pausedByOperator } from './refusals.ts';
import { takeRepeat } from './retry-delivery.ts';
import { EXAMPLE_IDS, noWatch, watchId, watchInputs, watchShape } from './shapes.ts';
import { checkWatch, isSame, readSpec, type WatchInput } from './spec.ts';
import { assertPaysDeliveries, beginNow, describeWatch, inTurnOf } from './store.ts';

/** How long both secrets sign after a rotation. */
const ROTATION_HOURS = 24;

/** Every input of a new watch, each optional. */
const changeable = Object.fromEntries(
  Object.entries(watchInputs).map(([name, schema]) => [name, schema.optional().describe(schema.description ?? name)]),
) as { [K in keyof typeof watchInputs]: z.ZodOptional<(typeof watchInputs)[K]> };

const input = z.strictObject({
  watch_id: watchId,
  ...changeable,
  paused: z.boolean().optional().describe('true pauses it where it stands, false lets it continue'),
  rotate_secret: z.boolean().optional().describe('Answers a new secret; both sign for a day'),
});

const EXAMPLE = { watch_id: EXAMPLE_IDS.watch_id, name: 'Maintenance' };

export const updateWatch = defineOperation({
  name: 'update_watch',
  title: 'Change a watch',
  description:
    'Use this to change (inputs of {create_watch}), pause or resume a watch, or to rotate its secret. ' +
    'Another search, address or rhythm drops what was not sent, refunded.',
  credits: 0,
  restOnly: true,
  input,
  describedBy: { tools: ['create_watch'], inputs: Object.keys(watchInputs) },
  conflict: true,
  output: watchShape,
  bindings: [
    {
      method: 'PATCH',
      path: '/watches/:watch_id',
      operationId: 'update_watch',
      summary: 'Change, pause or resume a watch',
      description:
        'Changes what is sent and leaves the rest. Another search, address, rhythm or choice of changes drops what was not sent, refunded, and the watch delivers from now on. paused stops and resumes it where it stands; resumed after its key was revoked or expired, it counts against yours. rotate_secret answers a new secret; both sign for a day.',
      inputs: namesOf(input),
      example: EXAMPLE,
    },
  ],
  stated: ['status', 'secret'],
  example: EXAMPLE,
  run: (given, services, caller) =>
    inTurnOf(services, given.watch_id, () => untilUnchanged(() => update(given, services, caller))),
});

/** Fewer machines than this change one watch at once. */
const TRIES_MAX = 10;

/** Repeats a change that was worked out from a watch which another machine has changed meanwhile. */
async function untilUnchanged<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof BatchRefused) || tries === TRIES_MAX) throw error;
    }
  }
}

async function update(
  { watch_id, paused, rotate_secret, ...changes }: z.output<typeof input>,
  services: Services,
  { accountId, keyId }: Caller,
): Promise<Found<z.input<typeof watchShape>>> {
  const { accounts, clocks } = services;
  const row = await readWatch(accounts, accountId, watch_id);
  if (!row) return noWatch;
  if (paused === false && row.reason === 'by_operator') throw pausedByOperator();
  if (paused === false && row.state === 'paused') {
    const isStopped = await isKeyStopped(accounts, row.key_id ?? '', isoInstant(clocks.wallNow()));
    if (isStopped) await assertPaysDeliveries(services, keyId, { action: 'resume', input: 'watch_id' });
    // What its receiver did not accept is then sent again.
    await takeRepeat(services, accountId);
  }
  const made = Object.keys(changes).length > 0 ? await change(services, row, changes) : undefined;
  if (paused === true) await accounts.write([pauseStatement(row.id, 'by_owner')]);
  if (paused === false) await accounts.write(resumeStatements(row.id, clocks.wallNow(), { keyId: keyId || null }));
  const secret = rotate_secret ? await rotateSecret(services, row.id) : made;
  // Another machine may have deleted it meanwhile.
  const changed = await readWatch(accounts, accountId, row.id);
  return changed ? { kind: 'answer', body: await describeWatch(services, changed, secret) } : noWatch;
}

type Changes = { [K in keyof WatchInput]?: WatchInput[K] | undefined };

/**
 * A watch with a new search or destination starts again from now; a new name or daily limit changes nothing else. Returns the
 * new secret where a mailed watch becomes a webhook.
 */
async function change(services: Services, row: WatchRow, changes: Changes): Promise<string | undefined> {
  const wanted = { ...inputOf(row), ...changes } as WatchInput;
  checkWatch(wanted, services.settings);
  const spec = await readSpec(services, row.account_id, wanted);
  if (await isSame(services, spec, row)) {
    await renameWatch(services.accounts, row, { name: spec.name, creditsPerDay: spec.credits_per_day_max });
    return undefined;
  }
  const at = isoInstant(services.clocks.wallNow());
  const made = spec.webhook !== null && row.secret === null ? makeWatchSecret() : undefined;
  const sealed = made === undefined ? row.secret : seal(services, row.id, made);
  const secret = spec.webhook === null ? null : sealed;
  await changeWatch(services.accounts, row, { ...spec, secret, ...(await beginNow(services, spec.every)), at });
  return made;
}

function inputOf({ name, collection, filters, webhook, every, changes, credits_per_day_max }: WatchRow): WatchInput {
  return {
    name,
    on: collection,
    filters: sayFilters(fromJson(filters)),
    deliver: webhook === null ? { email: true } : { webhook },
    every,
    changes: fromJson(changes),
    credits_per_day_max,
  };
}

/**
 * Gives a watch a new secret, and returns it; undefined where it delivers no webhooks.
 * @param from - its secret, sealed: then undefined where another request has rotated it since
 */
export async function rotateSecret(services: Services, id: string, from?: string): Promise<string | undefined> {
  const secret = makeWatchSecret();
  const formerUntil = isoInstant(addHours(services.clocks.wallNow(), ROTATION_HOURS));
  const [outcome] = await services.accounts.write([
    rotateStatement(id, { secret: seal(services, id, secret), formerUntil, ...(from && { from }) }),
  ]);
  return outcome?.changes === 1 ? secret : undefined;
}

const seal = ({ secret: serviceSecret }: Services, id: string, secret: string) =>
  sealWatchSecret(secret, id, serviceSecret);
