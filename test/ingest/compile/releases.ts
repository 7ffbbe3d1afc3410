import { compileOcid } from '../../../ingest/compile/ocid.ts';
import type { CompiledProcess } from '../../../ingest/compile/types.ts';
import type { StoredRelease } from '../../../ingest/merge/uk.ts';
import { type ReadPage, readOcdsPage } from '../../../ingest/parse/page.ts';
import type { JsonObject } from '../../../schema/text/json-values.ts';

/** Releases of our own writing in the shapes the two services serve. Names and numbers are invented. */

export const OCID = 'ocds-h6vhtk-0a1b2c';
export const COUNCIL = {
  id: 'GB-PPON-PBCD-1234-FGHJ',
  name: 'Harrowmere City Council',
  identifier: { scheme: 'GB-PPON', id: 'PBCD-1234-FGHJ' },
  address: { locality: 'Harrowmere', postalCode: 'LS1 1AA', countryName: 'United Kingdom', region: 'UKE42' },
  roles: ['buyer'],
};
export const supplier = (number: string, name: string, more: JsonObject = {}): JsonObject => ({
  id: `GB-COH-${number}`,
  name,
  identifier: { scheme: 'GB-COH', id: number },
  address: { locality: 'Leeds', postalCode: 'LS2 7EW' },
  roles: ['supplier'],
  details: { scale: 'sme' },
  ...more,
});
export const BRIGHT = supplier('01234567', 'Brightwater Cleaning Ltd');
export const OAKES = supplier('07654321', 'Oakes & Daughters Limited');

export const reference = (party: JsonObject) => ({ id: party.id, name: party.name });

/** The document that carries the notice type of a Find a Tender release. */
export const noticeDocument = (id: string, noticeType: string, documentType = 'awardNotice') => ({
  id,
  documentType,
  noticeType,
  url: `https://www.find-tender.service.gov.uk/Notice/${id}`,
  datePublished: '2026-03-01T10:00:00Z',
  format: 'text/html',
});

/** A Find a Tender release under the Procurement Act. */
export function actRelease(id: string, date: string, more: JsonObject): JsonObject {
  const { tender, ...rest } = more;
  return {
    ocid: OCID,
    id,
    date,
    tag: ['tender'],
    initiationType: 'tender',
    language: 'en',
    parties: [COUNCIL],
    buyer: reference(COUNCIL),
    tender: {
      id: 'REF-77',
      title: 'Window cleaning of civic buildings',
      legalBasis: { scheme: 'UKPGA', id: '2023/54' },
      ...(tender as JsonObject | undefined),
    },
    ...rest,
  };
}

export function packageOf(releases: readonly unknown[], more: JsonObject = {}): Uint8Array {
  return Buffer.from(JSON.stringify({ version: '1.1', publishedDate: '2026-03-01T00:00:00Z', releases, ...more }));
}

export function read(bytes: Uint8Array, source = 'find_a_tender'): ReadPage {
  return readOcdsPage(bytes, { source, url: 'https://example.test/page' });
}

/** Releases as if read and stored. */
export function stored(
  releases: readonly JsonObject[],
  source = 'find_a_tender',
  more: JsonObject = {},
): StoredRelease[] {
  return read(packageOf(releases, more), source).releases.map((release) => ({
    ...release,
    fetchedAt: '2026-03-02T00:00:00Z',
  }));
}

/** Compiles releases of one ocid, which must make one process. */
export function compileOne(releases: readonly JsonObject[], source = 'find_a_tender', more: JsonObject = {}) {
  const all = stored(releases, source, more);
  const processes = compileOcid(all[0]?.ocid ?? '', all);
  const [process] = processes;
  if (!process || processes.length !== 1) throw new Error(`expected one process, got ${processes.length}`);
  return process;
}

/** A supplier as Contracts Finder published it in 2019 and 2020: inline, under id 0, its address as one text. */
export const inlineSupplier = (name: string, address = '', more: JsonObject = {}): JsonObject => ({
  id: 0,
  name,
  sme: false,
  vco: false,
  x_awardValue: { amount: null, currency: 'GBP' },
  identifier: { id: '', scheme: '', uri: '', legalName: '' },
  contactPoint: { name: '', email: '', faxNumber: '', telephone: '' },
  address: { streetAddress: address, locality: '', region: '', postalCode: '', countryName: '' },
  ...more,
});

/** A company number as that shape states it. */
export const numbered = (id: string | number): JsonObject => ({
  identifier: { id, scheme: 'GB-COH', uri: '', legalName: '' },
});

/** An award release of that shape: no parties, the buyer and every supplier inline. */
export function inlineRelease(guid: string, suppliers: readonly unknown[], more: JsonObject = {}): JsonObject {
  const { award, ...rest } = more;
  const ocid = 'ocds-b5fd17-11111111-2222-3333-4444-555555555555';
  return {
    ocid,
    id: `${guid}-500`,
    date: '2020-03-02T10:00:00Z',
    tag: ['award'],
    initiationType: 'tender',
    buyer: { id: 0, name: 'Harrowmere City Council', address: { streetAddress: 'Town Hall\nHarrowmere\nLS1 1AA' } },
    tender: { id: 'DN1', title: 'Grounds maintenance', status: 'complete' },
    awards: [
      {
        id: `${ocid}-1`,
        title: '',
        status: 'active',
        date: '2020-02-20T00:00:00Z',
        value: { amount: 240_000, currency: 'GBP' },
        suppliers,
        ...(award as JsonObject | undefined),
      },
    ],
    ...rest,
  };
}

/** The suppliers of each contract, as they were sighted. */
export const winnersOf = ({ parties, contracts }: CompiledProcess) =>
  contracts.map(({ supplierParties }) =>
    supplierParties.map((id) => parties.find(({ partyId, role }) => partyId === id && role === 'supplier')?.sighting),
  );
export const winnerNames = (process: CompiledProcess) => winnersOf(process).map((all) => all.map((one) => one?.name));
export const contractWarnings = ({ contracts }: CompiledProcess) => contracts.flatMap(({ detail }) => detail.warnings);
