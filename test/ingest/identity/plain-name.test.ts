import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storePage } from '../../../ingest/store/page.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { plainBuyerKey } from '../../../schema/names/buyers.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { findBuyer } from '../../../search/names/buyers.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { actRelease, packageOf, read, reference } from '../compile/releases.ts';

describe('a public body written in two ways has one plain name', () => {
  it.each([
    ['London Borough of Marwell Council', 'London Borough of Marwell'],
    ['East Riding of Marwell Council', 'The East Riding of Marwell'],
    ['City of Marwell Metropolitan District Council', 'Marwell Metropolitan District Council'],
    ['City of Marwell Council', 'Marwell Council'],
    ['Marwell Strategic Commercial Unit (MSCU)', 'Marwell Strategic Commercial Unit'],
    ["Mayor's Office for Policing and Crime (MOPAC)", 'Mayors Office for Policing & Crime'],
    ['Water Services Regulation Authority (Ofwat)', 'The Water Services Regulation Authority'],
    ['Marwell & Dale Foundation Trust', 'Marwell and Dale NHS Foundation Trust'],
    ['U K Marwell Agency', 'United Kingdom Marwell Agency'],
    ['defra', 'Department for Environment, Food & Rural Affairs'],
    ['Dept of Environment, Food and Rural Affairs', 'DEFRA (Department for Environment, Food and Rural Affairs)'],
    ['Department for Business, Energy & Industrial Strategy (BEIS)', 'BEIS'],
    ['DfTc - Department for Transport', 'Department for Transport'],
    ['MCA - Maritime and Coastguard Agency', 'Maritime & Coastguard Agency'],
    ['Procurement DFID', 'Department for International Development'],
    ["Her Majesty's Revenue & Customs", 'HMRC'],
    ["His Majesty's Marwell Service", 'HM Marwell Service'],
    ['U K Atomic Energy Authority', 'United Kingdom Atomic Energy Authority'],
    ['United Kingdom Hydrographic Office', 'UKHO'],
    ['NHS Marwell and Dale (NHSMD)', 'NHS Marwell & Dale'],
    ['NHS Greater Glasgow & Clyde (NHSGG&C)', 'NHS Greater Glasgow and Clyde (NHSGGC)'],
    ['Lothian NHS Board', 'NHS Lothian'],
    ['YPO', 'Yorkshire Purchasing Organisation'],
    ['Ofwat', 'The Water Services Regulation Authority'],
    ['Ministry of Defence, DSG', 'MOD'],
    ['Ministry of Defence, C&C, C&C', 'Ministry of Defence'],
    ['Ministry of Defence, Ships, Maritime Platform Systems (MPS)', 'Ministry of Defence'],
    ['Ministry of Defence, Defence Equipment & Support', 'Ministry of Defence'],
    ['Environment Agency, Bristol', 'Environment Agency'],
    ["Hertfordshire County Council - Children's Services", 'Hertfordshire County Council'],
    ['London Borough of Haringey - Parks and Leisure', 'Haringey Council'],
    ['Walsall Council e-Tendering', 'Walsall Metropolitan Borough Council'],
    ['Nuneaton & Bedworth BC (NUN)', 'Nuneaton and Bedworth Borough Council'],
    ['City of Doncaster Council', 'Doncaster MBC'],
    ['Kingston Upon Hull City Council', 'HULL CITY COUNCIL'],
    ['City of Bradford Metropolitan District Council', 'Bradford Council'],
    ['Islington', 'Islington Council'],
    ['LB Islington', 'London Borough of Islington'],
    ['LB of Marwell', 'Marwell London Borough Council'],
    ['City of Marwell Council', 'Marwell City Council'],
    ['Marwell MBC', 'Marwell Metropolitan Borough Council'],
    ['Marwell University Procurement', 'Marwell University Procurement Unit'],
    ['Marwell University Procurement Team', 'Marwell University'],
    ['Marwell NHS Procurement', 'Marwell NHS Procurement Department'],
    ['Marwell Homes N/A', 'Marwell Homes'],
    ['Marwell Homes (Company number 01234567)', 'Marwell Homes Ltd'],
    ['Marwell Homes 01234567', 'Marwell Homes'],
    ['NHS Arden and GEM CSU', 'NHS Arden and Greater East Midlands Commissioning Support Unit'],
    ['NHS Marwell ICB', 'NHS Marwell Integrated Care Board'],
    ['Swansea City & County Council', 'City & County of Swansea'],
    ['Cyngor Gwynedd', 'Gwynedd Council'],
    ['Cyngor Sir Ynys Môn / Isle of Anglesey County Council', 'Isle of Anglesey County Council'],
    ['Cyngor Sir Ceredigion County Council', 'Ceredigion County Council'],
    ['Prifysgol Bangor / Bangor University', 'Bangor University'],
    ['Bangor University / Prifysgol Bangor', 'Bangor University'],
    ['Dunmere College/Coleg Dunmere', 'Dunmere College'],
    ['Heddlu Dunmere / Dunmere Police', 'Dunmere Police'],
    ['Dunmere Fire and Rescue Authority / Awdurdod Tân ac Achub Dunmere', 'Dunmere Fire and Rescue Authority'],
    ['South Wales Police / Heddlu De Cymru', 'South Wales Police'],
    ['Awdurdod Parc Cenedlaethol Eryri / Snowdonia National Park Authority', 'Snowdonia National Park Authority'],
    ['UNIVERSITY OF MARWELL (THE)', 'The University of Marwell'],
    ['Marwell Enterprise c/o Oakes International', 'Marwell Enterprise'],
    ['Marwell County Council Passenger Transport Unit', 'Marwell County Council'],
    ['Marwell & Dale Fire & Rescue Authority', 'Marwell and Dale Fire and Rescue Service'],
    ['Cwm Taf Morgannwg Health Board', 'Cwm Taf Morgannwg University Health Board'],
    ['Hywel Dda University Local Health Board', 'Hywel Dda University Health Board'],
    ['Powys Teaching Local Health Board', 'Powys Local Health Board'],
    ["The Common Services Agency (more commonly known as NHS National Services Scotland) ('NSS')", 'NSS'],
    ['B&NES Council', 'Bath and North East Somerset Council'],
    ['BCP Council', 'Bournemouth, Christchurch and Poole Council'],
    ['The Mayor & Burgesses of the London Borough of Marwell', 'London Borough of Marwell'],
    ['The Mayor and Commonalty and Citizens of the City of London', 'City of London Corporation'],
    ['The Lord Mayor and Citizens of the City of Westminster', 'Westminster City Council'],
    ['Lord Mayor, Aldermen & Citizens of the City of Leeds', 'Leeds City Council'],
    ['The Corporate Officer of the House of Commons', 'House of Commons'],
    ['The Council of the Borough of Kirklees', 'Kirklees Council'],
    ['OPCC Marwell', 'Police and Crime Commissioner for Marwell'],
    ['Marwell OPCC', 'Police and Crime Commissioner for Marwell'],
    ['Office of the Marwell Police & Crime Commissioner', 'Police and Crime Commissioner for Marwell'],
    ['The Secretary of State for Justice acting by and through HM Prison and Probation Service', 'HMPPS'],
    ['Greater Glasgow Health Board (NHS Greater Glasgow & Clyde)', 'NHS Greater Glasgow and Clyde'],
    ['NSS National Procurement', 'Common Services Agency'],
    ['Heddlu De Cymru', 'South Wales Police'],
    ['Awdurdod Tân ac Achub Gogledd Cymru', 'North Wales Fire and Rescue Service'],
    ['Notts County Council', 'Nottinghamshire County Council'],
    ['GMCA', 'Greater Manchester Combined Authority'],
    ['Office of the Police & Crime Commissioner for Marwell', 'The Police and Crime Commissioner for Marwell'],
  ])('%s, %s', (one, other) => expect(plainBuyerKey(one)).toBe(plainBuyerKey(other)));

  it.each([
    ['Marwell City Council', 'Marwell County Council'],
    ['Marwell Homes / Heddlu Marwell', 'Marwell Homes'],
    ['Heddlu Marwell / Marwell Homes', 'Marwell Homes'],
    ['Cardiff University / Prifysgol Abertawe', 'Cardiff University'],
    ['Prifysgol Bangor / Cardiff University', 'Cardiff University'],
    ['Coleg Dunmere / Marwell College', 'Marwell College'],
    ['South Wales Police / Heddlu Gogledd Cymru', 'South Wales Police'],
    [
      'Bwrdd Iechyd Prifysgol Hywel Dda / Betsi Cadwaladr University Health Board',
      'Betsi Cadwaladr University Health Board',
    ],
    [
      'Betsi Cadwaladr University Health Board / Bwrdd Iechyd Prifysgol Hywel Dda',
      'Betsi Cadwaladr University Health Board',
    ],
    ['Newport City Council / Heddlu Gwent', 'Newport City Council'],
    ["St Anne's College (Marwell)", "St Anne's College (Dale)"],
    ['North Marwell Council', 'North Marwell County Council'],
    ['Design Council', 'Design'],
    ['Department of Education', 'Department for Education'],
    ['London Borough of Marwell', 'London Borough of Marwells'],
    ['Ministry of Marwell', 'Ministry of Marwell, Weapons'],
    ['Ministry of Defence, Home Office', 'Ministry of Defence'],
    ['Ministry of Defence Police', 'Ministry of Defence'],
    ['Department for Education (Northern Ireland)', 'Department for Education'],
    ['Department of Health', 'Department of Health and Social Care'],
    ['Department of Health', 'Department of Health (Northern Ireland)'],
    ['Department for Transport', 'Department for International Trade'],
    ['Leeds City Council, Leeds Federated Housing', 'Leeds City Council'],
    ['Leeds City Council, Bradford', 'Leeds City Council'],
    ['Leeds City Homes', 'Leeds City Council'],
    ['Bolton Limited', 'Bolton Council'],
    ['St Leger Homes of Doncaster Ltd', 'City of Doncaster Council'],
    ['Lichfield City Council', 'Lichfield District Council'],
    ['Lichfield City Council', 'Lichfield Council'],
    ['Chichester City Council', 'Chichester District Council'],
    ['Harrogate Town Council', 'Harrogate Borough Council'],
    ['Islington Parish Council', 'Islington Council'],
    ['Durham City Council', 'Durham County Council'],
    ['Kent', 'Kent County Council'],
    ['Newcastle City Council', 'Newcastle-under-Lyme Borough Council'],
    ['Dorset County Council', 'Dorset Council'],
    ['Derby City Council', 'Derbyshire County Council'],
    ['Coventry - Solihull - Warwickshire', 'Coventry City Council'],
    ['Buckinghamshire Healthcare NHS Trust', 'Buckinghamshire Council'],
    ['NHS Marwell ICB', 'Marwell NHS Trust'],
    ['Cyngor Gwynedd / Isle of Anglesey County Council', 'Isle of Anglesey County Council'],
    ['Marwell County Council Passenger Transport Pension Fund', 'Marwell County Council'],
    ['Notts County Council', 'Nottingham City Council'],
    ['Leics County Council', 'Leicester City Council'],
    ['Marwell Fire Authority', 'Marwell Fire and Rescue Service'],
    ['Marwell Police', 'Marwell Police and Crime Commissioner'],
    ['Marwell Police and Crime Commissioner', 'Marwell Police, Fire and Crime Commissioner'],
    ['South Wales Fire and Rescue Service', 'South Wales Police'],
    ['Swansea Bay University Health Board', 'City & County of Swansea'],
    ['Corporate Officer of the House of Commons', 'Corporate Officer of the House of Lords'],
    ['Liverpool City Region Combined Authority', 'Liverpool City Council'],
    ['Greater Manchester Police', 'Greater Manchester Combined Authority'],
    ['NHS Marwell and Dale (NHSGG)', 'NHS Marwell and Dale'],
    ['Marwell County Council', 'Marwell District Council'],
    ['Marwell Parish Council', 'Marwell Council'],
    ['Hertfordshire NHS Procurement', 'Hertfordshire and West Essex NHS Procurement'],
    ['The London Borough of Hillingdon on behalf of The Park Federation Academy Trust', 'London Borough of Hillingdon'],
  ])('%s is not %s', (one, other) => expect(plainBuyerKey(one)).not.toBe(plainBuyerKey(other)));
});

describe('buyers written in two ways', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let catalogue: Database;
  let serial = 0;
  beforeAll(async () => {
    folder = await makeFolder();
    catalogue = await makeDatabase(folder.path, 'catalogue');
  });
  afterAll(async () => catalogue.close().then(folder.remove));

  async function buy(name: string, more: JsonObject = {}): Promise<void> {
    serial += 1;
    const number = String(serial).padStart(6, '0');
    const buyer = { id: `own-${serial}`, name, roles: ['buyer'], ...more };
    const ocid = `ocds-h6vhtk-${number}`;
    const release = actRelease(`${number}-2026`, '2026-02-01T00:00:00Z', {
      ocid,
      parties: [buyer],
      buyer: reference(buyer),
    });
    const page = read(packageOf([release]));
    await storePage(catalogue, { source: 'x', fetchedAt: '2026-03-01T00:00:00Z', ...page, before: [], after: [] });
  }
  const buyersLike = (beginning: string) =>
    catalogue.read<{ id: string; names: number }>({
      sql: `SELECT id, json_array_length(detail -> 'names') AS names FROM buyer WHERE gone = 0 AND name LIKE ? ORDER BY id`,
      args: [`%${beginning}%`],
    });

  it('are one buyer, which every name and id leads to', async () => {
    await buy('London Borough of Marwell Council', { address: { postalCode: 'M1 1AA' } });
    const [before] = await buyersLike('Marwell');
    await buy('London Borough of Marwell');
    expect(await buyersLike('Marwell')).toEqual([{ id: before?.id, names: 2 }]);
    await buy('London Borough of Marwell', { identifier: { scheme: 'GB-PPON', id: 'PBCD-1234-FGHJ' } });
    expect(await buyersLike('Marwell')).toEqual([{ id: 'GB-PPON-PBCD-1234-FGHJ', names: 2 }]);
    const sql = "SELECT DISTINCT target FROM alias WHERE kind = 'buyer'";
    expect(await catalogue.read({ sql })).toEqual([{ target: 'GB-PPON-PBCD-1234-FGHJ' }]);
  });

  it.each([
    ['London Borough of Marwell Council', 'other_name'],
    ['the london borough of marwell', 'cleaned'],
    ['LONDON BOROUGH OF MARWELL COUNCIL LTD', 'other_name'],
  ])('%s finds it', async (name, method) => {
    const { best } = await findBuyer(catalogue, name);
    expect(best).toMatchObject({ buyer_id: 'GB-PPON-PBCD-1234-FGHJ', method });
  });

  it('are one where only the longer way has an identifier', async () => {
    await buy('Dale Enterprise Support Unit (DESU)', { identifier: { scheme: 'GB-PPON', id: 'PCCD-1234-FGHJ' } });
    await buy('Dale Enterprise Support Unit');
    expect(await buyersLike('Dale Ent')).toEqual([{ id: 'GB-PPON-PCCD-1234-FGHJ', names: 2 }]);
  });

  it('stay two where each has a number of its own', async () => {
    await buy('Borough of Tarn Council', { identifier: { scheme: 'GB-PPON', id: 'PDCD-1234-FGHJ' } });
    await buy('Borough of Tarn', { identifier: { scheme: 'GB-PPON', id: 'PFCD-1234-FGHJ' } });
    const ids = (await buyersLike('Tarn')).map(({ id }) => id);
    expect(ids).toEqual(['GB-PPON-PDCD-1234-FGHJ', 'GB-PPON-PFCD-1234-FGHJ']);
  });

  it.each([
    ['Ashwell Parish Council', 2],
    ['Ashmere Community Council', 2],
    ['St Wystan\u2019s Primary School', 2],
    ['Procurement Unit', 2],
    ['The Council', 2],
    ['Ashford Borough Council', 1],
    ['Ashmoor Parish Trust', 1],
    ['Central Procurement Bureau', 1],
  ])('%s at two places is so many buyers: %i', async (name, buyers) => {
    await buy(name, { address: { postalCode: 'EX1 1AA' } });
    await buy(name, { address: { postalCode: 'NN8 2BB' } });
    expect(await buyersLike(name)).toHaveLength(buyers);
  });

  it('that share a name of which every county has one are distinguished by their numbers', async () => {
    await buy('Purchasing Department', { identifier: { scheme: 'GB-PPON', id: 'PGCD-1234-FGHJ' } });
    await buy('Purchasing Department', { identifier: { scheme: 'GB-NHS', id: 'RX1' } });
    expect(await buyersLike('Purchasing Dep')).toHaveLength(2);
  });
});
