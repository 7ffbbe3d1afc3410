import { z } from 'zod';
import { formatOf } from '../../api/answer/meanings/fields.ts';
import { outputSchema } from '../../api/answer/published-schema.ts';
import type { Caller, Operation, Services } from '../../api/contract/operation.ts';
import { operations } from '../../api/operations/index.ts';

/** Every way to a thing by its own id: the operation, its input, and the ids of what changed after a `seq`. */
const WAYS: readonly (readonly [string, string, string])[] = [
  ['get_notice', 'notice_id', 'SELECT DISTINCT notice_id AS id FROM notice WHERE gone = 0 AND seq > ?'],
  ['contract_documents', 'notice_id', 'SELECT DISTINCT notice_id AS id FROM notice WHERE gone = 0 AND seq > ?'],
  ['lookup_contract', 'notice_id', 'SELECT id FROM contract WHERE gone = 0 AND seq > ?'],
  ['lookup_framework', 'framework_id', 'SELECT id FROM framework WHERE gone = 0 AND seq > ?'],
  ['lookup_company', 'company_number', 'SELECT id FROM company WHERE gone = 0 AND seq > ?'],
  ['company_contracts', 'company_number', 'SELECT id FROM company WHERE gone = 0 AND seq > ?'],
  ['company_profile', 'company_number', 'SELECT id FROM company WHERE gone = 0 AND seq > ?'],
  ['lookup_buyer', 'buyer_id', 'SELECT id FROM buyer WHERE gone = 0 AND seq > ?'],
  ['buyer_contracts', 'buyer_id', 'SELECT id FROM buyer WHERE gone = 0 AND seq > ?'],
  ['buyer_profile', 'buyer_id', 'SELECT id FROM buyer WHERE gone = 0 AND seq > ?'],
];

const CREDITS = { credits_charged: 0, credits_remaining: 0 };
const CALLER: Caller = { accountId: 'nobody', keyId: 'nobody' };
const asked = WAYS.map(([name, input, sql]) => {
  const operation = operations.find((one) => one.name === name);
  if (!operation) throw new Error(`no operation ${name}`);
  return { operation, input, sql, schema: z.fromJSONSchema(outputSchema(operation) as never) };
});

/** An answer larger than this must be a list that was asked for. */
const CHARACTERS_MAX = 1_500_000;

/** Asks for everything that changed after a `seq`, and holds each answer against its published schema. Says what is wrong. */
export async function findFaults(services: Services, afterSeq: number): Promise<string[]> {
  const faults: string[] = [];
  for (const { operation, input, sql, schema } of asked) {
    const things = await services.catalogue.read<{ id: string }>({ sql, args: [afterSeq] });
    for (const { id } of things) {
      const fault = await askFor(operation, { [input]: id }, services, schema);
      if (fault) faults.push(`${operation.name} ${JSON.stringify(id)}: ${fault}`);
    }
  }
  return faults;
}

async function askFor(
  operation: Operation,
  given: Record<string, unknown>,
  services: Services,
  schema: z.ZodType,
): Promise<string | null> {
  const input = operation.input.safeParse(given);
  if (!input.success) return `refused: ${input.error.message.slice(0, 200)}`;
  const found = await operation.run(input.data, services, CALLER).catch((error: unknown) => String(error));
  if (typeof found === 'string') return found;
  if (found.kind !== 'answer') return found.message;
  const kept = operation.output.safeParse(found.body);
  if (!kept.success) return `not what it promises: ${kept.error.message.slice(0, 300)}`;
  const text = JSON.stringify({ ...(kept.data as object), ...CREDITS });
  const checked = schema.safeParse(JSON.parse(text));
  if (!checked.success) return `not as published: ${checked.error.message.slice(0, 300)}`;
  const undated = findUndated(JSON.parse(text));
  if (undated.length > 0) return `not in the published format: ${undated.slice(0, 3).join(', ')}`;
  const odd = findOddIds(JSON.parse(text));
  if (odd.length > 0) return `an id of another form than its number: ${odd.slice(0, 3).join(', ')}`;
  return text.length > CHARACTERS_MAX ? `${text.length} characters long` : null;
}

const FORMATS = { date: z.iso.date(), 'date-time': z.iso.datetime() };

/** The fields of an answer that are published as days or instants and hold another text. */
function findUndated(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) => {
    const format = typeof value === 'string' ? formatOf(name) : undefined;
    return format && !FORMATS[format].safeParse(value).success ? [`${name} ${value}`] : findUndated(value);
  });
}

/** Those with a company number whose id is not made of it, wherever they stand in an answer. */
function findOddIds(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { id, company_id = id, companies_house_number: number } = node as Record<string, unknown>;
  const isOdd = number !== undefined && company_id !== undefined && company_id !== `GB-COH-${number}`;
  return [...(isOdd ? [`${company_id} of ${number}`] : []), ...Object.values(node).flatMap(findOddIds)];
}
