import { expect, it } from 'vitest';
import { getNotice } from '../../../api/operations/notices/get.ts';
import { ask, openRoom } from '../../support/catalogue-services.ts';
import { buyerRow, noticeDetail, noticeRow, processRow, seed } from '../../support/seed.ts';

it('a brief notice, too, says how long its lots run and how many are invited to bid', async () => {
  const room = await openRoom();
  const lot = { lot_id: '1', duration_days: 1440, invited_min: 3, invited_max: 5 };
  const questions = { enquiries_until: '2027-01-15', enquiries_until_at: '2027-01-15T17:00:00Z' };
  const dates = { ...questions, starts: '2027-04-01', ends: '2029-03-30', extends_to: '2033-03-31' };
  const terms = { renewal: 'Twice by a year.', options: 'More lifts.' };
  const stated = { delivery_places: ['Three towers', 'LS1'], no_engagement_reason: 'The market is known.' };
  const said = { title: 'North', description: 'Lifts in the north.', ...terms };
  await seed(
    room.services.catalogue,
    buyerRow('GB-PPON-PAAA-1111-AAAA', 'Northwick Council'),
    processRow('ocds-h6vhtk-000001'),
    noticeRow('000001-2026', 'ocds-h6vhtk-000001', {
      detail: { ...noticeDetail, dates, ...stated, lots: [{ ...lot, ...said }] },
    }),
  );
  const notice = async (detail: string) => (await ask(room, getNotice, { notice_id: '000001-2026', detail })).body;
  expect(await notice('full')).toMatchObject({ dates, ...stated, lots: [{ ...lot, ...said }] });
  const brief = await notice('brief');
  for (const field of Object.keys(stated)) expect(brief).not.toHaveProperty(field);
  expect(brief.lots).toEqual([{ ...lot, ...terms, title: 'North' }]);
  expect(brief.dates).toEqual(dates);
  await room.close();
});

it('a notice says once by what bids are compared where its lots agree', async () => {
  const room = await openRoom();
  const quality = { type: 'quality', name: 'Quality', weight: 60, weight_type: 'percentageExact' };
  const terms = {
    award_criteria: [
      { ...quality, description: 'How well it is done.' },
      { type: 'price', description: 'The other 40%.' },
    ],
    award_criteria_text: 'As in the documents.',
  };
  const [north, south] = [
    { lot_id: '1', title: 'North' },
    { lot_id: '2', title: 'South', suitable_for_vcse: true },
  ];
  const rules = {
    suitable_for_vcse: true,
    above_threshold: true,
    special_regimes: ['lightTouch'],
    covered_by: ['GPA'],
  };
  const agreeing = {
    ...rules,
    award_criteria_text: 'Each lot alone.',
    lots: [north, south].map((lot) => ({ ...lot, ...terms })),
  };
  const differing = { ...agreeing, lots: [{ ...north, ...terms }, south] };
  await seed(
    room.services.catalogue,
    buyerRow('GB-PPON-PAAA-1111-AAAA', 'Northwick Council'),
    ...[agreeing, differing].flatMap((detail, n) => [
      processRow(`ocds-h6vhtk-00000${n}`),
      noticeRow(`00000${n}-2026`, `ocds-h6vhtk-00000${n}`, { detail: { ...noticeDetail, ...detail } }),
    ]),
  );
  const notice = async (n: number, detail: string) =>
    (await ask(room, getNotice, { notice_id: `00000${n}-2026`, detail })).body;
  expect(await notice(0, 'full')).toMatchObject({
    ...rules,
    ...terms,
    award_criteria_text: 'As in the documents.\n\nEach lot alone.',
    lots: [{ title: 'North' }, { title: 'South' }],
  });
  expect((await notice(0, 'full')).lots).toEqual([north, south]);
  expect(await notice(1, 'full')).toMatchObject(differing);
  expect(await notice(0, 'brief')).toMatchObject({ ...rules, award_criteria: terms.award_criteria });
  expect((await notice(1, 'brief')).lots).toEqual([
    { ...north, ...terms },
    { lot_id: '2', title: 'South' },
  ]);
  await room.close();
});

it('a notice says once who may bid where its lots agree, and in a brief answer too', async () => {
  const room = await openRoom();
  const selection_criteria = [
    { type: 'economic', description: 'A turnover of £2m.', minimum: 'Of each of three years. '.repeat(24) },
    { description: 'The best five.', for_reduction: true },
  ];
  const selection_criteria_text = 'Two stages. '.repeat(48).trim();
  const participation_fees = [{ types: ['document'], value: 60, currency: 'GBP' }];
  const terms = {
    guarantees: 'A bond. '.repeat(72),
    performance_terms: 'Fair work. '.repeat(52),
    financial_terms: 'In 30 days. '.repeat(48),
    procedure_features: 'Two stages. '.repeat(48),
    value_min: 26_410,
    recurrence: 'In 3 years. '.repeat(48),
    risks: 'Weather. '.repeat(72),
    accelerated: true,
    accelerated_reason: 'State of urgency. '.repeat(32),
    lots_bid_max: 2,
    lots_won_max: 1,
    participation_fees: [{ types: ['win'], percent: 2.5, of: 'award', description: 'Each quarter. '.repeat(32) }],
  };
  const lots = ['North', 'South'].map((title, at) => ({ lot_id: `${at + 1}`, title }));
  const details = [
    {
      selection_criteria_text: 'In all.',
      bid_valid_days: 90,
      lots: lots.map((lot) => ({
        ...lot,
        variants: 'allowed',
        participation_fees,
        selection_criteria,
        selection_criteria_text,
      })),
    },
    {
      selection_criteria,
      reserved_for: ['smeVcse'],
      reserved_places: ['Kent'],
      ...terms,
      lots: lots.map((lot) => ({ ...lot, selection_criteria_text })),
    },
    { lots: [{ ...lots[0], selection_criteria, selection_criteria_text }, lots[1]] },
    { selection_criteria: [{ type: 'technical' }], lots: lots.map((lot) => ({ ...lot, selection_criteria })) },
  ];
  await seed(
    room.services.catalogue,
    buyerRow('GB-PPON-PAAA-1111-AAAA', 'Northwick Council'),
    ...details.flatMap((detail, n) => [
      processRow(`ocds-h6vhtk-00000${n}`),
      noticeRow(`00000${n}-2026`, `ocds-h6vhtk-00000${n}`, { detail: { ...noticeDetail, ...detail } as never }),
    ]),
  );
  for (const detail of ['full', 'brief']) {
    const [alike, together, differing, both] = await Promise.all(
      details.map(async (_, n) => (await ask(room, getNotice, { notice_id: `00000${n}-2026`, detail })).body),
    );
    expect(alike).toMatchObject({
      selection_criteria,
      selection_criteria_text: `${selection_criteria_text}\n\nIn all.`,
      variants: 'allowed',
      participation_fees,
      bid_valid_days: 90,
    });
    expect(together).toMatchObject({ selection_criteria, selection_criteria_text });
    expect(together).toMatchObject({ reserved_for: ['smeVcse'], reserved_places: ['Kent'], ...terms });
    expect([alike?.lots, together?.lots]).toEqual([lots, lots]);
    expect(differing).not.toHaveProperty('selection_criteria');
    expect(differing?.lots).toEqual(details[2]?.lots);
    expect(both).toMatchObject(details[3] ?? {});
  }
  await room.close();
});

it('a brief notice says when each of its lots runs where one of them differs from the whole', async () => {
  const room = await openRoom();
  const dates = { starts: '2027-04-01', ends: '2031-03-31' };
  const north = { lot_id: '1', title: 'North' };
  const south = { lot_id: '2', title: 'South', starts: '2028-04-01', ends: '2031-03-31', extends_to: '2032-03-31' };
  const details = [[{ ...north, ...dates }, south], [{ ...north, ...dates }]];
  await seed(
    room.services.catalogue,
    buyerRow('GB-PPON-PAAA-1111-AAAA', 'Northwick Council'),
    ...details.flatMap((lots, n) => [
      processRow(`ocds-h6vhtk-00000${n}`),
      noticeRow(`00000${n}-2026`, `ocds-h6vhtk-00000${n}`, { detail: { ...noticeDetail, dates, lots } }),
    ]),
  );
  const read = async (n: number) => (await ask(room, getNotice, { notice_id: `00000${n}-2026`, detail: 'brief' })).body;
  expect(await read(0)).toMatchObject({ dates, lots: [{ ...north, ...dates }, south] });
  expect((await read(1)).lots).toEqual([north]);
  await room.close();
});

it('a notice on performance says what it measured, in a brief answer of the first five', async () => {
  const room = await openRoom();
  const kpis = Array.from({ length: 101 }, (_, at) => ({
    title: `KPI ${at + 1}`,
    results: [
      { notice_id: '000001-2026', starts: '2026-01-01', ends: '2026-03-31', measured: '75%', rating: 'slightlyBelow' },
    ],
  }));
  await seed(
    room.services.catalogue,
    buyerRow('GB-PPON-PAAA-1111-AAAA', 'Northwick Council'),
    processRow('ocds-h6vhtk-000001'),
    noticeRow('000001-2026', 'ocds-h6vhtk-000001', { detail: { ...noticeDetail, kpis } as never }),
  );
  const said = async (detail: string) => (await ask(room, getNotice, { notice_id: '000001-2026', detail })).body;
  const full = await said('full');
  expect(full.kpis).toEqual(kpis.slice(0, 100));
  expect(full.warnings).toContain('only the first 100 of 101 performance indicators are listed');
  const results = [{ notice_id: '000001-2026', ends: '2026-03-31', measured: '75%', rating: 'slightlyBelow' }];
  expect((await said('brief')).kpis).toEqual(kpis.slice(0, 5).map(({ title }) => ({ title, results })));
  await room.close();
});

it('a notice names all who buy together with its buyer; a brief one the first of them', async () => {
  const room = await openRoom();
  const joint_buyers = Array.from({ length: 28 }, (_, n) => `Vale Council ${n}`);
  await seed(
    room.services.catalogue,
    buyerRow('GB-PPON-PAAA-1111-AAAA', 'Northwick Council'),
    processRow('ocds-h6vhtk-000001'),
    noticeRow('000001-2026', 'ocds-h6vhtk-000001', { detail: { ...noticeDetail, joint_buyers } }),
  );
  const notice = async (detail: string) => (await ask(room, getNotice, { notice_id: '000001-2026', detail })).body;
  expect((await notice('full')).joint_buyers).toEqual(joint_buyers);
  expect((await notice('brief')).joint_buyers).toEqual(joint_buyers.slice(0, 5));
  await room.close();
});
