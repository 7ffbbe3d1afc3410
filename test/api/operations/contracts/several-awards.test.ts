import { afterAll, beforeAll, expect, it } from 'vitest';
import { lookupContract } from '../../../../api/operations/contracts/lookup.ts';
import { nationOfRegions, regionOfCode } from '../../../../schema/reference/regions.ts';
import { ask, openRoom, type Room } from '../../../support/catalogue-services.ts';
import { contractDetail, contractRows, noticeRow, processRow, seed } from '../../../support/seed.ts';

const APART = 'ocds-h6vhtk-000001';
const ALIKE = 'ocds-h6vhtk-000002';
const UNCODED = 'ocds-h6vhtk-000003';
const FAR = 'ocds-h6vhtk-000004';
const BARE = 'ocds-h6vhtk-000005';
const DATED = 'ocds-h6vhtk-000006';
const won = (id: string, title: string, cpv: string, place: string, description: string, more = {}) =>
  contractRows(id, [], {
    notice_id: `${id.slice(12, 18)}-2026`,
    title,
    cpv,
    nation: nationOfRegions([{ code: place, name: '' }]),
    detail: { ...contractDetail, description, regions: [regionOfCode(place)], cpvs: [cpv], ...more },
  });

const ending = (id: string, ends: string) =>
  contractRows(id, [], {
    notice_id: '000006-2026',
    ends,
    ends_basis: 'duration',
    ends_latest: '2030-03-31',
    detail: { ...contractDetail, ends_latest_basis: 'renewal' },
  });

const PLACES = { delivery_places: ['Mill Lane depot', 'LS1'] };
const EXTENDED = { no_kpis_reason: 'Below £5 million.', renewal: 'Two years more.', options: 'A second depot.' };
const FINAL = { value: 6_705, currency: 'GBP', value_basis: 'net' };
const ENDED = { ...EXTENDED, options: 'More seats.', final_value: FINAL };

const CALLED_OFF = { method: 'none', evidence: ['it is called off'] };

let room: Room;
beforeAll(async () => {
  room = await openRoom();
  const named = (title: string) => ({ title, cpv: '60000000', stage: 'award', notice_type: 'UK6' });
  await seed(
    room.services.catalogue,
    processRow(APART, { stage: 'award', status: 'awarded' }),
    noticeRow('000001-2026', APART, named('Coach hire')),
    won(`${APART}/1`, 'Lot 1: school coaches', '60172000', 'UKJ14', 'Coaches for schools.', PLACES),
    won(`${APART}/2`, 'Lot 2: rail replacement', '60140000', 'UKK11', 'Coaches in place of trains.', {
      delivery_places: ['LS1', 'Three stations'],
    }),
    processRow(ALIKE, { stage: 'award', status: 'awarded' }),
    noticeRow('000002-2026', ALIKE, named('Coach hire again')),
    won(`${ALIKE}/1`, 'Coaches', '60172000', 'UKJ14', 'Coaches.', EXTENDED),
    won(`${ALIKE}/2`, 'Coaches', '60172000', 'UKJ14', 'Coaches.', ENDED),
    processRow(UNCODED, { stage: 'award', status: 'awarded' }),
    noticeRow('000003-2026', UNCODED, { ...named('Coach hire'), cpv: null, cpvs: [] }),
    won(`${UNCODED}/1`, 'School coaches', '60172000', 'UKJ14', 'Coaches.'),
    won(`${UNCODED}/2`, 'Rail replacement', '60140000', 'UKJ14', 'Coaches.'),
    processRow(FAR, { stage: 'award', status: 'awarded' }),
    noticeRow('000004-2026', FAR, named('Coach hire far away')),
    won(`${FAR}/1`, 'Coaches in Cardiff', '60172000', 'UKL22', 'Coaches.', { framework_link: CALLED_OFF }),
    won(`${FAR}/2`, 'Coaches in Edinburgh', '60172000', 'UKM75', 'Coaches.'),
    processRow(BARE, { stage: 'termination', status: 'awarded' }),
    noticeRow('000005-2026', BARE, named('Coach hire ended')),
    contractRows(`${BARE}/1`, [], { notice_id: '000005-2026' }),
    processRow(DATED, { stage: 'award', status: 'awarded' }),
    noticeRow('000006-2026', DATED, named('Coach hire by the year')),
    ending(`${DATED}/1`, '2028-03-31'),
    ending(`${DATED}/2`, '2029-03-31'),
  );
});
afterAll(() => room.close());

const lookUp = async (notice_id: string) => (await ask(room, lookupContract, { notice_id, detail: 'full' })).body;

it('several contracts in one answer have the title and main code of their notice, and the places of all', async () => {
  const body = await lookUp('000001-2026');
  expect(body).toMatchObject({ title: 'Coach hire', cpv: '60000000', region: 'England' });
  expect(body.regions?.map(({ code }) => code)).toEqual(['UKJ14', 'UKK11']);
  expect(body.delivery_places).toEqual(['Mill Lane depot', 'LS1', 'Three stations']);
  expect(body).not.toHaveProperty('description');
  expect(body.awards).toMatchObject([
    { title: 'Lot 1: school coaches', description: 'Coaches for schools.' },
    { title: 'Lot 2: rail replacement', description: 'Coaches in place of trains.' },
  ]);
});

it('their answer has no main code where neither all of them nor their notice have one', async () => {
  const body = await lookUp('000003-2026');
  expect(body).not.toHaveProperty('cpv');
  expect(body.cpvs?.map(({ code }) => code)).toEqual(['60172000', '60140000']);
});

it('a contract without CPV codes borrows none from another award of its notice', async () => {
  const body = await lookUp('000005-2026');
  for (const field of ['cpv', 'cpvs']) expect(body).not.toHaveProperty(field);
});

it('what all of them state is that of the answer, each place once', async () => {
  expect(await lookUp('000002-2026')).toMatchObject({
    title: 'Coaches',
    cpv: '60172000',
    description: 'Coaches.',
    region: 'Oxfordshire',
    regions: [{ code: 'UKJ14', name: 'Oxfordshire' }],
  });
  for (const one of (await lookUp('000002-2026')).awards) expect(one).not.toHaveProperty('description');
});

it('options to extend are said of every award that shares them, what one cost of that one alone', async () => {
  const body = await lookUp('000002-2026');
  expect(body).toMatchObject({ renewal: 'Two years more.', no_kpis_reason: 'Below £5 million.' });
  for (const field of ['options', 'final_value']) expect(body).not.toHaveProperty(field);
  expect(body.awards).toMatchObject([EXTENDED, ENDED]);
  expect(await lookUp(`${ALIKE}/2`)).toMatchObject(ENDED);
});

it('where several are in different nations, or one alone was called off, the answer says neither of all', async () => {
  const body = await lookUp('000004-2026');
  expect(body.region).toBe('United Kingdom');
  for (const field of ['nation', 'framework_link']) expect(body).not.toHaveProperty(field);
  expect(body.awards[0]).toMatchObject({ framework_link: CALLED_OFF });
  expect(await lookUp('000001-2026')).toMatchObject({ nation: 'england' });
  expect(await lookUp(`${FAR}/1`)).toMatchObject({ nation: 'wales', framework_link: CALLED_OFF });
});

it('one of them alone has its own', async () => {
  expect(await lookUp(`${APART}/2`)).toMatchObject({
    title: 'Lot 2: rail replacement',
    cpv: '60140000',
    description: 'Coaches in place of trains.',
    region: 'Bristol, City of',
  });
});

it('what their ends are taken from is said where they end on one day', async () => {
  const body = await lookUp('000006-2026');
  expect(body).toMatchObject({ ends_latest: '2030-03-31', ends_latest_basis: 'renewal' });
  for (const field of ['ends', 'ends_basis']) expect(body).not.toHaveProperty(field);
  expect(body.awards).toMatchObject([{ ends: '2028-03-31', ends_basis: 'duration' }, { ends: '2029-03-31' }]);
});
