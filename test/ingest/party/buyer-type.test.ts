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
  ['Elmbrook Hospitals NHS Trust', ['publicAuthoritySubCentralGovernment'], [], 'nhs', 'name'],
  ['Arts Council of Elmbrook', ['publicAuthorityCentralGovernment'], [], 'central', 'classification'],
  ['Elmbrook Water', ['publicUndertaking'], [], 'utility', 'classification'],
  ['Elmbrook Borough Council', ['publicAuthoritySubCentralGovernment'], [], 'local', 'name'],
  ['Police and Crime Commissioner for Elmshire', ['REGIONAL_AUTHORITY'], [], 'police_fire', 'name'],
  ['Elmshire Fire & Rescue Service', [], [], 'police_fire', 'name'],
  ['Elmbrook Homes', [], [], 'housing', 'name'],
  ['Welsh Government', [], [], 'devolved', 'name'],
  ['Ministry of Weather', [], [], 'central', 'name'],
  ['Elmbrook Park Authority', ['REGIONAL_AUTHORITY'], [], 'local', 'classification'],
  ['Elmbrook Trust', ['BODY_PUBLIC'], [], 'sub_central', 'classification'],
])('%s, %j, %j is %s by its %s', (name, codes, ids, type, source) => {
  expect(typeOf(name, codes, ids)).toEqual({ type, source });
});

it('a council that governs no place is no local authority, and nobody is guessed', () => {
  expect(typeOf('Weather Research Council')).toBeUndefined();
  expect(typeOf('Elmbrook Limited', ['other'])).toBeUndefined();
  expect(typeOf('Elmbrook Limited', ['WATER'], [], 'TED_CE_ACTIVITY')).toEqual({
    type: 'utility',
    source: 'classification',
  });
});
