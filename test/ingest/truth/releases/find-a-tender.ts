import {
  type Award,
  COUNCIL,
  DEFAULTS,
  digits,
  type Firm,
  firmsOf,
  type Json,
  type Notice,
  partiesOf,
  plain,
  suppliersOf,
} from './notice.ts';

const money = (amount: number | null | undefined) => (amount === undefined ? undefined : { amount, currency: 'GBP' });

/** The number of a notice, `NNNNNN-YYYY`. */
const number = ({ process, notice = 1, at = DEFAULTS.at }: Notice) =>
  `${String(100_000 + (Number.parseInt(digits(process, 5), 16) % 800_000) + notice).slice(0, 6)}-${at.slice(0, 4)}`;

/** A party as Find a Tender lists it: a scheme only where an identifier is stated. */
export function tenderParty(firm: Firm, roles: unknown = ['supplier']): Json {
  const scheme = firm.scheme ?? (firm.number ? 'GB-COH' : undefined);
  return plain({
    name: firm.name,
    id: firm.id,
    identifier: { legalName: firm.name, scheme, id: firm.number },
    address: { streetAddress: firm.street, postalCode: firm.postcode, countryName: 'United Kingdom' },
    details: { scale: 'sme', vcse: false },
    roles,
    ...firm.more,
  });
}

function frame(notice: Notice): Json {
  const {
    process,
    awards = [],
    buyer = { ...COUNCIL, id: 'GB-PPON-PQXT-1234-WXYZ', scheme: 'GB-PPON', number: 'PQXT-1234-WXYZ' },
  } = notice;
  return {
    ocid: `ocds-h6vhtk-${digits(process, 6)}`,
    id: number(notice),
    date: `${notice.at ?? DEFAULTS.at}Z`,
    tag: notice.tag ?? (awards.length ? ['award', 'contract'] : ['tender']),
    initiationType: 'tender',
    language: 'en',
    buyer: { id: buyer.id, name: buyer.name },
    parties: partiesOf(
      notice,
      tenderParty(buyer, ['buyer']),
      firmsOf(awards).map((each) => tenderParty(each)),
    ),
  };
}

/** The lots that the awards name, or one. */
const lotIds = ({ awards = [] }: Notice) => [
  ...new Set(awards.flatMap(({ lots = ['1'] }) => lots)),
  ...(awards.length ? [] : ['1']),
];

function tender(notice: Notice, legalBasis: Json): Json {
  return {
    id: `REF-${digits(notice.process, 6)}`,
    legalBasis,
    title: notice.title ?? DEFAULTS.title,
    description: notice.description ?? DEFAULTS.description,
    status: notice.awards?.length ? 'complete' : 'active',
    procurementMethod: notice.method ?? 'open',
    procurementMethodDetails: notice.procedure ?? 'Open procedure',
    lots: lotIds(notice).map((id) => ({ id, status: notice.awards?.length ? 'complete' : 'active' })),
    ...(notice.awards?.length
      ? {}
      : { tenderPeriod: { endDate: `${(notice.at ?? DEFAULTS.at).slice(0, 4)}-07-31T12:00:00Z` } }),
  };
}

const period = ({ starts = '2024-04-01', ends = '2026-03-31' }: Award) => ({
  startDate: `${starts}T00:00:00Z`,
  endDate: `${ends}T23:59:59Z`,
});

/** A release under the regulations of 2015: a value on the contract, award ids that begin with the notice's number. */
export function findATender2015(notice: Notice): Json {
  const { awards = [] } = notice;
  const id = number(notice);
  const named = awards.map((each, index) => ({ ...each, id: each.id ?? `${id}-${index + 1}` }));
  return plain({
    ...frame(notice),
    tender: {
      ...tender(notice, { scheme: 'CELEX', id: '32014L0024' }),
      classification: { scheme: 'CPV', id: '77310000' },
      ...notice.tender,
    },
    awards: awards.length
      ? named.map((each) => ({
          id: each.id,
          title: each.title,
          description: each.description,
          status: 'active',
          relatedLots: each.lots ?? ['1'],
          suppliers: suppliersOf(each),
          ...each.more,
        }))
      : undefined,
    contracts: awards.length
      ? named.map((each) => ({
          id: each.id,
          awardID: each.id,
          title: each.title,
          status: 'active',
          value: money(each.value),
          dateSigned: `${each.date ?? '2024-02-20'}T00:00:00Z`,
          ...each.contract,
        }))
      : undefined,
    ...notice.more,
  });
}

const DOCUMENT_TYPES: { [type: string]: string } = {
  UK1: 'plannedProcurementNotice',
  UK2: 'marketEngagementNotice',
  UK3: 'plannedProcurementNotice',
  UK4: 'tenderNotice',
  UK5: 'awardNotice',
  UK6: 'awardNotice',
  UK7: 'contractNotice',
  UK13: 'tenderNotice',
  UK14: 'awardNotice',
};

/** A release under the Procurement Act 2023. `type` says where the value and the notice's document stand. */
export function findATender(
  type: 'UK2' | 'UK3' | 'UK4' | 'UK5' | 'UK6' | 'UK7' | 'UK13' | 'UK14',
  given: Notice,
): Json {
  const notice = { at: '2025-06-05T10:15:00', ...given };
  const awards = (notice.awards ?? []).map((each, index) => ({
    id: String((notice.firstAward ?? 1) + index),
    date: '2025-05-20',
    starts: '2025-07-01',
    ends: '2027-06-30',
    ...each,
  }));
  const id = number(notice);
  const documents = [
    {
      id,
      documentType: DOCUMENT_TYPES[type],
      noticeType: type,
      url: `https://www.find-tender.service.gov.uk/Notice/${id}`,
      datePublished: `${notice.at ?? DEFAULTS.at}Z`,
      format: 'text/html',
    },
  ];
  const planned = type === 'UK2' || type === 'UK3';
  return plain({
    ...frame(notice),
    ...(planned ? { tag: notice.tag ?? ['planning'], planning: { documents } } : {}),
    tender: {
      ...tender(notice, { scheme: 'UKPGA', id: '2023/54' }),
      ...(planned ? { status: 'planned', tenderPeriod: undefined } : {}),
      ...(awards.length || planned
        ? {}
        : {
            documents,
            items: [{ id: '1', additionalClassifications: [{ scheme: 'CPV', id: '77310000' }], relatedLot: '1' }],
          }),
      ...notice.tender,
    },
    awards: awards.length ? awards.map((each) => actAward(type, each, documents)) : undefined,
    contracts: awards.length && type === 'UK7' ? awards.map((each) => actContract(each, documents)) : undefined,
    ...notice.more,
  });
}

function actAward(type: string, each: Award, documents: Json[]): Json {
  return {
    id: each.id,
    title: each.title,
    description: each.description,
    status: type === 'UK7' ? 'active' : 'pending',
    ...(type === 'UK7'
      ? {}
      : {
          date: `${each.date ?? '2024-02-20'}T00:00:00Z`,
          value: money(each.value),
          contractPeriod: period(each),
          documents,
        }),
    suppliers: suppliersOf(each),
    items: [
      { id: '1', additionalClassifications: [{ scheme: 'CPV', id: '77310000' }], relatedLot: each.lots?.[0] ?? '1' },
    ],
    relatedLots: each.lots ?? ['1'],
    ...each.more,
  };
}

function actContract(each: Award, documents: Json[]): Json {
  return {
    id: each.id,
    awardID: each.id,
    title: each.title,
    status: 'active',
    value: money(each.value),
    period: period(each),
    dateSigned: `${each.date ?? '2024-02-20'}T00:00:00Z`,
    documents,
    ...each.contract,
  };
}
