import { z } from 'zod';
import { InvalidInput } from '../../contract/errors.ts';
import { defineOperation, type Found } from '../../contract/operation.ts';
import { firstOfEach, toFaults } from '../../validation/faults.ts';
import { describe } from '../shared/inputs.ts';
import { deleteWatch } from './delete-watch.ts';
import { listDeliveries } from './list-deliveries.ts';
import { retryDelivery } from './retry-delivery.ts';
import { deliveryShape, EXAMPLE_IDS, watchId, watchShape } from './shapes.ts';
import { testWatch } from './test-watch.ts';
import { updateWatch } from './update-watch.ts';

const ACTIONS = ['pause', 'resume', 'change', 'rotate_secret', 'test', 'deliveries', 'retry', 'delete'] as const;
const DELIVERIES_MAX = 10;

const input = z.strictObject({
  watch_id: watchId,
  action: z.enum(ACTIONS).meta(describe('deliveries: the last 10', 'pause')),
  change: z.record(z.string(), z.unknown()).optional().describe('Inputs of {create_watch} to change'),
  delivery_id: z.string().min(1).max(100).optional().describe('For retry: from deliveries'),
});
type Input = z.output<typeof input>;

/** Rarely needed actions on a watch, as one tool with a verb: over REST each is a separate operation. */
export const manageWatch = defineOperation({
  name: 'manage_watch',
  title: 'Manage a watch',
  description: 'Use this to pause, resume, change, test or delete a watch, or see and resend its deliveries.',
  credits: 0,
  conflict: true,
  makesOnce: true,
  input,
  output: z.object({
    watch: watchShape.optional().describe('The watch as it is now, or was'),
    delivery: deliveryShape.optional().describe('What is sent'),
    deliveries: z.array(deliveryShape).optional().describe('Newest first'),
  }),
  bindings: [],
  stated: ['watch.status', 'watch.secret', 'delivery.status', 'deliveries.delivery_id', 'deliveries.error'],
  example: { watch_id: EXAMPLE_IDS.watch_id, action: 'deliveries' },
  check({ action, change, delivery_id, watch_id }) {
    if ((action === 'retry') !== (delivery_id !== undefined))
      throw new InvalidInput({
        path: ['delivery_id'],
        msg: 'The action retry needs it, and no other takes it',
        type: 'value_error',
      });
    if ((action === 'change') !== (change !== undefined))
      throw new InvalidInput({
        path: ['change'],
        msg: 'The action change needs it, and no other takes it',
        type: 'value_error',
      });
    const parsed = updateWatch.input.safeParse({ ...change, watch_id });
    if (parsed.success) return;
    const faults = toFaults(updateWatch, firstOfEach(parsed.error.issues), { ...change });
    throw new InvalidInput(...faults.map((fault) => ({ ...fault, path: ['change', ...fault.path] })));
  },
  madeAs({ action, watch_id, delivery_id }) {
    if (action === 'test') return { name: testWatch.name, input: { watch_id } };
    return action === 'retry' ? { name: retryDelivery.name, input: { watch_id, delivery_id } } : undefined;
  },
  async run({ action, change, delivery_id = '', watch_id }: Input, services, caller) {
    const update = async (changes: object) =>
      named('watch', await updateWatch.run(updateWatch.input.parse({ ...changes, watch_id }), services, caller));
    switch (action) {
      case 'pause':
      case 'resume':
        return update({ paused: action === 'pause' });
      case 'change':
        return update({ ...change });
      case 'rotate_secret':
        return update({ rotate_secret: true });
      case 'test':
        return named('delivery', await testWatch.run({ watch_id }, services, caller));
      case 'retry':
        return named('delivery', await retryDelivery.run({ watch_id, delivery_id }, services, caller));
      case 'delete':
        return named('watch', await deleteWatch.run({ watch_id }, services, caller));
      case 'deliveries': {
        const listed = await listDeliveries.run({ watch_id, limit: DELIVERIES_MAX }, services, caller);
        return listed.kind === 'answer' ? { kind: 'answer', body: { deliveries: listed.body.items } } : listed;
      }
    }
  },
});

/** The answer of an operation as a member of this one's. */
function named<Name extends string, Body>(name: Name, found: Found<Body>) {
  if (found.kind === 'nothing') return found;
  return { kind: 'answer' as const, body: { [name]: found.body } as Record<Name, Body> };
}
