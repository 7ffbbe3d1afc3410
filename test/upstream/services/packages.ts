import { type PublishedRelease, releaseBytes } from '../data.ts';

const EXTENSION = 'https://raw.githubusercontent.com';
const PUBLISHER = {
  name: 'Cabinet Office',
  scheme: 'GB-GOR',
  uid: 'D2',
  uri: 'https://www.gov.uk/government/organisations/cabinet-office',
};
const LICENCE = {
  license: 'http://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/',
  publicationPolicy: 'https://www.gov.uk/government/publications/open-contracting',
};

const EXTENSIONS = {
  find_a_tender: [
    'https://standard.open-contracting.org/profiles/eu/latest/en/extension.json',
    `${EXTENSION}/open-contracting-extensions/ocds_amendment_rationale_classifications_extension/master/extension.json`,
    `${EXTENSION}/open-contracting-extensions/ocds_budget_breakdown_extension/master/extension.json`,
    `${EXTENSION}/open-contracting-extensions/ocds_contract_completion_extension/master/extension.json`,
    `${EXTENSION}/open-contracting-extensions/ocds_documentation_extension/master/extension.json`,
    `${EXTENSION}/open-contracting-extensions/ocds_pagination_extension/master/extension.json`,
    `${EXTENSION}/open-contracting-extensions/ocds_suitability_extension/master/extension.json`,
    `${EXTENSION}/portaledcahn/ocds_Links_extension/main/extension.json`,
    `${EXTENSION}/cabinetoffice/ocds_uk_extension/main/extension.json`,
    `${EXTENSION}/open-contracting-extensions/ocds_performance_failures_extension/master/extension.json`,
  ],
  contracts_finder: [
    'https://standard.open-contracting.org/profiles/eu/master/en/extension.json',
    `${EXTENSION}/portaledcahn/ocds_tenderDatePublished_extension/master/extension.json`,
    `${EXTENSION}/open-contracting-extensions/ocds_budget_breakdown_extension/master/extension.json`,
    `${EXTENSION}/Crown-Commercial-Service/ocds_awards_datePublished_extension/main/extension.json`,
    `${EXTENSION}/Crown-Commercial-Service/ocds_partyDetails_vcse_extension/main/extension.json`,
    `${EXTENSION}/Crown-Commercial-Service/ocds_tender_suitability_extension/main/extension.json`,
    `${EXTENSION}/open-contracting-extensions/ocds_pagination_extension/master/extension.json`,
  ],
} as const;

/** The two services that answer with release packages. */
type Service = keyof typeof EXTENSIONS;

/** What makes one release package. */
interface Package {
  service: Service;
  uri: string;
  releases: readonly PublishedRelease[];
  /** Address of the next page, where there is more. */
  next?: string;
}

/** A release package as bytes: each release's own bytes untouched inside the header both services send. */
export function packageBytes({ service, uri, releases, next }: Package): Buffer {
  const head = JSON.stringify({
    uri,
    version: '1.1',
    extensions: EXTENSIONS[service],
    publishedDate: releases[0]?.release.date ?? null,
    publisher: PUBLISHER,
    ...LICENCE,
  }).slice(0, -1);
  const tail = next === undefined ? '}' : `,"links":${JSON.stringify({ next })}}`;
  return Buffer.concat([Buffer.from(`${head},"releases":`), listBytes(releases), Buffer.from(tail)]);
}

/** A record package of one process; the service's own compiled release is left out (it is heavy, and compiling is ours). */
export function recordBytes(uri: string, ocid: string, releases: readonly PublishedRelease[]): Buffer {
  const head = JSON.stringify({ uri, ...LICENCE, publisher: PUBLISHER }).slice(0, -1);
  return Buffer.concat([
    Buffer.from(`${head},"records":[{"ocid":${JSON.stringify(ocid)},"releases":`),
    listBytes(releases),
    Buffer.from('}]}'),
  ]);
}

function listBytes(releases: readonly PublishedRelease[]): Buffer {
  const parts = releases.flatMap((each, index) =>
    index ? [Buffer.from(','), releaseBytes(each)] : [releaseBytes(each)],
  );
  return Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')]);
}
