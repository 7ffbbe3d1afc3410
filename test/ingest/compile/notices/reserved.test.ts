import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, compileOne } from '../releases.ts';

const detailOf = (more: JsonObject) =>
  compileOne([actRelease('012345-2026', '2026-03-01T10:00:00Z', more)]).notices[0]?.detail;

it('a notice says for whom and for suppliers of which area participation is reserved', () => {
  const reservedFor = (identifiers: string[], description: string | null = null) => {
    const gazetteer = { scheme: 'GB-ONS', identifiers };
    const otherRequirements = {
      reservedParticipation: ['smeVcse'],
      reservedParticipationLocation: { gazetteer, description },
    };
    return detailOf({ tender: { otherRequirements } });
  };
  const uk = { reserved_for: ['smeVcse', 'area'], reserved_places: ['United Kingdom'] };
  expect(reservedFor(['K02000001'])).toMatchObject(uk);
  expect(reservedFor(['E09000016'], 'Havering')?.reserved_places).toEqual(['Havering']);
  expect(reservedFor(['E10000016', 'E12000008'])?.reserved_places).toEqual(['E10000016', 'South East']);
  expect(detailOf({ tender: { otherRequirements: {} } })).not.toHaveProperty('reserved_places');
});

it('what only suppliers of an area may bid for is reserved for them; an area without a name or code reserves nothing', () => {
  const ofArea = (area: JsonObject | null) =>
    detailOf({ tender: { otherRequirements: { reservedParticipationLocation: area } } });
  const gazetteer = { scheme: 'GB-ONS', identifiers: ['E10000008'] };
  expect(ofArea({ gazetteer, description: 'Devon' })).toMatchObject({
    reserved_for: ['area'],
    reserved_places: ['Devon'],
  });
  for (const none of [null, {}, { description: null, gazetteer: { scheme: 'GB-ONS', identifiers: [] } }]) {
    expect(ofArea(none)).not.toHaveProperty('reserved_for');
  }
});

it.each([
  ['shelteredWorkshop', ['shelteredWorkshop']],
  [['SHELTERED_WORKSHOP'], ['shelteredWorkshop']],
  [['Supported employment provider', 'res-ws'], ['shelteredWorkshop']],
  [['Public service mutual'], ['publicService']],
  [
    ['publicServiceMissionOrganization', 'smevcse'],
    ['publicService', 'smeVcse'],
  ],
  [['SMEs and VCSEs'], ['smeVcse']],
  [['veteranOwned'], ['veteranOwned']],
  [['none'], undefined],
  [['Not reserved', 'No', 'No reservation for SMEs', 'N/A'], undefined],
  [['smelters'], ['smelters']],
])('participation reserved for %j is reserved for %j', (reservedParticipation, codes) => {
  expect(detailOf({ tender: { otherRequirements: { reservedParticipation } } })?.reserved_for).toEqual(codes);
});

it('a contract that has to be performed in sheltered employment is reserved for it', () => {
  const contractTerms = { reservedExecution: true };
  expect(detailOf({ tender: { contractTerms } })?.reserved_for).toEqual(['shelteredEmployment']);
  expect(detailOf({ tender: { contractTerms: { reservedExecution: false } } })).not.toHaveProperty('reserved_for');
});
