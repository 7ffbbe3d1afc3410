import { expect, it } from 'vitest';
import { regionsOf } from '../../../ingest/fields/classifications.ts';
import { nationOf } from '../../../ingest/party/buyer-type.ts';
import { readSighting } from '../../../ingest/party/sighting.ts';
import type { OcdsAddress } from '../../../schema/ocds/types.ts';
import { ELSEWHERE } from './nations/elsewhere.ts';
import { FIRST } from './nations/first.ts';
import { SCOTLAND_AND_WALES } from './nations/scotland-and-wales.ts';
import { SECOND } from './nations/second.ts';
import { SHAPES } from './nations/shapes.ts';

interface Case {
  nation: string;
  line: string;
  found: string;
}

const SIGNS = { '=': 'region', '#': 'postalCode', '@': 'countryName' } as const;

/** A place of performance: a region's code, or what its first letter says. */
function placeOf(text: string): OcdsAddress {
  const field = SIGNS[text.charAt(0) as keyof typeof SIGNS];
  return field ? { [field]: text.slice(1) } : { region: text };
}

/** The cases of a set with what the rule finds; a case without a nation has `-`, one with several right answers them all. */
function judge(set: string): Case[] {
  return set
    .trim()
    .split('\n')
    .map((line) => {
      const [nation = '', name, postalCode, locality, countryName, region, places = '', country, devolved] =
        line.split('|');
      const party = { name, address: { postalCode, locality, countryName, region, country } };
      const classifications = devolved ? [{ scheme: 'UK_CA_DEVOLVED_REGULATIONS', id: devolved }] : [];
      const buyer = readSighting({ ...party, additionalIdentifiers: [], roles: ['buyer'], classifications });
      const regions = regionsOf(places.split(/[,;]/).filter(Boolean).map(placeOf));
      return { nation, line, found: nationOf(buyer, regions)?.nation ?? '-' };
    });
}

it.each([
  ['first', FIRST],
  ['second', SECOND],
  ['third', SHAPES],
  ['fourth', SCOTLAND_AND_WALES],
  ['fifth', ELSEWHERE],
])('the nation of every buyer of the %s set is found', (_name, set) => {
  const wrong = judge(set).filter(({ nation, found }) => !nation.split(',').includes(found));
  expect(wrong.map(({ line, found }) => `${found} instead of ${line}`)).toEqual([]);
});
