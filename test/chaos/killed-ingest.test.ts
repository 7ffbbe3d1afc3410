import { describe, expect, it } from 'vitest';
import { makeFolder } from '../support/databases.ts';
import { LIMITS_MS } from '../support/time-limits.ts';
import { makeSample } from '../upstream/sample/make.ts';
import { compareFacts, type Facts } from './facts.ts';
import { runChaos } from './harness.ts';

describe('an ingest that is killed again and again', () => {
  it(
    'ends with the catalogue of one that was left alone, and asks nothing twice that was complete',
    async () => {
      const folder = await makeFolder();
      const data = makeSample({ notices: 120, buyers: 30, companies: 40 });
      const options = {
        data,
        kills: 4,
        seed: 3,
        folder: folder.path,
        steps: ['find_a_tender', 'public_contracts_scotland'],
      };
      const report = await runChaos(options);
      expect(report).toMatchObject({ kills: 4, restarts: 4 });
      expect(report.releases).toBeGreaterThan(50);
      const { lost, doubled, unequal, faults, askedTwice } = report;
      expect({ lost, doubled, unequal, askedTwice, faults }).toEqual({
        lost: [],
        doubled: [],
        unequal: [],
        askedTwice: [],
        faults: [],
      });
      await folder.remove();
      // Processes one after another: seconds on a machine of its own, longer beside other work.
    },
    LIMITS_MS.long,
  );
});

describe('the comparison', () => {
  const facts = (keys: string[], digest = 'a'): Facts => ({
    digests: { release: digest },
    keys: { release: keys },
    faults: [],
  });

  it('names what is lost, what is doubled and what differs', () => {
    expect(compareFacts(facts(['1', '2']), facts(['1', '2']))).toEqual({ lost: [], doubled: [], unequal: [] });
    expect(compareFacts(facts(['1', '2', '3']), facts(['1', '3', '3'], 'b'))).toEqual({
      lost: ['release 2'],
      doubled: ['release 3'],
      unequal: ['release'],
    });
  });
});
