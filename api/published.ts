import { z } from 'zod';
import type { Operation } from './operation.ts';
import { listFurtherFields } from './shorten.ts';

export type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
} & Record<string, unknown>;

const CREDIT_FIELDS: Record<string, JsonSchema> = {
  credits_charged: { type: 'integer', minimum: 0, description: 'What this answer cost' },
  credits_remaining: { type: 'integer', minimum: 0, description: 'The balance after it' },
};
const CHARGE_ID: JsonSchema = {
  type: 'string',
  description: 'The ledger line of the charge; absent where nothing was charged',
};

const OMITTED: JsonSchema = {
  type: 'object',
  additionalProperties: { type: 'integer' },
  description:
    'Of a brief answer: how many entries of a list, or characters of a text, are omitted; name it in fields for the whole',
};

/** The input as JSON Schema: strict, as the call is. */
export function inputSchema(operation: Operation): JsonSchema {
  const schema = bare(z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }));
  const further = listFurtherFields(operation);
  const { fields } = schema.properties ?? {};
  if (!fields || further.length === 0) return schema;
  const description = `${fields.description}: ${further.join(', ')}`;
  return { ...schema, properties: { ...schema.properties, fields: { ...fields, description } } };
}

/** The answer as JSON Schema, credit fields included where a caller is known: open, so that fields may be added later. */
export function outputSchema(operation: Operation, hasCaller = !operation.public): JsonSchema {
  const whole = bare(z.toJSONSchema(operation.output, { io: 'output', unrepresentable: 'any', override: open }));
  const omitted: Record<string, JsonSchema> = operation.shortening ? { omitted_fields: OMITTED } : {};
  const schema = { ...whole, properties: { ...whole.properties, ...omitted } };
  if (!hasCaller) return schema;
  const charge: Record<string, JsonSchema> = operation.credits > 0 ? { charge_id: CHARGE_ID } : {};
  return {
    ...schema,
    properties: { ...schema.properties, ...CREDIT_FIELDS, ...charge },
    required: [...(schema.required ?? []), ...Object.keys(CREDIT_FIELDS)],
  };
}

function open({ jsonSchema }: { jsonSchema: { additionalProperties?: unknown } }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}

/** Without the dialect's address: validators of the older one refuse a schema that names it. */
function bare(schema: object): JsonSchema {
  const { $schema: _dialect, ...rest } = schema as JsonSchema;
  return rest;
}

/** What an operation costs, as a sentence of its description. */
export function priceSentence({ credits, priceNote }: Operation): string {
  if (credits === 0) return 'Free.';
  return `Costs ${priceNote ?? `${credits} credits`}; nothing found is free.`;
}
