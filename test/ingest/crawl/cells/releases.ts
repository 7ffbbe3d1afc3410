import type { Json, TypedRelease } from '../../../upstream/data.ts';

/** Where the stand-in serves Public Contracts Scotland. */
export const FOLDER = 'public-contracts-scotland';

/** What of a release of ours differs from the next. */
interface Wanted {
  /** London day of publication. */
  day: string;
  type?: string;
  /** The number of the family's first notice: that of the ocid. */
  family?: number;
  tag?: string;
  title?: string;
  buyer?: string;
  tender?: Json;
  more?: Json;
}

/** A Scottish release of our own in the recorded shape (September 2026), number `n` of its service. */
export function makeScottish(n: number, wanted: Wanted): TypedRelease {
  const { day, type = '2', family = n, tag = 'tender', title = `Grounds maintenance ${n}` } = wanted;
  const { buyer = 'Strathexample Council' } = wanted;
  const id = `SEP${500_000 + n}`;
  const release = {
    id: `rls-1-${id}`,
    ocid: ocidOf(family),
    date: `${day}T00:00:00Z`,
    tag: [tag],
    initiationType: 'tender',
    language: 'EN',
    parties: [
      {
        id: 'org-1',
        name: buyer,
        identifier: { legalName: buyer },
        address: { streetAddress: '1 High Street', locality: 'Perth', region: 'UKM77', postalCode: 'PH1 5AB' },
        contactPoint: { name: 'Ann Example', email: 'ann@example.org', url: 'http://' },
        roles: ['buyer'],
        details: { classifications: [{ id: 'Regional or local authority', scheme: 'TED_CA_TYPE' }] },
      },
      { id: 'org-2', name: 'Perth Sheriff Court', address: { locality: 'Perth' }, roles: ['reviewBody'] },
    ],
    buyer: { id: 'org-1', name: buyer },
    tender: {
      id: ocidOf(family),
      title,
      description: `The council needs ${title.toLowerCase()}.\r\n It is described in the documents.`,
      status: 'active',
      procurementMethod: 'open',
      procurementMethodDetails: 'Open procedure',
      mainProcurementCategory: 'services',
      classification: { id: '77314000', scheme: 'CPV' },
      items: [
        {
          id: '1',
          additionalClassifications: [{ id: '77310000', scheme: 'CPV' }],
          deliveryAddresses: [{ region: 'UKM77' }],
          relatedLot: '1',
        },
      ],
      value: { amount: 90_000, currency: 'GBP' },
      tenderPeriod: { endDate: '2026-12-18T12:00:00Z' },
      documents: [
        {
          id,
          documentType: 'contractNotice',
          url: `https://www.publiccontractsscotland.gov.uk/search/show/search_view.aspx?ID=${id}`,
        },
        { id: 'economic', documentType: 'economicSelectionCriteria' },
      ],
      lots: [{ id: '1', status: 'active' }],
      ...wanted.tender,
    },
    description: `The buyer is using PCS-Tender.\r\n (SC Ref:${700_000 + n})`,
    links: [{ rel: 'canonical', href: `https://api.publiccontractsscotland.gov.uk/v1/Notice?id=${ocidOf(family)}` }],
    ...wanted.more,
  };
  return { type, release, publishedAt: new Date(`${day}T10:00:00Z`) };
}

/** The ocid of the family whose first notice has number `n`. */
export function ocidOf(n: number): string {
  return `ocds-r6ebe6-${String(700_000 + n).padStart(10, '0')}`;
}
