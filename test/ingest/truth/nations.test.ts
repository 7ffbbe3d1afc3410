import { expect, it } from 'vitest';
import { nationOf } from '../../../ingest/party/buyer-type.ts';
import { readSighting } from '../../../ingest/party/sighting.ts';
import { regionOfCode } from '../../../schema/reference/regions.ts';
import { FIRST } from './nations/first.ts';
import { SECOND } from './nations/second.ts';

interface Case {
  nation: string;
  line: string;
  found: string;
}

/** The cases of a set with what the rule finds; a case without a nation has `-`. */
function judge(set: string): Case[] {
  return set
    .trim()
    .split('\n')
    .map((line) => {
      const [nation = '', name, postalCode, locality, countryName, region, places = ''] = line.split('|');
      const party = { name, address: { postalCode, locality, countryName, region } };
      const buyer = readSighting({ ...party, additionalIdentifiers: [], roles: ['buyer'], classifications: [] });
      const regions = places.split(',').flatMap((code) => regionOfCode(code) ?? []);
      return { nation, line, found: nationOf(buyer, regions)?.nation ?? '-' };
    });
}

it.each([
  ['first', FIRST],
  ['second', SECOND],
])('the nation of every buyer of the %s set is found', (_name, set) => {
  const wrong = judge(set).filter(({ nation, found }) => nation !== found);
  expect(wrong.map(({ line, found }) => `${found} instead of ${line}`)).toEqual([]);
});
