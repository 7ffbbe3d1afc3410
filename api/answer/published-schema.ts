import { z } from 'zod';
import { memoiseByObject } from '../../schema/text/memoise.ts';
import type { Operation } from '../contract/operation.ts';
import { listFurtherFields } from './trim.ts';

export type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
} & Record<string, unknown>;

/** What a brief answer leaves out. */
export const omitted = z.record(z.string(), z.int());
const omitted_fields = omitted
  .optional()
  .describe(
    'Of a brief answer: how many entries of a list, or characters of a text, are omitted; name it in fields for the whole',
  );
const credits = {
  credits_charged: z.int().min(0).describe('What this answer cost'),
  credits_remaining: z.int().min(0).describe('The balance after it'),
};
const charge_id = z.string().optional().describe('The ledger line of the charge; absent where nothing was charged');

/** The input as JSON Schema: strict, like the call. Built once for each operation. */
export const inputSchema = memoiseByObject((operation: Operation): JsonSchema => {
  const schema = bare(z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any', override: leaveNoise }));
  const further = listFurtherFields(operation);
  const { fields } = schema.properties ?? {};
  if (!fields || further.length === 0) return schema;
  const description = `${fields.description}: ${further.join(', ')}`;
  return { ...schema, properties: { ...schema.properties, fields: { ...fields, description } } };
});

/** The contents of an answer: the row's own fields, what was left out of them, and its credits where the caller is known. */
export function answerOf(operation: Operation, hasCaller = !operation.public): z.ZodObject {
  return operation.output.extend({
    ...(operation.shortening ? { omitted_fields } : {}),
    ...(hasCaller ? credits : {}),
    ...(hasCaller && operation.credits > 0 ? { charge_id } : {}),
  });
}

/** The answer as JSON Schema, with every shape inline: open, so that fields may be added later. */
export function outputSchema(operation: Operation, hasCaller = !operation.public): JsonSchema {
  const answer = answerOf(operation, hasCaller);
  return bare(z.toJSONSchema(answer, { io: 'output', unrepresentable: 'any', override: leaveOpen }));
}

interface Overridden {
  jsonSchema: z.core.JSONSchema.BaseSchema;
}

/** An answer's schema is open. */
export function leaveOpen(context: Overridden): void {
  leaveNoise(context);
  if (context.jsonSchema.additionalProperties === false) delete context.jsonSchema.additionalProperties;
}

/** Leaves out patterns that need Unicode properties or that a format describes better, and bounds that no double represents exactly. */
function leaveNoise({ jsonSchema }: Overridden): void {
  const { maximum, minimum, pattern, format } = jsonSchema;
  if (maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (typeof pattern === 'string' && (format !== undefined || pattern.includes('\\p{'))) delete jsonSchema.pattern;
}

/** Without the dialect's address: older validators refuse a schema that names it. */
function bare(schema: object): JsonSchema {
  const { $schema: _dialect, ...rest } = schema as JsonSchema;
  return rest;
}

/** The address of a component by its name. */
export function refersTo(name: string): string {
  return `#/components/schemas/${name}`;
}

/** An operation's price, as a sentence for its description. */
export function priceSentence({ credits, priceNote }: Operation): string {
  if (credits === 0) return 'Free.';
  return `Costs ${priceNote ?? `${credits} credits`}; nothing found is free.`;
}
