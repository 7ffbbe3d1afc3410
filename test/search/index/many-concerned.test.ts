import { expect, it } from 'vitest';
import { COLLECTIONS } from '../../../search/collections/index.ts';
import type { AnyHit, IndexBatch } from '../../../search/engine.ts';
import { syncSearch } from '../../../search/index/sync.ts';
import { openIndex } from '../../../search/open.ts';
import { makeDatabase, makeFolder } from '../../support/databases.ts';
import { companyRow, contractRows, registeredRow, supplier } from '../../support/seed.ts';
import { makeTestEngine } from '../test-engine.ts';
import { setSeq } from './notice-rows.ts';

/** More than are read at once. */
const MANY = 150;

it('follows the new names of many suppliers, and of one with many contracts, also where it is stopped', async () => {
  const folder = await makeFolder();
  const catalogue = await makeDatabase(folder.path, 'catalogue');
  const collection = COLLECTIONS.contracts;
  const { index, url } = await openIndex(folder.path, collection);
  const engine = makeTestEngine<AnyHit>(index, { catalogue, url, collection });
  const firms = Array.from({ length: MANY }, (_, at) => {
    const number = `${10_000_000 + at}`;
    return { number, ...supplier(`GB-COH-${number}`, `Firm ${at} Ltd`) };
  });
  await catalogue.write([
    ...firms.flatMap((firm, at) => [
      companyRow(firm.company_id, firm.name, { company_number: firm.number }),
      registeredRow(firm.number, firm.name.toUpperCase(), { match_seq: 1 }),
      ...contractRows(`p-${at}/1`, [firm]),
      ...contractRows(`q-${at}/1`, firms.slice(0, 1)),
    ]),
    setSeq(1),
  ]);
  expect(await syncSearch(catalogue, engine)).toMatchObject({ stored: 2 * MANY });
  await catalogue.write([
    { sql: "UPDATE registered_company SET name = 'NEW ' || name, seq = 2, match_seq = 2" },
    setSeq(2),
  ]);
  const stop = new AbortController();
  const stopping = { ...engine, store: (batch: IndexBatch) => engine.store(batch).then(() => stop.abort()) };
  await syncSearch(catalogue, stopping, { signal: stop.signal });
  // A stop repeats work and loses none.
  expect(await syncSearch(catalogue, engine)).toMatchObject({ stored: 2 * MANY, rebuilt: null });
  expect(await syncSearch(catalogue, engine)).toMatchObject({ stored: 0, rebuilt: null });
  await engine.close();
  await catalogue.close();
  await folder.remove();
});
