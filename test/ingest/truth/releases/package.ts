import type { Json } from './notice.ts';

const ADDRESS = {
  contracts_finder: 'https://www.contractsfinder.service.gov.uk/Published/Notices/OCDS/Search?limit=100',
  find_a_tender: 'https://www.find-tender.service.gov.uk/api/1.0/ocdsReleasePackages?limit=100',
};

/** The releases in the envelope in which their publisher serves them. */
export function releasePackage(source: keyof typeof ADDRESS, releases: Json[]): Json {
  return {
    uri: ADDRESS[source],
    version: '1.1',
    extensions: [],
    publishedDate: releases.at(-1)?.date,
    publisher: {
      name: 'Cabinet Office',
      scheme: 'GB-GOR',
      uid: 'D2',
      uri: 'https://www.gov.uk/government/organisations/cabinet-office',
    },
    license: 'http://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/',
    publicationPolicy: 'https://www.gov.uk/government/publications/open-contracting',
    releases,
  };
}
