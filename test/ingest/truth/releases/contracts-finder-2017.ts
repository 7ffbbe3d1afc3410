import { contractsFinder2020, inlineSupplier } from './contracts-finder.ts';
import {
  COUNCIL,
  digits,
  firmsOf,
  type Json,
  type Notice,
  partiesOf,
  plain,
  reference,
  suppliersOf,
} from './notice.ts';

/**
 * A release as harvesters hold it from 2017 to 2021: parties whose suppliers are numbered "1", "2" in each release,
 * the bidders listed in the tender under the same numbers, and the tag "tender" even where something is awarded.
 */
export function contractsFinder2017(notice: Notice): Json {
  const { awards = [], buyer = COUNCIL } = notice;
  const firms = firmsOf(awards);
  const id = digits(String(buyer.name), 32);
  const buyerParty = {
    id,
    roles: ['buyer'],
    name: buyer.name,
    address: {
      streetAddress: buyer.street,
      locality: 'Aldermoor',
      region: null,
      postalCode: buyer.postcode,
      countryName: 'UK',
    },
  };
  const suppliers = firms.map((each) => ({ ...inlineSupplier(each), roles: ['supplier', 'tenderer'] }));
  return plain({
    ...contractsFinder2020({
      ...notice,
      awards: awards.map((each) => ({ ...each, suppliers: suppliersOf(each) })),
      tender: { numberOfTenderers: firms.length, tenderers: firms.map(reference), ...notice.tender },
    }),
    buyer: { id, name: buyer.name },
    parties: partiesOf(notice, buyerParty, suppliers),
    ...notice.more,
  });
}
