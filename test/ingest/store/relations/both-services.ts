import { storePage } from '../../../../ingest/store/page.ts';
import type { Totals } from '../../../../schema/catalogue/details.ts';
import { type LikenedProcess, readRelated } from '../../../../schema/catalogue/related-processes.ts';
import type { Database } from '../../../../schema/db/interface.ts';
import type { JsonObject } from '../../../../schema/text/json-values.ts';
import { makeDatabase, makeFolder } from '../../../support/databases.ts';
import { actRelease, BRIGHT, COUNCIL, packageOf, read, reference } from '../../compile/releases.ts';

/** Catalogues in folders of their own, and how all of them are closed. */
export function makeCatalogues(): { makeCatalogue: () => Promise<Database>; closeAll: () => Promise<void> } {
  const opened: (() => Promise<void>)[] = [];
  return {
    async makeCatalogue() {
      const folder = await makeFolder();
      const catalogue = await makeDatabase(folder.path, 'catalogue');
      opened.push(async () => catalogue.close().then(folder.remove));
      return catalogue;
    },
    async closeAll() {
      for (const close of opened) await close();
    },
  };
}

export const GUID = '11111111-2222-4333-8444-55555555555';
export const PAGE = 'https://www.find-tender.service.gov.uk/Notice';

/** An award under the old regulations on Find a Tender. */
export function onTender(number: string, date: string, more: JsonObject = {}): JsonObject {
  const { tender, ...rest } = more;
  return actRelease(`${number}-2024`, date, {
    ocid: `ocds-h6vhtk-${number}`,
    tag: ['award', 'contract'],
    parties: [COUNCIL, BRIGHT],
    awards: [{ id: '1', status: 'active', suppliers: [reference(BRIGHT)], value: { amount: 5000, currency: 'GBP' } }],
    contracts: [{ id: '1', awardID: '1', dateSigned: date }],
    ...rest,
    tender: { legalBasis: { scheme: 'CELEX', id: '32014L0024' }, ...(tender as JsonObject | undefined) },
  });
}

/** The same on Contracts Finder, with an ocid, a reference and a supplier's address of its own. */
export function onFinder(digit: number, date: string, more: JsonObject = {}): JsonObject {
  const { tender, ...rest } = more;
  return {
    ocid: `ocds-b5fd17-${GUID}${digit}`,
    id: `${GUID}${digit + 1}-4711${digit}`,
    date,
    tag: ['award'],
    initiationType: 'tender',
    language: 'en',
    parties: [{ ...COUNCIL, id: 'GB-SRS-x/1' }, BRIGHT],
    buyer: { id: 'GB-SRS-x/1', name: COUNCIL.name },
    awards: [
      { id: '1', status: 'active', date, suppliers: [reference(BRIGHT)], value: { amount: 5000, currency: 'GBP' } },
    ],
    ...rest,
    tender: { id: 'CF-1', title: 'Window cleaning of civic buildings', ...(tender as JsonObject | undefined) },
  };
}

export async function store(catalogue: Database, releases: readonly JsonObject[]): Promise<void> {
  for (const release of releases) {
    const source = String(release.ocid).startsWith('ocds-b5fd17') ? 'contracts_finder' : 'find_a_tender';
    const page = read(packageOf([release]), source);
    await storePage(catalogue, { source, fetchedAt: '2026-11-20T00:00:00Z', ...page, before: [], after: [] });
  }
}

export async function relatedOf(catalogue: Database, ocid: unknown) {
  const sql = 'SELECT * FROM process WHERE id = ? AND gone = 0';
  const [own] = await catalogue.read<LikenedProcess>({ sql, args: [String(ocid)] });
  if (!own) throw new Error(`no process ${ocid}`);
  const related = await readRelated(catalogue, own);
  return related.map(({ process, likeness }) => ({ id: process.id, ...likeness }));
}

export async function countedOf(catalogue: Database) {
  const contracts = await catalogue.read<{ id: string }>({ sql: 'SELECT id FROM contract WHERE gone = 0 ORDER BY id' });
  const [buyer] = await catalogue.read<{ contract_count: number; totals: string }>({
    sql: 'SELECT contract_count, totals FROM buyer WHERE gone = 0 ORDER BY contract_count DESC',
  });
  const { sum } = JSON.parse(buyer?.totals ?? '{}') as Totals;
  return { contracts: contracts.map(({ id }) => id), count: buyer?.contract_count, sum };
}
