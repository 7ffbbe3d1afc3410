import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerContracts } from '../../../../api/operations/buyers/contracts.ts';
import { buyerProfile } from '../../../../api/operations/buyers/profile.ts';
import { companyContracts } from '../../../../api/operations/companies/contracts.ts';
import { companyProfile } from '../../../../api/operations/companies/profile.ts';
import { lookupContract } from '../../../../api/operations/contracts/lookup.ts';
import { searchContracts } from '../../../../api/operations/search/contracts.ts';
import { makeClocks } from '../../../../schema/config/clocks.ts';
import { ask, openIndexes, openRoom, type Room } from '../../../support/catalogue-services.ts';
import { buyerRow, companyRow, contractRows, noticeRow, processRow, seed, supplier } from '../../../support/seed.ts';

const BUYER = 'GB-PPON-PAAA-1111-AAAA';
const LAST_DAY = '2027-03-31T22:59:00Z';
const NEXT_DAY = '2027-03-31T23:01:00Z';
const LATER = '2090-01-01T00:00:00Z';

/** Award, what is published of it, and what it is on its last day, which ends at midnight in London, and on the next. */
const CASES: [string, { status: string; ends?: string }, string | undefined, string | undefined][] = [
  ['runs', { status: 'active', ends: '2027-03-31' }, 'active', 'ended'],
  ['unsigned', { status: 'pending', ends: '2027-03-31' }, 'active', 'ended'],
  ['over', { status: 'active', ends: '2026-03-31' }, 'ended', 'ended'],
  ['stopped', { status: 'terminated', ends: '2027-03-31' }, 'terminated', 'terminated'],
  ['open', { status: 'active' }, undefined, undefined],
];
const processOf = (award: string) => `ocds-h6vhtk-${award}`;
const idOf = (award: string) => `${processOf(award)}/${award}`;

let room: Room;
beforeAll(async () => {
  room = await openRoom();
  const { catalogue } = room.services;
  await seed(
    catalogue,
    buyerRow(BUYER, 'Northwick Council'),
    companyRow('GB-COH-01234567', 'Oakes Ltd', { company_number: '01234567', contract_count: CASES.length }),
    ...CASES.flatMap(([award, stated], index) => [
      processRow(processOf(award), { status: 'awarded' }),
      noticeRow(`00000${index}-2026`, processOf(award), { stage: 'award', status: 'awarded' }),
      ...contractRows(idOf(award), [supplier('GB-COH-01234567', 'Oakes Ltd')], {
        notice_id: `00000${index}-2026`,
        ...stated,
      }),
    ]),
  );
  await openIndexes(room);
});
afterAll(async () => {
  await room.services.search.close();
  await room.close();
});

/** The same services at another time. */
const at = (now: string): Room => ({ ...room, services: { ...room.services, clocks: makeClocks(new Date(now)) } });

/** A contract in every answer that has it, at an instant. */
async function standingsOf(award: string, now: string) {
  const [here, contract_id] = [at(now), idOf(award)];
  const whole = (await ask(here, lookupContract, { notice_id: contract_id })).body;
  const lists = [
    (await ask(here, companyContracts, { company_number: '01234567' })).body.items,
    (await ask(here, companyProfile, { company_number: '01234567' })).body.contracts.items,
    (await ask(here, buyerContracts, { buyer_id: BUYER })).body.items,
    (await ask(here, buyerProfile, { buyer_id: BUYER })).body.contracts.items,
    (await ask(here, searchContracts, { query: '*' })).body.items,
  ];
  const listed = lists.map((items) => items.find((item) => item.contract_id === contract_id));
  return [whole, whole.awards[0], ...listed].map((one) => [one?.status, one?.stated_status]);
}

describe('the status of a contract', () => {
  it.each(CASES)(
    'that %s is today’s wherever it is answered, and what is published stands beside it',
    async (award, stated, lastDay, nextDay) => {
      for (const [now, today] of [
        [LAST_DAY, lastDay],
        [NEXT_DAY, nextDay],
      ] as const) {
        const standings = await standingsOf(award, now);
        expect(standings).toEqual(standings.map(() => [today, stated.status]));
      }
    },
  );

  it('in a brief answer is today’s', async () => {
    const { body } = await ask(at(NEXT_DAY), companyContracts, { company_number: '01234567', detail: 'brief' });
    const statuses = Object.fromEntries(body.items.map((item) => [item.contract_id, item.status]));
    expect(statuses).toEqual(Object.fromEntries(CASES.map(([award, , , nextDay]) => [idOf(award), nextDay])));
  });

  it('is kept once the clock can no longer change it, and is then the same at any later time', async () => {
    const finality: boolean[] = [];
    for (const [award, , lastDay] of CASES) {
      const answerAt = (now: string) => {
        const input = lookupContract.input.parse({ notice_id: idOf(award) });
        return lookupContract.run(input, at(now).services, { accountId: '', keyId: '' });
      };
      const [early, late] = [await answerAt(LAST_DAY), await answerAt(LATER)];
      if (early.kind !== 'answer' || late.kind !== 'answer') throw new Error(`${award} is not answered`);
      expect([early.isFinal, late.isFinal]).toEqual([lastDay !== 'active', true]);
      if (early.isFinal) expect(late).toEqual(early);
      finality.push(early.isFinal === true);
    }
    expect(new Set(finality)).toEqual(new Set([true, false]));
  });
});
