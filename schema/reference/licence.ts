/** What the services publish may be used under this licence. */
export const LICENCE = 'Open Government Licence v3.0';
export const LICENCE_URL = 'https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/';

/** The sentence that the licence asks for. */
export const ATTRIBUTION = `Contains public sector information licensed under the ${LICENCE}.`;

/** The same for places that cannot show a link. */
export const ATTRIBUTION_WITH_ADDRESS = `${ATTRIBUTION} ${LICENCE_URL}`;
