import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { actRelease, BRIGHT, COUNCIL, compileOne, reference } from '../releases.ts';

const VALE = { id: 'org-9', name: 'Vale Council', roles: ['buyer'] };
const notice = (more: JsonObject) => actRelease('012345-2026', '2026-03-01T10:00:00Z', more);
const jointOf = (...releases: JsonObject[]) => compileOne(releases).notices.map(({ detail }) => detail.joint_buyers);

it.each([
  ['three bodies buy together', ['Vale Council', 'Moor Trust'], ['Vale Council', 'Moor Trust']],
  ['one of them is named twice, another not at all', ['Vale Council', 'Vale Council', ''], ['Vale Council']],
  ['one of them is spelt in two ways', ['Vale Council', 'THE VALE  COUNCIL'], ['Vale Council']],
  ['one is named like the buyer', [COUNCIL.name], undefined],
  ['others are the buyer, spelt otherwise', [COUNCIL.name.toUpperCase(), `The ${COUNCIL.name} `], undefined],
  ['one is a team of the buyer', [`${COUNCIL.name} Procurement Unit`], undefined],
  ['one body buys', [], undefined],
])('a notice names the buyers besides its own: %s', (_, names, joint) => {
  const others = names.map((name, n) => ({ id: `org-${n}`, name, roles: n ? ['reviewBody', 'buyer'] : ['buyer'] }));
  expect(jointOf(notice({ parties: [...others, COUNCIL, BRIGHT], buyer: reference(COUNCIL) }))).toEqual([joint]);
});

it('refers to the parties of all others, also of one that is named like the buyer', () => {
  const team = { id: 'org-1', name: `${COUNCIL.name} Procurement Unit`, roles: ['buyer'] };
  const { notices, parties } = compileOne([notice({ parties: [team, VALE, COUNCIL, BRIGHT] })]);
  const joint = notices[0]?.detail.jointBuyerParties ?? [];
  const names = joint.map((id) => parties.find(({ partyId }) => partyId === id)?.sighting.name);
  expect(names).toEqual([team.name, VALE.name]);
});

it.each([
  ['names no buyer keeps those of the one before', { parties: [], buyer: undefined }, ['Vale Council']],
  ['names one buyer alone has no others', {}, undefined],
  ['is of one of the others names it once', { parties: [VALE], buyer: reference(VALE) }, undefined],
])('a correction that %s', (_, more, joint) => {
  const first = notice({ parties: [COUNCIL, VALE] });
  const correction = actRelease('012346-2026', '2026-03-08T10:00:00Z', more);
  expect(jointOf(first, correction)).toEqual([['Vale Council'], joint]);
});
