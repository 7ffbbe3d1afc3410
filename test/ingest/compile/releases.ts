import { compileOcid } from '../../../ingest/compile/process.ts';
import type { StoredRelease } from '../../../ingest/merge-uk.ts';
import { type ReadPage, readOcdsPage } from '../../../ingest/read-ocds.ts';
import type { JsonObject } from '../../../schema/tolerant.ts';

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
