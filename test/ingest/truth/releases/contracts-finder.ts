import {
  type Award,
  COUNCIL,
  DEFAULTS,
  digits,
  type Firm,
  firmsOf,
  guid,
  type Json,
  type Notice,
  partiesOf,
  plain,
  suppliersOf,
} from './notice.ts';

const money = (amount: number | null | undefined) => (amount === undefined ? undefined : { amount, currency: 'GBP' });

/** A party as Contracts Finder lists it today: one line of address, a scheme only with a number. */
export function party(firm: Firm, roles: unknown = ['supplier']): Json {
  const identifier = firm.number
    ? { legalName: firm.name, scheme: firm.scheme ?? 'GB-COH', id: firm.number }
    : { legalName: firm.name };
  const streetAddress = [firm.street, firm.postcode].filter(Boolean).join(', ') || undefined;
  return plain({
    id: firm.id,
    name: firm.name,
    identifier,
    address: streetAddress ? { streetAddress } : undefined,
    details: { scale: 'sme', vcse: false },
    roles,
    ...firm.more,
  });
}

function buyerParty(buyer: Firm): Json {
  const address = {
    streetAddress: buyer.street,
    locality: 'Aldermoor',
    postalCode: buyer.postcode,
    countryName: 'England',
  };
  return party({ ...buyer, more: { address, details: undefined, ...buyer.more } }, ['buyer']);
}

function award(each: Award, place: number, ocid: string, at: string): Json {
  return {
    id: each.id ?? `${ocid}-${place}`,
    status: 'active',
    date: `${each.date ?? '2024-02-20'}T00:00:00Z`,
    datePublished: at,
    title: each.title,
    description: each.description,
    value: money(each.value),
    suppliers: suppliersOf(each),
    contractPeriod: {
      startDate: `${each.starts ?? '2024-04-01'}T00:00:00Z`,
      endDate: `${each.ends ?? '2026-03-31'}T23:59:59Z`,
    },
    ...each.more,
  };
}

/** A release as Contracts Finder serves it since 2022: parties, and awards that refer to them. */
export function contractsFinder(notice: Notice): Json {
  const { process, awards = [], buyer = COUNCIL, firstAward = 1 } = notice;
  const ocid = `ocds-b5fd17-${guid(process)}`;
  const page = guid(`${process} ${notice.notice ?? 1}`);
  const at = `${notice.at ?? DEFAULTS.at}Z`;
  const document = {
    id: '1',
    documentType: awards.length ? 'awardNotice' : 'tenderNotice',
    url: `https://www.contractsfinder.service.gov.uk/Notice/${page}`,
    datePublished: at,
    format: 'text/html',
    language: 'en',
  };
  return plain({
    ocid,
    id: `${page}-${700_000 + (notice.notice ?? 1)}`,
    language: 'en',
    date: at,
    tag: notice.tag ?? (awards.length ? ['award'] : ['tender']),
    initiationType: 'tender',
    tender: {
      id: `REF-${digits(process, 6)}`,
      title: notice.title ?? DEFAULTS.title,
      description: notice.description ?? DEFAULTS.description,
      status: awards.length ? 'complete' : 'active',
      classification: {
        scheme: 'CPV',
        id: '77310000',
        description: 'Planting and maintenance services of green areas',
      },
      procurementMethod: notice.method ?? 'open',
      procurementMethodDetails: notice.procedure ?? 'Open procedure (below threshold)',
      tenderPeriod: { endDate: awards.length ? '2024-01-31T12:00:00Z' : '2024-04-30T12:00:00Z' },
      mainProcurementCategory: 'services',
      documents: awards.length ? undefined : [document],
      ...notice.tender,
    },
    parties: partiesOf(
      notice,
      buyerParty(buyer),
      firmsOf(awards).map((each) => party(each)),
    ),
    buyer: { id: buyer.id, name: buyer.name },
    awards: awards.length
      ? awards.map((each, index) => ({ ...award(each, firstAward + index, ocid, at), documents: [document] }))
      : undefined,
    ...notice.more,
  });
}

/** A supplier as the award releases of 2019-20 hold it: inline, the id 0, every empty field an empty text. */
export function inlineSupplier(firm: Firm): Json {
  return plain({
    id: 'id' in firm ? firm.id : 0,
    name: firm.name,
    sme: false,
    vco: false,
    x_awardValue: { amount: null, currency: 'GBP' },
    identifier: {
      id: firm.number ?? '',
      scheme: firm.number ? (firm.scheme ?? 'GB-COH') : '',
      uri: '',
      legalName: '',
    },
    contactPoint: { name: '', email: '', faxNumber: '', telephone: '' },
    address: {
      streetAddress: [...(firm.street ?? '').split(', '), firm.postcode].filter(Boolean).join('\n        '),
      locality: '',
      region: '',
      postalCode: '',
      countryName: '',
    },
    ...firm.more,
  });
}

/** A release as Contracts Finder served it in 2019-20: no parties, the buyer and every supplier inline. */
export function contractsFinder2020(notice: Notice): Json {
  const { process, awards = [], buyer = COUNCIL, firstAward = 1 } = notice;
  const ocid = `ocds-b5fd17-${guid(process)}`;
  return plain({
    ocid,
    id: `${ocid}-${300_000 + (notice.notice ?? 1)}-ref`,
    language: 'en-GB',
    date: `${(notice.at ?? '2020-03-05T00:00:00').slice(0, 10)}T00:00:00Z`,
    tag: notice.tag ?? ['tender'],
    initiationType: 'tender',
    buyer: {
      name: buyer.name,
      identifier: { legalName: buyer.name, id: '', scheme: '', uri: '' },
      address: {
        streetAddress: buyer.street,
        locality: 'Aldermoor',
        postalCode: buyer.postcode,
        countryName: 'England',
        region: '',
      },
    },
    tender: {
      id: `${ocid}-ref`,
      title: notice.title ?? DEFAULTS.title,
      description: notice.description ?? DEFAULTS.description,
      status: 'complete',
      items: [{ id: 1, description: '', classification: { scheme: 'CPV', id: '77310000', description: '' } }],
      value: { currency: 'GBP' },
      procurementMethodDetails: notice.procedure ?? 'Open procedure',
      tenderPeriod: { endDate: '2020-01-31T00:00:00Z' },
      ...notice.tender,
    },
    awards: awards.map((each, index) => ({
      ...award({ date: '2020-02-20', starts: '2020-04-01', ends: '2022-03-31', ...each }, 0, ocid, ''),
      id: each.id ?? guid(`${process} award ${firstAward + index}`),
      title: each.title ?? '',
      datePublished: undefined,
      suppliers: each.suppliers ?? each.firms?.map(inlineSupplier),
    })),
    ...notice.more,
  });
}
