import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defineOperation, type Operation } from '../../api/contract/operation.ts';
import { LIMITS_MS } from '../support/time-limits.ts';

/** What the test rows did, to be told apart from what they answered. */
export const seen = { runs: 0 };

/** Begins a call, and answers it as soon as its work has begun. */
export async function begin<T>(call: () => Promise<T>): Promise<{ running: Promise<T> }> {
  const { runs } = seen;
  const running = call();
  const untilMs = performance.now() + LIMITS_MS.wait;
  while (seen.runs === runs && performance.now() < untilMs) await new Promise((resolve) => setTimeout(resolve, 5));
  return { running };
}

const id = z.string().min(1).max(40).describe('a thing');

const binding = (path: string, operationId: string, inputs: string[]) =>
  ({
    method: 'GET',
    path,
    operationId,
    summary: 'A test row',
    description: 'Is for tests.',
    inputs,
    example: {},
  }) as const;

/** A lookup of 5 credits; some ids misbehave on purpose. */
const lookupThing = defineOperation({
  name: 'lookup_thing',
  title: 'Look up a thing',
  description: 'Use this in tests.',
  credits: 5,
  input: z.strictObject({
    thing_id: id,
    limit: z.int().min(1).max(100).default(25),
    name: z.string().min(1).optional(),
    exact: z.boolean().optional(),
    kind: z.enum(['big', 'small']).optional(),
  }),
  output: z.object({ thing_id: z.string(), limit: z.int(), run: z.int() }),
  bindings: [
    { ...binding('/things/search', 'search_thing', ['name', 'limit']), required: ['name'] },
    binding('/things/:thing_id', 'lookup_thing', ['thing_id', 'limit', 'exact', 'kind']),
  ],
  example: { thing_id: 'a' },
  async run({ thing_id, limit }) {
    seen.runs++;
    if (thing_id.startsWith('slow'))
      await new Promise((resolve) => setTimeout(resolve, thing_id === 'slowest' ? 700 : 150));
    if (thing_id === 'gone') {
      return { kind: 'nothing', message: 'no such thing', candidates: [{ id: 'a', name: 'A' }] };
    }
    if (thing_id === 'crowded') {
      const candidates = Array.from({ length: 9 }, (_, at) => ({ id: String(at), name: '龘'.repeat(5_000) }));
      return { kind: 'nothing', message: 'no such thing', candidates };
    }
    if (thing_id.endsWith('faulty')) throw new Error('the password is hunter2');
    if (thing_id === 'untrue') return { kind: 'answer', body: { thing_id: 'x', limit: 0.5, run: 0 } };
    if (thing_id === 'empty') return { kind: 'answer', body: { thing_id, limit, run: 0 }, charge: 'none' };
    const planted = { thing_id, limit, run: seen.runs, internal_note: 'hunter2' };
    return { kind: 'answer', body: planted };
  },
});

/** Stores a thing that was paid for: an account, as good as any other row. */
const STORE_THING = `INSERT INTO account (id, name, created_at)
  SELECT ?1, 'a thing', '' WHERE EXISTS (SELECT 1 FROM transfer WHERE key = ?2)`;
let slowRuns = 0;

/** A POST of a price found while working, which makes something in the commit of its debit. */
const makeThing = defineOperation({
  name: 'make_thing',
  title: 'Make a thing',
  description: 'Use this in tests.',
  credits: 10,
  input: z.strictObject({ rows: z.int().min(0).default(1), tags: z.array(z.string()).optional() }),
  output: z.object({ rows: z.int() }),
  bindings: [{ ...binding('/things', 'make_thing', ['rows', 'tags']), method: 'POST' }],
  example: {},
  async run({ rows, tags }) {
    seen.runs++;
    if (tags?.includes('slow at first') && ++slowRuns === 1) await new Promise((resolve) => setTimeout(resolve, 700));
    const made = randomUUID();
    return {
      kind: 'answer',
      body: { rows },
      credits: rows * 10,
      ...(rows === 0 ? { charge: 'none' as const } : {}),
      alongside: ({ chargeId }) => [{ sql: STORE_THING, args: [`thing ${made}`, `charge:${chargeId}`] }],
    };
  },
});

export const testRows: readonly Operation[] = [lookupThing, makeThing];
