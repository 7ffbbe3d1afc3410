import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lookupCompany } from '../../../../api/operations/companies/lookup.ts';
import { townIn } from '../../../../ingest/party/match/names.ts';
import { ask } from '../../../support/catalogue-services.ts';
import { contractsFinder } from '../../truth/releases/contracts-finder.ts';
import { firm } from '../../truth/releases/notice.ts';
import { openStore, type Store, storeReleases } from '../../truth/store.ts';

describe('the town of an address in one text', () => {
  it.each([
    ['21 Aldermoor Road, Birmingham ZB13 9PH', 'Birmingham'],
    ['Unit 4, Four Oaks Enterprise Centre, Latch Close, Wolverhampton, United Kingdom, ZV10 7BY', 'Wolverhampton'],
    ['Coppice Trading Estate, Stour Road, Kidderminster, Worcestershire, UK, DY11 7QY', 'Kidderminster'],
    ['High Leys, St Ives, Cambridgeshire.  ZE27 6AL', 'St Ives'],
    ['ISLET HOUSE | BROWN LANE WEST | LEEDS| LS12 6BD', 'LEEDS'],
    ['3 Mill Street, Barnsley South Yorkshire, S70 1AA', 'Barnsley'],
    ['1 Quay Street, Gateshead, Tyne & Wear, NE8 1AA, GB', 'Gateshead'],
    ["9 Long Row, King's Lynn PE30 1AA", "King's Lynn"],
    ['1 High Street, Shirley, U.K., B90 1AA', 'Shirley'],
    ['5 Field Road, Hillsborough, Down, BT26 1AA', 'Hillsborough'],
    ['5 Field Road, Hull, North Humberside HU1 1AA', 'Hull'],
    ['5 Field Road, Dingwall, Ross-shire, IV15 1AA', 'Dingwall'],
    ['5 Field Road, Barry, Vale of Glamorgan, CF62 1AA', 'Barry'],
    ['5 Ffordd Las, Y Rhyl, Sir Ddinbych, LL18 1AA', 'Y Rhyl'],
    ['5 Field Road, Kirkwall, Orkney, KW15 1AA', 'Kirkwall'],
    ['5 Field Road, St Helier, Jersey, Channel Islands, JE2 1AA', 'St Helier'],
  ])('is what stands before postcode, county and country: %s', (street, town) => {
    expect(townIn(street)).toBe(town);
  });

  it.each([
    ['167-169 Great Portland Street W1W 5PF'],
    ['Marlborough House, York Business Park YO26 6RW'],
    ['Low Hall Farm, Essex, Essex, CM5 0QZ'],
    ['Bournemouth Airport BH23 6NE'],
    ['Dale House, Mill Road Manchester, M1 1AA'],
    ['London, EC3N 2LB'],
    ['4700 Superior Street, Lincoln, NE 68504'],
    ['Via G. Di Vittorio 12, San Stino di Livenza, Italy'],
    ['SKYLINE TAXIS'],
    ['3001 Solent Road, Kanata, Ontario, Canada, K2K 2MB'],
    ['Unit 1, The Maltings, SG1 1AA'],
    ['Floor 2, Bankside, SE1 9AA'],
    ['12 Mill Lane, Alder Holdings, RG1 1AA'],
    ['12 Mill Lane, Finance Department, RG1 1AA'],
    ['12 Mill Lane, Attn Jo Alder, RG1 1AA'],
    ['12 Mill Lane, G.B., RG1 1AA'],
    ['12 Mill Lane, Deyrnas Unedig, CF10 1AA'],
    [''],
  ])('is not guessed: %j', (street) => {
    expect(townIn(street)).toBeUndefined();
  });
});

describe('a supplier of Contracts Finder', () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });
  afterAll(() => store.close());

  it.each([
    ['in one text', { streetAddress: '21 Aldermoor Road, Solihull, B91 1AA' }, 'Solihull'],
    ['in lines', { streetAddress: '21 Aldermoor Road\nSolihull\nWest Midlands\nB91 1AA\nGB' }, 'Solihull'],
    ['with its town', { streetAddress: '21 Aldermoor Road, Solihull, B91 1AA', locality: 'Shirley' }, 'Shirley'],
    ['with none', { streetAddress: '21 Aldermoor Road, Solihull, B91 1AA', locality: 'N/A' }, 'Solihull'],
  ])('lies in the town of its address %s', async (_, address, town) => {
    const release = contractsFinder({
      process: 'towns',
      awards: [{ firms: [firm('Aldermoor Widgets', { id: 'GB-CFS-9001', more: { address } })], value: 50_000 }],
    });
    const { body } = await store.inOwnCatalogue(
      (catalogue) => storeReleases(catalogue, 'contracts_finder', [release]),
      (room) => ask(room, lookupCompany, { name: 'Aldermoor Widgets' }),
    );
    expect(body).toMatchObject({ name: 'Aldermoor Widgets', locality: town });
  });
});
