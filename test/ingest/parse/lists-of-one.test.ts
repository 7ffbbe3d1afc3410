import { describe, expect, it } from 'vitest';
import { compileOcid } from '../../../ingest/compile/ocid.ts';
import type { StoredRelease } from '../../../ingest/merge/uk.ts';
import { isListLike } from '../../../ingest/parse/repair.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';
import { groupBy } from '../../../schema/text/memoise.ts';
import type { PublishedRelease } from '../../upstream/data.ts';
import { haveRecordings, readKnownRecordings } from '../../upstream/recordings/known.ts';
import { makeSample } from '../../upstream/sample/make.ts';
import { actRelease, BRIGHT, COUNCIL, reference, stored } from '../compile/releases.ts';

type Published = readonly PublishedRelease[];

/** A converter from XML cannot tell a list of one from its only member: it may write every text, or every object, as a list. */
const written = {
  text: (value: unknown) => (typeof value === 'object' ? value : [value]),
  object: (value: unknown) => (isObject(value) ? [value] : value),
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isListLike(Object.keys(value));

/** A release in which every member is written in another way; what is in a list already stays as it is. */
function rewrite(value: unknown, write: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((member) => rewrite(member, write));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, write(rewrite(member, write))]));
}

/** What is stored of releases, without the reasons: those quote. */
function compileAll(source: string, published: Published, write = (member: unknown): unknown => member): unknown[] {
  const releases = published.flatMap(({ release }) => stored([rewrite(release, write) as JsonObject], source));
  const processes = [...groupBy(releases, ({ ocid }: StoredRelease) => ocid)].flatMap(([ocid, own]) =>
    compileOcid(ocid, own),
  );
  return JSON.parse(JSON.stringify(processes, (key, value) => (key === 'why' ? undefined : value)));
}

/** Some releases of a service, each id once: which of two versions counts is decided by their digests. */
function someOf(published: Iterable<PublishedRelease>): PublishedRelease[] {
  return [...new Map([...published].map((one) => [one.release.id, one])).values()].slice(0, 100);
}

function expectSame(source: string, published: Published, kind: keyof typeof written): void {
  const due = compileAll(source, published);
  expect(due.length).toBeGreaterThan(10);
  expect(compileAll(source, published, written[kind])).toEqual(due);
}

/** What neither the sample nor the recordings state. */
const ours = actRelease('012345-2026', '2026-03-01T10:00:00Z', {
  tag: ['contractTermination'],
  parties: [{ ...COUNCIL, contactPoint: { name: 'Discovery Roadmap', email: 'roadmap@harrowmere.example' } }, BRIGHT],
  tender: {
    title: 'Discovery Roadmap',
    description: 'A seat in the Discovery Roadmap.',
    selectionCriteria: { criteria: [{ type: 'technical', description: 'Two references.', forReduction: true }] },
    amendments: [{ id: '1', unstructuredChanges: [{ oldValue: { text: 'Before' }, newValue: { text: 'After' } }] }],
  },
  awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)] }],
  contracts: [
    {
      ...{ id: '1', awardID: '1', agreedMetrics: [{ title: 'Response' }] },
      implementation: {
        finalValue: { amount: 100, currency: 'GBP' },
        metrics: [{ title: 'Response', observations: [{ measureClassification: { id: 'good' } }] }],
      },
    },
  ],
});

describe.each(['text', 'object'] as const)('every %s as a list of one', (kind) => {
  it('says the same in what is published in our sample', () => {
    const { findATender, contractsFinder } = makeSample({ notices: 200 });
    expectSame('find_a_tender', someOf(findATender), kind);
    expectSame('contracts_finder', someOf(contractsFinder), kind);
  });

  it('says the same in a release of our own', () => {
    const published = [{ release: ours, publishedAt: new Date(0) }];
    const due = compileAll('find_a_tender', published);
    for (const fact of [
      'for_reduction',
      'Before: Before',
      'final_value',
      '"rating"',
      'A seat in the Discovery Roadmap',
    ])
      expect(JSON.stringify(due)).toContain(fact);
    expect(compileAll('find_a_tender', published, written[kind])).toEqual(due);
  });

  it.skipIf(!haveRecordings('reading lists of one'))('says the same in genuine releases', async () => {
    const { findATender, contractsFinder } = await readKnownRecordings();
    expectSame('find_a_tender', someOf(findATender), kind);
    expectSame('contracts_finder', someOf(contractsFinder), kind);
  });
});
