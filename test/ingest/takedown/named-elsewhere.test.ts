import { expect, it } from 'vitest';
import { runRegister } from '../../../ingest/register/run.ts';
import { runSource } from '../../../ingest/run.ts';
import { applyTakedown } from '../../../ingest/store/takedown.ts';
import { makePersonTarget } from '../../../ingest/takedown/record.ts';
import { AS_OF, makeData, makeNotice, makeRegisterRow, makeWorld } from '../small-world.ts';

const HOUR_MS = 3_600_000;
const COUNCIL = { id: 'GB-PPON-PBCD-1234-FGHJ', name: 'Little Example Council', roles: ['buyer'] };
/** Without a number: its name alone leads to the company of the register. */
const SUPPLIER = { id: 'GB-FTS-4711', name: 'Harrowmere Hives Ltd', roles: ['supplier'] };

const NUMBERED = { ...SUPPLIER, id: 'GB-COH-01234567' };

/** An award to the supplier. */
const award = (number: number, supplier = SUPPLIER) =>
  makeNotice(number, new Date(AS_OF.getTime() - number * HOUR_MS), {
    planning: undefined,
    tag: ['award', 'contract'],
    parties: [COUNCIL, supplier],
    tender: { id: `r-${number}`, title: `Hives of square ${number}` },
    awards: [
      {
        id: '1',
        status: 'active',
        suppliers: [{ id: supplier.id, name: supplier.name }],
        value: { amount: 900, currency: 'GBP' },
        documents: [{ id: `00000${number}-2026`, noticeType: 'UK6' }],
      },
    ],
  });

it.each([
  ['names it too', SUPPLIER],
  ['alone states its number', NUMBERED],
])(
  'a company that is known by its name stays, with its other contracts, where a notice is taken down that %s',
  async (_which, supplier) => {
    const bulk = [makeRegisterRow('01234567', 'HARROWMERE HIVES LTD')];
    const world = await makeWorld(makeData({ findATender: [award(2), award(1, supplier)], bulk }));
    const since = new Date(AS_OF.getTime() - 72 * HOUR_MS);
    await runRegister(world.context, 'companies_house');
    await runSource(world.context, 'find_a_tender', { since });
    const readCompanies = () => world.rows('SELECT id, name, contract_count, gone FROM company');
    const company = { id: 'GB-COH-01234567', name: SUPPLIER.name, gone: 0 };
    expect(await readCompanies()).toEqual([{ ...company, contract_count: 2 }]);
    const target = { noticeId: '000001-2026' };
    const takedown = { id: 'tk_1', kind: 'notice', target, reason: 'r', takenAt: '', takenBy: '' } as const;
    await applyTakedown(world.catalogue, takedown, { before: [], signal: new AbortController().signal });
    expect(await readCompanies()).toEqual([{ ...company, contract_count: 1 }]);
    await world.close();
  },
);

it('a buyer that is known by its name and place alone stays where nothing that names it is taken down', async () => {
  const buyer = (number: number, name: string, address: object) => {
    const council = { id: `own-${number}`, name, address, roles: ['buyer'] };
    return makeNotice(number, AS_OF, { parties: [council], buyer: { id: council.id, name } });
  };
  const address = { streetAddress: 'Town Hall', locality: 'Harrowmere', postalCode: 'ZZ9 9ZX' };
  const findATender = [buyer(1, 'Harrowmere City Council', address), buyer(2, 'Harrowmere City Council', {})];
  const world = await makeWorld(makeData({ findATender: [...findATender, buyer(3, 'Weald Housing', address)] }));
  await runSource(world.context, 'find_a_tender', { since: new Date(AS_OF.getTime() - 72 * HOUR_MS) });
  const readBuyers = () => world.rows('SELECT id, name, gone, seq FROM buyer ORDER BY name');
  const before = await readBuyers();
  expect(before).toMatchObject([{ name: 'Harrowmere City Council' }, { name: 'Weald Housing' }]);
  const target = makePersonTarget({ names: ['Wilhelmina Oakapple'], texts: [], emails: [], telephones: [] });
  const takedown = { id: 'tk_1', kind: 'person', target, reason: 'r', takenAt: '', takenBy: '' } as const;
  await applyTakedown(world.catalogue, takedown, { before: [], signal: new AbortController().signal });
  expect(await readBuyers()).toEqual(before);
  await world.close();
});
