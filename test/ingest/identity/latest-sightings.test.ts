import { expect, it } from 'vitest';
import { type DatedSighting, factStatements, factsOf } from '../../../ingest/identity/facts.ts';
import { latestSightings } from '../../../ingest/identity/resolve.ts';
import { readSighting } from '../../../ingest/party/sighting.ts';

const named = (kind: 'buyer' | 'company', name: string, at: string, noticeId: string, id?: string): DatedSighting => ({
  kind,
  sighting: readSighting({
    name,
    ...(id ? { identifier: { scheme: 'GB-COH', id } } : {}),
    additionalIdentifiers: [],
    roles: [],
    classifications: [],
  }),
  date: `2026-${at}:00.000Z`,
  noticeId,
});
const keyed = ({ kind, date, noticeId }: DatedSighting) => `${kind} ${date.slice(5, 16)} ${noticeId}`;

it('of sightings that say the same the latest is left, by instant and then by notice', () => {
  const sightings = [
    named('buyer', 'Ambridge Council', '11-02T09:00', 'a'),
    named('buyer', 'Ambridge Council', '11-03T09:00', 'a'),
    named('buyer', 'Ambridge Council', '11-03T09:00', 'b'),
    named('buyer', 'Ambridge Council', '11-01T09:00', 'c'),
    named('buyer', 'Borchester Council', '11-01T09:00', 'c'),
    named('company', 'Ambridge Council', '11-01T09:00', 'c'),
  ];
  const latest = latestSightings(sightings);
  expect(latest.map(keyed).toSorted()).toEqual(['buyer 11-01T09:00 c', 'buyer 11-03T09:00 b', 'company 11-01T09:00 c']);
  const rows = (all: readonly DatedSighting[]) =>
    (JSON.parse(String(factStatements(all.flatMap(factsOf))[0]?.args?.[0])) as unknown[]).map(String).toSorted();
  expect(rows(latest)).toEqual(rows(sightings));
});

it('a supplier without a number is left once a day, as the register is asked who had the name then', () => {
  const at = (number?: string) => [
    named('company', 'Grundy Turkeys Ltd', '11-01T09:00', 'a', number),
    named('company', 'Grundy Turkeys Ltd', '11-01T15:00', 'b', number),
    named('company', 'Grundy Turkeys Ltd', '11-02T09:00', 'c', number),
  ];
  expect(latestSightings(at()).map(keyed)).toEqual(['company 11-01T15:00 b', 'company 11-02T09:00 c']);
  expect(latestSightings(at('01234567')).map(keyed)).toEqual(['company 11-02T09:00 c']);
});
