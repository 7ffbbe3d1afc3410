import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBalance } from '../../../schema/accounts/ledger/transfers.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { CONTRACT_FACETS } from '../../../search/filters/facets.ts';
import type { SearchFilters } from '../../../search/filters/index.ts';
import { actRelease, BRIGHT, COUNCIL, noticeDocument, reference } from '../../ingest/compile/releases.ts';
import { makeMatcher } from '../../jobs/watches/matcher.ts';
import { openAccount } from '../../jobs/watches/seed.ts';
import { openPublishedContracts, type PublishedContracts } from './published.ts';

/** What the award of a notice says, and what the tender before it. */
interface Said {
  award?: JsonObject;
  tender?: JsonObject;
}
const [URGENT, OLDER, WORDS, OPEN] = ['000001-2026', '000002-2026', '000003-2026', '000004-2026'] as const;
const onGrounds = (...grounds: JsonObject[]): Said => ({
  tender: { procurementMethod: 'direct', procurementMethodRationaleClassifications: grounds },
});
const standstill = (endDate: string) => ({ status: 'pending', standstillPeriod: { endDate } });
const SAID: Readonly<Record<string, Said>> = {
  // A code of Find a Tender, codes of the older forms, and what another site may write.
  [URGENT]: onGrounds({ id: 'urgency' }),
  [OLDER]: {
    ...onGrounds(
      { scheme: 'TED_PT_AWARD_CONTRACT_WITHOUT_CALL', id: 'D_TECHNICAL' },
      { scheme: 'TED_PT_AWARD_CONTRACT_WITHOUT_CALL', id: 'D_EXTREME_URGENCY' },
    ),
    award: standstill('2026-03-19T23:59:59Z'),
  },
  [WORDS]: {
    ...onGrounds({ description: 'Single supplier - intellectual property' }),
    // The last minute of 10 April, in summer time.
    award: standstill('2026-04-10T23:59:59+01:00'),
  },
  [OPEN]: {},
};

let contracts: PublishedContracts;

function awarded(id: string, date: string, { award, tender }: Said) {
  const documents = [noticeDocument(id, 'UK6')];
  const made = { id: '1', status: 'active', suppliers: [reference(BRIGHT)], documents, ...award };
  const more = { tag: ['award'], parties: [COUNCIL, BRIGHT], buyer: reference(COUNCIL), tender: tender ?? {} };
  return actRelease(id, date, { ...more, awards: [made] });
}

const publish = (id: string, date: string, said: Said) => contracts.publish(awarded(id, date, said));
const find = (filters: SearchFilters) => contracts.find(filters);

beforeAll(async () => {
  const releases = Object.entries(SAID).map(([id, said]) => awarded(id, '2026-03-01T00:00:00Z', said));
  contracts = await openPublishedContracts(releases);
});
afterAll(() => contracts.close());

describe('awards that can still be challenged', () => {
  const onDay = (standstill_from: string) => find({ standstill_from });

  it('are those whose standstill ends today or later, by the day in London', async () => {
    expect(await onDay('2026-03-19')).toEqual([OLDER, WORDS]);
    expect(await onDay('2026-03-20')).toEqual([WORDS]);
    expect(await find({ standstill_from: '2026-04-10', standstill_to: '2026-04-10' })).toEqual([WORDS]);
    expect(await onDay('2026-04-11')).toEqual([]);
    expect(await find({ standstill_from: '2026-03-19', standstill_to: '2026-03-31' })).toEqual([OLDER]);
  });

  it('stay so where the standstill is set again, and can be no more once the award is withdrawn', async () => {
    const { next } = await contracts.changesAfter({ standstill_from: '2026-04-01' });
    await publish(OLDER, '2026-03-02T00:00:00Z', { ...SAID[OLDER], award: standstill('2026-04-20T22:59:59Z') });
    await publish(WORDS, '2026-03-02T00:00:00Z', { ...SAID[WORDS], award: { status: 'cancelled' } });
    const { changes } = await contracts.changesAfter({ standstill_from: '2026-04-01' }, next);
    expect(changes.map(({ change }) => change).toSorted()).toEqual(['gone', 'new']);
    expect(await onDay('2026-04-01')).toEqual([OLDER]);
    await publish(WORDS, '2026-03-03T00:00:00Z', SAID[WORDS] as Said);
  });
});

describe('contracts that were awarded directly', () => {
  it('are found by their grounds, under either law and however a ground is written', async () => {
    expect(await find({ direct_award_ground: ['urgency'] })).toEqual([URGENT, OLDER]);
    expect(await find({ direct_award_ground: ['technical', 'exclusive_rights'] })).toEqual([OLDER, WORDS]);
    expect(await find({ direct_award_ground: ['no_bids'] })).toEqual([]);
  });

  it('are counted by them', async () => {
    const asked = { scope: 'contracts', filters: {}, limit: 1, now: new Date() } as const;
    const { facets } = await contracts.engine.find({ ...asked, facets: [...CONTRACT_FACETS] });
    expect(facets?.direct_award_ground).toEqual({ urgency: 2, technical: 1, exclusive_rights: 1 });
  });

  it('leave what is kept up with once a later notice states another ground', async () => {
    const filters = { direct_award_ground: ['urgency'] };
    const { next } = await contracts.changesAfter(filters);
    await publish(URGENT, '2026-03-02T00:00:00Z', onGrounds({ id: 'switchingDirectAward' }));
    expect((await contracts.changesAfter(filters, next)).changes.map(({ change }) => change)).toEqual(['left']);
    expect(await find(filters)).toEqual([OLDER]);
    expect(await find({ direct_award_ground: ['no_bids'] })).toEqual([URGENT]);
  });
});

it('a watch of urgent awards that can be challenged tells what comes, is set again and leaves', async (test) => {
  const matcher = await makeMatcher();
  test.onTestFinished(() => matcher.close());
  const account_id = await openAccount(matcher.accounts);
  const filters = '{"direct_award_ground":["urgency"],"standstill_from":"2026-06-10"}';
  const id = await matcher.watch({ account_id, collection: 'contracts', filters });
  const balances: (number | null)[] = [];
  const editions: [ground: string, until: string][] = [
    ['urgency', '2026-06-09T23:59:59+01:00'],
    ['D_EXTREME_URGENCY', '2026-06-10T23:59:59+01:00'],
    ['urgency', '2026-06-12T23:59:59+01:00'],
    ['userChoice', '2026-06-12T23:59:59+01:00'],
  ];
  for (const [edition, [ground, until]] of editions.entries()) {
    const said = { ...onGrounds({ id: ground }), award: standstill(until) };
    await matcher.store([awarded(URGENT, `2026-05-${20 + edition}T10:00:00Z`, said)]);
    await matcher.match();
    balances.push(await readBalance(matcher.accounts, account_id));
  }
  expect((await matcher.items(id)).map(({ change }) => change)).toEqual(['new', 'updated', 'left']);
  expect(balances).toEqual([250, 248, 246, 244]);
});
