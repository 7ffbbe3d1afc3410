/** What the services publish may be used under this licence. */
export const LICENCE = 'Open Government Licence v3.0';
export const LICENCE_URL = 'https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/';

/** The sentence that the licence requires. */
export const ATTRIBUTION = `Contains public sector information licensed under the ${LICENCE}.`;

/** The Open Government Licence, with its default attribution where the publisher has none of its own. */
export const OGL = { licence: LICENCE, licenceUrl: LICENCE_URL, attribution: ATTRIBUTION };

/** What each publisher adds to that sentence: `Source: Companies House.` */
export function publishersOf(attributions: readonly string[]): string[] {
  const added = attributions.map((attribution) => attribution.replace(ATTRIBUTION, '').trim());
  return [...new Set(added)].filter((one) => one !== '');
}

/** The attributions of several sources as one text, with their common sentence once. */
export function joinAttributions(attributions: readonly string[]): string {
  return [ATTRIBUTION, ...publishersOf(attributions)].join(' ');
}

/** The attributions as one text that ends in the address of the licence, for places that cannot show a link. */
export function joinAttributionsWithAddress(attributions: readonly string[]): string {
  return `${joinAttributions(attributions)} ${LICENCE_URL}`;
}
