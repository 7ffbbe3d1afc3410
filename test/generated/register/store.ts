import { performance } from 'node:perf_hooks';
import { matchSuppliers } from '../../../ingest/party/match/suppliers.ts';
import type { RegisterMatch } from '../../../ingest/party/match/types.ts';
import { listedStatements, listRecord } from '../../../ingest/register/store.ts';
import type { RegisterRecord } from '../../../schema/catalogue/details.ts';
import type { Database } from '../../../schema/db/interface.ts';
import { type BenchCompany, makeRegister } from './companies.ts';
import type { BenchSighting } from './other-suppliers.ts';
import { makeSighting } from './sightings.ts';

const BATCH_COMPANIES = 5_000;
const BATCH_SIGHTINGS = 500;
const EDITION = '2026-11-01';

/** Stores a generated register as an edition of it is stored, and draws suppliers from it at equal distances. */
export async function storeRegister(
  catalogue: Database,
  { companies, sightings }: { companies: number; sightings: number },
): Promise<BenchSighting[]> {
  const drawn: BenchSighting[] = [];
  const gap = Math.max(1, Math.floor(companies / sightings));
  let batch: RegisterRecord[] = [];
  const flush = async () => {
    const { statements } = await listedStatements(catalogue, batch.map(listRecord), EDITION);
    await catalogue.write(statements);
    batch = [];
  };
  let serial = 0;
  for (const company of makeRegister(companies)) {
    serial += 1;
    if (serial % gap === 0) drawn.push(makeSighting(company, serial));
    if (!company.dissolved) batch.push(recordOf(company));
    if (batch.length >= BATCH_COMPANIES) await flush();
  }
  await flush();
  return drawn;
}

/** The bulk file holds live companies only. */
function recordOf({ number, name, previous, postcode, town, incorporated }: BenchCompany): RegisterRecord {
  return {
    company_name: name,
    company_number: number,
    locality: town,
    postal_code: postcode,
    category: 'Private Limited Company',
    status: 'Active',
    incorporated,
    accounts: {},
    sic_codes: [],
    previous_names: previous,
  };
}

export interface Matched {
  sighting: BenchSighting;
  match: RegisterMatch | null;
}

/** Looks all up, a batch at a time as ingest does. */
export async function matchAll(
  catalogue: Database,
  sightings: readonly BenchSighting[],
  least?: number,
): Promise<{ matched: Matched[]; tookMs: number }> {
  const matched: Matched[] = [];
  const startMs = performance.now();
  for (let at = 0; at < sightings.length; at += BATCH_SIGHTINGS) {
    const batch = sightings.slice(at, at + BATCH_SIGHTINGS);
    const found = await matchSuppliers(
      catalogue,
      batch.map(({ wanted }) => wanted),
      least,
    );
    for (const [index, sighting] of batch.entries()) matched.push({ sighting, match: found[index] ?? null });
  }
  return { matched, tookMs: performance.now() - startMs };
}

/** Whether the answer is the true one. */
export function isRight({ sighting, match }: Matched): boolean {
  return (match?.companyNumber ?? null) === sighting.truth;
}
