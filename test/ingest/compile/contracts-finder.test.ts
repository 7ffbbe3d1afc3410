import { describe, expect, it } from 'vitest';
import { readLink } from '../../../schema/text/document-links.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { compileOne } from './releases.ts';

const OCID = 'ocds-b5fd17-11111111-2222-3333-4444-555555555555';
const TENDER_GUID = 'aaaaaaaa-0000-4000-8000-000000000001';
const AWARD_GUID = 'bbbbbbbb-0000-4000-8000-000000000002';
const page = (guid: string) => `https://www.contractsfinder.service.gov.uk/Notice/${guid}`;
const compile = (releases: JsonObject[], more: JsonObject = {}) => compileOne(releases, 'contracts_finder', more);

describe("today's shape", () => {
  const buyer = {
    id: 'GB-SRS-sid4gov.cabinetoffice.gov.uk/abC1',
    name: 'Vale of Merrow &amp; District Council',
    identifier: { scheme: 'GB-SRS', id: 'sid4gov.cabinetoffice.gov.uk/abC1', legalName: 'x' },
    address: { postalCode: 'EX1 1AA' },
    roles: ['buyer'],
  };
  const winner = {
    id: 'GB-CFS-77',
    name: 'Tidy Hedges',
    identifier: { legalName: 'Tidy Hedges' },
    address: { streetAddress: '4 Mill Lane, Exmouth, EX8 2BB' },
    details: { scale: 'sme' },
    roles: ['supplier'],
  };
  const tender = {
    id: 'DN1',
    title: 'Hedge cutting',
    description: 'Cutting &lt;b&gt;hedges&lt;/b&gt;<br/>twice a year',
    status: 'active',
    classification: { scheme: 'CPV', id: '77340000' },
    items: [{ id: '1', deliveryAddresses: [{ postalCode: 'EX1 1AA' }, { region: 'South West', countryName: 'UK' }] }],
    value: { amount: 20_000, currency: 'GBP' },
    tenderPeriod: { endDate: '2022-10-31T12:00:00Z' },
    suitability: { sme: true },
    documents: [
      { id: '1', documentType: 'tenderNotice', description: 'Opportunity notice', url: page(TENDER_GUID) },
      { id: '2', url: 'http://Contract Finder' },
    ],
  };
  const release = (guid: string, n: number, date: string, tag: string, more: JsonObject = {}) => ({
    ocid: OCID,
    id: `${guid}-${n}`,
    date,
    tag: [tag],
    parties: [buyer, winner],
    buyer: { id: buyer.id, name: buyer.name },
    tender,
    ...more,
  });
  const award = {
    id: `${OCID}-1`,
    status: 'active',
    date: '2022-11-10T00:00:00Z',
    value: { amount: 18_500, currency: 'GBP' },
    suppliers: [{ id: 'GB-CFS-77', name: 'Tidy Hedges' }],
    contractPeriod: { startDate: '2022-12-01T00:00:00Z', endDate: '2023-11-30T23:59:59Z' },
    documents: [{ id: '1', documentType: 'awardNotice', url: page(AWARD_GUID) }],
  };
  const process = compile([
    release(TENDER_GUID, 1001, '2022-10-01T09:00:00+01:00', 'tender'),
    release(TENDER_GUID, 1002, '2022-10-05T09:00:00+01:00', 'tenderAmendment', {
      tender: { ...tender, title: 'Hedge and verge cutting' },
    }),
    release(AWARD_GUID, 1003, '2022-11-12T09:00:00Z', 'award', { awards: [award] }),
  ]);

  it('makes an edited notice one notice, first published when it was, saying what it says last', () => {
    expect(process.notices).toHaveLength(2);
    expect(process.notices[0]).toMatchObject({
      noticeId: TENDER_GUID,
      title: 'Hedge and verge cutting',
      published: '2022-10-01',
      noticeType: 'tenderAmendment',
      isTender: true,
      deadline: '2022-10-31',
      deadlineAt: '2022-10-31T12:00:00Z',
      url: page(TENDER_GUID),
      regions: [{ code: 'UKK', name: 'South West' }],
    });
  });

  it('takes the notice page from the notice, never from the ocid', () => {
    expect(process.notices[1]).toMatchObject({ noticeId: AWARD_GUID, url: page(AWARD_GUID), stage: 'award' });
    expect(JSON.stringify(process)).not.toContain(`Notice/${OCID.slice('ocds-b5fd17-'.length)}`);
  });

  it('makes one contract, with its dates from the award', () => {
    expect(process.contracts).toMatchObject([
      { id: `${OCID}-a-1`, value: 18_500, valueClass: 'sum', awarded: '2022-11-10', starts: '2022-12-01' },
    ]);
  });

  it('gives a contract every code of its tender, the main one first, as it does the notice', () => {
    const further = ['77211500', '77340000'].map((id) => ({ scheme: 'CPV', id }));
    const additionalClassifications = [...further, { scheme: 'PROCLASS', id: '30100000' }];
    const { notices, contracts } = compile([
      release(AWARD_GUID, 1003, '2022-11-12T09:00:00Z', 'award', {
        tender: { ...tender, additionalClassifications },
        awards: [award],
      }),
    ]);
    expect(notices[0]?.cpvs).toEqual(['77340000', '77211500']);
    expect(contracts[0]?.detail.cpvs).toEqual(['77340000', '77211500']);
  });

  it('links once to each of its own pages, and to the notice on another service', () => {
    const elsewhere = 'https://www.find-tender.service.gov.uk/Notice/000101-2025';
    const documents = [tender.documents[0], { id: '3', documentType: 'awardNotice', url: elsewhere }];
    const linked = compile([
      release(TENDER_GUID, 1001, '2022-10-01T09:00:00+01:00', 'tender'),
      release(AWARD_GUID, 1003, '2022-11-12T09:00:00Z', 'award', {
        awards: [{ ...award, documents: [...award.documents, ...documents] }],
      }),
    ]);
    const pages = linked.documents.map(({ url, notice_id }) => [url, notice_id]);
    expect(pages.filter(([url]) => url?.includes('/Notice/'))).toEqual([
      [page(TENDER_GUID), TENDER_GUID],
      [page(AWARD_GUID), AWARD_GUID],
      [elsewhere, AWARD_GUID],
    ]);
    expect(linked.notices[1]?.detail.documents.map(({ url }) => url)).toContain(elsewhere);
  });

  it('serves no HTML and no entity, and keeps an address that cannot be one', () => {
    expect(process.notices[0]?.description).toBe('Cutting hedges\ntwice a year');
    expect(process.parties[0]?.sighting.name).toBe('Vale of Merrow & District Council');
    expect(process.parties[1]?.sighting).toMatchObject({ postcode: 'EX8 2BB', ids: [], numbers: ['GB-CFS-77'] });
    const junk = process.documents.filter(({ url }) => readLink(url).junk);
    expect(junk.map(({ url }) => url)).toEqual(['http://Contract Finder']);
  });
});

describe('older shapes', () => {
  const uri = `https://www.contractsfinder.service.gov.uk/Published/Notice/releases/${AWARD_GUID}.json`;

  it('2017-2021: tagged tender with awards; suppliers numbered within the release; odd company numbers', () => {
    const party = (id: string, name: string, number: string) => ({
      id,
      name,
      roles: ['supplier', 'tenderer'],
      sme: id === '1',
      identifier: { scheme: 'GB-COH', id: number },
      address: { streetAddress: '1 High Street\n   Leeds\n   LS1 4DY', countryName: '\n' },
    });
    const process = compile(
      [
        {
          ocid: OCID,
          id: `${OCID}-283813-dn1`,
          date: '2019-09-12T00:00:00Z',
          tag: ['tender'],
          buyer: { id: '9f', name: 'Kirk&#039;s Trust' },
          parties: [
            { id: '9f', name: 'Kirk&#039;s Trust', roles: ['buyer'], address: { region: null } },
            party('1', 'Alpha Ltd', '127 629 30'),
            party('2', 'Beta LLP', '0'),
            party('3', 'Gamma Ltd', 'GB123456789'),
            party('4', 'Delta Ltd', '1234567.0'),
          ],
          tender: {
            title: 'Joinery',
            status: 'complete',
            tenderPeriod: { endDate: '2019-10-01T00:00:00Z' },
            documents: [],
          },
          awards: [
            {
              id: 'x-1',
              date: '2019-11-01T00:00:00Z',
              value: { currency: 'GBP' },
              suppliers: [{ id: '1' }, { id: '2' }, { id: '4' }],
            },
          ],
        },
      ],
      { uri },
    );
    expect(process.notices[0]).toMatchObject({ noticeId: AWARD_GUID, noticeType: 'award', stage: 'award' });
    expect(process.parties.map(({ sighting }) => [sighting.name, sighting.ids])).toEqual([
      ["Kirk's Trust", []],
      ['Alpha Ltd', ['GB-COH-12762930']],
      ['Beta LLP', []],
      ['Delta Ltd', ['GB-COH-01234567']],
    ]);
    expect(process.contracts[0]).toMatchObject({ value: null, valueClass: 'unstated' });
  });

  it('2014-2015: OCDS 1.0, no parties, buyer inline, nulls everywhere, a day for a deadline', () => {
    const process = compile(
      [
        {
          ocid: OCID,
          id: `${OCID}-abc`,
          date: '2015-01-17T16:44:56Z',
          tag: ['tender'],
          buyer: {
            name: 'Moor Park Authority',
            identifier: { scheme: '', id: '', legalName: null },
            address: { locality: null },
          },
          tender: {
            status: 'active',
            title: ' Path repair ',
            procurementMethod: null,
            items: [{ id: 1, classification: { scheme: 'CPV', id: '45233260' } }],
            value: { currency: 'GBP', amount: null },
            minValue: { currency: 'GBP', amount: 41_000 },
            tenderPeriod: { startDate: '2015-01-18T00:00:00Z', endDate: '2015-07-31T00:00:00Z' },
          },
        },
      ],
      { uri },
    );
    expect(process.notices[0]).toMatchObject({
      noticeId: AWARD_GUID,
      title: 'Path repair',
      value: 41_000,
      valueBasis: 'estimate',
      cpvs: ['45233260'],
      deadline: '2015-07-31',
      deadlineAt: '2015-07-31T22:59:59Z',
      isTender: true,
    });
    expect(process.parties).toMatchObject([{ role: 'buyer', sighting: { name: 'Moor Park Authority', ids: [] } }]);
    expect(process.status).toBe('open');
  });

  it('a buyer with an id in one notice and without in another is the buyer of both', () => {
    const named = (guid: string, buyer: JsonObject) => ({
      ocid: OCID,
      id: `${guid}-1`,
      date: '2014-12-17T16:44:58Z',
      tag: ['tender'],
      buyer: { name: 'Moor Park Authority', ...buyer },
      tender: { title: 'Path repair' },
    });
    const { notices, parties } = compile([named(TENDER_GUID, { id: 'sid4gov/cEea93Nx' }), named(AWARD_GUID, {})]);
    const nameOf = (id: string | null) => parties.find(({ partyId }) => partyId === id)?.sighting.name;
    expect(notices.map(({ buyerParty }) => nameOf(buyerParty))).toEqual(['Moor Park Authority', 'Moor Park Authority']);
  });
});
