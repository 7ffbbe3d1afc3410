import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inputSchema } from '../../../api/answer/published-schema.ts';
import type { Operation } from '../../../api/contract/operation.ts';
import { lookupCompany } from '../../../api/operations/companies/lookup.ts';
import { lookupCompanies } from '../../../api/operations/companies/lookup-many.ts';
import { ask, openRoom, type Room } from '../../support/catalogue-services.ts';
import { companyRow, registeredRow, seed } from '../../support/seed.ts';

let room: Room;
beforeAll(async () => {
  room = await openRoom();
  await seed(
    room.services.catalogue,
    registeredRow('00000011', 'QUAYSIDE LIFTS', { postcode: 'NE1 3DE' }),
    registeredRow('00000012', 'QUAYSIDE LIFTS', { postcode: 'NE1 9ZZ' }),
    registeredRow('00000013', 'QUAYSIDE LIFTS', { postcode: 'SW1A 1AA' }),
    registeredRow('SC000014', 'NORTHERN LIGHTS'),
    companyRow('GB-COH-SC000014', 'Northern Lights', { company_number: 'SC000014', contract_count: 3 }),
    companyRow('name-solo', 'Solo Trader'),
  );
});
afterAll(() => room.close());

const look = async (...companies: unknown[]) => ask(room, lookupCompanies, { companies });

describe('many companies', () => {
  it('are answered in the order given, each as its brief look-up', async () => {
    const { body, found } = await look('sc14', 'name-solo', 13, { name: 'Northern Lights' }, 'GB-COH-00000011');
    expect(body.items.map(({ company }) => company?.id)).toEqual([
      'GB-COH-SC000014',
      'name-solo',
      'GB-COH-00000013',
      'GB-COH-SC000014',
      'GB-COH-00000011',
    ]);
    const { body: alone } = await ask(room, lookupCompany, { company_number: 'SC000014', detail: 'brief' });
    expect(body.items[0]?.company).toEqual(alone);
    expect(body.items.map(({ match }) => match?.method)).toEqual(['number', 'identifier', 'number', 'exact', 'number']);
    expect(body.items[3]).toMatchObject({ outcome: 'found', repeats: 0 });
    expect(body).toMatchObject({ count: 5, found_count: 4, not_found_count: 0, invalid_count: 0 });
    expect(found).toMatchObject({ credits: 20 });
  });

  it('may be objects, of which every field is published; a number may be a JSON number there too', async () => {
    const { body } = await look(
      { company_number: 'sc14' },
      { company_number: 13 },
      { name: 'Quayside Lifts', postcode: 'NE1 9ZZ' },
    );
    expect(body.items.map(({ company }) => company?.companies_house_number)).toEqual([
      'SC000014',
      '00000013',
      '00000012',
    ]);
    const { companies } = inputSchema(lookupCompanies as unknown as Operation).properties ?? {};
    const row = { properties: { company_number: {}, name: {}, postcode: {} } };
    expect(companies).toMatchObject({ items: { anyOf: [{ type: 'string' }, row] } });
  });

  it('may be texts of several words, which are names', async () => {
    const { body } = await look('Northern Lights', 'SC 000014', 'Zzyx Unlikely Ltd');
    expect(body.items.map(({ company, match }) => [company?.id, match?.method])).toEqual([
      ['GB-COH-SC000014', 'exact'],
      ['GB-COH-SC000014', 'number'],
      [undefined, undefined],
    ]);
  });

  it('cost nothing where none is found, and come with near names', async () => {
    const { body, found } = await look('99999999', { name: 'Northern Ligths Ltd' }, { name: 'Quayside Lifts' });
    expect(body.items[0]).toMatchObject({
      asked: '99999999',
      outcome: 'not_found',
      reason: 'no company is known as 99999999',
    });
    expect(body.items[2]).toMatchObject({ outcome: 'not_found', candidates: [{}, {}, {}] });
    expect([found.kind === 'answer' && found.credits, body.found_count]).toEqual([5, 1]);
    expect((await look({ name: 'Zzyx Unlikely' })).found).toMatchObject({ charge: 'none' });
  });

  it('of one name are distinguished by a postcode, else by its district, as the evidence says', async () => {
    const name = 'Quayside Lifts';
    const { body } = await look(
      { name, postcode: 'ne13de' },
      { name, postcode: 'SW1A 2BB' },
      { name, postcode: 'NE1' },
    );
    expect(body.items.map(({ company }) => company?.companies_house_number)).toEqual([
      '00000011',
      '00000013',
      undefined,
    ]);
    expect(body.items[0]?.match?.evidence).toContain('of 3 companies under this name 1 at postcode ne13de');
    expect(body.items[1]?.match?.evidence).toContain('of 3 companies under this name 1 in postcode district SW1A');
    expect(body.items[2]?.candidates).toHaveLength(2);
  });

  it('may hold broken rows, which say what is wrong and cost nothing', async () => {
    const broken = [
      { company_number: '11', name: 'Both' },
      { name: 'A', postcode: 'nowhere' },
      { name: 'A', phone: '1' },
      {},
      null,
      ['11'],
      '',
      { company_number: '11', postcode: 'NE1' },
      { name: 'x'.repeat(301) },
      1.5,
    ];
    const { body, found, needed } = await look(...broken);
    expect(body.items.map(({ outcome }) => outcome)).toEqual(broken.map(() => 'invalid'));
    expect(body.items.map(({ reason }) => reason)).toEqual([
      'give either a company number or a name, not both',
      'postcode is a UK postcode such as SW1A 1AA, or its district',
      'a row takes name and postcode, or company_number: not phone',
      'name has 1 to 300 characters',
      'a row is a company number or id, or an object with company_number, or with name and perhaps postcode',
      'a row is a company number or id, or an object with company_number, or with name and perhaps postcode',
      'a number or id has 1 to 200 characters',
      'a postcode belongs to a name, not to a number',
      'name has 1 to 300 characters',
      'a row is a company number or id, or an object with company_number, or with name and perhaps postcode',
    ]);
    expect([found, needed]).toEqual([expect.objectContaining({ charge: 'none' }), 0]);
  });
});
