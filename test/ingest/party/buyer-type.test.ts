import { expect, it } from 'vitest';
import { buyerTypeOf } from '../../../ingest/party/buyer-type.ts';

const typeOf = (name: string, codes: string[] = [], ids: string[] = [], scheme = 'UK_CA_TYPE') =>
  buyerTypeOf(
    { name, additionalIdentifiers: [], roles: [], classifications: codes.map((id) => ({ scheme, id })) },
    name,
    ids,
  );

it.each([
  ['Elmbrook Partnership', [], ['GB-PPON-PBCD-1234-FGHJ', 'GB-NHS-RXX'], 'nhs', 'identifier'],
  ['Elmbrook Campus', [], ['GB-UKPRN-10000001'], 'education', 'identifier'],
  ['Elmbrook Museum', [], ['GB-GOR-OT1'], 'central', 'identifier'],
  ['Ofcom', [], ['GB-GOR-OT2'], 'central', 'identifier'],
  ['Broads Authority', [], ['GB-GOR-OT3'], 'local', 'name'],
  ['Elm Hills National Park Authority', [], ['GB-GOR-OT4'], 'local', 'name'],
  ['Elm Valley Regional Park Authority', [], [], 'local', 'name'],
  ['Elmbrook Hospitals NHS Trust', ['publicAuthoritySubCentralGovernment'], [], 'nhs', 'name'],
  ['Arts Council of Elmbrook', ['publicAuthorityCentralGovernment'], [], 'central', 'classification'],
  ['Elmbrook Water', ['publicUndertaking'], [], 'utility', 'classification'],
  ['Elmbrook Borough Council', ['publicAuthoritySubCentralGovernment'], [], 'local', 'name'],
  ['Police and Crime Commissioner for Elmshire', ['REGIONAL_AUTHORITY'], [], 'police_fire', 'name'],
  ['Elmshire Fire & Rescue Service', [], [], 'police_fire', 'name'],
  ["Mayor's Office for Policing & Crime", [], [], 'police_fire', 'name'],
  ['College of Policing Limited', [], [], 'police_fire', 'name'],
  ['Elmbrook Homes', [], [], 'housing', 'name'],
  ['Welsh Government', [], [], 'devolved', 'name'],
  ['Ministry of Weather', [], [], 'central', 'name'],
  ['DESNZ', [], [], 'central', 'name'],
  ['Comhairle nan Eilean Siar', [], [], 'local', 'name'],
  ['City & County of Swansea', [], [], 'local', 'name'],
  ['NSS', [], [], 'nhs', 'name'],
  ['DfTc - Department for Transport', [], [], 'central', 'name'],
  ['Elmbrook Social Services Council', ['BODY_PUBLIC'], [], 'sub_central', 'classification'],
  ['Consumer Council for Elmbrook', ['BODY_PUBLIC'], [], 'sub_central', 'classification'],
  ['Elmbrook Borough Council for All', [], [], 'local', 'name'],
  ['Cyngor Tref Llanfach', [], [], 'local', 'name'],
  ['Cyngor Celfyddydau Llanfach', ['BODY_PUBLIC'], [], 'sub_central', 'classification'],
  ['Tai Llanfach Cyf', ['BODY_PUBLIC'], [], 'housing', 'name'],
  ['Heddlu Llanfach', [], [], 'police_fire', 'name'],
  ['Awdurdod Tân ac Achub Llanfach', [], [], 'police_fire', 'name'],
  ['Ysgol Gyfun Llanfach', [], [], 'education', 'name'],
  ['Health Education and Improvement Wales (HEIW)', ['BODY_PUBLIC'], [], 'nhs', 'name'],
  ['Elmbrook Park Authority', ['REGIONAL_AUTHORITY'], [], 'local', 'classification'],
  ['Elmbrook Trust', ['BODY_PUBLIC'], [], 'sub_central', 'classification'],
])('%s, %j, %j is %s by its %s', (name, codes, ids, type, source) => {
  expect(typeOf(name, codes, ids)).toEqual({ type, source });
});

it.each([
  [
    'Elmbrook Registers',
    'Ministry or any other national or federal authority, including their regional or local subdivisions',
    'central',
  ],
  ['Elmbrook Registers', 'National or federal agency/office', 'central'],
  ['Elmbrook Registers', 'Public authority - central government', 'central'],
  ['Elmbrook Water', 'Public undertaking', 'utility'],
  ['Elmbrook Procurement Consortium', 'Regional or local authority', 'local'],
  ['Elmbrook Procurement Consortium', 'Regional or local  Agency/Office ', 'local'],
  ['Elmbrook Shared Services', 'Body Governed by Public Law', 'sub_central'],
  ['Elmbrook Shared Services', 'Public authority - sub-central government', 'sub_central'],
  ['Elmbrook Group', 'Registered Social Landlord (RSL)', 'housing'],
  ['Elmbrook Group', 'RSL', 'housing'],
  ['Elmbrook Group', 'Housing Association', 'housing'],
  ['Natural Resources Wales', 'Regional or local authority', 'sub_central'],
])('%s, a "%s" in the words of the form, is %s', (name, words, type) => {
  expect(typeOf(name, [words], [], 'TED_CA_TYPE')).toEqual({ type, source: 'classification' });
  const classifications = [{ scheme: 'TED_CA_TYPE', description: words }];
  const party = { name, additionalIdentifiers: [], roles: [], classifications };
  expect(buyerTypeOf(party, name, [])).toEqual({ type, source: 'classification' });
});

it.each([
  ['Charity', 'TED_CA_TYPE'],
  ['Regional or local authority', 'COFOG'],
])('a buyer that writes %s under %s has no kind', (words, scheme) => {
  expect(typeOf('Elmbrook Trust', [words], [], scheme)).toBeUndefined();
});

it.each([
  ['Sheffield City Council', 'publicAuthorityCentralGovernment', 'local'],
  ['Cornwall Council', 'publicUndertaking', 'local'],
  ['Elmbrook University', 'publicAuthorityCentralGovernment', 'education'],
  ['Elmbrook Schools Partnership', 'MINISTRY', 'education'],
  ['University of Elmbrook', 'publicUndertaking', 'education'],
  ['Elmbrook Housing Association', 'publicUndertaking', 'housing'],
  ['Elmshire Police and Crime Commissioner', 'privateUtility', 'police_fire'],
  ['Welsh Government', 'publicAuthorityCentralGovernment', 'devolved'],
  ['Elmbrook Combined Authority', 'publicAuthorityCentralGovernment', 'local'],
  ['Elmshire Combined County Authority', 'publicAuthorityCentralGovernment', 'local'],
  ['GLA', 'publicAuthorityCentralGovernment', 'local'],
  ['Elmham District Council & Elmsea Borough Council', 'MINISTRY', 'local'],
  ['Elmsea Town Council', 'publicUndertaking', 'local'],
  ['Elm Hills National Park Authority', 'publicAuthorityCentralGovernment', 'local'],
  ['Elmshire Police', 'publicAuthorityCentralGovernment', 'police_fire'],
  ['The Police and Crime Commissioner for Elmshire', 'MINISTRY', 'police_fire'],
  ['Elmshire Fire and Rescue Authority', 'publicAuthorityCentralGovernment', 'police_fire'],
  ['Elmbrook Housing Association', 'publicAuthorityCentralGovernment', 'housing'],
  ['Elmbrook Colleges Group', 'publicUndertaking', 'education'],
  ['Elmbrook Health & Social Care Trust', 'publicAuthorityCentralGovernment', 'nhs'],
  ['University Hospitals Elmbrook', 'publicUndertaking', 'nhs'],
  ['Ministry of Weather', 'publicUndertaking', 'central'],
  ['DEFRA', 'publicUndertaking', 'central'],
])('%s, though it ticks %s, is %s by its name', (name, code, type) => {
  expect(typeOf(name, [code])).toEqual({ type, source: 'name' });
});

it.each([
  ['Ministry of Housing, Communities and Local Government', 'publicAuthorityCentralGovernment', 'central'],
  ['College of Policing', 'publicAuthorityCentralGovernment', 'central'],
  ['National School of Weather', 'publicAuthorityCentralGovernment', 'central'],
  ['Office of the Schools Adjudicator', 'publicAuthorityCentralGovernment', 'central'],
  ['Weather Reporting Council', 'publicAuthorityCentralGovernment', 'central'],
  ['Housing Ombudsman Service', 'publicAuthorityCentralGovernment', 'central'],
  ['Northern Ireland Office', 'publicAuthorityCentralGovernment', 'central'],
  ['Independent Office for Police Conduct', 'publicAuthorityCentralGovernment', 'central'],
  ['HM Inspectorate of Constabulary and Fire & Rescue Services', 'publicAuthorityCentralGovernment', 'central'],
  ['Regulator of Social Housing', 'publicAuthorityCentralGovernment', 'central'],
  ['Elmbrook City Council Services Ltd', 'publicUndertaking', 'utility'],
  ['Transport for London', 'publicUndertaking', 'utility'],
])('%s, which ticks %s, is %s: its name may be of what it looks after', (name, code, type) => {
  expect(typeOf(name, [code])).toEqual({ type, source: 'classification' });
});

it.each([
  ['Ministry of Housing, Communities and Local Government', 'central'],
  ['Department for Infrastructure', 'devolved'],
  ['Elmham and Elmsea Councils', 'local'],
  ['Chief Constable of Elmshire', 'police_fire'],
  ['Coleg Elmbrook', 'education'],
  ['Foreign Commonwealth and Development Office', 'central'],
  ['Food Standards Agency', 'central'],
  ['UKHSA', 'central'],
  ['Ofgem', 'central'],
  ['Ofcom', 'central'],
  ['Northern Ireland Office', 'central'],
  ['Competition & Markets Authority (CMA)', 'central'],
  ['COMPANIES HOUSE', 'central'],
  ['The Crown Prosecution Service', 'central'],
  ['UK RESEARCH & INNOVATION', 'central'],
  ['Cefas', 'central'],
  ['Office for Students', 'central'],
  ['The Office for Nuclear Regulation', 'central'],
  ['Privy Council Office', 'central'],
  ['Board of Trustees of the Royal Botanic Gardens Kew', 'central'],
  ['Elmbrook and Elmsea ICB', 'nhs'],
])('%s, which ticks nothing, is %s', (name, type) => {
  expect(typeOf(name)).toEqual({ type, source: 'name' });
});

it.each(['Financial Reporting Council', 'Science and Technology Facilities Council', 'Council Mortgages plc'])(
  '%s governs no place',
  (name) => {
    expect(typeOf(name)).toBeUndefined();
    expect(typeOf(name, ['publicAuthorityCentralGovernment'])).toEqual({ type: 'central', source: 'classification' });
  },
);

it('a council that governs no place is no local authority, and nobody is guessed', () => {
  expect(typeOf('Weather Research Council')).toBeUndefined();
  expect(typeOf('Elmbrook Limited', ['other'])).toBeUndefined();
  expect(typeOf('Elmbrook Limited', ['WATER'], [], 'TED_CE_ACTIVITY')).toEqual({
    type: 'utility',
    source: 'classification',
  });
});

it.each([
  'Post Office Ltd',
  'Single Source Regulations Office',
  'Ministry of Cake Ltd',
  'Home Office Furniture Ltd',
  'Environment Agency',
  'Office for Nuclear Students Ltd',
  'Companies House Direct Ltd',
  'British Museum Trading Limited',
  'Natural England Walks',
  'Elmbrook Competition and Markets Authority',
  'Privy Council Agents',
  'Consumer Council for Water',
  'Elmbrook Letting Agency',
])('%s is no part of central government by its name', (name) => {
  expect(typeOf(name)).toBeUndefined();
});
