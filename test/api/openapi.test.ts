import { validate } from '@readme/openapi-parser';
import { describe, expect, it } from 'vitest';
import { makeOpenApi } from '../../api/openapi.ts';
import { operations } from '../../api/operations/index.ts';
import { testRows } from './rows.ts';

const BASE_URL = 'https://api.example';

describe('the OpenAPI document', () => {
  it('of the table is valid 3.1', async () => {
    const document = makeOpenApi({ BASE_URL }, operations);
    const result = await validate(structuredClone(document) as never);
    expect(result).toMatchObject({ valid: true });
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '1.0.0']);
  });

  it('says of every address its price, its key and its refusals', () => {
    const paths = makeOpenApi({ BASE_URL }, operations).paths as Record<string, Record<string, Described>>;
    for (const operation of operations) {
      for (const { path, method, operationId } of operation.bindings) {
        const described = paths[`/v1${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()];
        expect(described).toMatchObject({ operationId, 'x-credits': operation.credits });
        const headers =
          described?.parameters?.filter((parameter) => parameter.in === 'header').map(({ name }) => name) ?? [];
        expect(headers).toEqual(operation.credits > 0 ? ['Idempotency-Key'] : []);
        const metered = ['402', '409'].filter((status) => described?.responses[status]);
        expect(metered).toEqual(operation.credits > 0 ? ['402', '409'] : []);
      }
    }
  });

  it('tells path, query and body apart and what each address requires', () => {
    const { paths } = makeOpenApi({ BASE_URL }, testRows);
    const search = paths['/v1/things/search']?.get as Described;
    expect(search.parameters?.map(({ name, in: where, required }) => [name, where, required])).toEqual([
      ['name', 'query', true],
      ['limit', 'query', false],
      ['Idempotency-Key', 'header', false],
    ]);
    const lookup = paths['/v1/things/{thing_id}']?.get as Described;
    expect(lookup.parameters?.[0]).toMatchObject({ name: 'thing_id', in: 'path', required: true });
    const make = paths['/v1/things']?.post as { requestBody: unknown };
    expect(make.requestBody).toMatchObject({
      required: false,
      content: { 'application/json': { schema: { additionalProperties: false } } },
    });
  });
});

interface Described {
  parameters?: { name: string; in: string; required: boolean }[];
  responses: Record<string, unknown>;
}
