import { expect, it } from 'vitest';
import { compileOcid } from '../../../../ingest/compile/ocid.ts';
import { partyKey } from '../../../../ingest/identity/resolve.ts';
import type { ResolvedProcess } from '../../../../ingest/store/process-rows.ts';
import { findOnTwoServices } from '../../../../ingest/store/relations/cross-source-duplicates.ts';
import { LIMITS_MS } from '../../../support/time-limits.ts';
import { actRelease, COUNCIL, stored } from '../../compile/releases.ts';

const COUNT = 500;
const ACT_OCID = 'ocds-h6vhtk-0a1b2c';

/** A process with awards to a supplier each, all parties resolved by their names. */
function resolve(ocid: string, source: string, description: string): ResolvedProcess {
  const suppliers = Array.from({ length: COUNT }, (_, n) => ({
    id: `S${n}`,
    name: `Firm ${n} Ltd`,
    roles: ['supplier'],
  }));
  const release = actRelease('000200-2026', '2026-03-01T09:00:00Z', {
    ocid,
    tag: ['award'],
    parties: [COUNCIL, ...suppliers],
    tender: { description, legalBasis: undefined },
    awards: suppliers.map(({ id, name }, n) => ({
      id: String(n),
      status: 'active',
      date: '2026-02-20T00:00:00Z',
      value: { amount: 20_000 + n, currency: 'GBP' },
      suppliers: [{ id, name }],
    })),
  });
  const [process] = compileOcid(ocid, stored([release], source));
  if (!process) throw new Error('nothing was compiled');
  const match = { method: 'unmatched' as const, score: 0, evidence: [] };
  const parties = process.parties.map(
    (party) => [partyKey(party.role, party.partyId), { party, identityId: party.sighting.nameKey, match }] as const,
  );
  return { process, parties: new Map(parties), link: null };
}

it('hundreds of awards on two services are counted once in seconds, not in minutes', () => {
  const both = [
    resolve(ACT_OCID, 'find_a_tender', ''),
    resolve('ocds-b5fd17-11111111-2222-3333-4444-555555555555', 'contracts_finder', `See ${ACT_OCID}.`),
  ];
  const before = process.cpuUsage();
  const { countedAs } = findOnTwoServices(both);
  const { user, system } = process.cpuUsage(before);
  expect(countedAs.size).toBe(COUNT);
  expect((user + system) / 1_000).toBeLessThan(LIMITS_MS.wait / 4);
});
