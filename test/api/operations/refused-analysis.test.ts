import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../support/client.ts';
import { buildSampleServer } from '../../support/sample-services.ts';
import type { BuiltServer } from '../../support/services.ts';
import { readBalance } from '../transports.ts';

let server: BuiltServer;
beforeAll(async () => {
  server = await buildSampleServer({ credits: 1_000 });
});
afterAll(() => server.close());

const get = (path: string) => ask(server.url, path, server.key);
const post = (path: string, body: unknown) =>
  ask(server.url, path, server.key, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

const SUMMARY = '/v1/contracts/summary';
const numbers = (count: number) => Array.from({ length: count }, (_, at) => String(at + 1).padStart(8, '0'));

describe('what cannot be asked of contracts, lists and sums', () => {
  it.each([
    ['an unknown group', `${SUMMARY}?group_by=colour`, 'group_by', 'literal_error', 'known are supplier'],
    ['three groups', `${SUMMARY}?group_by=buyer,supplier,year`, 'group_by', 'too_long', 'At most 2'],
    ['a group twice', `${SUMMARY}?group_by=buyer,Buyer`, 'group_by', 'value_error', 'buyer is named twice'],
    ['no group', SUMMARY, 'group_by', 'missing', 'Field required'],
    ['a level too deep', `${SUMMARY}?group_by=cpv&cpv_level=9`, 'cpv_level', 'less_than_equal', '8'],
    ['too many groups', `${SUMMARY}?group_by=buyer&limit=201`, 'limit', 'less_than_equal', '200'],
    ['crossed values', '/v1/contracts/search?value_min=9&value_max=1', 'value_min', 'value_error', 'above value_max'],
    [
      'crossed ends',
      '/v1/contracts/search?ends_from=2026-02-01&ends_to=2026-01-01',
      'ends_from',
      'value_error',
      'later than ends_to',
    ],
    [
      'crossed days of a summary',
      `${SUMMARY}?group_by=year&awarded_from=2026-02-01&awarded_to=2026-01-01`,
      'awarded_from',
      'value_error',
      'later than awarded_to',
    ],
    [
      'crossed days of a list',
      '/v1/companies?incorporated_from=2020-01-01&incorporated_to=2010-01-01',
      'incorporated_from',
      'value_error',
      'later than incorporated_to',
    ],
    ['another currency', '/v1/contracts/search?value_min=9&currency=EUR', 'currency', 'extra_forbidden', 'GBP'],
    ['a value with a currency', '/v1/contracts/search?value_min=9EUR', 'value_min', 'float_parsing', 'number'],
    [
      'a number with a name',
      '/v1/companies/search?name=a&company_number=1',
      'company_number',
      'extra_forbidden',
      'name',
    ],
    ['another status', '/v1/contracts/search?status=open', 'status', 'literal_error', "'active'"],
    ['fewer bids than none', '/v1/contracts/search?bids_max=-1', 'bids_max', 'greater_than_equal', '0'],
    ['a page too long', '/v1/buyers?limit=101', 'limit', 'less_than_equal', '100'],
  ])('%s is refused, free', async (_what, path, input, type, said) => {
    const before = await readBalance(server, server.accountId);
    const { status, body } = await get(path);
    expect([status, body.detail]).toEqual([
      422,
      [expect.objectContaining({ loc: ['query', input], type, msg: expect.stringContaining(said) })],
    ]);
    expect(await readBalance(server, server.accountId)).toBe(before);
  });

  it.each([
    ['101 companies', { companies: numbers(101) }, 'companies', 'too_long'],
    ['none', { companies: [] }, 'companies', 'too_short'],
    ['nothing', {}, 'companies', 'missing'],
    ['a name beside it', { companies: ['00000001'], name: 'x' }, 'name', 'extra_forbidden'],
  ])('a batch of %s is refused, free', async (_what, body, input, type) => {
    const before = await readBalance(server, server.accountId);
    const refused = await post('/v1/companies/lookup', body);
    expect([refused.status, refused.body.detail]).toEqual([
      422,
      [expect.objectContaining({ loc: ['body', input], type })],
    ]);
    expect(await readBalance(server, server.accountId)).toBe(before);
  });

  it('a batch with broken rows says so in them, answers the others, and costs what was found', async () => {
    const sql = 'SELECT company_number AS number FROM company WHERE company_number IS NOT NULL ORDER BY id LIMIT 1';
    const [company] = await server.catalogue.read<{ number: string }>({ sql });
    const before = await readBalance(server, server.accountId);
    const { status, body } = await post('/v1/companies/lookup', {
      companies: [
        { nam: 'x' },
        company?.number,
        { name: 'x', company_number: '00000001' },
        { name: '' },
        null,
        company?.number,
      ],
    });
    expect(status).toBe(200);
    expect(body.items.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'invalid',
      'found',
      'invalid',
      'invalid',
      'invalid',
      'found',
    ]);
    expect(body).toMatchObject({ found_count: 1, invalid_count: 4, credits_charged: 5 });
    expect(await readBalance(server, server.accountId)).toBe(before - 5);
  });
});
