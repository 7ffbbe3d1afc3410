import { afterAll, describe, expect, it } from 'vitest';
import { linksOf } from '../../../ingest/identity/facts.ts';
import { type IdentityPlan, planIdentities } from '../../../ingest/identity/plan.ts';
import { joinIdentities, type Link } from '../../../ingest/party/links.ts';
import { readSighting, type Sighting } from '../../../ingest/party/sighting.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';

const same = (token: string, value: string): Link => ({ token, field: 'same_as', value });
const named = (token: string, value: string): Link => ({ token, field: 'name_id', value });
const within = (token: string, value: string): Link => ({ token, field: 'within', value });

function leads(links: Link[], ...nodes: string[]): string[] {
  const names = links.flatMap(({ token, field, value }) => (field === 'within' ? [token, value] : [value]));
  return nodes.map(
    joinIdentities(
      links,
      [...names, ...nodes].filter((name) => /^(name|at)-/.test(name)),
    ),
  );
}

describe('identifiers and names', () => {
  it('published together are one, whatever links them', () => {
    const links = [same('gb-ppon-a', 'gb-nhs-b'), same('gb-chc-c', 'gb-nhs-b')];
    expect(leads(links, 'gb-ppon-a', 'gb-nhs-b', 'gb-chc-c')).toEqual(['GB-PPON-A', 'GB-PPON-A', 'GB-PPON-A']);
  });

  it('published together in a chain of twenty thousand are one', () => {
    const links = Array.from({ length: 20_000 }, (_, place) => same(`gb-chc-${place}`, `gb-chc-${place + 1}`));
    const [first, last] = leads(links, 'gb-chc-0', 'gb-chc-20000');
    expect(first).toBe(last);
  });

  it('two company numbers are never one; what was published with both belongs to neither', () => {
    const links = [
      same('gb-coh-1', 'gb-ppon-p'),
      same('gb-coh-2', 'gb-ppon-p'),
      same('gb-coh-1', 'gb-chc-c'),
      same('gb-coh-1', 'gb-coh-3'),
      named('gb-coh-2', 'name-b'),
    ];
    expect(leads(links, 'gb-coh-1', 'gb-coh-2', 'gb-coh-3', 'gb-ppon-p', 'gb-chc-c', 'name-b')).toEqual([
      'GB-COH-1',
      'GB-COH-2',
      'GB-COH-3',
      'GB-PPON-P',
      'GB-COH-1',
      'GB-COH-2',
    ]);
    expect(leads([...links, named('gb-coh-1', 'name-a'), named('gb-ppon-p', 'name-a')], 'gb-ppon-p')).toEqual([
      'GB-COH-1',
    ]);
    const chained = [same('gb-coh-1', 'gb-ppon-p'), same('gb-ppon-p', 'gb-chc-c'), same('gb-coh-2', 'gb-chc-c')];
    expect(leads(chained, 'gb-coh-1', 'gb-coh-2', 'gb-chc-c')).toEqual(['GB-COH-1', 'GB-COH-2', 'GB-PPON-P']);
  });

  it('of one name are one, and the name leads there', () => {
    const links = [named('gb-ppon-a', 'name-n'), named('gb-srs-b', 'name-n'), named('gb-srs-c', 'name-n')];
    expect(leads(links, 'gb-srs-b', 'gb-srs-c', 'name-n', 'name-other')).toEqual([
      'GB-PPON-A',
      'GB-PPON-A',
      'GB-PPON-A',
      'name-other',
    ]);
  });

  it('with different numbers of one scheme stay apart; the postcode decides, else the name stands for itself', () => {
    const links = [
      ...['gb-ppon-a', 'gb-ppon-b', 'gb-srs-c'].map((token) => named(token, 'name-n')),
      named('gb-ppon-a', 'at-n1'),
      named('gb-srs-c', 'at-n1'),
      named('gb-ppon-b', 'at-n2'),
      ...['at-n1', 'at-n2', 'at-n3'].map((place) => within(place, 'name-n')),
    ];
    expect(leads(links, 'gb-ppon-b', 'gb-srs-c', 'name-n', 'at-n1', 'at-n2', 'at-n3')).toEqual([
      'GB-PPON-B',
      'GB-PPON-A',
      'name-n',
      'GB-PPON-A',
      'GB-PPON-B',
      'name-n',
    ]);
  });

  it('two PPONs of one name at one postcode are one buyer that registered twice, until one has another name', () => {
    const twice = [
      ...['gb-ppon-a', 'gb-ppon-b'].flatMap((token) => [named(token, 'name-n'), named(token, 'at-n1')]),
      named('gb-ppon-b', 'at-n2'),
      ...['at-n1', 'at-n2'].map((place) => within(place, 'name-n')),
    ];
    expect(leads(twice, 'gb-ppon-b', 'name-n', 'at-n2')).toEqual(['GB-PPON-A', 'GB-PPON-A', 'GB-PPON-A']);
    const mistaken = [...twice, named('gb-ppon-b', 'name-owner')];
    expect(leads(mistaken, 'gb-ppon-b', 'name-n', 'at-n1', 'at-n2')).toEqual([
      'GB-PPON-B',
      'name-n',
      'name-n',
      'GB-PPON-B',
    ]);
    const elsewhere = twice.filter(({ token, value }) => token !== 'gb-ppon-b' || value !== 'at-n1');
    expect(leads(elsewhere, 'gb-ppon-b', 'name-n')).toEqual(['GB-PPON-B', 'name-n']);
    const numbered = [...twice, same('gb-ppon-a', 'gb-nhs-1'), same('gb-ppon-b', 'gb-nhs-2')];
    expect(leads(numbered, 'gb-ppon-b', 'name-n')).toEqual(['GB-PPON-B', 'name-n']);
  });

  it('a chain of names never ties two numbers of one scheme', () => {
    const links = [
      named('gb-ppon-a', 'name-1'),
      named('gb-srs-m', 'name-1'),
      named('gb-srs-m', 'name-2'),
      named('gb-ppon-b', 'name-2'),
    ];
    expect(leads(links, 'gb-srs-m', 'name-1', 'gb-ppon-b', 'name-2')).toEqual([
      'GB-PPON-A',
      'GB-PPON-A',
      'GB-PPON-B',
      'name-2',
    ]);
  });

  it('the register decides a name that it lists, also where a notice states another number under it', () => {
    const listed: Link = { token: 'gb-coh-1', field: 'register_name_id', value: 'name-n' };
    expect(leads([listed], 'name-n')).toEqual(['GB-COH-1']);
    expect(leads([listed, named('gb-ppon-a', 'name-n')], 'gb-ppon-a')).toEqual(['GB-COH-1']);
    const stated = named('gb-coh-2', 'name-n');
    expect(leads([listed, stated], 'name-n', 'gb-coh-2')).toEqual(['GB-COH-1', 'GB-COH-2']);
    const another: Link = { token: 'gb-coh-3', field: 'register_name_id', value: 'name-n' };
    expect(leads([listed, another, stated], 'name-n')).toEqual(['GB-COH-2']);
    expect(leads([listed, another], 'name-n')).toEqual(['name-n']);
    const torn = [named('gb-coh-2', 'name-n'), named('gb-coh-3', 'name-n')];
    expect(leads(torn, 'name-n')).toEqual(['name-n']);
    expect(leads([listed, ...torn], 'name-n', 'gb-coh-2', 'gb-coh-3')).toEqual(['GB-COH-1', 'GB-COH-2', 'GB-COH-3']);
  });
});

describe('sightings in any order and any batches', () => {
  const opened: { catalogue: Database; remove(): Promise<void> }[] = [];
  afterAll(async () => {
    for (const { catalogue, remove } of opened) await catalogue.close().then(remove);
  });

  /** Numbers from a seed, the same every time (mulberry32). */
  function makeRandom(seed: number) {
    let state = seed;
    return (below: number) => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
    };
  }

  /** Few names, postcodes and numbers, so that they meet and disagree in every way. */
  function makeSighting(random: (below: number) => number): Sighting {
    const pick = (from: string[]) => from[random(from.length)] ?? '';
    const schemes = ['GB-COH', 'GB-NHS', 'GB-SRS', 'GB-CHC'];
    const identifiers = Array.from({ length: random(3) }, () => ({ scheme: pick(schemes), id: `${1 + random(6)}` }));
    const postalCode = pick(['', 'BS1 4QS', 'M1 1AA']);
    const [identifier, ...additionalIdentifiers] = identifiers;
    const name = `Borough of ${pick([...'ABCDEFGH'])}${pick(['', '', ' Council'])}`;
    return readSighting({
      name,
      identifier,
      additionalIdentifiers,
      roles: [],
      classifications: [],
      address: { postalCode },
    });
  }

  type Alias = { alias: string; target: string };
  const ALIASES = 'SELECT alias, target FROM alias ORDER BY alias';

  /** What led to somebody once leads to somebody for ever, in one step, and so does the id of everybody there ever was. */
  async function checkAliases(catalogue: Database, before: Set<string>): Promise<void> {
    const now = new Map((await catalogue.read<Alias>({ sql: ALIASES })).map(({ alias, target }) => [alias, target]));
    expect([...before].filter((alias) => !now.has(alias))).toEqual([]);
    for (const [alias, target] of now) {
      expect([target, now.get(target.toLowerCase())]).toEqual([target, target]);
      for (const known of [alias, target.toLowerCase()]) before.add(known);
    }
  }

  async function decide(kind: 'buyer' | 'company', sightings: readonly Sighting[], batch: number) {
    const folder = await makeFolder();
    const catalogue = await makeDatabase(folder.path, 'catalogue');
    opened.push({ catalogue, remove: folder.remove });
    let plan: IdentityPlan | undefined;
    const before = new Set<string>();
    for (let at = 0; at < sightings.length; at += batch) {
      const seen = sightings.slice(at, at + batch).map((sighting) => ({ kind, sighting, date: '2026-01-01' }));
      plan = await planIdentities(catalogue, kind, seen);
      if (plan.statements.length > 0) await catalogue.write(plan.statements);
      await checkAliases(catalogue, before);
    }
    return catalogue.read<Alias>({ sql: ALIASES });
  }

  it.each([1, 2, 3, 4, 5, 6])('give the same aliases as all at once (seed %i)', async (seed) => {
    const random = makeRandom(seed);
    const kind = seed % 2 ? 'buyer' : 'company';
    const sightings = Array.from({ length: 8 + random(30) }, () => makeSighting(random));
    const shuffled = sightings.map((one) => ({ one, key: random(1e9) })).toSorted((a, b) => a.key - b.key);
    const whole = await decide(kind, sightings, sightings.length);
    expect(await decide(kind, sightings, 1)).toEqual(whole);
    expect(
      await decide(
        kind,
        shuffled.map(({ one }) => one),
        3,
      ),
    ).toEqual(whole);
    const links = sightings.flatMap((sighting) => linksOf(kind, sighting));
    const target = joinIdentities(
      links,
      whole.flatMap(({ alias }) => (/^(name|at)-/.test(alias) ? [alias] : [])),
    );
    expect(whole).toEqual(whole.map(({ alias }) => ({ alias, target: target(alias) })));
  });
});

it('names that gave each other their ids still lead to their bearer', () => {
  const each = [
    { token: 'name-a', field: 'formerly' as const, value: 'name-b' },
    { token: 'name-b', field: 'formerly' as const, value: 'name-a' },
    { token: 'gb-coh-01234567', field: 'name_id' as const, value: 'name-a' },
    { token: 'gb-coh-01234567', field: 'name_id' as const, value: 'name-b' },
  ];
  const leadsTo = joinIdentities(each, ['name-a', 'name-b']);
  expect([leadsTo('name-a'), leadsTo('name-b')]).toEqual(['GB-COH-01234567', 'GB-COH-01234567']);
});
