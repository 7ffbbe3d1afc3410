import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReadPage, readOcdsPage } from '../../../../ingest/parse/page.ts';
import { ACCEPT, matchSuppliers } from '../../../../ingest/party/match/suppliers.ts';
import type { Sighting } from '../../../../ingest/party/sighting.ts';
import { makeRowReader, readHeader } from '../../../../ingest/register/row.ts';
import { listedStatements, listRecord } from '../../../../ingest/register/store.ts';
import { storePage } from '../../../../ingest/store/page.ts';
import type { Database } from '../../../../schema/db/interface.ts';
import { legalForm } from '../../../../schema/names/spelling.ts';
import { toOcds } from '../../../../schema/ocds/release.ts';
import { makeDatabase, makeFolder } from '../../../support/databases.ts';
import { haveRecordings, RECORDINGS, recordedFiles } from '../../../upstream/recordings/known.ts';

/** Genuine notices, and an excerpt of the register: one company of a thousand. Read where they lie. */
const REGISTER = `${RECORDINGS}/companies-house/basic-company-data-2020-05-01-sample.csv.gz`;
const FOLDERS = ['search-pages', 'notices-2017-2021', 'notices-2014-2015'].map((name) => `contracts-finder/${name}`);
const ALL = [...FOLDERS, 'find-a-tender/pages', 'find-a-tender/notices', 'find-a-tender/records'];
const present = haveRecordings('who the suppliers of recordings are');

interface Supplier {
  ocid: string;
  name: string;
  sighting: Sighting;
  identity_id: string;
  method: string;
  score: number;
  evidence: string[];
}

/** What a register row says besides. */
const EMPTY = { incorporated: '1990-01-01', accounts: {}, sic_codes: [], previous_names: [] };
const numberOf = (id: string) => id.slice('GB-COH-'.length);

/** What a company number looks like: eight digits, or two letters and six. */
const WHOLE = /^(?:\d{8}|(?:SC|NI|OC|SO|NC|IP|RC|RS|FC|BR|LP|SL)\d{6})$/;

/** Without punctuation; six or seven digits lost their zeros. */
function plain(id: string): string {
  const bare = id.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return /^\d{6,7}$/.test(bare) ? bare.padStart(8, '0') : bare;
}

describe.skipIf(!present)('suppliers of recorded notices', () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let catalogue: Database;
  let pages: Pick<ReadPage, 'releases'>[];
  let suppliers: Supplier[];

  beforeAll(async () => {
    folder = await makeFolder();
    catalogue = await makeDatabase(folder.path, 'catalogue');
    await storeRegister();
    pages = ALL.map(readFolder);
    const rest = { source: 'x', fetchedAt: '2026-11-20T00:00:00Z', quarantined: [], before: [], after: [] };
    for (const { releases } of pages) await storePage(catalogue, { ...rest, releases });
    type Row = Omit<Supplier, 'evidence' | 'sighting'> & { evidence: string; sighting: string };
    const rows = await catalogue.read<Row>({
      sql: `SELECT ocid, party.name, sighting, identity_id, method, score, evidence FROM party
        JOIN process ON process.id = process_id WHERE role = 'supplier'`,
      args: [],
    });
    suppliers = rows.map((row) => ({
      ...row,
      sighting: JSON.parse(row.sighting),
      evidence: JSON.parse(row.evidence),
    }));
  });
  afterAll(async () => {
    await catalogue?.close();
    await folder?.remove();
  });

  async function storeRegister() {
    const [header = [], ...cells] = parse(gunzipSync(readFileSync(REGISTER))) as string[][];
    const read = makeRowReader(readHeader(header));
    const records = cells.map(read).flatMap((row) => ('reason' in row ? [] : [listRecord(row.read().record)]));
    const { statements } = await listedStatements(catalogue, records, '2026-11-01');
    const whole = "INSERT INTO cursor (source, value, updated_at) VALUES ('companies_house', '2026-11-01', '')";
    await catalogue.write([...statements, { sql: whole, args: [] }]);
  }

  /** The files of a folder as one page: most hold one notice. */
  function readFolder(name: string): Pick<ReadPage, 'releases'> {
    const source = name.startsWith('find') ? 'find_a_tender' : 'contracts_finder';
    const read = (file: string) => readOcdsPage(readFileSync(file), { source, url: basename(file) });
    return { releases: recordedFiles(name).flatMap((file) => read(file).releases) };
  }

  /** Parties that win something, with what stands in the field of a company number. */
  function published() {
    return pages.flatMap(({ releases }) =>
      releases.flatMap(({ ocid, json }) => {
        const { parties, awards } = toOcds(json);
        const awarded = new Set(awards.flatMap((award) => award.suppliers.map(({ id }) => id)));
        return parties.flatMap(({ id, name, identifier }) =>
          awarded.has(id) && name && identifier?.scheme === 'GB-COH' && identifier.id
            ? [{ ocid, name, number: plain(identifier.id) }]
            : [],
        );
      }),
    );
  }

  it('published with a valid number all resolve to it', () => {
    const valid = published().filter(({ number }) => WHOLE.test(number) && !/^0+$/.test(number));
    const stored = new Set(suppliers.map(({ ocid, identity_id, method }) => `${ocid} ${identity_id} ${method}`));
    const lost = valid.filter(({ ocid, number }) => !stored.has(`${ocid} GB-COH-${number} company_number`));
    expect([valid.length > 500, lost]).toEqual([true, []]);
  });

  it('are found again without their number where another notice publishes them with it, and none is mistaken', async () => {
    const numbered = suppliers.filter(({ method }) => method === 'company_number');
    const first = new Map<string, Supplier>();
    for (const one of numbered) if (!first.has(one.identity_id)) first.set(one.identity_id, one);
    const companies = [...first.values()].map(({ identity_id, name, sighting }) => {
      const own = { company_name: legalForm(name) ? name : `${name} LIMITED`, postal_code: sighting.postcode };
      return listRecord({ ...own, company_number: numberOf(identity_id), ...EMPTY });
    });
    const place = await makeFolder();
    const register = await makeDatabase(place.path, 'catalogue');
    await register.write((await listedStatements(register, companies, '2026-11-01')).statements);
    const again = numbered.filter(({ identity_id, ocid }) => first.get(identity_id)?.ocid !== ocid);
    const wanted = again.map(({ sighting }) => ({ ...sighting, ids: [], published: '2020-06-01' }));
    const found = await matchSuppliers(register, wanted);
    await register.close();
    await place.remove();
    expect(found.map((match) => match?.companyNumber)).toEqual(again.map(({ identity_id }) => numberOf(identity_id)));
    expect(found).toHaveLength(39);
  });

  it('published with a VAT number or a word for one never do', () => {
    const junk = published().filter(({ number }) => /^(?:GB)?\d{9,}$/.test(number) || /^[A-Z]+$/.test(number));
    expect(junk.length).toBeGreaterThan(3);
    const stored = new Set(suppliers.map(({ ocid, identity_id }) => `${ocid} ${identity_id}`));
    expect(junk.filter(({ ocid, number }) => stored.has(`${ocid} GB-COH-${number}`))).toEqual([]);
  });

  it('have a method, a score and evidence; who is below the threshold is unmatched and leads to no company', () => {
    const tally: Record<string, number> = {};
    for (const { method } of suppliers) tally[method] = (tally[method] ?? 0) + 1;
    const unmatched = suppliers.filter(({ method }) => method === 'unmatched');
    expect(suppliers.filter(({ evidence }) => evidence.length === 0)).toEqual([]);
    expect(suppliers.filter(({ score }) => score < ACCEPT)).toEqual(unmatched);
    expect(unmatched.filter(({ score, identity_id }) => score > 0 || !identity_id.startsWith('name-'))).toEqual([]);
    // Of the thousandth of the register that is recorded hardly anybody wins anything.
    expect(tally).toEqual({ company_number: 577, unmatched: 1069, name_postcode: 21, identifier: 19, full_name: 1 });
  });

  it('that are consortia or persons are no company by their name', () => {
    const several = suppliers.filter(({ name }) => /consortium|joint venture|^(?:mr|mrs|ms|dr) /i.test(name));
    const forced = several.filter(
      ({ method }) => method !== 'company_number' && method !== 'identifier' && method !== 'unmatched',
    );
    expect(forced).toEqual([]);
  });
});
